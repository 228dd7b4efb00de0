/**
 * The completion scripts: each asks `vibe completion SHELL -- =WORD…` for the candidates, one a line. A first line
 * `FILES` says that files are candidates, too.
 */

export type Shell = "bash" | "zsh" | "fish"

/** This line stands for files. No candidate equals it: bash escapes `<`. */
export const FILES = "<files>"

export const scripts: Readonly<Record<Shell, string>> = {
  // Bash divides words at `:` and `=`, and replaces only what follows the last of them. Bash 3.2, the version of macOS,
  // has no `compopt`.
  bash: `_vibe() {
  local IFS=$'\n' words=() found word last="" cut="" i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if ((\${#words[@]} > 1)) && [[ "$word" =~ ^[:=]+$ || "$last" =~ ^[:=]+$ ]]; then
      words[\${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
    last="$word"
  done
  word="\${words[\${#words[@]}-1]}"
  if [[ "$word" != "\${COMP_WORDS[COMP_CWORD]}" || "$last" =~ ^[:=]+$ ]]; then
    cut="\${word%"\${word##*[:=]}"}"
  fi
  COMPREPLY=($(vibe completion bash -- "\${words[@]/#/=}" 2>/dev/null))
  if [[ "\${COMPREPLY[0]}" == "${FILES}" ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=("\${COMPREPLY[@]:1}" $(compgen -f -- "$word"))
  fi
  COMPREPLY=("\${COMPREPLY[@]#"$cut"}")
}
complete -F _vibe vibe`,
  // zsh reads this as a file of $fpath at the first completion, and it must complete; in a start-up file it only
  // registers.
  zsh: `#compdef vibe
_vibe() {
  local -a typed found
  typed=("\${(@Q)words[2,CURRENT]}")
  found=("\${(@f)$(vibe completion zsh -- "\${(@)typed/#/=}" 2>/dev/null)}")
  if [[ "$found[1]" == "${FILES}" ]]; then
    shift found
    _files
  fi
  if (( $#found )) && [[ -n "$found[1]" ]]; then
    compadd -- $found
  fi
}
if [[ "$funcstack[1]" == _vibe ]]; then
  _vibe "$@"
else
  compdef _vibe vibe
fi`,
  fish: `function __vibe_complete
  set -l typed (commandline -opc) (commandline -ct)
  set -l found (vibe completion fish -- =$typed[2..-1] 2>/dev/null)
  if test "$found[1]" = "${FILES}"
    set -e found[1]
    __fish_complete_path (commandline -ct)
  end
  if set -q found[1]
    printf '%s\n' $found
  end
end
complete -c vibe -f -a '(__vibe_complete)'`,
}
