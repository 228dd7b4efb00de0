/** Shells with the completion of vibe, which are asked to complete a line. */
import { spawn } from "node:child_process"
import * as path from "node:path"
import { Effect } from "effect"
import { compileCache } from "./vibe.ts"

/** Runs a script in a shell, in the project; what it prints, a line each. */
const run = (cwd: string, shell: string, args: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.async((resume) => {
    const child = spawn(shell, args, {
      cwd,
      env: {
        PATH: `${path.join(cwd, "bin")}:/usr/bin:/bin`,
        HOME: cwd,
        NODE_COMPILE_CACHE: compileCache,
        OLLAMA_HOST: "127.0.0.1:9",
        TERM: "xterm",
      },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more
    })
    child.stderr.setEncoding("utf8").on("data", (more: string) => {
      text += more
    })
    child.on("close", () => resume(Effect.succeed(text.split("\n").filter((line) => line.trim() !== ""))))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** The candidates at the end of a command line. */
type Complete = (cwd: string, line: string) => Effect.Effect<ReadonlyArray<string>>

export const inBash: Complete = (cwd, line) => {
  // As bash divides the words of a command line.
  const words = line.split(/ |(?<=[:=])|(?=[:=])/)
  const script = [
    'eval "$(vibe completion bash)"',
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})`,
    `COMP_CWORD=${words.length - 1}`,
    "_vibe",
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]
  return run(cwd, "bash", ["--norc", "--noprofile", "-c", script.join("\n")])
}

/**
 * Types the line into an interactive zsh on a terminal of its own, and has it list the candidates of Tab. What is typed
 * before its line editor reads (`zle-line-init`) would be edited by the terminal itself, and lost.
 */
const zshWith =
  (setUp: string): Complete =>
  (cwd, line) => {
    const script = `
zmodload zsh/zpty
zpty shell "env PS1= zsh -f -i"
send() { zpty -w shell "$1" }
send "PROMPT=; RPROMPT=; unsetopt zle_bracketed_paste prompt_cr prompt_sp 2>/dev/null"
send '${setUp}'
send "zstyle ':completion:*' list-colors no=; LISTMAX=100000; setopt no_always_last_prompt no_list_packed list_rows_first no_auto_menu"
send 'comppostfuncs=(_report); _report() { compstate[insert]=; compstate[list]=; print "REPOR""TED" }'
send "functions[_plain_compadd]=; compadd() { local -a found; if [[ \\$1 == -- ]]; then shift; print -rl -- CANDIDATE:\\$^@ > \\$HOME/found; else builtin compadd -O found \\"\\$@\\"; print -rl -- CANDIDATE:\\$^found >> \\$HOME/files; builtin compadd \\"\\$@\\"; fi }"
send 'zle-line-init() { print "LIS""TENS" }; zle -N zle-line-init'
zpty -r shell output "*LISTENS*"
zpty -w -n shell "$LINE"$'\\t'
zpty -r shell output "*REPORTED*"
cat found files 2>/dev/null | sed -n "s/^CANDIDATE://p"
rm -f found files
`
    return run(cwd, "zsh", ["-f", "-c", `LINE='${line}'\n${script}`])
  }

export const inZsh = zshWith('autoload -Uz compinit && compinit -u -D; eval "$(vibe completion zsh)"')

/** As packages install it: a file of a folder of fpath, which is read at the first press of Tab. */
export const inZshFromFile = zshWith(
  "mkdir -p site; vibe completion zsh > site/_vibe; fpath=(site $fpath); autoload -Uz compinit && compinit -u -D",
)

export const inFish: Complete = (cwd, line) =>
  Effect.map(
    run(cwd, "fish", ["--no-config", "-c", `vibe completion fish | source; complete -C '${line}'`]),
    // A description may follow.
    (lines) => lines.map((line) => line.replace(/\t.*/, "")),
  )
