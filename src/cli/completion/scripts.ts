/** The completion scripts: each asks `vibe completion SHELL -- =WORD…` for the candidates, one a line. */

export type Shell = "bash" | "zsh" | "fish"

/** Printed in place of candidates where the shell should offer files. No candidate equals it: bash escapes `<`. */
export const FILES = "<files>"

export const scripts: Readonly<Record<Shell, string>> = {
  // Bash 3.2, the version of macOS, has no `compopt`.
  bash: `_vibe() {
  local IFS=$'\\n' words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(vibe completion bash -- "\${words[@]/#/=}" 2>/dev/null))
  if [[ "\${COMPREPLY[0]}" == "${FILES}" ]]; then
    COMPREPLY=()
    compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  fi
}
complete -F _vibe vibe`,
  zsh: `#compdef vibe
_vibe() {
  local -a typed found
  typed=("\${(@Q)words[2,CURRENT]}")
  found=("\${(@f)$(vibe completion zsh -- "\${(@)typed/#/=}" 2>/dev/null)}")
  if [[ "$found[1]" == "${FILES}" ]]; then
    _files
  elif [[ -n "$found[1]" ]]; then
    compadd -- $found
  fi
}
compdef _vibe vibe`,
  fish: `function __vibe_complete
  set -l typed (commandline -opc) (commandline -ct)
  set -l found (vibe completion fish -- =$typed[2..-1] 2>/dev/null)
  if test "$found[1]" = "${FILES}"
    __fish_complete_path (commandline -ct)
  else if set -q found[1]
    printf '%s\\n' $found
  end
end
complete -c vibe -f -a '(__vibe_complete)'`,
}
