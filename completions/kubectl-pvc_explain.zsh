#compdef kubectl-pvc_explain
# zsh completion for kubectl-pvc_explain
# Load it, after compinit, with: source <(kubectl-pvc_explain completion zsh)

_kubectl-pvc_explain() {
    local -a lines candidates options
    local line name directive
    lines=("${(@f)$($words[1] __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    directive=${lines[-1]#:}
    lines[-1]=()
    [[ $directive == <-> ]] || return 1
    [[ $PREFIX == -*=* ]] && compset -P '*='

    if ((directive & 8)); then
        _files -g "*.(${(j:|:)lines})"
        return
    fi
    if ((directive & 16)); then
        _files -/
        return
    fi
    for line in $lines; do
        name=${${line%%$'\t'*}//:/\\:}
        if [[ $line == *$'\t'* ]]; then
            candidates+=("$name:${line#*$'\t'}")
        else
            candidates+=("$name")
        fi
    done
    ((directive & 2)) && options=(-S '')
    if ((${#candidates})); then
        _describe completions candidates $options
    elif ! ((directive & 4)); then
        _files
    fi
}

compdef _kubectl-pvc_explain kubectl-pvc_explain
[[ $funcstack[1] == _kubectl-pvc_explain ]] && _kubectl-pvc_explain "$@"
