# bash completion for tenon: the program itself knows what may stand next, and asks the server of the command line for names.

_tenon()
{
    local line=${COMP_LINE:0:COMP_POINT} word typed begun value about

    word=${line##*[[:space:]]}
    typed=${word##*[=:]} # bash takes what stands after these marks for a word of its own
    [[ $COMP_WORDBREAKS == *=* ]] || typed=$word
    begun=${word%"$typed"}
    COMPREPLY=()
    while IFS=$'\t' read -r value about; do
        case $value in
        :files | :folders)
            compopt -o filenames 2>/dev/null
            while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen "-${value:1:1}" -- "$typed")
            ;;
        *)
            [[ $value != *= ]] || compopt -o nospace 2>/dev/null
            COMPREPLY+=("${value#"$begun"}")
            ;;
        esac
    done < <("$1" propose "$line" 2>/dev/null)
}

complete -F _tenon tenon
