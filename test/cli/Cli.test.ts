import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import * as Cli from "../../src/cli/Cli.ts"
import { status } from "../../src/cli/status/command.ts"
import * as Table from "../../src/cli/Table.ts"
import { entryWithoutLayer } from "../../src/cli/Table.ts"
import * as Screen from "../../src/cli/terminal/Screen.ts"
import * as Settings from "../../src/config/Settings.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { listed, tableWith } from "../utils/commands.ts"
import { shared } from "../utils/shared.ts"
import { files, openIndexed, script, session, vibe, waits } from "./commandSession.ts"

describe("vibe", () => {
  /** One index for all tests that only read it. */
  const opened = shared(Effect.interruptible(openIndexed))
  const indexed = (use: Parameters<typeof session>[1]) => Effect.flatMap(opened, use)

  it.effect("prints help and version, and exits with 0", () =>
    session(files, (run) =>
      Effect.gen(function* () {
        assert.include((yield* run()).out, "vibe 1.2.3: finds the code that answers a question")
        const { out } = yield* run("--help")
        assert.isAtMost(out.trimEnd().split("\n").length, 46, "lines of the first screen")
        for (const { name, summary } of listed) {
          assert.match(out, new RegExp(`^ {2}${name} +${summary.split(" ", 4).join(" ")}`, "m"))
        }
        const settings = yield* run("help", "settings")
        assert.strictEqual(settings.code, 0)
        for (const [name] of Settings.descriptions) assert.include(settings.out, `\n  ${name} `)
        assert.include((yield* run("help", "query")).out, "vibe query TEXT... [OPTIONS]")
        assert.deepStrictEqual(yield* run("--json", "--version"), { code: 0, out: "1.2.3\n", err: "" })
      }),
    ),
  )

  it.effect("loads the commands of loom for their group, and for a word that is no command", () =>
    Effect.gen(function* () {
      const loads = (argv: ReadonlyArray<string>) =>
        Effect.map(Table.entriesFor(vibe, argv), (entries) =>
          entries.some(({ command }) => command.name === "loom log"),
        )
      for (const argv of [
        ["loom", "log"],
        ["help", "switch"],
        ["switch", "@"],
      ])
        assert.isTrue(yield* loads(argv))
      for (const argv of [[], ["--help"], ["help"], ["help", "settings"], ["query", "switch"], ["--json", "status"]]) {
        assert.isFalse(yield* loads(argv), argv.join(" "))
      }
    }),
  )

  it.effect("prints a usage error once, in one line", () =>
    session(files, (run) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* run("query", "a", "--limit", "0"), {
          code: 2,
          out: "",
          err: "vibe: option '--limit' takes a number from 1 to 50. See 'vibe query --help'\n",
        })
        assert.deepStrictEqual(yield* run("index", "--model", "google/"), {
          code: 2,
          out: "",
          err: "vibe: a model is written PROVIDER/NAME, not \"google/\". See 'vibe index --help'\n",
        })
      }),
    ),
  )

  it.effect("says what an exploration would cost without a key, and asks no model", () =>
    session(files, (run) =>
      Effect.gen(function* () {
        const estimate = ["index", "/repo", "--estimate", "--model", "google/gemini-2.5-flash"]
        const { code, err, out } = yield* run(...estimate)
        assert.deepStrictEqual([code, err], [0, ""])
        assert.match(out, /^2 symbols to explain: about 3 requests, \dk tokens in, \d{3} out\n/)
        assert.match(out, /\n {2}google\/gemini-2\.5-flash +about \$0\.00\d+\n(?: {2}\S+ +about \$0\.0\d+\n){3}/)
        assert.include(out, "One exploration makes at most 20 requests: enough for all of them.\n")
        assert.match(
          out,
          /\n\d pages? of the wiki beside them: about \d+ requests, \d+k tokens in, \S+ out: about \$0\.0\d+\n$/,
        )
        assert.notInclude((yield* run(...estimate, "--no-wiki")).out, "of the wiki")
        const { models, one, root, wiki } = JSON.parse((yield* run(...estimate, "--json")).out)
        const ofWiki = (wiki.inputTokens * models[0].price.input + wiki.outputTokens * models[0].price.output) / 1e6
        assert.approximately(models[0].wiki, ofWiki, 1e-6)
        assert.deepStrictEqual([root, one.symbols, one.requests, models.length], ["/repo", 2, 3, 4])
        const { input, output } = models[0].price
        assert.approximately(models[0].one, (one.inputTokens * input + one.outputTokens * output) / 1e6, 1e-9)
        // The script of the model has not begun.
        yield* run("index", "/repo")
        assert.include((yield* run("show", "Patience", "--root", "/repo")).out, "Sits")
      }),
    ),
  )

  it.effect("prints an error as JSON as well where JSON is asked for", () =>
    session(files, (run) =>
      Effect.gen(function* () {
        const { code, err, out } = yield* run("status", "--json", "--root", "/nowhere")
        assert.strictEqual(code, 2)
        assert.strictEqual(err, "vibe: /nowhere: no such file or folder\n")
        assert.deepStrictEqual(JSON.parse(out), {
          error: { reason: "NotFound", message: "/nowhere: no such file or folder" },
        })
      }),
    ),
  )

  it.effect("prints a defect as one line without a stack trace, and as JSON", () =>
    Effect.gen(function* () {
      const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
      const run = () => Effect.die(new TypeError("x is\nundefined"))
      const broken = tableWith(entryWithoutLayer({ command: status, run: async () => ({ run }) }))
      const code = yield* Cli.run(broken, { argv: ["status", "--json"], version: "1.2.3" }).pipe(
        Effect.provide([Screen.layerMemory(written), NodeContext.layer]),
      )
      assert.strictEqual(code, 1)
      const [line, object] = yield* Ref.get(written)
      assert.deepStrictEqual(line, { to: "err", text: "vibe: a mistake in vibe itself: TypeError: x is undefined\n" })
      assert.strictEqual(JSON.parse(object?.text ?? "").error.reason, "Crash")
    }),
  )

  it.effect("explores: two lines, and a summary", () =>
    session(
      files,
      (run) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* run("index", "/repo")
          assert.strictEqual(code, 0, err)
          assert.strictEqual(out, "Starting indexing...\nIndexing complete.\n")
          assert.include(err, "2 purposes written in 3 requests (1 batch) by scripted/test")
        }),
      [...script, Scripted.calls(["create_index_entry", { entries: [waits] }])],
    ),
  )

  it.effect("answers a query with places, purposes and lines, and nothing a terminal obeys", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const { code, out } = yield* run("query", "busy", "provider", "--root", "/repo", "--limit", "1")
        assert.strictEqual(code, 0)
        assert.deepStrictEqual(out.split("\n"), [
          "/repo/src/retry.ts:4-9  class Patience",
          "  Sits out a busy provider",
          "     4 │ export class Patience {",
          "     5 │   /** Waits. */",
          "     6 │   wait() {",
          "     7 │     return backoff(1)",
          "     8 │   }",
          "     9 │ }",
          "",
        ])
      }),
    ),
  )

  it.effect("answers a query as JSON", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const { out } = yield* run("query", "busy provider", "--root", "/repo", "--json")
        const [first] = JSON.parse(out).results
        assert.deepInclude(first, { path: "src/retry.ts", symbol: "Patience", purposeOrigin: "model", stale: false })
        assert.deepStrictEqual(JSON.parse((yield* run("query", "zebra", "--root", "/repo", "--json")).out), {
          results: [],
          missing: [{ word: "zebra", in: null, isCertain: true, near: [] }],
        })
      }),
    ),
  )

  it.effect("shows which model wrote a purpose, and what of the exchange concerns the symbol", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const { out } = yield* run("show", "--why", "Patience", "--root", "/repo")
        assert.match(out, /\n {2}written\n {4}\S+ \S+Z by scripted\/test, asked: Begin by exploring/)
        assert.include(out, "\n    src/retry.ts Patience: Sits out a busy provider\n")
        assert.include(out, "\n    recorded 1 of 1 entry\n")
        assert.match(out, /\n {4}answer: {2}vibe loom show \w+\n/)
        assert.notInclude(out, "\u001b")
        const json = yield* run("show", "--why", "Patience", "--root", "/repo", "--json")
        const [{ evidence, exchange }] = JSON.parse(json.out).symbols
        assert.deepStrictEqual(evidence, [])
        assert.deepStrictEqual(
          exchange.map((node: { readonly message: { readonly role: string } }) => node.message.role),
          ["user", "assistant", "tool"],
        )
        assert.include((yield* run("show", "--why", "wait", "--root", "/repo")).out, "Patience.wait")
        assert.notInclude((yield* run("show", "Patience", "--root", "/repo")).out, "written")
        assert.deepInclude(yield* run("show", "--why", "src", "--root", "/repo"), {
          code: 0,
          err: "vibe: --why is about one symbol: vibe show --why PATH:NAME\n",
        })
      }),
    ),
  )

  it.effect("shows of a batch the symbol's own source and line of the answer", () =>
    session(
      {
        "/repo/src/a.ts": "export function knock(door: string) {\n  return `${door} opens`\n}\n",
        "/repo/src/b.ts": "export function ring(bell: string) {\n  return `${bell} sounds`\n}\n",
      },
      (run) =>
        Effect.gen(function* () {
          yield* run("index", "/repo")
          const { out } = yield* run("show", "--why", "ring", "--root", "/repo")
          assert.match(out, /Z by scripted\/test, in a batch of 2 symbols from src\n/)
          const [, source, answer] =
            /of src\/b\.ts\n(.*)\n {2}the model's answer\n(.*)\n {2}the tool's/s.exec(out) ?? []
          assert.include(source, "    export function ring(bell: string) { return `${bell} sounds` }\n")
          assert.match(answer ?? "", /^ {4}\d: Makes the bell of the house sound for guests\.\n$/)
          assert.notInclude(out, "knock")
        }),
      [
        "A house with a door and a bell.",
        Scripted.calls([
          "create_index_entry",
          {
            entries: [
              {
                purposes: [
                  "1: Makes the door of the house open to guests.",
                  "2: Makes the bell of the house sound for guests.",
                ],
              },
            ],
          },
        ]),
      ],
    ),
  )

  it.effect("limits a result list to a thousand tokens, as JSON to half as many again", () =>
    Effect.gen(function* () {
      const long = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
      const verbose = (n: number) => [
        `/** ${long(`Waits "patiently" for a busy provider. `, 3000)} */`,
        `export const ${long("waitPatiently", 60)}${n} = (${long("argument: string, ", 3000)}) => [`,
        ...Array.from({ length: 30 }, () => `  "${long("busy provider ", 500)}",`),
        "]",
      ]
      const path = (n: number) => `/repo/${long("patience/", 90)}${n}/wait.ts`
      const files = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [path(n), verbose(n).join("\n")]))
      yield* session(files, (run) =>
        Effect.gen(function* () {
          yield* run("index", "/repo")
          for (const [json, tokens] of [
            [[], 1_000],
            [["--json"], 1_500],
          ] as const) {
            const { out } = yield* run("query", "busy provider", "--root", "/repo", ...json)
            assert.lengthOf(out.match(/wait\.ts/g) ?? [], 5)
            assert.isAtMost(out.length, 4 * tokens)
          }
        }),
      )
    }),
  )

  it.effect("prints on stderr that nothing was found", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const { code, err, out } = yield* run("query", "zebra", "--root", "/repo")
        assert.deepStrictEqual({ code, out }, { code: 0, out: "" })
        assert.include(err, "zebra")
      }),
    ),
  )

  it.effect("shows a symbol by its name, by its path and name, and all of that name", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const shown = (symbol: string) => Effect.map(run("show", symbol, "--root", "/repo"), ({ out }) => out)
        const backoff = yield* shown("backoff")
        for (const part of ["src/retry.ts:2-2", "Decides how long to wait", "used by", "src/other.ts"]) {
          assert.include(backoff, part)
        }
        assert.strictEqual(yield* shown("src/retry.ts:backoff"), backoff)
        assert.match(yield* shown("wait"), /src\/other\.ts:3-3.*src\/retry\.ts:6-8/s)
      }),
    ),
  )

  it.effect("shows the symbols of a file", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const { out } = yield* run("show", "src/retry.ts", "--root", "/repo")
        assert.deepStrictEqual(out.match(/Patience\.wait|Patience|backoff/g), ["backoff", "Patience", "Patience.wait"])
        const { symbols } = JSON.parse((yield* run("show", "src/retry.ts", "--root", "/repo", "--json")).out)
        assert.deepStrictEqual(
          symbols.map(({ symbol }: { symbol: string }) => symbol),
          ["backoff", "Patience", "Patience.wait"],
        )
      }),
    ),
  )

  it.effect("shows the symbol at a place, as `vibe query` prints it", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const symbols = (place: string) =>
          Effect.map(run("show", place, "--root", "/repo", "--json"), ({ out }) =>
            JSON.parse(out).symbols.map(({ symbol }: { symbol: string }) => symbol),
          )
        assert.deepStrictEqual(yield* symbols("src/retry.ts:4-9"), ["Patience"])
        assert.deepStrictEqual(yield* symbols("src/retry.ts:7"), ["Patience.wait"])
        const { code, err } = yield* run("show", "src/retry.ts:90", "--root", "/repo")
        assert.strictEqual(code, 1)
        assert.include(err, "no symbol at src/retry.ts:90; near it: /repo/src/retry.ts:Patience.wait")
      }),
    ),
  )

  it.effect("shows a folder: its files with their main symbols, and its folders", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const { code, out } = yield* run("show", "src/", "--root", "/repo")
        assert.strictEqual(code, 0)
        for (const part of [
          "/src/  2 files, ",
          "/src/retry.ts  3 symbols, ",
          "class Patience  Sits out a busy provider",
        ]) {
          assert.include(out, part)
        }
        assert.include((yield* run("show", ".", "--root", "/repo")).out, "/src/  2 files, ")
        const { files, folder, folders } = JSON.parse((yield* run("show", "src", "--root", "/repo", "--json")).out)
        assert.deepInclude(folder, { path: "src", files: 2 })
        assert.deepStrictEqual(folders, [])
        assert.deepStrictEqual(files.map(({ path }: { path: string }) => path).sort(), ["src/other.ts", "src/retry.ts"])
      }),
    ),
  )

  it.effect("shows a folder rather than symbols of its name, and says how to see these", () =>
    session(
      { ...files, "/repo/src/paths.ts": 'export const src = () => "src"\nexport const retry = () => src()\n' },
      (run) =>
        Effect.gen(function* () {
          yield* run("index", "/repo")
          const folder = yield* run("show", "src", "--root", "/repo")
          assert.include(folder.out, "/src/  3 files, ")
          assert.strictEqual(folder.err, "vibe: a symbol has that name, too: vibe show :src\n")
          assert.deepStrictEqual(yield* run("show", "src/", "--root", "/repo"), { ...folder, err: "" })
          const symbol = yield* run("show", ":src", "--root", "/repo")
          assert.include(symbol.out, "/repo/src/paths.ts:1-1  function src")
          assert.strictEqual(symbol.err, "")
          assert.include((yield* run("show", "retry", "--root", "/repo")).out, "function retry")
          assert.match((yield* run("show", ":scr", "--root", "/repo")).err, /no symbol 'scr'.*near it: .*paths\.ts:src/)
        }),
    ),
  )

  it.effect("suggests files and folders in place of those that are not there", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const shown = (typed: string) =>
          Effect.map(run("show", typed, "--root", "/repo"), ({ code, err }) => [code, err])
        for (const typed of ["src/rety.ts", "retry.tsx", "src/rety.ts:backoff", "lib/rety.ts:3-9"]) {
          const [code, err] = yield* shown(typed)
          assert.strictEqual(code, 1)
          assert.include(err, "in the index; near it: /repo/src/retry.ts", typed)
        }
        for (const typed of ["src/nope.ts", "src/nope.ts:3", "src/nope.ts:wait"]) {
          assert.match(String((yield* shown(typed))[1]), /^vibe: no file src\/nope\.ts in the index; near it: .*src\n$/)
        }
        assert.match(String((yield* shown("scr"))[1]), /no symbol 'scr'/)
        assert.match(String((yield* shown("./scr"))[1]), /no file or folder \.\/scr in the index; near it: .*src\n$/)
        assert.include((yield* shown("src/retry.ts:bakoff"))[1], "near it: /repo/src/retry.ts:backoff")
      }),
    ),
  )

  it.effect("names what is near to a symbol that is not there", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const { code, err } = yield* run("show", "Patiense", "--root", "/repo")
        assert.strictEqual(code, 1)
        assert.include(err, "no symbol 'Patiense' in the index; near it: /repo/src/retry.ts:Patience")
      }),
    ),
  )

  it.effect("prints the state of the index", () =>
    indexed((run) =>
      Effect.gen(function* () {
        const { out } = yield* run("status", "--root", "/repo")
        assert.include(out, "1 by a model")
        const status = JSON.parse((yield* run("status", "--root", "/repo", "--json")).out)
        assert.deepInclude(status, { root: "/repo", files: 2, stale: 0 })
        assert.isAtMost(status.coverage, 1)
      }),
    ),
  )

  it.effect("suggests `vibe index` where there is no index", () =>
    session(files, (run) =>
      Effect.gen(function* () {
        const { code, err } = yield* run("query", "a", "--root", "/repo")
        assert.strictEqual(code, 2)
        assert.strictEqual(err, "vibe: /repo: there is no index here yet. Make one with 'vibe index'\n")
      }),
    ),
  )
})
