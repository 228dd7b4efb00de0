/** Outlines by tree-sitter: web-tree-sitter with the grammars of @vscode/tree-sitter-wasm, each loaded on first use. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Parser, Tree } from "web-tree-sitter"
import * as Language from "../Language.ts"
import { type Cut, type Outline, Symbols, UNKNOWN_LANGUAGE } from "../Symbols.ts"
import * as Walk from "./internal/outline/Walk.ts"
import * as CompactTree from "./internal/references/CompactTree.ts"
import * as SizeLimits from "./internal/SizeLimits.ts"
import * as Grammar from "./internal/treeSitter/Grammar.ts"
import * as Limits from "./internal/treeSitter/Limits.ts"
import * as LostDeclarations from "./internal/treeSitter/LostDeclarations.ts"
import * as Runtime from "./internal/treeSitter/Runtime.ts"

/**
 * Runs one parse by the grammar of that name. By default it only calls `parse`. A program that owns its process can
 * change process-wide settings of V8 around a parse, which the library never does.
 */
export class ParseRunner extends Context.Reference<ParseRunner>()("vibe/code/Symbols/TreeSitter/ParseRunner", {
  defaultValue: (): RunParse => (_grammar, parse) => parse(),
}) {}

export type { Limits } from "./internal/treeSitter/Limits.ts"

export type RunParse = <A>(grammar: string, parse: () => A) => A

/** Parses in the current thread. `limitsOf` returns the limits for a text of that length. Uses the `ParseRunner`. */
export const makeWith = Effect.fnUntraced(function* (limitsOf: (length: number) => Limits.Limits) {
  const runParse = yield* ParseRunner
  const [runtime, renew] = yield* Effect.cachedInvalidateWithTTL(Runtime.start, Duration.infinity)

  // There is no span: it would take a twentieth of the time of each file.
  const outline = Effect.fnUntraced(
    function* (path: string, text: string) {
      const language = Language.of(path, text)
      if (language?.grammar === undefined)
        return yield* Effect.fail(language === undefined ? UNKNOWN_LANGUAGE : `${language.id} is not outlined`)
      const refusal = SizeLimits.refuseText(text)
      if (refusal !== undefined) return yield* Effect.fail(refusal)
      const { grammar, isBloated, limitMemory } = yield* runtime
      const chosen = yield* grammar(language.grammar)
      const outline = yield* Effect.tapError(
        Runtime.attempt("the parser broke down", () => {
          limitMemory(text.length)
          return outlineWith(chosen, { path, text }, { limits: limitsOf(text.length), runParse })
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

/** Parses in the current thread without yielding: about 150 ms for a million characters of most languages. */
export const layer: Layer.Layer<Symbols> = Layer.effect(Symbols, make)

/** The outline of a file in which nothing was found. */
export const nothing: Outline = {
  symbols: [],
  identifiers: new Map(),
  imports: [],
  references: "",
  note: undefined,
  cut: undefined,
}

const outlineWith = (
  { grammar, name, parser: make, readReferences, retry }: Runtime.Loaded,
  source: Walk.Source,
  { limits, runParse }: { readonly limits: Limits.Limits; readonly runParse: RunParse },
): Outline => {
  const meter = Limits.makeMeter(limits)
  const parser = make()
  const trees: Array<Tree> = []
  const compactTrees = new Map<Tree, CompactTree.CompactNode>()
  const compactOf = (tree: Tree): CompactTree.CompactNode => {
    const compact = compactTrees.get(tree) ?? CompactTree.read(tree)
    compactTrees.set(tree, compact)
    return compact
  }
  /** Parses a text that is as long as the source, within limits of its own. */
  const read = (text: string, meter: Limits.Meter): Grammar.Attempt | undefined => {
    const tree = runParse(name, () => parse(parser, text, meter))
    if (tree === undefined) return undefined
    trees.push(tree)
    const compact = readReferences && (() => compactOf(tree))
    const outline = walkTree({ tree, compact }, { ...source, text }, grammar, meter.isLate)
    return { tree, text, outline }
  }
  try {
    const first = read(source.text, meter)
    if (first === undefined) return limitExceeded(meter.exceeded(), limits)
    const again = (text: string) => read(text, Limits.makeMeter(limits))
    const { outline, tree } = Grammar.isStopped(first.outline) ? first : (retry?.(first, again) ?? first)
    return readReferences === undefined || Grammar.isStopped(outline)
      ? outline
      : { ...outline, references: readReferences(compactOf(tree), source.text, outline.symbols) }
  } finally {
    for (const tree of trees) tree.delete()
    parser.delete()
  }
}

const limitExceeded = (cut: Cut | undefined, { time }: Limits.Limits): Outline => ({
  ...nothing,
  note: cut === "time" ? `not parsed within ${(time / 1_000).toFixed(1)} s` : "too much work to parse",
  cut,
})

/** Returns `undefined` if a limit was exceeded. */
const parse = (parser: Parser, text: string, { countRead, countStep }: Limits.Meter): Tree | undefined => {
  let isParsing = true
  let isCut = false
  // The parser calls `countStep` every hundred operations or so, but one operation may read the whole text. An empty
  // piece ends the text, and with it such an operation.
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

/** `compact`: returns the same tree, if references are read in it. */
const walkTree = (
  { compact, tree }: { readonly tree: Tree; readonly compact: (() => CompactTree.CompactNode) | undefined },
  source: Walk.Source,
  grammar: Grammar.Grammar,
  isLate: () => boolean,
): Outline => {
  const refusal = SizeLimits.refuseTree(tree.rootNode.descendantCount)
  if (refusal !== undefined) return { ...nothing, note: refusal }
  const nodes = Grammar.tree(grammar, tree.rootNode, source.text, compact?.())
  const outline = Walk.outline(nodes, source, grammar.rules, isLate)
  if (outline.note !== undefined || !tree.rootNode.hasError) return outline
  // A style sheet never has symbols, and an error in it may be syntax that is newer than the grammar.
  if (Object.keys(grammar.rules.definitions).length === 0) return outline
  if (outline.symbols.length === 0) return { ...outline, note: "syntax errors, and no symbol found" }
  const { declarationLine } = grammar.rules
  const lost = Array.from(LostDeclarations.find(tree.rootNode, declarationLine, source.text, outline.symbols))
  const [first] = lost
  if (first === undefined) return outline
  const reason = isZsh(source) ? "zsh is read as bash" : `syntax error at line ${first.errorLine}`
  return { ...outline, note: LostDeclarations.noteOf(reason, lost), cut: "syntax" }
}

/** The syntax of zsh is an error for the grammar of bash, on any line. */
const isZsh = ({ path, text }: Walk.Source): boolean =>
  /\.zsh(?:rc|env)?$/i.test(path) || /^#![^\n]{0,200}\bzsh\b/.test(text)
