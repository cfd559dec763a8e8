# fish completion for kubectl-pvc_explain
# Load it with: kubectl-pvc_explain completion fish | source

function __kubectl_pvc_explain_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l command $words[1]
    set -e words[1]
    set -l lines ($command __complete $words "$current" 2>/dev/null)
    or return
    set -l directive (string replace ':' '' -- $lines[-1])
    set -e lines[-1]

    set -l before ''
    set -l value "$current"
    if string match -q -- '-*=*' "$current"
        set before (string replace -r '=.*' '=' -- "$current")
        set value (string replace -r '^[^=]*=' '' -- "$current")
    end
    if test (math "bitand($directive, 24)") -gt 0; or begin
            test (count $lines) -eq 0
            and test (math "bitand($directive, 4)") -eq 0
        end
        for path in (complete -C "'' $value")
            echo -- "$before$path"
        end
        return
    end
    for line in $lines
        echo -- "$before$line"
    end
end

complete -c kubectl-pvc_explain -e
complete -c kubectl-pvc_explain -f -a '(__kubectl_pvc_explain_complete)'
