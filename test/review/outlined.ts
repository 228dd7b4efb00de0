/** Symbols of source text, for tests. */
import { Effect } from "effect"
import { Symbols } from "../../src/code/Symbols.ts"
import * as Purposes from "../../src/index/Purposes.ts"
import * as SymbolVersion from "../../src/review/SymbolVersion.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

/** The symbols of a file as `SymbolVersion` has them. */
export const versionsOf = (path: string, text: string, purposes = "") =>
  Effect.gen(function* () {
    const symbols = yield* Symbols
    const outline = yield* symbols.outline(path, text)
    return SymbolVersion.ofFile(path, text, outline.symbols, SymbolVersion.readPurposes(purposes))
  }).pipe(Effect.provide(SharedSymbols.layer))

/** A line of `purposes.jsonl` of a symbol as it is in this text. */
export const lineFor = (path: string, text: string, symbol: string, purpose: string, node = "n-1") =>
  Effect.map(versionsOf(path, text), (versions) => {
    const found = versions.find(({ qualifiedName }) => qualifiedName === symbol)
    if (found === undefined) throw new Error(`no symbol ${symbol} in ${path}`)
    const { hash, kind } = found
    return `${Purposes.encode({ path, symbol, kind, hash, purpose, model: "google/gemini-2.5-flash", node }).text}\n`
  })
