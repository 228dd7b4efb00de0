import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, vibe } from "./vibe.ts"

/** What makes a terminal do something, or show something else than what is there. A name holds no slash. */
const commands = {
  clipboard: "\u001b]52;c;cm0gLXJm\u0007",
  title: "\u001b]0;title\u001b\\",
  link: "\u001b]8;;evil.example\u0007",
  screen: "\u001b[2J\u001b[31m",
  device: "\u001bPq#0\u001b\\",
  reset: "\u001bc",
  eight: "\u009b31m\u009d0;title\u009c\u0090q\u009c\u0085",
  bidi: "\u202e\u2066\u200f\u061c",
  hidden: "\u200b\ufeff\u{e0041}\u{e007f}",
  line: "\r\u2028\u0008\u007f",
  unended: "\u001b]0;",
} as const

const all = Object.values(commands).join("·")

const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

const source = `/** Greets${all}
 * and${all}again. */
export class Greeter {
  /** Waves. ${all} */
  "wave${commands.clipboard}${commands.bidi}hand"() {}
}
export const plain = "${all.replaceAll("\u2028", "").replaceAll("\r", "")}"
export function helper${commands.hidden}() {}
`

/** Files with a command each in their names, and one with all of them. */
const files = Object.fromEntries([
  ...Object.entries(commands).map(([name, command]) => [`seen-${name}${command}.ts`, source.replace("Greeter", name)]),
  ["seen.ts", source],
  [`inner${commands.screen}${commands.bidi}/deep.ts`, source.replace("Greeter", "Deep")],
  ["notes.md", all],
])

const calls = (...toolCalls: ReadonlyArray<readonly [name: string, args: object]>) => ({
  text: `I call.${all}`,
  thinking: `I think.${all}`,
  toolCalls: toolCalls.map(([name, args]) => ({ name, arguments: args })),
})

const exploring = [
  calls(["list_filesystem", { path: "." }], ["list_filesystem", { path: `nowhere${all}` }], [`tool${all}`, { a: all }]),
  calls(["read_file", { path: "seen.ts" }], ["read_file", { path: `seen-screen${commands.screen}.ts` }]),
  calls(["search_text", { pattern: "Greets" }], ["search_text", { pattern: `(${all}` }], ["search_text", { [all]: 1 }]),
  calls(["list_symbols_in_file", { path: "seen.ts" }], ["find_references", { symbolName: `Greeter${all}` }]),
  calls([
    "create_index_entry",
    {
      entries: [
        { path: "seen.ts", symbol: "Greeter", purpose: `Greets whoever comes.${all}` },
        { path: "seen.ts", symbol: `Nobody${all}`, purpose: "Is not there." },
        { path: `seen-screen${commands.screen}.ts`, symbol: "screen", purpose: `Stands in an odd file.${all}` },
      ],
    },
  ]),
  `All is seen.${all}`,
  // The answer to the batch that follows.
  "No more.",
]

const failing = [calls(["list_filesystem", { path: "." }]), { error: { reason: "Unauthorized", message: `No.${all}` } }]

describe.runIf(process.platform !== "win32")("vibe in a repository with escape sequences", () => {
  it.scopedLive(
    "prints no escape sequences, and all visible text",
    () =>
      Effect.gen(function* () {
        const top = yield* folder({
          ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`root${commands.title}/${name}`, text])),
          "exploring.json": JSON.stringify(exploring),
          "failing.json": JSON.stringify(failing),
        })
        const cwd = path.join(top, `root${commands.title}`)
        const model = (script: string) => ["--model", `scripted/${path.join(top, script)}`]

        /** Runs and gives what was printed, after a look at every character of it. */
        const printed = Effect.fnUntraced(function* (args: ReadonlyArray<string>, env: Record<string, string> = {}) {
          const { code, stderr, stdout } = yield* vibe(args, { cwd, env })
          for (const text of [stdout, stderr]) {
            const [found] = forbidden.exec(text) ?? []
            assert.isUndefined(found && JSON.stringify(found), `${JSON.stringify(args)}: ${JSON.stringify(text)}`)
          }
          return { code, stderr, stdout }
        })

        const explored = yield* printed(["index", "--verbose", ...model("exploring.json")])
        assert.strictEqual(explored.code, 0, explored.stderr)
        for (const seen of ["🤖 LLM => I call.", "Tool Call: tool", "seen-screen", "All is seen."]) {
          assert.include(explored.stdout, seen)
        }
        const quiet = yield* printed(["index", ...model("exploring.json")])
        assert.strictEqual(quiet.stdout, "Starting indexing...\nIndexing complete.\n")
        const refused = yield* printed(["index", "--verbose", ...model("failing.json")])
        assert.include(refused.stderr, "No.")
        const report = JSON.parse((yield* printed(["index", "--json", ...model("exploring.json")])).stdout)
        assert.strictEqual(report.root, cwd)
        const error = JSON.parse((yield* printed(["index", "--json", ...model("failing.json")])).stdout)
        assert.include(JSON.stringify(error), "No.")

        const written = fs.readFileSync(path.join(cwd, ".vibe/purposes.jsonl"), "utf8")
        assert.match(written, /"purpose":"Greets whoever comes\.[^"\\]*"/)
        // Another program may have written it.
        const hostile = JSON.stringify(`Greets whoever comes.${all}`).slice(1, -1)
        fs.writeFileSync(
          path.join(cwd, ".vibe/purposes.jsonl"),
          written.replace(/Greets whoever comes\.[^"]*/, () => hostile),
        )
        const found = yield* printed(["query", "greets", "whoever", "comes"])
        assert.include(found.stdout, "Greets whoever comes.")
        const [hit] = JSON.parse((yield* printed(["query", "--json", "greets whoever comes"])).stdout).results
        assert.include(hit.purpose, commands.clipboard)
        yield* printed(["query", `nothing${all}`])
        yield* printed(["query", `--root=${all}`, "a"])

        const shown = yield* printed(["show", "seen.ts"])
        assert.include(shown.stdout, "wavehand")
        assert.include((yield* printed(["show", "Greeter"])).stdout, "and")
        const json = yield* printed(["show", "--json", `seen-screen${commands.screen}.ts:screen`])
        assert.strictEqual(JSON.parse(json.stdout).symbols[0].path, `seen-screen${commands.screen}.ts`)
        yield* printed(["show", `Greeter${all}`])
        yield* printed(["show", "--json", `Greeter${all}`])

        assert.include((yield* printed(["status"])).stdout, path.join(top, "root"))
        assert.strictEqual(JSON.parse((yield* printed(["status", "--json"])).stdout).root, cwd)
        yield* printed(["status", "--root", `${all}/nowhere`])

        for (const args of [
          [all],
          [`--${all}`],
          ["help", all],
          ["index", all],
          ["index", `--verbose=${all}`],
          ["index", "--model", all],
          ["index", "--model", `scripted/${all}`],
          ["index", "--model", `google/${all}`],
          ["index", "--ext", all],
          ["query", "a", "--limit", all],
          ["--json", "show", all, all],
        ]) {
          assert.notStrictEqual((yield* printed(args)).code, null)
        }
        yield* printed(["index"], { VIBE_MODEL: all })
        yield* printed(["index"], { GOOGLE_API_KEY: `key${all}`.replaceAll(/[^\x20-\x7e]/gu, "") })
      }),
    240_000,
  )
})
