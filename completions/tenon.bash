# bash completion for tenon

_tenon_files()
{
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$1" -- "$2"))
}

_tenon_validate_options="--output --annotations --repair --registry --format-assertion --dialect --draft-07 --help --version"

_tenon_validate()
{
    local current=$1 previous=$2

    # bash splits at "=": --output=flag is three words, and so is the end of --registry URI=FOLDER
    if [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $current == = ]]; then
        current=
    else
        [[ $previous == --output || $previous == --dialect || $previous == --registry ]] || previous=
    fi
    [[ -z $previous || $previous == --* ]] || previous=--registry
    case $previous in
    --output)
        COMPREPLY=($(compgen -W "text flag basic detailed" -- "$current"))
        return
        ;;
    --dialect)
        COMPREPLY=($(compgen -W "2020-12 2019-09 draft-07 draft-06 draft-04" -- "$current"))
        return
        ;;
    --registry)
        _tenon_files -f "${current#*=}"
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$_tenon_validate_options" -- "$current"))
        return
    fi
    _tenon_files -f "$current"
}

# `tools` and `call`: options, and programs or files for the target
_tenon_remote()
{
    local current=$1 previous=$2 options=$3

    if [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $current == = ]]; then
        current=
    fi
    case $previous in
    --era)
        COMPREPLY=($(compgen -W "modern legacy" -- "$current"))
        return
        ;;
    --output)
        COMPREPLY=($(compgen -W "text json sarif junit" -- "$current"))
        return
        ;;
    --*-file)
        _tenon_files -f "$current"
        return
        ;;
    --timeout | --arg | --json | --login-port | --issuer | --client-id | --provider | --provider-client) return ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
        return
    fi
    _tenon_files -f "$current"
}

_tenon_tools_options="--era --timeout --token-file --header --header-file --login --login-port --issuer --client-id
    --client-secret-file --client-key-file --service --assertion-file --provider --provider-client --provider-token-file
    --raw --verbose --help --version"
_tenon_verify_options="$_tenon_tools_options --config --lock --lock-key --name --json --output"
_tenon_pin_options="$_tenon_verify_options --approve --all --diff --by"
_tenon_diff_options="$_tenon_verify_options --strict --all"
_tenon_fuzz_options="$_tenon_verify_options --all --trust-hints --read-only --tool --seed --time --guarded --strict --dry-run"
_tenon_lint_options="$_tenon_verify_options --for --profiles --fix --strict --all"
_tenon_call_options="--arg --json --send $_tenon_tools_options"
_tenon_inspect_options="--json $_tenon_tools_options"
_tenon_read_options=$_tenon_tools_options
_tenon_prompt_options=$_tenon_tools_options
_tenon_complete_options=$_tenon_tools_options
_tenon_shell_options=$_tenon_tools_options
_tenon_new_options="--help"
_tenon_install_options="--user --guard --write --help"
_tenon_token_options="--read --help --version"

_tenon_docs_options="--limit --min-score --json --no-index --db --max-db --project --root --allow-path --docs-folder --config-folder
    --embedding --embedding-url --embedding-model --embedding-key-file --embedding-dimensions
    --embedding-query-prefix --embedding-document-prefix --embedding-runtime-any --vectors --debounce --no-watch --ask-model
    --help"

_tenon_db_options="--db-file --help"

_tenon_docs()
{
    local current=$1 previous=$2 options=$3

    if [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $current == = ]]; then
        current=
    fi
    case $previous in
    --db | --config | --audit | --import | --oauth-keys | *-file)
        _tenon_files -f "$current"
        return
        ;;
    --project | --root | --allow-path | --profiles)
        _tenon_files -d "$current"
        return
        ;;
    --embedding)
        COMPREPLY=($(compgen -W "embedded ollama openai" -- "$current"))
        return
        ;;
    --log)
        COMPREPLY=($(compgen -W "error warn info debug" -- "$current"))
        return
        ;;
    --log-format)
        COMPREPLY=($(compgen -W "text json" -- "$current"))
        return
        ;;
    --limit | --min-score | --docs-folder | --config-folder | --embedding-* | --vectors | --debounce) return ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
        return
    fi
    _tenon_files -d "$current"
}

# The program knows its servers and their options; asked only when `serve` is completed.
_tenon_servers()
{
    "${COMP_WORDS[0]}" serve 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
}

_tenon_server_options()
{
    "${COMP_WORDS[0]}" serve "$1" --help 2>/dev/null | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p'
    echo --version
}

_tenon_guard_options()
{
    "${COMP_WORDS[0]}" guard --help 2>/dev/null | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p'
    echo --version
}

_tenon_guard()
{
    local current=$1 previous=$2

    if [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $current == = ]]; then
        current=
    fi
    case $previous in
    --config | --lock | --lock-key | --import | --audit | --oauth-keys | *-file)
        _tenon_files -f "$current"
        return
        ;;
    --results) COMPREPLY=($(compgen -W "check warn off" -- "$current")) ;;
    --unknown) COMPREPLY=($(compgen -W "near reject message ignore" -- "$current")) ;;
    --changed) COMPREPLY=($(compgen -W "hide keep warn" -- "$current")) ;;
    --env-from) COMPREPLY=($(compgen -e -- "$current")) ;;
    --repair) COMPREPLY=($(compgen -W "on form off" -- "$current")) ;;
    --log) COMPREPLY=($(compgen -W "error warn info debug" -- "$current")) ;;
    --log-format) COMPREPLY=($(compgen -W "text json" -- "$current")) ;;
    *)
        if [[ $current == -* ]]; then
            COMPREPLY=($(compgen -W "$(_tenon_guard_options)" -- "$current"))
        else
            _tenon_files -f "$current"
        fi
        ;;
    esac
}

# The program knows its commands.
_tenon_commands()
{
    "${COMP_WORDS[0]}" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
}

_tenon()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}

    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$(_tenon_commands) help --help --version" -- "$current"))
        return
    fi
    case ${COMP_WORDS[1]} in
    tools) _tenon_remote "$current" "$previous" "$_tenon_tools_options" ;;
    call) _tenon_remote "$current" "$previous" "$_tenon_call_options" ;;
    inspect) _tenon_remote "$current" "$previous" "$_tenon_inspect_options" ;;
    read | prompt | complete | shell) _tenon_remote "$current" "$previous" "$_tenon_tools_options" ;;
    new) COMPREPLY=($(compgen -W "$_tenon_new_options" -- "$current")) ;;
    install) COMPREPLY=($(compgen -W "claude-code claude-desktop cursor vscode $_tenon_install_options" -- "$current")) ;;
    guard | console) _tenon_guard "$current" "$previous" ;;
    pin) _tenon_remote "$current" "$previous" "$_tenon_pin_options" ;;
    verify) _tenon_remote "$current" "$previous" "$_tenon_verify_options" ;;
    diff) _tenon_remote "$current" "$previous" "$_tenon_diff_options" ;;
    fuzz) _tenon_remote "$current" "$previous" "$_tenon_fuzz_options" ;;
    lint) _tenon_remote "$current" "$previous" "$_tenon_lint_options" ;;
    serve)
        if [ "$COMP_CWORD" -eq 2 ]; then
            COMPREPLY=($(compgen -W "$(_tenon_servers) --help" -- "$current"))
        else
            _tenon_docs "$current" "$previous" "$(_tenon_server_options "${COMP_WORDS[2]}")"
        fi
        ;;
    docs)
        if [ "$COMP_CWORD" -eq 2 ]; then
            COMPREPLY=($(compgen -W "index search ask status backup model --help" -- "$current"))
        else
            _tenon_docs "$current" "$previous" "$_tenon_docs_options"
        fi
        ;;
    db)
        if [ "$COMP_CWORD" -eq 2 ]; then
            COMPREPLY=($(compgen -W "migrate copy --help" -- "$current"))
        else
            _tenon_docs "$current" "$previous" "$_tenon_db_options"
        fi
        ;;
    token) COMPREPLY=($(compgen -W "$_tenon_token_options" -- "$current")) ;;
    validate) _tenon_validate "$current" "$previous" ;;
    esac
}

complete -F _tenon tenon
