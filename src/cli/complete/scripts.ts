import type { Shell } from './shells.ts';

/**
 * What makes a shell complete `kubectl-pvc_explain`. `kubectl pvc-explain` needs none of it: kubectl's own completion finds
 * kubectl_complete-pvc_explain. The numbers are the directives of candidates.ts. Each is also a file in completions/.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for kubectl-pvc_explain
# Load it with: source <(kubectl-pvc_explain completion bash)

__kubectl_pvc_explain_complete() {
    local line=\${COMP_LINE:0:COMP_POINT} words=() word last out directive name cur i
    COMPREPLY=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=\${COMP_WORDS[i]}
        if [[ i -eq 0 || $line == [[:space:]]* ]]; then
            line=\${line#"\${line%%[![:space:]]*}"}
            [[ i -eq COMP_CWORD ]] && word=$line
            words+=("$word")
        else
            # bash cuts words at "=" and ":" too: what no blank stands before belongs to the word before.
            [[ i -eq COMP_CWORD ]] && word=$line
            words[\${#words[@]} - 1]+=$word
        fi
        line=\${line#"$word"}
    done
    for i in "\${!words[@]}"; do
        words[i]=\${words[i]//\\\\/}
        [[ \${words[i]} == "~/"* ]] && words[i]=$HOME/\${words[i]:2}
    done

    out=$("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null) || return
    last=\${out##*$'\\n'}
    directive=\${last#:}
    out=\${out%"$last"}
    cur=\${words[\${#words[@]} - 1]}
    [[ $cur == -*=* ]] && cur=\${cur#*=}

    if ((directive & 8)); then
        compopt -o filenames
        while IFS= read -r name; do
            if [[ -d $name ]]; then
                COMPREPLY+=("$name")
                continue
            fi
            while IFS= read -r word; do
                [[ $name == *."$word" ]] && COMPREPLY+=("$name")
            done <<<"\${out%$'\\n'}"
        done < <(compgen -f -- "$cur")
        return
    fi
    if ((directive & 16)); then
        compopt -o filenames
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$cur")
        return
    fi
    ((directive & 2)) && compopt -o nospace
    while IFS=$'\\t' read -r name _; do
        [[ -n $name ]] && COMPREPLY+=("$name")
    done <<<"$out"
    if [[ \${#COMPREPLY[@]} -eq 0 ]] && ! ((directive & 4)); then
        compopt -o filenames
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$cur")
    fi
    # What is replaced is what stands behind the last ":".
    if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
        word=\${cur%"\${cur##*:}"}
        COMPREPLY=("\${COMPREPLY[@]#"$word"}")
    fi
}

complete -F __kubectl_pvc_explain_complete kubectl-pvc_explain
`,
  zsh: `#compdef kubectl-pvc_explain
# zsh completion for kubectl-pvc_explain
# Load it, after compinit, with: source <(kubectl-pvc_explain completion zsh)

_kubectl-pvc_explain() {
    local -a lines candidates options
    local line name directive
    lines=("\${(@f)$($words[1] __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
    directive=\${lines[-1]#:}
    lines[-1]=()
    [[ $directive == <-> ]] || return 1
    [[ $PREFIX == -*=* ]] && compset -P '*='

    if ((directive & 8)); then
        _files -g "*.(\${(j:|:)lines})"
        return
    fi
    if ((directive & 16)); then
        _files -/
        return
    fi
    for line in $lines; do
        name=\${\${line%%$'\\t'*}//:/\\\\:}
        if [[ $line == *$'\\t'* ]]; then
            candidates+=("$name:\${line#*$'\\t'}")
        else
            candidates+=("$name")
        fi
    done
    ((directive & 2)) && options=(-S '')
    if ((\${#candidates})); then
        _describe completions candidates $options
    elif ! ((directive & 4)); then
        _files
    fi
}

compdef _kubectl-pvc_explain kubectl-pvc_explain
[[ $funcstack[1] == _kubectl-pvc_explain ]] && _kubectl-pvc_explain "$@"
`,
  fish: `# fish completion for kubectl-pvc_explain
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
`,
};
