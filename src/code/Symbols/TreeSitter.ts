/** Outlines by tree-sitter: web-tree-sitter with the grammars of @vscode/tree-sitter-wasm, loaded when first needed. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Parser, Tree } from "web-tree-sitter"
import * as Language from "../Language.ts"
import { type Cut, type Outline, Symbols } from "../Symbols.ts"
import * as Grammar from "./internal/Grammar.ts"
import * as Guard from "./internal/Guard.ts"
import * as Limits from "./internal/Limits.ts"
import * as Runtime from "./internal/Runtime.ts"
import * as Unoptimised from "./internal/Unoptimised.ts"
import * as Walk from "./internal/Walk.ts"

/** In one thread; needs nothing. `limitsOf`: what a text may cost, by its length. */
export const makeWith = Effect.fnUntraced(function* (limitsOf: (length: number) => Limits.Limits) {
  const [runtime, renew] = yield* Effect.cachedInvalidateWithTTL(Runtime.start, Duration.infinity)

  // A span would take a twentieth of the time, and there is one call for every file.
  const outline = Effect.fnUntraced(
    function* (path: string, text: string) {
      const language = Language.of(path)
      if (language?.grammar === undefined)
        return yield* Effect.fail(`${language?.id ?? "this language"} is not outlined`)
      const refusal = Guard.refusal(text)
      if (refusal !== undefined) return yield* Effect.fail(refusal)
      const { allow, grammar, isBloated } = yield* runtime
      const chosen = yield* grammar(language.grammar)
      const outline = yield* Effect.tapError(
        Runtime.attempt("the parser broke down", () => {
          allow(text.length)
          return parsed(chosen, { path, text }, limitsOf(text.length))
        }),
        () => renew,
      )
      if (isBloated()) yield* renew
      return outline
    },
    Effect.catchAll((note) => Effect.succeed({ ...nothing, note })),
  )

  return Symbols.of({ outline })
})

export const make = makeWith(Limits.ofLength)

/** Parses in this thread and in one go: about 150 ms for a million characters of most languages. */
export const layer: Layer.Layer<Symbols> = Layer.effect(Symbols, make)

const nothing: Outline = { symbols: [], identifiers: new Map(), imports: [], note: undefined, cut: undefined }

const parsed = (
  { grammar, name, parser: make }: Runtime.Loaded,
  source: Walk.Source,
  limits: Limits.Limits,
): Outline => {
  const meter = Limits.meter(limits)
  const parser = make()
  try {
    const tree = Unoptimised.parse(name, () => parse(parser, source.text, meter))
    if (tree === undefined) return unparsed(meter.exceeded(), limits)
    try {
      return walked(tree, source, grammar, meter.isLate)
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}

const unparsed = (cut: Cut | undefined, { time }: Limits.Limits): Outline => ({
  ...nothing,
  note: cut === "time" ? `not parsed within ${(time / 1_000).toFixed(1)} s` : "too much work to parse",
  cut,
})

/** None where a limit was exceeded. */
const parse = (parser: Parser, text: string, { countRead, countStep }: Limits.Meter): Tree | undefined => {
  let isParsing = true
  let isCut = false
  // It asks after so many steps whether to go on, and one step may look through all of the text: that ends then.
  const read = (index: number): string => {
    isCut ||= isParsing && countRead()
    return isCut ? "" : text.slice(index)
  }
  const tree = parser.parse(read, null, { progressCallback: countStep })
  isParsing = false
  if (tree !== null && !isCut) return tree
  tree?.delete()
  return undefined
}

const walked = (tree: Tree, source: Walk.Source, grammar: Grammar.Grammar, isLate: () => boolean): Outline => {
  const refusal = Guard.overgrown(tree.rootNode.descendantCount)
  if (refusal !== undefined) return { ...nothing, note: refusal }
  const outline = Walk.outline(Grammar.tree(grammar, tree.rootNode, source.text), source, grammar.rules, isLate)
  const isBroken = outline.symbols.length === 0 && outline.note === undefined && tree.rootNode.hasError
  return isBroken ? { ...outline, note: "syntax errors, and no symbol found" } : outline
}
