import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import type { IndexEvent } from "../../../src/explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../../src/explore/IndexObserver.ts"
import * as Offline from "../../../src/provider/offline/Offline.ts"
import * as Indexing from "../../utils/Indexing.ts"

const repository = {
  "/repo/README.md":
    "# Greeter\n\n[![build](https://ci.example/badge.svg)](https://ci.example)\n\nSays hello to guests. It is small.\n",
  "/repo/package.json": '{ "name": "greeter", "version": "1.0.0" }\n',
  "/repo/src/core/greetGuest.ts": [
    "/** Says hello to somebody by name. */",
    "export function greetGuest(name: string): string {",
    "  return `hello ${name}`",
    "}",
    "",
    "/** @deprecated */",
    "export function isPolite(words: string): boolean {",
    "  return words.startsWith(greetGuest(''))",
    "}",
    "",
  ].join("\n"),
  "/repo/src/cli/index.ts":
    '// The command line of the greeter.\n\nimport { greetGuest, isPolite } from "../core/greetGuest.ts"\n\nexport function main() {\n  isPolite(greetGuest("you"))\n}\n',
  "/repo/test/greet.test.ts":
    'import { greetGuest } from "../src/core/greetGuest.ts"\n\nfunction check() {\n  greetGuest("")\n}\n',
}

/** Explores, and returns the report with the calls of the guide, in order. */
const explore = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const events = yield* Ref.make<ReadonlyArray<IndexEvent>>([])
    const report = yield* IndexingOrchestrator.runGuidedExploration("/repo").pipe(
      Effect.provide(Indexing.layer(files, Offline.layer, IndexObserver.layerTest(events))),
    )
    const calls = (yield* Ref.get(events)).flatMap((event) =>
      event._tag === "ToolCalled" ? [`${event.name} ${event.parameters.path}`] : [],
    )
    return { report, calls }
  })

describe("Offline", () => {
  it.effect("begins with the root, reads what describes the project, and looks into its folders", () =>
    Effect.gen(function* () {
      const { calls, report } = yield* explore(repository)
      assert.deepStrictEqual(calls, [
        "list_filesystem .",
        "read_file README.md",
        "read_file package.json",
        "list_filesystem src/",
        "list_symbols_in_file src/core/greetGuest.ts",
        "list_filesystem src/core/",
        "list_filesystem src/cli/",
        "list_filesystem test/",
        "read_file src/cli/index.ts",
      ])
      assert.deepInclude(report, { model: "offline", outcome: "complete", purposesWritten: 0 })
    }),
  )

  it.effect("ends with a map: what the project is, its size, its folders, and what is used most", () =>
    Effect.gen(function* () {
      const { report } = yield* explore(repository)
      assert.deepStrictEqual(report.summary.split("\n"), [
        "Greeter: Says hello to guests.",
        "5 files with 4 symbols; code: 2 files of typescript.",
        "  src/core/ (2 symbols): greetGuest, isPolite",
        "  src/cli/ (1 symbol): The command line of the greeter.",
        "  test/ (1 symbol): greet.test",
        "Most used:",
        "  greetGuest in src/core/greetGuest.ts: Says hello to somebody by name.",
        "  isPolite in src/core/greetGuest.ts",
      ])
    }),
  )

  it.effect("records no purpose: those of comments are in the index without it", () =>
    Effect.gen(function* () {
      const { report } = yield* explore(repository)
      assert.deepInclude(report, { purposesWritten: 0, purposes: { model: 0, comment: 1 }, coveredSymbols: 1 })
    }),
  )

  it.effect("answers few times, and draws at most twelve lines, however large the codebase is", () =>
    Effect.gen(function* () {
      const files = Array.from({ length: 60 }, (_, n): readonly [string, string] => [
        `/repo/${["a", "a/b", "a/b/c", "d", "e", "f", "g", "h", "i", "j", "k", "l"][n % 12]}/file${n}.ts`,
        `/** ${"Reads the things of a long list. ".repeat(9)} */\nexport function readThing${n}() {\n  readThing${(n * 7) % 40}()\n}\n`,
      ])
      const { calls, report } = yield* explore(Object.fromEntries(files))
      assert.isBelow(report.iterations, 10)
      assert.isBelow(calls.length, 40)
      const lines = report.summary.split("\n")
      assert.isAtMost(lines.length, 12)
      for (const line of lines) assert.isBelow(line.length, 80)
    }),
  )

  it.effect("names no tests code, and as many languages as a line has room for", () =>
    Effect.gen(function* () {
      const endings = ["ts", "py", "go", "rs", "java", "php"]
      const sources = endings.map((ending): readonly [string, string] => [
        `/repo/test/deep/a.${ending}`,
        "export function plantTree() {\n}\n",
      ])
      const { report } = yield* explore(Object.fromEntries(sources))
      const size = report.summary.split("\n")[1] ?? ""
      assert.match(size, /^6 files with \d symbols; tests: 1 file of \w+(, 1 of \w+)*\.$/)
      assert.isBelow(size.length, 80)
    }),
  )

  it.effect("says so where a codebase has neither a README nor symbols", () =>
    Effect.gen(function* () {
      const { report } = yield* explore({ "/repo/notes.txt": "Nothing here.\n" })
      assert.deepStrictEqual(report.summary.split("\n"), [
        "No README says what this codebase is.",
        "1 file with 0 symbols.",
      ])
    }),
  )
})
