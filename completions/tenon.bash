# bash completion for tenon

_tenon_files()
{
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$1" -- "$2"))
}

_tenon_validate()
{
    local current=$1 previous=$2

    # bash splits at "=": --output=flag is three words, and so is the end of --registry URI=FOLDER
    if [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $current == = ]]; then
        current=
    else
        [[ $previous == --output || $previous == --registry ]] || previous=
    fi
    [[ -z $previous || $previous == --* ]] || previous=--registry
    case $previous in
    --output)
        COMPREPLY=($(compgen -W "text flag basic" -- "$current"))
        return
        ;;
    --registry)
        _tenon_files -d "${current#*=}"
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "--output --repair --registry --format-assertion --draft-07 --help --version" \
            -- "$current"))
        return
    fi
    _tenon_files -f "$current"
}

_tenon()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}

    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "validate --help --version" -- "$current"))
        return
    fi
    case ${COMP_WORDS[1]} in
    validate) _tenon_validate "$current" "$previous" ;;
    esac
}

complete -F _tenon tenon
