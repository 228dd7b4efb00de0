/** Outlines by tree-sitter: web-tree-sitter with the grammars of @vscode/tree-sitter-wasm, loaded when first needed. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Parser, Tree } from "web-tree-sitter"
import * as Language from "../Language.ts"
import { type Outline, Symbols } from "../Symbols.ts"
import * as Grammar from "./internal/Grammar.ts"
import * as Guard from "./internal/Guard.ts"
import * as Runtime from "./internal/Runtime.ts"
import * as Unoptimised from "./internal/Unoptimised.ts"
import * as Walk from "./internal/Walk.ts"

/** Milliseconds of work on one text, the walk included. Sound ones take half of it at most, and most of them a hundredth. */
const patience = (text: string): number => 400 + text.length / 2_500

/** Milliseconds that this thread has worked, not waited: a machine that is busy or asleep makes no file harder. */
const worked = (): number => {
  // Node 22 knows of the process alone.
  const { system, user } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (system + user) / 1_000
}

/** In one thread; needs nothing. */
export const make = Effect.gen(function* () {
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
          return parsed(chosen, { path, text })
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

/** Parses in this thread and in one go: about 150 ms for a million characters of most languages. */
export const layer: Layer.Layer<Symbols> = Layer.effect(Symbols, make)

const nothing: Outline = { symbols: [], identifiers: new Map(), imports: [], note: undefined }

const parsed = ({ grammar, name, parser: make }: Runtime.Loaded, source: Walk.Source): Outline => {
  const limit = patience(source.text)
  const isLate = lateness(limit)
  const parser = make()
  try {
    const tree = Unoptimised.parse(name, () => parse(parser, source.text, isLate))
    if (tree === undefined) return { ...nothing, note: `not parsed within ${(limit / 1_000).toFixed(1)} s` }
    try {
      return walked(tree, source, grammar, isLate)
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}

/** Whether so many milliseconds of work are over, counted from now. */
const lateness = (limit: number): (() => boolean) => {
  const begin = performance.now()
  let deadline: number | undefined
  return () => {
    const gone = performance.now() - begin
    // Nobody works for longer than time goes by, and to ask for the time is fifteen times cheaper.
    if (gone < AT_ONCE) return false
    deadline ??= worked() + limit - AT_ONCE
    return gone > limit && worked() > deadline
  }
}

/** Milliseconds in which nearly every text is done. */
const AT_ONCE = 50

/** None when it is late. */
const parse = (parser: Parser, text: string, isLate: () => boolean): Tree | undefined => {
  let isParsing = true
  let isCut = false
  // It asks after so many steps whether to go on, and one step may look through all of the text: that ends then.
  const read = (index: number): string => {
    isCut ||= isParsing && isLate()
    return isCut ? "" : text.slice(index)
  }
  const tree = parser.parse(read, null, { progressCallback: isLate })
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
