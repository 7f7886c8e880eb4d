# fish completion for tenon: the program itself knows what may stand next, and asks the server of the command line for names.

function __tenon_propose
    for line in (tenon propose (commandline --current-process --cut-at-cursor | string collect) 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (commandline --current-token --cut-at-cursor)
            case ':folders'
                __fish_complete_directories (commandline --current-token --cut-at-cursor)
            case '*'
                echo $line
        end
    end
end

complete --command tenon --no-files --arguments '(__tenon_propose)'
