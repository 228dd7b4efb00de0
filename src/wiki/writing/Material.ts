/** The numbered symbols and files that a model is shown of the code. It cites the numbers instead of names. Pure. */

import { sanitizeLine } from "../../base/Sanitize.ts"
import { type IndexEntry, statementOf } from "../../index/IndexEntry.ts"
import * as Tokens from "../../message/Tokens.ts"
import * as Labels from "../Labels.ts"
import type { Citation } from "../Page.ts"
import * as Branches from "./Branches.ts"

/** A symbol or a whole file that a statement can cite. */
export interface Item {
  readonly path: string
  /** Undefined if the file as a whole is meant. */
  readonly entry: IndexEntry | undefined
  /** Which of the symbols of that name in the file is meant, from 0. */
  readonly ordinal: number
  /** The hash of a file; that of a symbol is in its entry. */
  readonly hash?: string | undefined
  /** The conditions under which the symbol is declared, such as the `else` of an `if` (`Branches.conditionsIn`). */
  readonly conditions?: ReadonlyArray<string> | undefined
}

export interface Material {
  /** How many numbers come before: a request with several materials counts through all of them. */
  readonly before: number
  /** The item with number `before + n` is at position `n - 1`. */
  readonly items: ReadonlyArray<Item>
  readonly numbers: ReadonlyMap<string, number>
}

export const empty: Material = { before: 0, items: [], numbers: new Map() }

/** Numbers further items. One that has a number keeps it. */
export const add = (material: Material, items: ReadonlyArray<Item>): Material => {
  const all = [...material.items]
  const numbers = new Map(material.numbers)
  for (const item of items) {
    const key = keyOf(item)
    if (numbers.has(key)) continue
    all.push(item)
    numbers.set(key, material.before + all.length)
  }
  return { ...material, items: all, numbers }
}

export const of = (items: ReadonlyArray<Item>, before = 0): Material => add({ ...empty, before }, items)

/** Joins materials whose numbers follow each other. An item of several is cited by any of its numbers. */
export const join = (all: ReadonlyArray<Material>): Material => ({
  before: all[0]?.before ?? 0,
  items: all.flatMap(({ items }) => items),
  numbers: new Map(all.flatMap(({ numbers }) => Array.from(numbers))),
})

/** Returns the last number of a material. */
export const lastOf = ({ before, items }: Material): number => before + items.length

/** Returns the key of an item among all of the project. */
export const keyOf = ({ entry, ordinal, path }: Item): string => `${path}\0${entry?.qualifiedName ?? ""}\0${ordinal}`

export const numberOf = (material: Material, item: Item): number | undefined => material.numbers.get(keyOf(item))

const itemAt = (material: Material, number: number): Item | undefined => material.items[number - 1 - material.before]

/** Returns the citation that a number stands for; undefined if no item has it. */
export const citationAt = (material: Material, number: number): Citation | undefined => {
  const item = itemAt(material, number)
  return item === undefined ? undefined : citationOf(item)
}

export const citationOf = ({ entry, hash, ordinal, path }: Item): Citation =>
  entry === undefined
    ? { path, ...(hash !== undefined && { hash }) }
    : {
        path,
        symbol: entry.qualifiedName,
        ...(ordinal > 0 && { ordinal }),
        hash: entry.hash,
        ...(entry.tokens !== undefined && { tokens: entry.tokens }),
      }

/** Returns the symbols of a file as items. `entries` are all of its symbols, in order of their start. */
export const itemsOf = (entries: ReadonlyArray<IndexEntry>): ReadonlyArray<Item> => {
  const counts = new Map<string, number>()
  return entries.map((entry) => {
    const key = `${entry.path}\0${entry.qualifiedName}`
    const ordinal = counts.get(key) ?? 0
    counts.set(key, ordinal + 1)
    return { path: entry.path, entry, ordinal }
  })
}

/** The most characters of a purpose; those of twelve words are shorter. */
const MAX_PURPOSE = 120

/** The most characters of a signature, which is shown if there is no purpose. */
const MAX_SIGNATURE = 80

/**
 * Returns the name of a symbol for a model: with the name of its file where the code only says `M`, since each file has
 * one (`loader.setup`). A statement is read alone, where `M.setup` could be any.
 */
export const nameOf = ({ entry, path }: Item): string =>
  sanitizeLine(entry === undefined ? path : Labels.nameIn(path, entry.qualifiedName))

/** Writes `[17] Loader.setup purpose`: number, name, and `#` before a purpose that is a comment. */
export const lineOf = (material: Material, item: Item): string => {
  const { entry } = item
  if (entry === undefined) return `[${numberOf(material, item) ?? 0}] ${sanitizeLine(item.path)} (whole file)`
  return [headOf(material, item), aboutOf(entry)].filter((text) => text !== "").join(" ")
}

/** Writes `[17] Loader.setup`, for a symbol whose source is shown. */
export const headOf = (material: Material, item: Item): string =>
  `[${numberOf(material, item) ?? 0}] ${nameOf(item)}${conditionNote(item)}`

/** Writes the line of a symbol beside its source, without what that says: its parameters and its docstring. */
export const lineBeside = (material: Material, item: Item, source: string): string => {
  const { purpose } = item.entry ?? {}
  const said = purpose?.origin === "comment" ? statementOf(purpose).slice(0, SAID) : undefined
  const isSaid = purpose === undefined || (said !== undefined && source.includes(said))
  return isSaid ? headOf(material, item) : lineOf(material, item)
}

/** The characters of a comment by which it is found again in a source; its later lines are wrapped. */
const SAID = 30

/** Writes the conditions under which a symbol is declared behind its name; nothing without one. */
export const conditionNote = ({ conditions }: Item): string => sanitizeLine(Branches.note(conditions))

/**
 * Returns the purpose alone, as `aboutOf` writes it; none without one: where symbols are chosen, parameters say little.
 */
export const purposeOf = (entry: IndexEntry, most?: number): ReadonlyArray<string> =>
  entry.purpose === undefined ? [] : [aboutOf(entry, most)]

/** Returns the purpose, marked if a comment states it, or else what the signature has beside the name. */
export const aboutOf = (entry: IndexEntry, most = MAX_PURPOSE): string => {
  const { purpose } = entry
  if (purpose !== undefined) {
    const text = sanitizeLine(statementOf(purpose)).trim()
    // Comments of some languages begin with the name, which stands before the purpose already.
    const isNamed = purpose.origin === "comment" && text.startsWith(`${entry.name} `)
    const mark = purpose.origin === "comment" ? "# " : ""
    return `${mark}${cut(isNamed ? text.slice(entry.name.length + 1) : text, most)}`
  }
  const rest = sanitizeLine(afterName(entry))
  return cut(rest.replace(/(?:\s|=>|[{:=])*$/, "").trim(), Math.min(most, MAX_SIGNATURE))
}

/** Returns what a signature has after the name. A type before it may have the name, or the same word, in it. */
const afterName = ({ name, signature }: IndexEntry): string => {
  const ends: Array<number> = []
  for (let at = signature.indexOf(name); at >= 0; at = signature.indexOf(name, at + 1)) {
    const isWhole = !/[\w$]$/.test(signature.slice(0, at)) && !/^[\w$]/.test(signature.slice(at + name.length))
    if (isWhole) ends.push(at + name.length)
  }
  const end = ends.find((position) => /^\s*[(<[]/.test(signature.slice(position))) ?? ends[0]
  return end === undefined ? "" : signature.slice(end)
}

export const cut = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .trimEnd()
        .toWellFormed()}…`

/** Estimates the tokens of a text in a request, with its line break. */
export const sizeOf = (text: string): number => Math.ceil(Tokens.PER_CHARACTER * (Tokens.lengthOf(text) + 1))

/**
 * Chooses the symbols that a request about some files shows, within a limit of tokens: first one of each file, then
 * those that other files use most. `files` has the items of each file, in order of their start. They are returned in
 * the order of the files and of their lines. The first `core` files come before the others, up to their share.
 * `deciding` says how much functions decide (`Deciding.weigh`), by their keys: these count beside the much used ones.
 */
export const choose = (
  files: ReadonlyArray<ReadonlyArray<Item>>,
  maxTokens: number,
  core = 0,
  deciding: ReadonlyMap<string, number> = new Map(),
): ReadonlyArray<Item> => {
  const ranked = files
    .flatMap((items, file) =>
      items
        .flatMap((item) =>
          item.entry === undefined || saysLittle(item.entry)
            ? []
            : [{ item, weight: weigh(item.entry) + DECIDES * (deciding.get(keyOf(item)) ?? 0) }],
        )
        .sort((one, other) => other.weight - one.weight)
        .map(({ item, weight }, rank) => ({ item, file, rank, weight: weight - rank * RANK })),
    )
    .sort(
      (one, other) =>
        Number(other.rank === 0) - Number(one.rank === 0) || other.weight - one.weight || one.file - other.file,
    )
  const chosen = new Set<string>()
  const shown = new Set<number>()
  let tokens = 0
  const take = (all: typeof ranked, most: number) => {
    for (const { file, item } of all) {
      const cost = chosen.has(keyOf(item)) ? 0 : costOf(item) + (shown.has(file) ? 0 : sizeOf(item.path) + FRAME)
      if (cost === 0 || tokens + cost > most) continue
      tokens += cost
      shown.add(file)
      chosen.add(keyOf(item))
    }
  }
  take(
    ranked.filter(({ file }) => file < core),
    maxTokens * CORE_SHARE,
  )
  take(ranked, maxTokens)
  return files.flat().filter((item) => chosen.has(keyOf(item)))
}

/** How much what a function decides counts beside its other weights. */
const DECIDES = 0.5

/** The share of the tokens that the core of a part may take before one symbol of each file is shown. */
const CORE_SHARE = 0.5

/**
 * Fields are many, and most of them say nothing beyond their name. The name of a package stands in each of its files.
 */
export const saysLittle = ({ kind, purpose, usedBy }: IndexEntry): boolean =>
  purpose === undefined && (kind === "module" || ((kind === "field" || kind === "variable") && usedBy < 2))

const types: ReadonlySet<string> = new Set(["class", "interface", "type", "enum"])

/** Returns whether the page of a part should at least name a type: it is offered to other code. */
export const isPublicType = ({ entry }: Item): boolean =>
  entry?.isMajor === true && entry.exported && types.has(entry.kind) && !entry.name.startsWith("_")

/** Each further symbol of a file counts so much less, so that one large file does not take all the room. */
const RANK = 0.15

const weigh = ({ endLine, exported, isMajor, kind, purpose, startLine, usedBy }: IndexEntry): number =>
  Math.log2(1 + usedBy) +
  (isMajor ? 3 : 0) +
  (exported ? 1 : 0) +
  (purpose === undefined ? 0 : 1) +
  Math.min(1, (endLine - startLine) / 60) -
  (kind === "field" || kind === "variable" ? 2 : 0)

/** Sorts symbols: what runs and is used most comes first, then what is long. */
export const byImportance = (items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items
    .flatMap((item) => (item.entry === undefined ? [] : [{ item, weight: importanceOf(item.entry) }]))
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ item }) => item)

const importanceOf = ({ endLine, exported, isMajor, kind, startLine, usedBy }: IndexEntry): number =>
  (runs.has(kind) ? 2 : 0) +
  (isMajor ? 1 : 0) +
  (exported ? 1 : 0) +
  Math.log2(1 + usedBy) +
  Math.min(2, (endLine - startLine) / 30)

const runs: ReadonlySet<string> = new Set(["function", "method", "class"])

/** Writes the line above the source of a symbol. */
export const sourceTitle = (material: Material, item: Item): string =>
  `[${numberOf(material, item)}] ${item.entry === undefined ? "the file" : nameOf(item)}${conditionNote(item)} in ${sanitizeLine(item.path)}:`

/** Tokens of number and brackets. */
const FRAME = 4

const costOf = (item: Item): number =>
  item.entry === undefined ? 0 : sizeOf(`${nameOf(item)} ${aboutOf(item.entry)}`) + FRAME
