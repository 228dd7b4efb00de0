/**
 * Writes the source of the open symbols of a file as a batch shows it: in units, which are as small as a single symbol
 * and as large as a class with its members. Pure.
 */

import { firstSentence } from "../../base/Prose.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import { mark } from "../Batch.ts"
import { fewest, MAX_LINE_CHARS, oneLine, sizeOf } from "./foreignText.ts"
import { nest, openIn, type SymbolNode } from "./SymbolTree.ts"
import { linesOf, type Shown } from "./UnitLines.ts"

/** Symbols that a batch shows together, or not at all. */
export interface Unit extends Shown {
  readonly path: string
  /**
   * The qualified names of the classes that it is a member of, the outermost first, and its own at the end. Overloads
   * have the same names. A class may be in another file, as that of an extension is.
   */
  readonly names: ReadonlyArray<string>
  /** The symbols around it that are not shown, the outermost first. */
  readonly around: ReadonlyArray<IndexEntry>
  /** The open symbols in the order in which they are marked, and the file at the end if it is asked for. */
  readonly symbols: ReadonlyArray<IndexEntry>
  /** The entry of the file if what it is for is asked for below this unit. */
  readonly file?: IndexEntry | undefined
  /** An upper bound of its tokens, with the header of its file and the lines for the symbols around it. */
  readonly tokens: number
  /** How many of these tokens the header takes, and how many the lines for the symbols around it. */
  readonly header: number
  readonly context: number
}

export interface Source {
  readonly path: string
  /** Undefined for a file that cannot be read: then signatures are shown. */
  readonly lines: ReadonlyArray<string> | undefined
  /** Returns the names of symbols that use a symbol. */
  readonly callersOf: (entry: IndexEntry) => ReadonlyArray<string>
  /** The symbol that this one overrides, if that has a purpose that does not change. */
  readonly overriddenBy: (entry: IndexEntry) => IndexEntry | undefined
  /** The names of the functions of whose family it is the first, which are not asked for (`Boilerplate.familiesOf`). */
  readonly familyOf: (entry: IndexEntry) => ReadonlyArray<string>
}

export interface Limits {
  readonly tokens: number
  readonly symbols: number
}

/** `entries` has all symbols of the file, in order of their start. */
export const units = (
  source: Source,
  entries: ReadonlyArray<IndexEntry>,
  isOpen: (entry: IndexEntry) => boolean,
  limits: Limits,
): ReadonlyArray<Unit> => {
  const found: Array<Unit> = []
  const namesOf = namesIn(entries)
  const visit = (node: SymbolNode, around: ReadonlyArray<IndexEntry>): void => {
    const symbols = openIn(node)
    if (symbols.length === 0) return
    if (node.isOpen) {
      const shared = { path: source.path, names: namesOf(node.entry), node, around }
      const whole = shrink({ ...shared, nested: true, symbols }, source, UNIT_SHARE * limits.tokens)
      const isWhole = whole.lines === MAX_LINES && symbols.length <= Math.max(1, UNIT_SHARE * limits.symbols)
      if (isWhole || symbols.length === 1) {
        const fits = whole.lines === MAX_LINES
        found.push(fits ? whole : shrink(whole, source, limits.tokens))
        return
      }
      found.push(shrink({ ...shared, nested: false, symbols: [node.entry] }, source, limits.tokens))
    }
    for (const child of node.children) visit(child, [...around, node.entry])
  }
  for (const node of nest(entries, isOpen)) visit(node, [])
  return found
}

/** Returns `Unit.names` of a symbol. A module is no class, since it may have a whole file in it. */
const namesIn = (entries: ReadonlyArray<IndexEntry>) => {
  const known = new Map(entries.map((entry) => [entry.qualifiedName, entry]))
  return ({ container, qualifiedName }: IndexEntry): ReadonlyArray<string> => {
    const names = [qualifiedName]
    for (let name = container; name !== undefined && !names.includes(name); name = known.get(name)?.container) {
      if (known.get(name)?.kind === "module") break
      names.unshift(name)
    }
    return names
  }
}

/** Asks for a file below its last unit, so that it is asked for once. */
export const withFile = (units: ReadonlyArray<Unit>, file: IndexEntry): ReadonlyArray<Unit> =>
  units.map((unit, at) =>
    at < units.length - 1
      ? unit
      : {
          ...unit,
          file,
          symbols: [...unit.symbols, file],
          tokens: unit.tokens + sizeOf(fileLine(LONGEST_NUMBER, unit.path)),
        },
  )

/** Stands beside the mark of a file; `Instruction` says what it asks for. */
export const WHOLE_FILE = "the whole file"

/** Stands beside the mark of the first function of a family, before the names of the others. */
export const ALIKE = "and alike"

/** Asks for a file by its name. The line stands before the header of the next file, which it could seem to be about. */
const fileLine = (number: number, path: string): string =>
  `${mark(number)} ${WHOLE_FILE} ${oneLine(path, MAX_LINE_CHARS)}`

/**
 * A class may take at most this share of a batch; a larger one is split into its members, so that batches can be
 * filled.
 */
const UNIT_SHARE = 0.2

/** Halves the lines of each symbol until the unit has room. */
const shrink = (unit: Omit<Unit, Measured>, source: Source, tokens: number): Unit => {
  const header = fewest(headerOf(unit.path))
  const context = [...unit.around.map(contextOf), ownerOf(unit)].reduce((sum, line) => sum + fewest(line), 0)
  for (let lines = MAX_LINES; ; lines = Math.floor(lines / 2)) {
    const shown = { ...unit, tokens: 0, header, context, lines }
    const isAtTop = unit.around.length === 0 && ownerOf(unit) === ""
    const size = sizeOf(textOf([shown], source, LONGEST_NUMBER).text) + (isAtTop ? sizeOf(AT_TOP) : 0)
    if (size <= tokens || lines === 0) return { ...shown, tokens: Math.min(size, tokens) }
  }
}

type Measured = "tokens" | "header" | "context" | "lines"

/** The tokens that a unit adds to those before it. It may share the header of its file with the last of them. */
export const tokensAfter = (before: Unit | undefined, unit: Unit): number => {
  const { around, context, header, path, tokens } = unit
  if (before?.path !== path) return tokens
  const isSame =
    around.length === before.around.length &&
    around.every((entry, i) => entry === before.around[i]) &&
    ownerOf(before) === ownerOf(unit)
  return tokens - header - (isSame ? context : 0)
}

/** A number with so many digits that the marks of a unit are not longer in a batch than they were measured. */
const LONGEST_NUMBER = 10_000

/**
 * The most lines of a symbol without its members, after `Squeeze`: three quarters from its beginning, which shows what
 * a function is for, and the others from its end. Messages and comments of the rest are kept. With 32 a purpose costs 2
 * % more in eight repositories. Most functions have fewer than 20.
 */
const MAX_LINES = 28

/** Writes the text of units of one file. Returns it with the open symbols in it by their numbers, from `first`. */
export const textOf = (
  units: ReadonlyArray<Unit>,
  source: Source,
  first: number,
): { readonly text: string; readonly symbols: ReadonlyArray<IndexEntry> } => {
  const symbols: Array<IndexEntry> = []
  const output = [headerOf(source.path)]
  let around: ReadonlyArray<IndexEntry> = []
  let owner = ""
  let isInside = false
  const explained = new Set<IndexEntry>()
  /** Shows the purpose of a symbol once if several override it. */
  const overriddenText = (entry: IndexEntry): string => {
    const purpose = explained.has(entry) ? "" : purposeOf(entry)
    explained.add(entry)
    return `overrides ${oneLine(`${entry.qualifiedName}${purpose}`, MAX_CONTEXT_CHARS)}`
  }
  const markOf = (entry: IndexEntry, isNamed: boolean): string => {
    symbols.push(entry)
    const callers = callersText(source.callersOf(entry))
    const overridden = source.overriddenBy(entry)
    const family = source.familyOf(entry)
    const known = [
      ...(isNamed ? [oneLine(entry.qualifiedName, MAX_LINE_CHARS)] : []),
      ...(callers === "" ? [] : [`used by ${callers}`]),
      ...(overridden === undefined ? [] : [overriddenText(overridden)]),
      ...(family.length === 0 ? [] : [`${ALIKE}: ${oneLine(family.join(" "), MAX_LINE_CHARS)}`]),
    ]
    return [mark(first + symbols.length - 1), known.join(", ")].filter((text) => text !== "").join(" ")
  }
  for (const unit of units) {
    const known = unit.around.findIndex((entry, i) => entry !== around[i])
    for (const entry of known < 0 ? [] : unit.around.slice(known)) output.push(contextOf(entry))
    const isBack = unit.around.length < around.length
    around = unit.around
    const outer = ownerOf(unit)
    if (outer !== "" && (outer !== owner || known >= 0 || isBack)) output.push(outer)
    if (outer === "" && around.length === 0 && isInside) output.push(AT_TOP)
    isInside = outer !== "" || around.length > 0
    owner = outer
    // Members that follow their class are below its line.
    if (unit.node.isOpen && !unit.nested) around = [...unit.around, unit.node.entry]
    for (const line of linesOf(unit, source.lines)) {
      output.push(typeof line === "string" ? line : markOf(line.entry, line.isNamed))
    }
    if (unit.file !== undefined) {
      symbols.push(unit.file)
      output.push(fileLine(first + symbols.length - 1, unit.path))
    }
  }
  return { text: output.join("\n"), symbols }
}

const headerOf = (path: string): string => `== ${oneLine(path, MAX_LINE_CHARS)}`

/** Writes the line for a symbol around others: `in class Session(Mixin): Keeps settings over requests.` */
const contextOf = (entry: IndexEntry): string => {
  const signature = oneLine(entry.signature, MAX_CONTEXT_CHARS).replace(/\s*[:{]\s*$/, "")
  return `in ${signature === "" ? oneLine(entry.qualifiedName, MAX_CONTEXT_CHARS) : signature}${purposeOf(entry)}`
}

/** Ends what stands in another symbol. */
const AT_TOP = "at the top of the file"

/**
 * Writes the line for the owner of a member that its source does not stand in, such as `in impl Layer for Extension`
 * for a member of an implementation in Rust, and `in Request` for one of an extension in Swift; empty if there is none.
 */
const ownerOf = ({ around, node: { entry } }: Pick<Unit, "around" | "node">): string => {
  const { container, signature } = entry
  const outer = around.at(-1)
  if (container === undefined || outer?.qualifiedName === container) return ""
  // The name of the owner within what is around it already.
  const name =
    outer !== undefined && container.startsWith(`${outer.qualifiedName}.`)
      ? container.slice(outer.qualifiedName.length + 1)
      : container
  const [last = ""] = /\w*$/.exec(name) ?? []
  // Lua and C++ name the owner in the declaration, and Go in the receiver.
  const isNamed = last !== "" && new RegExp(`\\b${last}(?:[.:]|::)\\w|^func \\([^)]*\\b${last}\\b`).test(signature)
  if (isNamed) return ""
  const trait = /^impl ([^:]+(?:::[^:]+)*): /.exec(signature)?.[1]
  return `in ${oneLine(trait === undefined ? name : `impl ${trait} for ${name}`, MAX_CONTEXT_CHARS)}`
}

const purposeOf = ({ purpose }: IndexEntry): string =>
  purpose === undefined ? "" : `: ${firstSentence(oneLine(purpose.text, MAX_CONTEXT_CHARS))}`

const MAX_CONTEXT_CHARS = 120

/** Names two or three symbols that use it. */
const callersText = (callers: ReadonlyArray<string>): string => {
  let text = ""
  for (const caller of callers) {
    const next = `${text}${text === "" ? "" : ", "}${oneLine(caller, MAX_CALLERS_CHARS)}`
    if (next.length > MAX_CALLERS_CHARS) break
    text = next
  }
  return text
}

const MAX_CALLERS_CHARS = 70
