/** Indices of small projects with the real outlines, and their references as lines of text. */
import { Effect, Layer } from "effect"
import * as Sqlite from "../../../../src/index/IndexStore/Sqlite.ts"
import type * as IndexStore from "../../../../src/index/IndexStore.ts"
import * as SharedSymbols from "../../../utils/SharedSymbols.ts"
import { withIndex } from "../../IndexStore.fixture.ts"

export type Project = Readonly<Record<string, string>>

/** `a.ts go -> b.ts B.run: 3`: the symbol around the use, the symbol that is used, and the lines. */
export const linesOf = (index: IndexStore.Index) =>
  Effect.gen(function* () {
    const entries = yield* Effect.forEach(yield* index.files, ({ path }) => index.symbolsIn(path))
    const lines = yield* Effect.forEach(entries.flat(), (entry) =>
      Effect.map(index.references(entry), (references) =>
        Array.from(
          Map.groupBy(references, ({ path, symbol }) => `${path} ${symbol ?? "-"}`),
          ([from, uses]) =>
            `${from} -> ${entry.path} ${entry.qualifiedName}: ${uses.map(({ line }) => line).join(" ")}`,
        ),
      ),
    )
    return lines.flat().sort()
  })

export const usedBy = (index: IndexStore.Index) =>
  Effect.gen(function* () {
    const entries = yield* Effect.forEach(yield* index.files, ({ path }) => index.symbolsIn(path))
    return entries.flat().map(({ path, qualifiedName, usedBy }) => `${path} ${qualifiedName} ${usedBy}`)
  })

/** The callers of each symbol, sorted; how many if there may be more than the index tells. */
export const callers = (index: IndexStore.Index) =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(yield* index.files, ({ path }) =>
      Effect.map(index.callersIn(path, "all"), (callers) =>
        Array.from(
          callers,
          ([key, names]) => `${path} ${key}: ${names.length < 3 ? names.toSorted().join(" ") : "many"}`,
        ),
      ),
    )
    return found.flat().toSorted()
  })

export const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

/** The references in a project that was not indexed before. */
export const referencesIn = (files: Project) => withIndex("/p", files, linesOf).pipe(Effect.provide(layer))
