import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as SymbolDiff from "../../src/review/SymbolDiff.ts"
import type { SymbolVersion } from "../../src/review/SymbolVersion.ts"
import * as Concerns from "../../src/wiki/Concerns.ts"
import type { Citation, Page, Statement } from "../../src/wiki/Page.ts"
import * as States from "../../src/wiki/States.ts"
import { versionsOf } from "../review/outlined.ts"

const path = "src/shop.ts"
const source = (sell: string, more = "") =>
  `export const sell = (item: string) => {\n  ${sell}\n  return item\n}\nexport const buy = () => {\n  return 1\n}\n${more}`

const entryOf = (symbol: SymbolVersion) =>
  new IndexEntry({
    path: symbol.path,
    name: symbol.name,
    container: symbol.container,
    kind: symbol.kind,
    startLine: symbol.startLine,
    endLine: symbol.endLine,
    signature: symbol.signature,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: symbol.hash,
    tokens: symbol.tokens,
  })

interface Told {
  readonly kind?: Statement["kind"]
  /** Which symbols of the source before are cited. */
  readonly cites: ReadonlyArray<string>
}

/** Finds what a change of one file means for a page with one statement. */
const concerns = (before: string, after: string, { cites, kind = "claim" }: Told) =>
  Effect.gen(function* () {
    const [old, now] = [yield* versionsOf(path, before), yield* versionsOf(path, after)]
    const citations = old
      .filter(({ qualifiedName }) => cites.includes(qualifiedName))
      .map(({ hash, qualifiedName, tokens }): Citation => ({ path, symbol: qualifiedName, hash, tokens }))
    const statement: Statement = { text: "Sells an item once.", kind, author: "model", citations }
    const page: Page = {
      name: "shop",
      kind: "part",
      title: "Shop",
      sections: [{ form: "text", blocks: [[statement]] }],
    }
    const present = { symbols: new Map([[path, now.map(entryOf)]]), named: new Map(), files: new Map() }
    const changes = SymbolDiff.compare([{ path, before: old, after: now }])
    return Concerns.find({ changes }, [page], { of: (citation) => States.resolve(citation, present) })
  })

describe("Concerns.find", () => {
  it.effect("names the statement, its page and the change of a symbol that it cites", () =>
    Effect.gen(function* () {
      const [finding, ...others] = yield* concerns(source("log(1)"), source("log(2)"), { cites: ["sell"] })
      assert.deepStrictEqual(others, [])
      assert.deepInclude(finding, {
        rule: "touched-statement",
        level: "note",
        path,
        line: 2,
        message: "function sell has changed, and .vibe/wiki/shop.md says of it: Sells an item once.",
        statement: { page: "shop", text: "Sells an item once." },
        diff: ["-  log(1)", "+  log(2)"],
      })
    }),
  )

  it.effect("says that a statement is about what is gone, at its page", () =>
    Effect.gen(function* () {
      for (const kind of ["claim", "pointer"] as const) {
        const removed = source("log(1)").replace(/export const buy[\s\S]*$/, "")
        const [finding] = yield* concerns(source("log(1)"), removed, { cites: ["buy"], kind })
        assert.deepInclude(finding, { rule: "gone-statement", level: "warning", path: ".vibe/wiki/shop.md", line: 1 })
        assert.include(finding?.message, "function buy is gone")
      }
    }),
  )

  it.effect("says nothing of other symbols, of a new layout, and of a pointer to what has changed", () =>
    Effect.gen(function* () {
      const before = source("log(1)")
      for (const [after, told] of [
        [source("log(2)"), { cites: ["buy"] }],
        [source("log(1)", "export const more = 1\n"), { cites: ["sell", "buy"] }],
        [source("log( 1 )"), { cites: ["sell"] }],
        [source("log(2)"), { cites: ["sell"], kind: "pointer" }],
      ] as const) {
        assert.deepStrictEqual(yield* concerns(before, after, told), [])
      }
    }),
  )

  it.effect("shows the first lines of a long change", () =>
    Effect.gen(function* () {
      const lines = (word: string) => Array.from({ length: 20 }, (_, at) => `  log("${word}${at}")`).join("\n")
      const [finding] = yield* concerns(source(lines("a")), source(lines("b")), { cites: ["sell"] })
      assert.strictEqual(finding?.diff?.length, 13)
      assert.strictEqual(finding?.diff?.at(-1), "… 28 more")
    }),
  )
})
