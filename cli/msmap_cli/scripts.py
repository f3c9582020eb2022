"""What a shell runs so that Tab completes `msmap`, by the shell's name."""

from __future__ import annotations

_BASH = r"""# msmap completion for bash: eval "$(msmap completion bash)"
_msmap() {
    local IFS=$'\n' found
    found=$(command msmap --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    case $found in
        :files) compopt -o filenames; COMPREPLY=($(compgen -f -- "$2")) ;;
        :dirs) compopt -o filenames; COMPREPLY=($(compgen -d -- "$2")) ;;
        *)
            COMPREPLY=($found)
            # A module goes on behind its dot.
            [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *. ]] && compopt -o nospace
            ;;
    esac
    return 0
}
complete -F _msmap msmap
"""
_ZSH = r"""#compdef msmap
# msmap completion for zsh: behind compinit, eval "$(msmap completion zsh)"
_msmap() {
    local -a found
    found=("${(@f)$(command msmap --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    case $found[1] in
        :files) _files ;;
        :dirs) _files -/ ;;
        # A module goes on behind its dot.
        *) compadd -S '' -- ${(M)found:#*.}; compadd -- ${found:#(*.|)} ;;
    esac
}
if [[ $funcstack[1] == _msmap ]]; then _msmap "$@"; else compdef _msmap msmap; fi
"""
_FISH = r"""# msmap completion for fish, as ~/.config/fish/completions/msmap.fish
function __msmap_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (command msmap --complete $words[2..-1] "$current" 2>/dev/null)
    switch "$found[1]"
        case :files
            __fish_complete_path "$current"
        case :dirs
            __fish_complete_directories "$current" ''
        case '*'
            test (count $found) -gt 0; and printf '%s\n' $found
    end
end
complete -c msmap -f -a '(__msmap_complete)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
