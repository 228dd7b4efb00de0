/** The form in which tests of languages state an outline. */
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { type CodeSymbol, type Outline, Symbols } from "../../../src/code/Symbols.ts"
import * as SharedSymbols from "../../utils/SharedSymbols.ts"

/** Tests that share one parser with those of all files, in real time: it gives up on a text after a while. */
export const withSymbols = layer(SharedSymbols.layer, { excludeTestServices: true })

export const outlined = (path: string, text: string): Effect.Effect<Outline, never, Symbols> =>
  Effect.flatMap(Symbols, (symbols) => symbols.outline(path, text))

export const qualified = ({ container, name }: CodeSymbol): string =>
  container === undefined ? name : `${container}.${name}`

/** `+ method A.b 3-5`: exported or not, kind, qualified name, first and last line. */
export const rows = ({ symbols }: Outline): ReadonlyArray<string> =>
  symbols.map(
    (symbol) =>
      `${symbol.exported ? "+" : "-"} ${symbol.kind} ${qualified(symbol)} ${symbol.startLine}-${symbol.endLine}`,
  )

/** Signatures by qualified name. */
export const signatures = ({ symbols }: Outline): Readonly<Record<string, string>> =>
  Object.fromEntries(symbols.map((symbol) => [qualified(symbol), symbol.signature]))

/** Docs by qualified name, of those that have one. */
export const docs = ({ symbols }: Outline): Readonly<Record<string, string>> =>
  Object.fromEntries(symbols.flatMap((symbol) => (symbol.doc === undefined ? [] : [[qualified(symbol), symbol.doc]])))
