/**
 * Lists the calls of one function: those by name and those through what it is given. Uses that run nothing, such as
 * that of a type, are left out.
 */
import * as Effect from "effect/Effect"
import { escapePattern } from "../../base/Text.ts"
import * as Language from "../../code/Language.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import { type Callee, callerKey, type Index } from "../../index/IndexStore.ts"
import * as OldSource from "../writing/OldSource.ts"
import * as Closures from "./Closures.ts"
import type * as Frames from "./Frames.ts"
import * as IndirectTargets from "./IndirectTargets.ts"
import { familyOf, mask } from "./MaskedText.ts"
import * as NamedTargets from "./NamedTargets.ts"
import * as TypeUse from "./TypeUse.ts"

/** The lookups that are needed. */
export interface Reader {
  readonly index: Pick<Index, "callees" | "symbolsIn">
  /**
   * Returns the source of a symbol, if it can be read. It shows whether a class is made there or only named as a type,
   * and what stands in a function within it.
   */
  readonly sourceOf: (entry: IndexEntry) => Effect.Effect<string | undefined>
  /** Finds what a function calls through what it is given, or names in a string for others to call. */
  readonly indirect: IndirectTargets.Find
}

export interface Given {
  /** The text that holds it in the caller, as the code writes it: `$handler`, `self.app`. */
  readonly holder: string
  /** The symbol that gives it: the one that registers, passes or assigns it. Undefined outside of all symbols. */
  readonly by: IndexEntry | undefined
  /** True if the call leads to it in two steps or more, by way of what is returned (`IndirectTargets.Target`). */
  readonly isLater: boolean
}

/** Something that a function calls or makes. */
export interface Called extends Callee {
  /** How the function has it, if it calls it through a variable, a property or a table. */
  readonly given?: Given | undefined
  /** True if the function only names it, such as to register it: it runs when something else calls it. */
  readonly isPassed: boolean
  /** True if all uses stand in a function within the function, so that they happen when that one runs. */
  readonly isInClosure: boolean
}

export interface Calls {
  /** The calls in the order of their lines. */
  readonly calls: ReadonlyArray<Called>
  /** The parameters that the function calls, if nothing is known of what its callers pass: `$handler`. */
  readonly unknown: ReadonlyArray<string>
}

/** Makes the lookups of a project. `files` are those of its code; `textOf` reads one of them. */
export const readerOf = (
  index: Frames.Lookups,
  files: ReadonlyArray<string>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
): Reader => {
  const sourceOf: Reader["sourceOf"] = ({ endLine, path, startLine }) =>
    Effect.map(textOf(path), (text) => (text === undefined ? undefined : OldSource.linesOf(text, startLine, endLine)))
  const given = IndirectTargets.make(index, files, textOf)
  const named = NamedTargets.make(index, files, sourceOf)
  const naming = new Map<string, boolean>()
  const canName = (path: string): Effect.Effect<boolean> => {
    const known = naming.get(path)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.map(textOf(path), (text) => {
      const can = text !== undefined && NamedTargets.canName(text)
      naming.set(path, can)
      return can
    })
  }
  return {
    index,
    sourceOf,
    indirect: Effect.fnUntraced(function* (entry) {
      const joints = yield* given(entry)
      return (yield* canName(entry.path)) ? [...joints, ...(yield* named(entry))] : joints
    }),
  }
}

/** Returns the key of a symbol among all of an index. */
export const keyOf = (entry: IndexEntry): string => `${entry.path} ${callerKey(entry)}`

/** Lists the calls of a symbol. `isShown` says which of the symbols that it uses by name count; all do by default. */
export const read: (
  reader: Reader,
  entry: IndexEntry,
  isShown?: (used: IndexEntry) => boolean,
) => Effect.Effect<Calls, IndexError> = Effect.fn("Calls.read")(function* (
  { index, indirect, sourceOf },
  entry,
  isShown = () => true,
) {
  const used = (yield* index.callees(entry)).filter(
    (use) =>
      isShown(use.entry) &&
      !isType(use.entry) &&
      !isOwnObject(entry, use.entry) &&
      !TypeUse.isInDeclaration(entry, use.entry, use.lines),
  )
  const source = yield* sourceOf(entry)
  // A line that has a class as a type is none of those on which it is made.
  const direct =
    source === undefined
      ? used
      : used
          .map((use) => ({
            ...use,
            lines: use.lines.filter((line) => !TypeUse.isInTypes(entry, source, use.entry, [line])),
          }))
          .filter((use) => use.lines.length > 0 && !isInHead(entry, source, use.entry, use.lines))
          .toSorted(byLine)
  const joints = yield* indirect(entry)
  const callees = withGiven(entry, direct, joints)
  const inner = callees.length === 0 ? [] : innerFunctions(entry, yield* index.symbolsIn(entry.path))
  const inClosures =
    source === undefined || entry.kind === "class"
      ? undefined
      : Closures.within(entry, source, Language.of(entry.path)?.id)
  return {
    unknown: joints.filter(({ targets }) => targets.length === 0).map(({ holder }) => holder),
    calls: callees.map((callee): Called => {
      const { entry: called, given, lines } = callee
      return {
        ...callee,
        isPassed: given === undefined && source !== undefined && isNamedOnly(entry, source, called, lines),
        isInClosure:
          lines.length > 0 &&
          (lines.every((line) => inner.some(contains(line))) ||
            inClosures?.(given === undefined ? called.name : nameIn(given.holder), lines) === true),
      }
    }),
  }
})

/**
 * Returns whether a function of JavaScript is named only where another one is declared: by the call that declares it,
 * as in `defineGetter(req, "ip", function …)`, or as the name behind the word `function`.
 */
const isInHead = (
  { path, startLine }: IndexEntry,
  source: string,
  { name }: IndexEntry,
  lines: ReadonlyArray<number>,
): boolean => {
  if (familyOf(Language.of(path)?.id) !== "ecma" || lines.length !== 1 || lines[0] !== startLine) return false
  const [head = ""] = source.split("\n", 1)
  return new RegExp(
    `^\\s*(?:[\\w$]+\\.)?${escapePattern(name)}\\(.*\\bfunction\\b|\\bfunction\\s+${escapePattern(name)}\\b`,
  ).test(head)
}

/** Returns whether a symbol is the object of a method, as in `res` of `res.send`: its use there is one of `this`. */
const isOwnObject = ({ container, path }: IndexEntry, used: IndexEntry): boolean =>
  used.qualifiedName === container && used.path === path && used.kind !== "class" && used.kind !== "function"

const isType = ({ kind }: IndexEntry): boolean => kind === "interface" || kind === "type" || kind === "enum"

/**
 * Returns whether a function is named on some lines of another and never called there, as in `stack.use(log)`. A method
 * may be computed like a property, so it counts only in languages that mark those.
 */
const isNamedOnly = (
  { path, startLine }: IndexEntry,
  source: string,
  { kind, name, signature }: IndexEntry,
  lines: ReadonlyArray<number>,
): boolean => {
  const family = familyOf(Language.of(path)?.id)
  if (family !== "ecma" && family !== "python") return false
  if (kind !== "function" && (kind !== "method" || family === "python" || /\bget\s/.test(signature))) return false
  const text = mask(source, family).split("\n")
  const word = new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])(.?)`, "g")
  const ends = lines.map((line) => Array.from((text[line - startLine] ?? "").matchAll(word), ([, end = ""]) => end))
  return ends.every((all) => all.length > 0 && all.every((end) => /^[\s,;)\]}]?$/.test(end)))
}

/** Adds what is called through what a function is given to what it calls by name, in the order of the lines. */
const withGiven = (
  caller: IndexEntry,
  direct: ReadonlyArray<Callee>,
  joints: ReadonlyArray<IndirectTargets.Joint>,
): ReadonlyArray<Callee & { readonly given?: Given | undefined }> => {
  const known = new Set(direct.map(({ entry }) => keyOf(entry)))
  const given = joints.flatMap(({ holder, line, targets }) =>
    targets.flatMap(({ by, entry, isLater }) => {
      if (known.has(keyOf(entry))) return []
      known.add(keyOf(entry))
      // A method of the object itself is called by its name.
      const isOwn = by === undefined && entry.container === caller.container && entry.name === nameIn(holder)
      return [{ entry, lines: [line], ...(!isOwn && { given: { holder, by, isLater } }) }]
    }),
  )
  return given.length === 0 ? direct : [...direct, ...given].toSorted(byLine)
}

const byLine = ({ lines: [one = 0] }: Callee, { lines: [other = 0] }: Callee): number => one - other

/** Returns the name at the end of what holds a function, without the key of a table. */
const nameIn = (holder: string): string => /(\w+)(?:\[.*)?$/.exec(holder)?.[1] ?? holder

/** Returns the named functions within a function or value. The methods of a class are no closures. */
const innerFunctions = (entry: IndexEntry, symbols: ReadonlyArray<IndexEntry>): ReadonlyArray<IndexEntry> =>
  entry.kind === "class"
    ? []
    : symbols.filter(
        ({ endLine, kind, qualifiedName, startLine }) =>
          (kind === "function" || kind === "method") &&
          qualifiedName !== entry.qualifiedName &&
          startLine >= entry.startLine &&
          endLine <= entry.endLine,
      )

const contains =
  (line: number) =>
  ({ endLine, startLine }: IndexEntry): boolean =>
    line > startLine && line <= endLine
