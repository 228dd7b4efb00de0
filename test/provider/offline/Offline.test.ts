import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as IndexingOrchestrator from "../../../src/indexing/IndexingOrchestrator.ts"
import * as IndexStore from "../../../src/indexing/IndexStore.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Offline from "../../../src/provider/offline/Offline.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Indexing from "../../utils/Indexing.ts"

const repository = {
  "/repo/README.md": "# Greeter\n\nSays hello.\n",
  "/repo/src/greet.ts": [
    "/** Says hello to somebody by name. */",
    "export function greet(name: string): string {",
    "  return `hello ${name}`",
    "}",
    "",
    "/** @deprecated */",
    "export function isPolite(words: string): boolean {",
    "  return words.startsWith(greet(''))",
    "}",
    "",
  ].join("\n"),
  "/repo/src/cli/main.ts": 'import { greet, isPolite } from "../greet.ts"\n\nisPolite(greet("you"))\n',
  "/repo/src/cli/other.ts": 'import { isPolite } from "../greet.ts"\n\nisPolite("")\n',
}

const explore = IndexingOrchestrator.runGuidedExploration("/repo")

/** The index entry of a symbol after a run. */
const purposeOf = (symbol: string) =>
  Effect.gen(function* () {
    const store = yield* IndexStore.IndexStore
    const { index } = yield* store.openExisting(yield* Workspace.open("/repo"))
    return (yield* index.find(symbol))[0]?.purpose
  }).pipe(Effect.scoped)

/** `folders` folders of `files` files with an undocumented function each. */
const large = (folders: number, files: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: folders * files }, (_, n) => {
      const path = `/repo/f${n % folders}/file${n}.ts`
      return [path, `export function parseThing${n}() {}\n`]
    }),
  )

describe("Offline", () => {
  it.effect("visits every major symbol, and takes its purpose from the comment or derives it", () =>
    Effect.gen(function* () {
      const report = yield* explore
      assert.deepInclude(report, {
        model: "offline",
        outcome: "complete",
        purposesWritten: 2,
        purposes: { model: 0, comment: 1, derived: 1 },
        leftSymbols: 0,
      })
      assert.match(report.summary, /^Greeter: .*No language model was used/)
      assert.deepInclude(yield* purposeOf("greet"), { text: "Says hello to somebody by name.", origin: "comment" })
      assert.deepInclude(yield* purposeOf("isPolite"), {
        text: "Tells whether something is polite, given words; used by src/cli/main.ts, src/cli/other.ts.",
        origin: "derived",
      })
    }).pipe(Effect.provide(Indexing.layer(repository, Offline.layer))),
  )

  it.effect("makes no calls in a second run", () =>
    Effect.gen(function* () {
      yield* explore
      const again = yield* explore
      assert.deepInclude(again, { outcome: "complete", parsedFiles: 0, purposesWritten: 0, leftSymbols: 0 })
    }).pipe(Effect.provide(Indexing.layer(repository, Offline.layer))),
  )

  it.effect("leaves derived purposes to the next model", () =>
    Effect.gen(function* () {
      const texts: Array<string> = []
      const reader = yield* Scripted.make((request, index) => {
        texts.push(request.messages.map(Message.text).join("\n"))
        return index === 0
          ? Scripted.calls(["list_filesystem", { path: "src" }], ["list_symbols_in_file", { path: "src/greet.ts" }])
          : "Read."
      })
      yield* explore
      yield* IndexingOrchestrator.runGuidedExploration("/repo", false, { model: reader })
      const [opening = "", results = ""] = texts
      assert.include(
        opening,
        "0 major symbols have no purpose yet, and that of 1 other was only derived from its name.",
      )
      assert.include(opening, "\n- src/greet.ts (1)\n")
      assert.include(results, "src/greet.ts (2 symbols, 0 without a purpose, 1 with a derived one)")
      assert.lengthOf(results.match(/"derived":true/g) ?? [], 1)
    }).pipe(Effect.provide(Indexing.layer(repository, Offline.layer))),
  )

  it.effect("continues in the next run where twenty answers were not enough", () =>
    Effect.gen(function* () {
      const first = yield* explore
      assert.strictEqual(first.outcome, "limit")
      assert.isAbove(first.leftSymbols, 0)
      const second = yield* explore
      assert.deepInclude(second, { outcome: "complete", leftSymbols: 0 })
      assert.strictEqual(first.purposesWritten + second.purposesWritten, 4000)
    }).pipe(Effect.provide(Indexing.layer(large(10, 400), Offline.layer))),
  )
})
