# bash completion for kubectl-pvc_explain
# Load it with: source <(kubectl-pvc_explain completion bash)

__kubectl_pvc_explain_complete() {
    local line=${COMP_LINE:0:COMP_POINT} words=() word last out directive name cur i
    COMPREPLY=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ i -eq 0 || $line == [[:space:]]* ]]; then
            line=${line#"${line%%[![:space:]]*}"}
            [[ i -eq COMP_CWORD ]] && word=$line
            words+=("$word")
        else
            # bash cuts words at "=" and ":" too: what no blank stands before belongs to the word before.
            [[ i -eq COMP_CWORD ]] && word=$line
            words[${#words[@]} - 1]+=$word
        fi
        line=${line#"$word"}
    done
    for i in "${!words[@]}"; do
        words[i]=${words[i]//\\/}
        [[ ${words[i]} == "~/"* ]] && words[i]=$HOME/${words[i]:2}
    done

    out=$("${words[0]}" __complete "${words[@]:1}" 2>/dev/null) || return
    last=${out##*$'\n'}
    directive=${last#:}
    out=${out%"$last"}
    cur=${words[${#words[@]} - 1]}
    [[ $cur == -*=* ]] && cur=${cur#*=}

    if ((directive & 8)); then
        compopt -o filenames
        while IFS= read -r name; do
            if [[ -d $name ]]; then
                COMPREPLY+=("$name")
                continue
            fi
            while IFS= read -r word; do
                [[ $name == *."$word" ]] && COMPREPLY+=("$name")
            done <<<"${out%$'\n'}"
        done < <(compgen -f -- "$cur")
        return
    fi
    if ((directive & 16)); then
        compopt -o filenames
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$cur")
        return
    fi
    ((directive & 2)) && compopt -o nospace
    while IFS=$'\t' read -r name _; do
        [[ -n $name ]] && COMPREPLY+=("$name")
    done <<<"$out"
    if [[ ${#COMPREPLY[@]} -eq 0 ]] && ! ((directive & 4)); then
        compopt -o filenames
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$cur")
    fi
    # What is replaced is what stands behind the last ":".
    if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
        word=${cur%"${cur##*:}"}
        COMPREPLY=("${COMPREPLY[@]#"$word"}")
    fi
}

complete -F __kubectl_pvc_explain_complete kubectl-pvc_explain
