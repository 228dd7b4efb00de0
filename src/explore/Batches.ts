/**
 * Plans an exploration: the open symbols of an index in batches, each of one area and small enough for one request, the
 * most important first.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Text from "../base/Text.ts"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as Boilerplate from "../index/Boilerplate.ts"
import * as FileComment from "../index/FileComment.ts"
import { type IndexEntry, isOpen } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import { callerKey, type Index, type IndexedFile } from "../index/IndexStore.ts"
import * as WorkLeft from "../index/WorkLeft.ts"
import { type Batch, PURPOSE_TOKENS } from "./Batch.ts"
import type { ExplorerError } from "./ExplorerError.ts"
import * as Areas from "./internal/Areas.ts"
import * as BatchText from "./internal/BatchText.ts"
import { sizeOf } from "./internal/foreignText.ts"

export interface Options {
  /**
   * The most tokens in the text of a batch, as `message/Tokens` estimates them. `MAX_TOKENS` by default, and at least
   * `MIN_TOKENS`.
   */
  readonly maxTokens?: number | undefined
  /**
   * The most symbols of a batch: a model must have room to answer for all of them. `MAX_SYMBOLS` by default; a batch
   * has `USUAL_SYMBOLS` at most if that takes no more requests than an exploration has.
   */
  readonly maxSymbols?: number | undefined
  /**
   * `definitions` are interfaces, types, enums and constants, which a cheaper model explains as well; `code` is
   * everything else. `all`, the default, mixes both.
   */
  readonly only?: "all" | "definitions" | "code" | undefined
  /** True if a batch asks for a sentence about each file that has none of its own, beside its symbols. */
  readonly summaries?: boolean | undefined
}

/** Models read the middle of a longer text less well, and a failed request costs more. */
export const MAX_TOKENS = 50_000

/** The source of one symbol may have no room in fewer tokens. */
export const MIN_TOKENS = 1_000

/** An answer with `PURPOSE_TOKENS` for each has 12,000 tokens, which models can write unless they say otherwise. */
export const MAX_SYMBOLS = 300

/**
 * The symbols of a batch of usual size. Sentences get worse in longer answers; shorter ones repeat the task and the map
 * more often, which takes 5 % more input here than batches of `MAX_SYMBOLS`.
 */
export const USUAL_SYMBOLS = 120

/** If there would be more batches than this, they are larger, since an exploration has a limit of requests. */
const USUAL_BATCHES = 16

/** Returns the most symbols of a batch if so many are open. */
const evenLimits = (limits: BatchText.Limits, open: number): BatchText.Limits => ({
  ...limits,
  symbols: Math.min(limits.symbols, Math.max(USUAL_SYMBOLS, Math.ceil(open / USUAL_BATCHES))),
})

/** The queries of an index that a plan of batches needs. */
export type OpenSymbols = Pick<Index, "callersIn" | "fileEntry" | "files" | "find" | "symbolsIn">

/**
 * Plans the batches of all open symbols of the code: major ones without a purpose, or with a stale one. If there is no
 * code, all files count. Each symbol is in exactly one batch. Reads every file with open symbols once to measure it,
 * and again when its batch is pulled, so only the text of one batch is held at any time.
 *
 * The same index and files give the same batches. A symbol that cannot be read is shown by its signature.
 */
export const plan = (
  workspace: Workspace,
  index: OpenSymbols,
  options: Options = {},
): Stream.Stream<Batch, IndexError | FileError | ExplorerError> =>
  Stream.unwrap(Effect.map(prepare(workspace, index, options), ({ batches }) => batches))

/** Plans like `plan`, and says how many batches and symbols there will be. */
export const prepare = (
  workspace: Workspace,
  index: OpenSymbols,
  options: Options = {},
): Effect.Effect<Prepared, IndexError | FileError> =>
  Effect.map(groupsOf(workspace, index, options), (groups) => ({
    count: groups.length,
    symbols: groups.reduce((sum, group) => sum + Areas.sizeOf(group).symbols, 0),
    batches: Stream.mapEffect(Stream.fromIterable(groups), (group) => write(workspace, index, group)),
  }))

export interface Prepared {
  readonly count: number
  readonly symbols: number
  readonly batches: Stream.Stream<Batch, IndexError | FileError | ExplorerError>
}

export interface Size {
  readonly symbols: number
  /** An upper bound: a few percent more than the batch has. */
  readonly tokens: number
}

interface Sizes {
  /** The sizes in the order of `plan`. */
  readonly batches: ReadonlyArray<Size>
  /** True if they are estimated from a part of the files. */
  readonly isSampled: boolean
}

/**
 * Measures how large the batches of `plan` will be. If more than `maxFiles` files have open symbols, it measures
 * `maxFiles` of them, evenly over the paths, and states batches of one size for all.
 */
export const measure = Effect.fn("Batches.measure")(function* (
  workspace: Workspace,
  index: OpenSymbols,
  { maxFiles = Number.POSITIVE_INFINITY, ...options }: Options & { readonly maxFiles?: number | undefined } = {},
) {
  const files = yield* filesOf(index)
  if (files.length <= maxFiles) {
    const batches = (yield* groupsOf(workspace, index, options)).map((group): Size => Areas.sizeOf(group))
    const sizes: Sizes = { batches, isSampled: false }
    return sizes
  }
  const sample = Array.from({ length: maxFiles }, (_, i) => files[Math.floor((i * files.length) / maxFiles)])
  const measured = Areas.sizeOf(
    yield* unitsOf(
      workspace,
      index,
      sample.flatMap((file) => file ?? []),
      options,
    ),
  )
  const open = files.reduce((sum, file) => sum + file.open, 0)
  const openInSample = sample.reduce((sum, file) => sum + (file?.open ?? 0), 0)
  const times = open / Math.max(1, openInSample)
  const [symbols, tokens] = [times * measured.symbols, times * measured.tokens]
  const limits = evenLimits(limitsOf(options), symbols)
  const count = Math.ceil(Math.max(symbols / limits.symbols, tokens / limits.tokens) / FILLED)
  const sizes: Sizes = {
    // The sizes are rounded so that their sum is right.
    batches: Array.from({ length: count }, (_, i) => ({
      symbols: Math.round(((i + 1) * symbols) / count) - Math.round((i * symbols) / count),
      tokens: Math.round(tokens / count),
    })),
    isSampled: true,
  }
  return sizes
})

/** How much of the limit that is reached first a batch fills, in the mean of large repositories. */
const FILLED = 0.9

/** The files with open symbols, by path. */
const filesOf = (index: OpenSymbols) =>
  Effect.map(index.files, (files) =>
    WorkLeft.of(files).files.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  )

const unitsOf = Effect.fnUntraced(function* (
  workspace: Workspace,
  index: OpenSymbols,
  files: ReadonlyArray<IndexedFile>,
  options: Options,
) {
  const isWanted = filterOf(options.only)
  const units: Array<BatchText.Unit> = []
  for (const { path } of files) {
    const entries = yield* index.symbolsIn(path)
    const source = yield* sourceOf(workspace, index, path, entries)
    const ofFile = BatchText.units(source, entries, (entry) => isOpen(entry) && isWanted(entry), limitsOf(options))
    const file = options.summaries === true && options.only !== "definitions" ? yield* index.fileEntry(path) : undefined
    const isAsked = file !== undefined && isOpen(file) && isUnsaid(path, entries, source.lines)
    units.push(...(isAsked ? BatchText.withFile(ofFile, file) : ofFile))
  }
  return units
})

/** Returns whether neither a comment says what a file is for, nor the purpose of its type or of its only symbol. */
const isUnsaid = (path: string, entries: ReadonlyArray<IndexEntry>, lines: ReadonlyArray<string> = []): boolean =>
  entries.filter(({ isMajor }) => isMajor).length > 1 &&
  FileComment.mainTypeOf(path, entries) === undefined &&
  FileComment.ofFile(path, lines.join("\n"), entries) === undefined

/** The units of each batch, in the order of the batches. */
const groupsOf = Effect.fnUntraced(function* (workspace: Workspace, index: OpenSymbols, options: Options) {
  const units = yield* unitsOf(workspace, index, yield* filesOf(index), options)
  return arrange(units, evenLimits(limitsOf(options), Areas.sizeOf(units).symbols))
})

/**
 * Divides the units into parts by what they are worth for their price, and groups each part by area. A run that ends
 * early has then explained the most important symbols of all folders, and not all symbols of some. A class is in one
 * part with its members. Units that fill no batch go to the next part.
 */
const arrange = (units: ReadonlyArray<BatchText.Unit>, limits: BatchText.Limits): ReadonlyArray<Areas.Group> => {
  const { symbols, tokens } = Areas.sizeOf(units)
  const batches = Math.max(symbols / limits.symbols, tokens / limits.tokens)
  const count = Math.max(1, Math.min(MAX_PARTS, Math.floor(batches)))
  const all = priceOf(units)
  const parts = new Map<BatchText.Unit, number>()
  let spent = 0
  for (const thing of byWorth(Areas.divide(units, NO_LIMITS))) {
    const part = Math.min(count - 1, Math.floor((count * spent) / all))
    for (const unit of thing) parts.set(unit, part)
    spent += priceOf(thing)
  }
  const groups: Array<Areas.Group> = []
  let rest: ReadonlySet<BatchText.Unit> = new Set()
  for (let part = 0; part < count; part++) {
    const grouped = Areas.group(
      units.filter((unit) => rest.has(unit) || parts.get(unit) === part),
      limits,
    )
    groups.push(...byWorth(grouped.full))
    rest = new Set(grouped.rest)
  }
  return [...groups, ...byWorth(Areas.pack(Array.from(rest), limits))]
}

const NO_LIMITS: Areas.Limits = { tokens: Number.POSITIVE_INFINITY, symbols: Number.POSITIVE_INFINITY }

const MAX_PARTS = 3

const limitsOf = ({ maxSymbols = MAX_SYMBOLS, maxTokens = MAX_TOKENS }: Options): BatchText.Limits => ({
  tokens: Math.max(MIN_TOKENS, maxTokens),
  symbols: Math.max(1, maxSymbols),
})

const filterOf =
  (only: Options["only"] = "all") =>
  ({ kind }: IndexEntry): boolean =>
    only === "all" || definitions.has(kind) === (only === "definitions")

const definitions: ReadonlySet<string> = new Set(["interface", "type", "enum", "constant", "variable", "field"])

/** Writes the batch of a group. */
const write = Effect.fnUntraced(function* (workspace: Workspace, index: OpenSymbols, group: Areas.Group) {
  const texts: Array<string> = []
  const symbols: Array<IndexEntry> = []
  for (const [path, units] of Map.groupBy(group, ({ path }) => path)) {
    const source = yield* sourceOf(workspace, index, path, yield* index.symbolsIn(path))
    const written = BatchText.textOf(units, source, symbols.length + 1)
    texts.push(written.text)
    symbols.push(...written.symbols)
  }
  const text = texts.join("\n")
  const batch: Batch = { area: Areas.areaOf(group), text, symbols, tokens: sizeOf(text) }
  return batch
})

const sourceOf = Effect.fnUntraced(function* (
  workspace: Workspace,
  index: OpenSymbols,
  path: string,
  entries: ReadonlyArray<IndexEntry>,
) {
  const lines = yield* workspace.read(path).pipe(
    Effect.map(({ text }) => text.split("\n")),
    Effect.orElseSucceed(() => undefined),
  )
  const callers = yield* index.callersIn(path)
  const overridden = yield* overriddenIn(index, entries)
  const families = familiesIn(entries, lines)
  const source: BatchText.Source = {
    path,
    lines,
    callersOf: (entry) => callers.get(callerKey(entry)) ?? [],
    overriddenBy: (entry) => overridden.get(entry.qualifiedName),
    familyOf: (entry) => families.get(placeOf(entry)) ?? [],
  }
  return source
})

const placeOf = ({ qualifiedName, startLine }: IndexEntry): string => `${startLine} ${qualifiedName}`

/** Finds the families of a file: the names of the others by the place of the first symbol. */
const familiesIn = (
  entries: ReadonlyArray<IndexEntry>,
  lines: ReadonlyArray<string> = [],
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const text = lines.join("\n")
  const starts = Text.lineStarts(text)
  const placed = entries.map(({ container, endLine, exported, kind, name, signature, startLine }, at) => {
    const [start = text.length, end = text.length] = [starts[startLine - 1], starts[endLine]]
    return { at, container, endLine, exported, kind, name, signature, startLine, start, end }
  })
  return new Map(
    Array.from(Boilerplate.familiesOf(placed, text)).flatMap(([{ at }, others]) => {
      const first = entries[at]
      return first === undefined ? [] : [[placeOf(first), others.map(({ name }) => name)] as const]
    }),
  )
}

/**
 * Finds what the short open methods of a file override, by their qualified names. Only a symbol whose purpose is a
 * comment counts: other purposes may be written while a plan is being sent, and its batches must not become longer.
 */
const overriddenIn = Effect.fnUntraced(function* (index: OpenSymbols, entries: ReadonlyArray<IndexEntry>) {
  const classes = new Map(entries.map((entry) => [entry.qualifiedName, entry]))
  const overridden = new Map<string, IndexEntry>()
  const known = new Map<string, IndexEntry | undefined>()
  const find = Effect.fnUntraced(function* (name: string) {
    if (known.has(name)) return known.get(name)
    const found = yield* index.find(name)
    const [first] = found.filter(({ purpose }) => purpose?.origin === "comment")
    const isOne = found.every((other) => other.purpose?.text === first?.purpose?.text)
    known.set(name, isOne ? first : undefined)
    return isOne ? first : undefined
  })
  for (const entry of entries) {
    const around = classes.get(entry.container ?? "")
    if (around === undefined || entry.kind !== "method" || !isOpen(entry)) continue
    if (entry.endLine - entry.startLine >= MAX_THIN_LINES) continue
    for (const base of basesOf(around)) {
      const found = yield* find(`${base}.${entry.name}`)
      if (found === undefined) continue
      overridden.set(entry.qualifiedName, found)
      break
    }
  }
  return overridden
})

const MAX_THIN_LINES = 6

/**
 * Returns the first names in capitals after that of a class: `class Reader(base.Input)`, `class Reader extends Input`.
 */
const basesOf = ({ name, signature }: IndexEntry): ReadonlyArray<string> =>
  (signature.split(name, 2)[1]?.match(/\b[A-Z]\w*/g) ?? []).slice(0, MAX_BASES)

const MAX_BASES = 2

/** Sorts groups by the importance of their symbols for each token that they cost. */
const byWorth = <Group extends Areas.Group>(groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const worth = new Map(groups.map((group) => [group, importanceOf(group) / priceOf(group)]))
  return groups.toSorted((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0))
}

/**
 * A symbol that twice as many files use is a step more important. Short symbols count less, since their name says most
 * about them, as with the many small methods of a visitor. Types, aliases and tables count less too, since their fields
 * explain them; so functions and classes come first.
 */
const importanceOf = (group: Areas.Group): number =>
  group.reduce(
    (sum, { symbols }) =>
      sum +
      symbols.reduce(
        (sum, { endLine, kind, startLine, usedBy }) =>
          sum +
          Math.log2(2 + usedBy) *
            Math.min(1, (endLine - startLine + 1) / WHOLE_LINES) *
            (definitions.has(kind) ? DEFINITION_WORTH : 1),
        0,
      ),
    0,
  )

const WHOLE_LINES = 10
const DEFINITION_WORTH = 0.5

/** The price of a group in tokens of input: most providers charge eight times as much for output. */
const priceOf = (group: Areas.Group): number => {
  const { symbols, tokens } = Areas.sizeOf(group)
  return tokens + 8 * PURPOSE_TOKENS * symbols
}
