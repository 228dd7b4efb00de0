/**
 * The laws of the plan of an exploration, over random files: nothing is lost, nothing is
 * shown twice, nothing is too large.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Batch } from "../../src/explore/Batch.ts"
import * as Batches from "../../src/explore/Batches.ts"
import type { IndexEntry } from "../../src/index/IndexEntry.ts"
import { cases } from "../thoroughness.ts"
import { files, limits, planOf } from "./randomProjects.ts"

const idOf = ({ path, qualifiedName, startLine }: IndexEntry) => `${path} ${startLine} ${qualifiedName}`

/** The numbers of the marks of a text, each with the path of the header above it. */
const marksOf = (text: string) => {
  let path = ""
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("== ")) path = line.slice(3)
    const number = /^§(\d+)/.exec(line)?.[1]
    return number === undefined ? [] : [{ number: Number(number), path }]
  })
}

const isOfKind = (entry: IndexEntry, only: Batches.Options["only"]) =>
  only === "all" || (entry.kind === "type") === (only === "definitions")

const checkBatch = (batch: Batch, { maxSymbols, maxTokens }: { maxSymbols: number; maxTokens: number }) => {
  const expected = batch.symbols.map((entry, i) => ({ number: i + 1, path: entry.path.replaceAll("§", "¶") }))
  assert.deepStrictEqual(marksOf(batch.text), expected)
  assert.strictEqual(batch.text.split("§").length - 1, batch.symbols.length)
  assert.isAtMost(batch.tokens, maxTokens)
  assert.isAtMost(batch.symbols.length, maxSymbols)
  assert.isTrue(batch.text.isWellFormed())
  assert.isTrue(
    batch.symbols.every(({ path }) => batch.area === "." || path === batch.area || path.startsWith(`${batch.area}/`)),
  )
}

/** Overloads, and the members of a class, are asked for in one request if they fit into one. */
const checkTogether = (
  batches: ReadonlyArray<Batch>,
  { maxSymbols, maxTokens }: { maxSymbols: number; maxTokens: number },
) => {
  // If a request has fewer tokens, it depends on the source whether they fit.
  if (maxTokens < Batches.MAX_TOKENS) return
  const symbols = batches.flatMap(({ symbols }, request) => symbols.map((entry) => ({ entry, request })))
  for (const keyOf of [
    ({ qualifiedName }: IndexEntry) => qualifiedName,
    ({ container, name }: IndexEntry) => (container ?? name).split(".")[0],
  ]) {
    for (const thing of Map.groupBy(symbols, ({ entry }) => `${entry.path} ${keyOf(entry)}`).values()) {
      const requests = new Set(thing.map(({ request }) => request))
      assert.isTrue(requests.size === 1 || thing.length > Math.min(maxSymbols, Batches.USUAL_SYMBOLS))
    }
  }
}

describe("Batches.plan", () => {
  it.effect.prop(
    "has every open symbol once, marked by its number below its file, within the limits, and always the same",
    [files, limits],
    ([files, options]) =>
      Effect.gen(function* () {
        const { again, batches, open } = yield* planOf(files, options)
        assert.deepStrictEqual(
          batches.flatMap(({ symbols }) => symbols.map(idOf)).sort(),
          open
            .filter((entry) => isOfKind(entry, options.only))
            .map(idOf)
            .sort(),
        )
        for (const batch of batches) checkBatch(batch, options)
        checkTogether(batches, options)
        assert.deepStrictEqual(again, batches)
      }),
    { fastCheck: { numRuns: cases(40) } },
  )
})
