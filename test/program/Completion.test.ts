/** `vibe completion` in real shells: what a press of Tab offers. */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isInstalled } from "../utils/isInstalled.ts"
import { bin, compileCache, folder, loomIn, vibe } from "./vibe.ts"

/** A project with an index, a conversation and a bookmark, and a `vibe` on PATH. */
const project = Effect.gen(function* () {
  const cwd = yield* folder({
    "src/shop.ts":
      "export class Basket {\n  addItem(): void {}\n}\nexport const addTax = (n: number) => n\nexport const use = () => addTax(1)\n",
    "addresses/list.txt": "none\n",
    ".config/vibe/config.toml":
      '[providers.fake]\nbaseUrl = "http://127.0.0.1:9/v1"\n[models."fake/m"]\ncontext = 1000\n[presets.sharp]\ntemperature = 0.1\n[agents.mine]\ncommand = "no-such-program"\n',
  })
  fs.mkdirSync(path.join(cwd, "bin"))
  fs.writeFileSync(path.join(cwd, "bin/vibe"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, { mode: 0o755 })
  const { code, stderr } = yield* vibe(["index", "--estimate", "."], { cwd })
  assert.strictEqual(code, 0, stderr)
  const id = yield* loomIn(cwd)("append", "--system", "x", "Hello")
  yield* loomIn(cwd)("bookmark", "mytalk", "@")
  return { cwd, id }
})

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

const inBash: Complete = (cwd, line) => {
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
 * Types the line into an interactive zsh on a terminal of its own, and has it list the candidates of Tab. What is typed before
 * its line editor reads (`zle-line-init`) would be edited by the terminal itself, and lost.
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

const inZsh = zshWith('autoload -Uz compinit && compinit -u -D; eval "$(vibe completion zsh)"')

/** As packages install it: a file of a folder of fpath, which is read at the first press of Tab. */
const inZshFromFile = zshWith(
  "mkdir -p site; vibe completion zsh > site/_vibe; fpath=(site $fpath); autoload -Uz compinit && compinit -u -D",
)

const inFish: Complete = (cwd, line) =>
  Effect.map(
    run(cwd, "fish", ["--no-config", "-c", `vibe completion fish | source; complete -C '${line}'`]),
    // A description may follow.
    (lines) => lines.map((line) => line.replace(/\t.*/, "")),
  )

describe("vibe completion", () => {
  for (const [shell, complete] of [
    ["bash", inBash],
    ["zsh", inZsh],
    ["fish", inFish],
  ] as const) {
    it.scopedLive.skipIf(!isInstalled(shell))(
      `completes commands, options, models, nodes, bookmarks, symbols and files in ${shell}`,
      () =>
        Effect.gen(function* () {
          const { cwd, id } = yield* project
          const offers = (line: string) => complete(cwd, line)
          assert.includeMembers([...(yield* offers("vibe lo"))], ["loom"])
          assert.includeMembers([...(yield* offers("vibe loom book"))], ["bookmark", "bookmarks"])
          assert.includeMembers([...(yield* offers("vibe show --calle"))], ["--callers", "--callees"])
          assert.include(yield* offers("vibe ask --model google/gemini-2.5-fl"), "google/gemini-2.5-flash")
          assert.deepStrictEqual([...(yield* offers("vibe ask --model fa"))], ["fake/m"])
          assert.includeMembers([...(yield* offers("vibe chat --model cli/"))], ["cli/claude", "cli/mine"])
          assert.deepStrictEqual([...(yield* offers("vibe ask --preset sh"))], ["sharp"])
          assert.deepStrictEqual([...(yield* offers("vibe chat --agent mi"))], ["mine"])
          assert.deepStrictEqual([...(yield* offers("vibe loom generate --tool cu"))], ["current_date"])
          assert.deepStrictEqual([...(yield* offers("vibe loom show myt"))], ["mytalk"])
          assert.include(yield* offers(`vibe loom show ${id.slice(0, 4)}`), id.slice(0, 10))
          assert.deepStrictEqual([...(yield* offers("vibe chat --agent cl"))], ["claude"])
          const symbols = yield* offers("vibe show add")
          assert.includeMembers([...symbols], ["addItem", "addTax"])
          assert.isTrue(
            symbols.some((word) => word.startsWith("addresses")),
            symbols.join(" "),
          )
          assert.include(yield* offers("vibe show Basket.a"), "Basket.addItem")
          assert.include((yield* offers("vibe show src/sh")).join(" "), "shop.ts")
          assert.include((yield* offers("vibe ask --file src/sh")).join(" "), "shop.ts")
        }),
      120_000,
    )
  }
})

describe.runIf(isInstalled("zsh"))("vibe completion zsh", () => {
  it.scopedLive(
    "completes at the first press of Tab where a package has installed its script",
    () =>
      Effect.gen(function* () {
        const { cwd } = yield* project
        assert.includeMembers([...(yield* inZshFromFile(cwd, "vibe lo"))], ["loom"])
      }),
    120_000,
  )
})

describe.runIf(isInstalled("bash"))("vibe completion bash", () => {
  it.scopedLive(
    "replaces only what follows a colon or an equals sign, where bash divides words",
    () =>
      Effect.gen(function* () {
        const { cwd } = yield* project
        assert.deepStrictEqual([...(yield* inBash(cwd, "vibe show src/shop.ts:addT"))], ["addTax"])
        assert.deepStrictEqual([...(yield* inBash(cwd, "vibe chat --resume=myt"))], ["mytalk"])
      }),
    120_000,
  )
})
