/**
 * Small repositories in memory, a parser by one regular expression, and operations that many tests of an index need.
 */
import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Ecma from "../../src/code/languages/ecma/references.ts"
import * as Lexer from "../../src/code/languages/ecma/scanner/Lexer.ts"
import * as Symbols from "../../src/code/Symbols.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"

const lex = Lexer.make()

const references = (text: string, symbols: ReadonlyArray<Symbols.CodeSymbol>): string => {
  const tokens = lex(text, false)
  return tokens === undefined ? "" : Ecma.read(tokens, symbols)
}

/**
 * The symbols are `export function name(…) {` at the start of a line up to a line `}`; the identifiers are all words.
 */
const outline = (text: string): Symbols.Outline => {
  const symbols = Array.from(
    text.matchAll(
      /(?:^\/\/ (?<doc>.*)\n)?^(?<head>(?<exported>export )?function (?<name>[\w$]+).*)(?:\n(?!}).*)*\n}/gm,
    ),
    ({ groups = {}, index, 0: { length } }): Symbols.CodeSymbol => {
      const start = text.indexOf(groups.head ?? "", index)
      const end = index + length
      return {
        name: groups.name ?? "",
        kind: "function",
        container: undefined,
        startLine: text.slice(0, start).split("\n").length,
        endLine: text.slice(0, end).split("\n").length,
        start,
        end,
        signature: (groups.head ?? "").replace(/ \{$/, ""),
        doc: groups.doc,
        exported: groups.exported !== undefined,
      }
    },
  )
  const identifiers = new Map<string, number>()
  for (const [name] of text.replaceAll(/\/\/.*/g, "").matchAll(/[A-Za-z_$][\w$]*/g)) {
    identifiers.set(name, (identifiers.get(name) ?? 0) + 1)
  }
  return { symbols, identifiers, imports: [], references: references(text, symbols), note: undefined, cut: undefined }
}

export const symbols: Layer.Layer<Symbols.Symbols> = Layer.succeed(Symbols.Symbols, {
  outline: (_, text) => Effect.sync(() => outline(text)),
})

/** A workspace at `root` with these files, by path relative to the root, in memory. */
export const workspace = (root: string, files: Readonly<Record<string, string | Uint8Array>>) =>
  Workspace.open(root).pipe(
    Effect.provide(
      Files.layerMemory(
        Object.fromEntries(Object.entries(files).map(([path, content]) => [`${root}/${path}`, content])),
      ),
    ),
    Effect.orDie,
  )

/** Opens and refreshes the index of these files, until the scope closes. */
export const openIndex = Effect.fnUntraced(function* (
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
) {
  const index = yield* (yield* IndexStore.IndexStore).open(yield* workspace(root, files))
  yield* index.refresh
  return index
})

/** Opens and refreshes the index of these files for `use`, and closes it. */
export const withIndex = <A, E, R>(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (index: IndexStore.Index) => Effect.Effect<A, E, R>,
) => Effect.scoped(Effect.flatMap(openIndex(root, files), use))

/** Records a purpose for the only symbol of that name. */
export const record = Effect.fnUntraced(function* (index: IndexStore.Index, symbol: string, text: string) {
  const [entry] = yield* index.find(symbol)
  if (entry === undefined) return yield* Effect.dieMessage(`no symbol ${symbol}`)
  yield* index.record([{ entry, text, model: "scripted/test", node: "n-1" }])
})

/** The purpose of the only symbol of that name. */
export const purposeOf = (index: IndexStore.Index, symbol: string) =>
  Effect.map(index.find(symbol), (entries) => {
    const purpose = entries[0]?.purpose
    return purpose === undefined ? undefined : `${purpose.text}${purpose.stale ? " (stale)" : ""}`
  })
