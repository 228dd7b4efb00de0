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
import { treeReaders } from "./internal/references/readers.ts"
import * as SizeLimits from "./internal/SizeLimits.ts"
import * as Grammar from "./internal/treeSitter/Grammar.ts"
import * as ItemMacros from "./internal/treeSitter/ItemMacros.ts"
import * as Limits from "./internal/treeSitter/Limits.ts"
import * as LostDeclarations from "./internal/treeSitter/LostDeclarations.ts"
import * as Macros from "./internal/treeSitter/Macros.ts"
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
  { grammar, name, parser: make }: Runtime.Loaded,
  source: Walk.Source,
  { limits, runParse }: { readonly limits: Limits.Limits; readonly runParse: RunParse },
): Outline => {
  const meter = Limits.makeMeter(limits)
  const parser = make()
  const trees: Array<Tree> = []
  /** Parses a text that is as long as the source, within limits of its own. */
  const read = (text: string, meter: Limits.Meter): Attempt | undefined => {
    const tree = runParse(name, () => parse(parser, text, meter))
    if (tree === undefined) return undefined
    trees.push(tree)
    const outline = walkTree(tree, { ...source, text }, { grammar, name }, meter.isLate)
    return { tree, text, outline }
  }
  try {
    const first = read(source.text, meter)
    if (first === undefined) return limitExceeded(meter.exceeded(), limits)
    const again = (text: string) => read(text, Limits.makeMeter(limits))
    const { outline, tree } = isStopped(first.outline) ? first : (retries.get(name)?.(first, again) ?? first)
    const references = isStopped(outline) ? undefined : treeReaders.get(name)
    return references === undefined
      ? outline
      : { ...outline, references: references(CompactTree.read(tree), source.text, outline.symbols) }
  } finally {
    for (const tree of trees) tree.delete()
    parser.delete()
  }
}

/** A parse of a text with its outline. */
interface Attempt {
  readonly tree: Tree
  readonly text: string
  readonly outline: Outline
}

/** Parses a text once more, changed so that the grammar can read it, and returns the better attempt. */
type Retry = (first: Attempt, read: (text: string) => Attempt | undefined) => Attempt

/** Reads C and C++ without macros, if the first parse has errors. */
const withoutMacros: Retry = (first, read) => {
  const { names, text } = first.tree.rootNode.hasError ? Macros.blank(first.text) : { names: [], text: "" }
  const other = names.length === 0 ? undefined : read(text)
  if (other === undefined || isStopped(other.outline)) return first
  const isBetter = !other.tree.rootNode.hasError || other.outline.symbols.length > first.outline.symbols.length
  if (!isBetter) return first
  return { ...other, outline: { ...other.outline, identifiers: addNames(other.outline.identifiers, names) } }
}

/** Reads the items of Rust in calls of macros, which may be nested. */
const withItemMacros: Retry = (first, read) => {
  let best = first
  for (let depth = 0; depth < MAX_NESTED_MACROS; depth++) {
    const text = ItemMacros.blank(best.tree.rootNode, best.text)
    const whole = text === undefined ? undefined : read(text)
    if (whole === undefined) break
    const broken = ItemMacros.brokenIn(best.tree.rootNode, best.text, whole.tree.rootNode)
    const sound = broken.size === 0 ? undefined : ItemMacros.blank(best.tree.rootNode, best.text, broken)
    const next = [whole, ...(sound === undefined ? [] : [read(sound)])].find(
      (attempt) => attempt !== undefined && hasAll(attempt.outline, best.outline),
    )
    if (next === undefined) break
    best = next
  }
  if (best === first) return first
  // The names of the macros are gone from the text, but the file still uses them.
  return { ...best, outline: { ...best.outline, identifiers: mostOf(first.outline, best.outline) } }
}

const MAX_NESTED_MACROS = 3

/**
 * Reads a script of a shell once more from the first function on that a syntax error hides: `name() {` at the beginning
 * of a line is certain. The outline still has a note, since other things may be missing.
 */
const afterErrors: Retry = (first, read) => {
  let { outline } = first
  let reason = outline.note?.split(":")[0]
  let last = first
  for (let times = 0; times < MAX_ERRORS; times++) {
    const lost = LostDeclarations.find(last.tree.rootNode, "bash", last.text, outline.symbols).next().value
    if (lost === undefined) break
    const rest = read(first.text.slice(0, lost.start).replace(/[^\n]/g, " ") + first.text.slice(lost.start))
    const found = rest?.outline.symbols.filter(({ start }) => start >= lost.start) ?? []
    if (rest === undefined || isStopped(rest.outline) || !found.some(({ start }) => start === lost.start)) break
    const before = outline.symbols.filter(({ start }) => start < lost.start)
    reason ??= `syntax error at line ${lost.errorLine}`
    outline = { ...outline, symbols: [...before, ...found] }
    last = rest
  }
  if (reason === undefined || last === first) return first
  const lost = Array.from(LostDeclarations.find(last.tree.rootNode, "bash", last.text, outline.symbols))
  return { ...first, outline: { ...outline, note: noteOf(reason, lost), cut: "syntax" } }
}

/** Says why an outline is partial, and which declarations it is known to lack. */
const noteOf = (reason: string, lost: ReadonlyArray<LostDeclarations.Lost>): string =>
  `${reason}: the outline ${lost.length === 0 ? "may be incomplete" : `lacks ${LostDeclarations.namesOf(lost)}`}`

/** The most errors after which a script is read again. */
const MAX_ERRORS = 5

/** Returns whether an outline is whole, and has more symbols than another and all of those. */
const hasAll = (outline: Outline, other: Outline): boolean => {
  if (isStopped(outline) || outline.symbols.length <= other.symbols.length) return false
  const starts = new Set(outline.symbols.map(({ start }) => start))
  return other.symbols.every(({ start }) => starts.has(start))
}

const mostOf = (one: Outline, other: Outline): Outline["identifiers"] => {
  const counts = new Map(other.identifiers)
  for (const [name, count] of one.identifiers) counts.set(name, Math.max(count, counts.get(name) ?? 0))
  return counts
}

const retries: ReadonlyMap<string, Retry> = new Map([
  ["bash", afterErrors],
  ["cpp", withoutMacros],
  ["rust", withItemMacros],
])

/** Returns whether a limit stopped the outline. */
const isStopped = ({ cut }: Outline): boolean => cut === "work" || cut === "time"

const addNames = (identifiers: Outline["identifiers"], names: ReadonlyArray<string>): Outline["identifiers"] => {
  const counts = new Map(identifiers)
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
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

const walkTree = (
  tree: Tree,
  source: Walk.Source,
  { grammar, name }: Pick<Runtime.Loaded, "grammar" | "name">,
  isLate: () => boolean,
): Outline => {
  const refusal = SizeLimits.refuseTree(tree.rootNode.descendantCount)
  if (refusal !== undefined) return { ...nothing, note: refusal }
  const outline = Walk.outline(Grammar.tree(grammar, tree.rootNode, source.text), source, grammar.rules, isLate)
  if (outline.note !== undefined || !tree.rootNode.hasError) return outline
  // A style sheet never has symbols, and an error in it may be syntax that is newer than the grammar.
  if (Object.keys(grammar.rules.definitions).length === 0) return outline
  if (outline.symbols.length === 0) return { ...outline, note: "syntax errors, and no symbol found" }
  const lost = Array.from(LostDeclarations.find(tree.rootNode, name, source.text, outline.symbols))
  const [first] = lost
  if (first === undefined) return outline
  const reason = isZsh(source) ? "zsh is read as bash" : `syntax error at line ${first.errorLine}`
  return { ...outline, note: noteOf(reason, lost), cut: "syntax" }
}

/** The syntax of zsh is an error for the grammar of bash, on any line. */
const isZsh = ({ path, text }: Walk.Source): boolean =>
  /\.zsh(?:rc|env)?$/i.test(path) || /^#![^\n]{0,200}\bzsh\b/.test(text)
