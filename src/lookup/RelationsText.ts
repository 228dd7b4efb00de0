/** The relations of a symbol as text, grouped by file, and as objects for `--json`. Pure. */

import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import type { Style } from "../base/Style.ts"
import { wrapHanging } from "../base/wrap.ts"
import type { FileClass } from "../code/FileClass.ts"
import { IndexEntry } from "../index/IndexEntry.ts"
import type { Dependent, DependentCount, Dependents } from "../index/IndexStore.ts"
import type { Callees, Callers, Impact, NamedUse, NamedUses, Relations } from "./Relations.ts"
import * as SymbolText from "./SymbolText.ts"

interface Format {
  readonly style: Style
  /** The width of the terminal; unlimited by default. */
  readonly columns?: number | undefined
  /** A path of the index as it is printed. */
  readonly displayPath: (path: string) => string
}

/** The most line numbers that are printed for the uses in one symbol. */
const MAX_LINES = 5

/** The most characters that are printed of a line of the source. */
const MAX_TEXT = 100

/** The most symbols that are listed of those that inherit from a symbol or override it. */
const MAX_DERIVED = 20

/** A title, and a section for each relation. */
export const format = ({ callees, callers, entry, impact }: Relations, format: Format): string => {
  const columns = format.columns ?? SymbolText.UNLIMITED
  const shown = new IndexEntry({ ...entry, path: format.displayPath(entry.path) })
  const lines = [
    ...(callers === undefined ? [] : callersLines(callers, format)),
    ...(callees === undefined ? [] : calleesLines(entry, callees, format)),
    ...(impact === undefined ? [] : impactLines(entry, impact, format)),
  ]
  return [SymbolText.title(shown, format.style, columns), toText(lines, format)].join("\n")
}

/**
 * Lists the uses of a name that are not resolved; empty if there are none. `isShared`: true if several of the symbols
 * that were asked for have the name.
 */
export const formatNamed = (named: NamedUses, isShared: boolean, format: Format): string => {
  const { moreFiles, moreLines, name, uses } = named
  if (uses.length === 0 && moreFiles === 0) return ""
  const count = uses.length === 0 || moreFiles > 0 ? "" : `, on ${plural(uses.length + moreLines, "line")}`
  const lines = [
    quiet(
      `only the name ${sanitizeLine(name)}${count}: it may mean ${isShared ? "one of these" : "this symbol"}, or something else`,
    ),
    ...namedLines(uses, format),
    ...(moreLines === 0 ? [] : [plain(`and ${plural(moreLines, "more line")}: ${MORE}`)]),
    ...(moreFiles === 0 ? [] : [plain(`and ${plural(moreFiles, "more file")} with the name, not read: ${MORE}`)]),
  ]
  return toText(lines, format)
}

const MORE = "--limit N lists more"

/** A line before it is wrapped, with the style of all of it: escape sequences are not part of what is wrapped. */
interface Line {
  readonly text: string
  readonly style: "plain" | keyof Style
}

const quiet = (text: string): Line => ({ text, style: "quiet" })

const plain = (text: string): Line => ({ text, style: "plain" })

const blank = plain("")

const toText = (lines: ReadonlyArray<Line>, { columns = SymbolText.UNLIMITED, style }: Format): string =>
  lines
    .flatMap(({ style: name, text }) => {
      const wrapped = text === "" ? [""] : wrapHanging(text, columns, text.length - text.trimStart().length + HANGING)
      return name === "plain" ? wrapped : wrapped.map(style[name])
    })
    .join("\n")

/** Columns by which the continuation of a line is indented. */
const HANGING = 2

const callersLines = ({ overridden, resolved }: Callers, format: Format): ReadonlyArray<Line> => {
  const [count = { symbols: 0, files: 0, code: 0 }] = resolved.counts
  return [
    blank,
    quiet(count.symbols === 0 ? "no use of it is resolved" : `used in ${places(count)} (resolved)`),
    ...dependentLines(resolved.dependents, format, false),
    ...more(count.symbols - resolved.dependents.length),
    ...incomplete(resolved),
    ...overridden.flatMap(({ callers, entry }) => [
      blank,
      plain(
        `it overrides ${placeOf(entry, format)}${callers === 0 ? "" : `, whose uses (in ${plural(callers, "symbol")}) may mean this one: vibe show --callers ${sanitizeLine(`${format.displayPath(entry.path)}:${entry.qualifiedName}`)}`}`,
      ),
    ]),
  ]
}

/** `12 symbols of 3 files, 5 of them in code`. */
const places = ({ code, files, symbols }: Omit<DependentCount, "distance">): string => {
  const inCode = code === symbols ? "" : `, ${code === 0 ? "none" : code} of them in code`
  return `${plural(symbols, "symbol")} of ${plural(files, "file")}${inCode}`
}

/** `src/a.py`, and the class of the file if it is not code. */
const fileLine = (path: string, fileClass: FileClass, { displayPath }: Format): Line => ({
  text: `${sanitizeLine(displayPath(path))}${fileClass === "code" ? "" : ` (${fileClass})`}`,
  style: "strong",
})

const TOP_LEVEL = "(top level)"

/** Lists each file with a line for each of its symbols. `withUses`: also says what each symbol uses. */
const dependentLines = (dependents: ReadonlyArray<Dependent>, format: Format, withUses: boolean): ReadonlyArray<Line> =>
  Array.from(Map.groupBy(dependents, ({ path }) => path)).flatMap(([path, ofFile]) => [
    fileLine(path, ofFile[0]?.class ?? "code", format),
    // Overloads have one name.
    ...Array.from(
      Map.groupBy(
        ofFile,
        ({ symbol = TOP_LEVEL, through, uses }) =>
          `${symbol}${withUses || through !== undefined ? ` uses ${uses}` : ""}${through === undefined ? "" : `, which may mean ${through}`}`,
      ),
      ([text, same]) => plain(`  ${sanitizeLine(`${lineList(same.flatMap(({ lines }) => lines))}  ${text}`)}`),
    ),
  ])

const lineList = (lines: ReadonlyArray<number>): string =>
  `${lines.slice(0, MAX_LINES).join(", ")}${lines.length > MAX_LINES ? ", …" : ""}`

const namedLines = (uses: ReadonlyArray<NamedUse>, format: Format): ReadonlyArray<Line> =>
  Array.from(Map.groupBy(uses, ({ path }) => path)).flatMap(([path, ofFile]) => [
    fileLine(path, ofFile[0]?.class ?? "code", format),
    ...ofFile.map(({ line, symbol = TOP_LEVEL, text }) =>
      plain(`  ${sanitizeLine(`${line}  ${symbol}`)}  ${SymbolText.cut(sanitizeLine(text), MAX_TEXT)}`),
    ),
  ])

const more = (count: number): ReadonlyArray<Line> =>
  count > 0 ? [plain(`and ${plural(count, "more symbol")}: ${MORE}`)] : []

const incomplete = ({ isComplete }: Dependents): ReadonlyArray<Line> =>
  isComplete ? [] : [plain("and more: the search ended at its limits")]

const placeOf = (entry: IndexEntry, { displayPath }: Format): string =>
  sanitizeLine(`${displayPath(entry.path)}:${entry.startLine} ${entry.qualifiedName}`)

const calleesLines = (
  entry: IndexEntry,
  { more: others, named, resolved }: Callees,
  format: Format,
): ReadonlyArray<Line> => {
  // The symbol's own file comes last, since what is elsewhere takes longer to find.
  const files = Array.from(Map.groupBy(resolved, (callee) => callee.entry.path)).sort(
    ([one], [other]) => Number(one === entry.path) - Number(other === entry.path),
  )
  return [
    blank,
    quiet(
      resolved.length === 0
        ? "it uses no symbol that is resolved"
        : `it uses ${plural(resolved.length + others, "symbol")} (resolved)`,
    ),
    ...files.flatMap(([path, callees]) => [
      fileLine(path, "code", format),
      ...callees.map(({ entry: { kind, qualifiedName, startLine }, lines }) =>
        plain(`  ${startLine}  ${sanitizeLine(`${kind} ${qualifiedName}`)}  used at ${lineList(lines)}`),
      ),
    ]),
    ...more(others),
    ...(named.length === 0
      ? []
      : [
          blank,
          quiet("only the name: calls that may mean one of these, or something else"),
          ...named.map(({ candidates, count, lines, name }) => {
            const all = [
              ...candidates.map((candidate) => placeOf(candidate, format)),
              ...(count > candidates.length ? [`${count - candidates.length} more`] : []),
            ]
            return plain(`  ${sanitizeLine(name)} at ${lineList(lines)}: ${all.join(", ")}`)
          }),
        ]),
  ]
}

const impactLines = (
  entry: IndexEntry,
  { depth, derived, found, nameOnlyFiles }: Impact,
  format: Format,
): ReadonlyArray<Line> => {
  const total = found.counts.reduce((sum, { symbols }) => sum + symbols, 0)
  return [
    blank,
    quiet(
      total === 0
        ? "nothing is known to depend on it"
        : `${plural(total, "symbol")} ${total === 1 ? "depends" : "depend"} on it within ${plural(depth, "step")} (resolved)`,
    ),
    ...found.counts.flatMap((count) => {
      const { distance, symbols } = count
      const listed = found.dependents.filter((dependent) => dependent.distance === distance)
      return [
        blank,
        quiet(`distance ${distance}: ${places(count)}`),
        ...dependentLines(listed, format, distance > 1),
        ...more(symbols - listed.length),
      ]
    }),
    ...incomplete(found),
    ...(derived.length === 0
      ? []
      : [
          blank,
          quiet(
            entry.kind === "method"
              ? `${plural(derived.length, "method")} of derived types ${derived.length === 1 ? "overrides" : "override"} it`
              : `${plural(derived.length, "type")} ${derived.length === 1 ? "inherits" : "inherit"} from it`,
          ),
          ...derived.slice(0, MAX_DERIVED).map((each) => plain(`  ${placeOf(each, format)}`)),
          ...(derived.length > MAX_DERIVED ? [plain(`  and ${derived.length - MAX_DERIVED} more`)] : []),
        ]),
    ...(nameOnlyFiles === 0
      ? []
      : [
          blank,
          quiet(
            `not followed: ${plural(nameOnlyFiles, "file")} in which only the name occurs (--callers lists the lines)`,
          ),
        ]),
  ]
}

/** An entry of `vibe show --callers --callees --impact --json`. Paths are relative to the root of the index. */
export const toJson = ({ callees, callers, entry, impact }: Relations): object => ({
  ...SymbolText.place(entry),
  signature: entry.signature,
  ...(callers !== undefined && {
    callers: callers.resolved.dependents.map((dependent) => toPlace(dependent, "resolved")),
    callersTotal: callers.resolved.counts.reduce((sum, { symbols }) => sum + symbols, 0),
    callersComplete: callers.resolved.isComplete,
    overrides: callers.overridden.map(({ callers, entry }) => ({ ...SymbolText.place(entry), callers })),
  }),
  ...(callees !== undefined && {
    callees: [
      ...callees.resolved.map(({ entry, lines }) => ({ ...SymbolText.place(entry), lines, certainty: "resolved" })),
      ...callees.named.flatMap(({ candidates, lines }) =>
        candidates.map((candidate) => ({ ...SymbolText.place(candidate), lines, certainty: "name" })),
      ),
    ],
    calleesTotal: callees.resolved.length + callees.more,
  }),
  ...(impact !== undefined && {
    impact: impact.found.dependents.map((dependent) => ({
      ...toPlace(dependent, "resolved"),
      distance: dependent.distance,
      uses: dependent.uses,
      ...(dependent.through !== undefined && { through: dependent.through }),
    })),
    impactCounts: impact.found.counts,
    impactComplete: impact.found.isComplete,
    derived: impact.derived.map(SymbolText.place),
    nameOnlyFiles: impact.nameOnlyFiles,
  }),
})

/** An entry of the field `named` of `vibe show --callers --json`. */
export const namedToJson = ({ moreFiles, moreLines, name, uses }: NamedUses): object => ({
  name,
  uses: uses.map((use) => ({ ...toPlace({ ...use, lines: [use.line] }, "name"), text: use.text })),
  moreLines,
  moreFiles,
})

const toPlace = (
  { class: fileClass, lines, path, symbol }: Pick<Dependent, "path" | "class" | "symbol" | "lines">,
  certainty: "resolved" | "name",
): object => ({ path, class: fileClass, symbol: symbol ?? null, lines, certainty })
