/** What a name, a place, a file or a folder is, in a limited number of tokens: for models. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as FileClass from "../code/FileClass.ts"
import { IndexEntry, statementOf } from "../indexing/IndexEntry.ts"
import type { Reference } from "../indexing/IndexStore.ts"
import { plural } from "../message/Plural.ts"
import { sanitize, sanitizeLine } from "../message/Sanitize.ts"
import { plain } from "../message/Style.ts"
import * as Excerpt from "./Excerpt.ts"
import * as FolderText from "./FolderText.ts"
import { pathsOf } from "./findPath.ts"
import { findSymbols } from "./findSymbols.ts"
import type { Project } from "./Project.ts"
import * as Relations from "./Relations.ts"
import * as SymbolText from "./SymbolText.ts"
import * as TokenLimit from "./TokenLimit.ts"

/** Callees that are listed, and further symbols of the same name. */
const MAX_CALLEES = 10
const MAX_OTHERS = 10

/** Characters of a purpose in a list. */
const MAX_PURPOSE = 80

/** Longer lines, of generated code, are cut. */
const MAX_LINE = 200

/** A class with more lines is shown by its members: its source would be cut in the middle. */
const MAX_CLASS_LINES = 40

/**
 * - of a symbol: signature, purpose, callers, callees and source; of several of one name the most used, and a list
 * - of `path:line`: the innermost symbol around the line; of `path:from-to`: these lines
 * - of a file its outline, of a folder its files and main symbols, of the root also the project's map
 *
 * Fails with `NoSuchSymbol`, which names the nearest.
 */
export const describe = Effect.fn("Show.describe")(function* (project: Project, target: string, tokens: number) {
  const place = placeOf(target)
  if (place?.last !== undefined) {
    const shown = yield* Effect.option(showLines(project, place.file, place.first, place.last, tokens))
    if (Option.isSome(shown)) return shown.value
  }
  const { folder, named, namesakes, outline } = yield* findSymbols(project, target)
  const lines =
    folder !== undefined
      ? yield* showFolder(project, folder)
      : outline.length > 0
        ? showOutline(project, outline, tokens)
        : yield* showSymbols(project, named, place?.first, tokens)
  const others = namesakes > 0 ? [`(${plural(namesakes, "symbol")} of that name: show :${sanitizeLine(target)})`] : []
  return TokenLimit.join([...others, ...lines], tokens)
})

interface Place {
  readonly file: string
  readonly first: number
  readonly last: number | undefined
}

const placeOf = (target: string): Place | undefined => {
  const [, file, first, last] = /^(.+):(\d+)(?:-(\d+))?$/.exec(target) ?? []
  return file === undefined
    ? undefined
    : { file, first: Math.max(1, Number(first)), last: last === undefined ? undefined : Number(last) }
}

/** Also of a file without symbols. */
const showLines = Effect.fnUntraced(function* (
  project: Project,
  file: string,
  first: number,
  last: number,
  tokens: number,
) {
  const { displayPath, index, workspace } = project
  const { path, text } = yield* Effect.firstSuccessOf(pathsOf(workspace, file).map((path) => workspace.read(path)))
  const around = (yield* index.symbolsIn(path))
    .filter(({ endLine, startLine }) => startLine <= first && last <= endLine)
    .sort((one, other) => one.endLine - one.startLine - (other.endLine - other.startLine))
    .slice(0, 1)
  const head =
    around.length === 0
      ? [`${sanitizeLine(displayPath(path))}:${first}-${last}`]
      : around.map((entry) => `${SymbolText.title(shownAt(project, entry), plain)}`)
  return TokenLimit.join(
    [...head, ...source(text, { first, last, focus: first, tokens: tokens - TokenLimit.of(head) })],
    tokens,
  )
})

const showFolder = Effect.fnUntraced(function* ({ displayPath, index }: Project, folder: FolderText.Folder) {
  const map = folder.path === "." ? yield* index.map : undefined
  return [
    ...(map === undefined ? [] : [...sanitize(map).trim().split("\n"), ""]),
    ...FolderText.format(folder, displayPath, plain).split("\n"),
  ]
})

const showOutline = (
  { displayPath }: Project,
  outline: ReadonlyArray<IndexEntry>,
  tokens: number,
): ReadonlyArray<string> => {
  const head = [`${sanitizeLine(displayPath(outline[0]?.path ?? ""))}  ${plural(outline.length, "symbol")}`]
  return [...head, ...rows(outline, tokens - TokenLimit.of(head))]
}

/** A line for each, with the beginning of its purpose where all of them fit so. */
const rows = (entries: ReadonlyArray<IndexEntry>, tokens: number): ReadonlyArray<string> => {
  const full = entries.map((entry) => SymbolText.row(abbreviate(entry), plain).trimStart())
  if (TokenLimit.count(full, tokens) === full.length) return full
  return entries.map((entry) => SymbolText.row(new IndexEntry({ ...entry, purpose: undefined }), plain).trimStart())
}

const abbreviate = (entry: IndexEntry): IndexEntry =>
  entry.purpose === undefined
    ? entry
    : new IndexEntry({
        ...entry,
        purpose: { ...entry.purpose, text: SymbolText.cut(statementOf(entry.purpose), MAX_PURPOSE) },
      })

const showSymbols = Effect.fnUntraced(function* (
  project: Project,
  named: ReadonlyArray<IndexEntry>,
  focus: number | undefined,
  tokens: number,
) {
  const [first, ...others] = named.toSorted((one, other) => other.usedBy - one.usedBy)
  if (first === undefined) return []
  const list = [
    ...others.slice(0, MAX_OTHERS).map((entry) => SymbolText.title(shownAt(project, entry), plain)),
    ...(others.length > MAX_OTHERS ? [`and ${others.length - MAX_OTHERS} more`] : []),
  ]
  const namesakes =
    list.length === 0
      ? []
      : [`${named.length} symbols have that name. The most used is shown; the others:`, ...list, ""]
  const lines = yield* showSymbol(project, first, focus, tokens - TokenLimit.of(namesakes))
  return [...namesakes, ...lines]
})

const showSymbol = Effect.fnUntraced(function* (
  project: Project,
  entry: IndexEntry,
  focus = entry.startLine,
  tokens: number,
) {
  const { displayPath, index, workspace } = project
  const file = yield* Effect.either(workspace.read(entry.path))
  const code = Either.match(file, {
    onLeft: () => [],
    onRight: ({ text }) => text.split("\n").slice(entry.startLine - 1, entry.endLine),
  })
  const spare = tokens - TokenLimit.of(code)
  const shown = shownAt(project, entry)
  const head = [
    ...SymbolText.heading(shown, plain).split("\n"),
    ...callers(yield* index.references(entry), displayPath, spare),
    ...(yield* namedUses(project, entry)),
    ...(calledKinds.has(entry.kind) && entry.kind !== "class" ? yield* callees(project, entry) : []),
  ]
  if (entry.endLine - entry.startLine >= MAX_CLASS_LINES) {
    const members = (yield* index.symbolsIn(entry.path)).filter(({ container }) => container === entry.qualifiedName)
    if (members.length > 0 && focus === entry.startLine) {
      const named = members.map((member) => new IndexEntry({ ...member, container: undefined }))
      const title = [...head, "  members"]
      return [...title, ...rows(named, tokens - TokenLimit.of(title)).map((row) => `    ${row}`)]
    }
  }
  if (Either.isLeft(file)) return [...head, ...SymbolText.doc(shown), `  (${sanitizeLine(file.left.message)})`]
  const { text } = file.right
  const room = tokens - TokenLimit.of(head)
  const whole = { first: entry.startLine, last: entry.endLine, focus, tokens: room }
  const isCut = TokenLimit.count(code, room) < code.length
  if (!isCut || focus !== entry.startLine) return [...head, ...source(text, whole)]
  // Of a long symbol the code says more than a comment whose beginning is shown already.
  const [first, last] = Excerpt.linesBesideDoc(text, entry)
  const declaration = entry.signature.endsWith("…")
    ? declarationOf(code).slice(0, Math.max(0, first - entry.startLine))
    : []
  const end = entry.startLine + declaration.length
  const beginning = [
    ...source(text, { first: entry.startLine, last: end - 1, focus, tokens: room / 2 }).slice(0, declaration.length),
    ...(first > end ? [`(lines ${end}-${first - 1} are not shown: the comment)`] : []),
  ]
  return [
    ...head,
    ...beginning,
    ...source(text, { first, last, focus: first, tokens: room - TokenLimit.of(beginning) }),
  ]
})

/** The lines up to the one at which the body of a function begins, in languages of braces and in Python. */
const declarationOf = (code: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = code.slice(0, MAX_DECLARATION).findIndex((line) => /(?:[:{]|=>)\s*(?:#.*|\/\/.*)?$/.test(line.trimEnd()))
  return code.slice(0, last + 1)
}

const MAX_DECLARATION = 40

/**
 * `used by`, and a line for each symbol with the lines of its uses: so many as there is room for beside the source, and at
 * least `LEAST_CALLERS`.
 */
const callers = (
  references: ReadonlyArray<Reference>,
  displayPath: Project["displayPath"],
  spare: number,
): ReadonlyArray<string> => {
  const users = Array.from(
    Map.groupBy(references.toSorted(codeFirst), ({ path, symbol }) => `${path}\n${symbol ?? ""}`).values(),
    (uses) => {
      const [{ path, symbol } = { path: "", symbol: undefined }] = uses
      const lines = uses.map(({ line }) => line)
      const shown = lines.slice(0, MAX_USES).join(", ") + (lines.length > MAX_USES ? ", …" : "")
      return `    ${sanitizeLine(`${displayPath(path)}:${shown}${symbol === undefined ? "" : `  ${symbol}`}`)}`
    },
  )
  const count = Math.max(LEAST_CALLERS, TokenLimit.count(users, spare - CALLEES_TOKENS))
  const left = users.length - count
  return users.length === 0
    ? []
    : [
        "  used by",
        ...users.slice(0, count),
        ...(left > 0 ? [`    and ${plural(left, "more symbol")}: set maxTokens`] : []),
      ]
}

/** They are sorted by path already. */
const codeFirst = (one: Reference, other: Reference): number =>
  Number(FileClass.of(one.path) !== "code") - Number(FileClass.of(other.path) !== "code")

const LEAST_CALLERS = 10

/** Lines of uses in one symbol. */
const MAX_USES = 8

/** About what callees, and notes on what is left out, take. */
const CALLEES_TOKENS = 300

/** Where the name stands and is not resolved, in few places; else in how many files. */
const namedUses = Effect.fnUntraced(function* (project: Project, entry: IndexEntry) {
  const mentions = yield* project.index.mentions(entry.name)
  if (mentions.length > MAX_NAMED_FILES) return []
  const { moreFiles, moreLines, uses } = yield* Relations.findNamedUses(project, [entry], MAX_NAMED)
  const more = moreLines + moreFiles === 0 ? [] : ["    and more: grep the name"]
  return uses.length === 0
    ? []
    : [
        "  maybe used at (the name is there, and is not resolved)",
        ...uses.map(
          ({ line, path, symbol }) =>
            `    ${sanitizeLine(`${project.displayPath(path)}:${line}${symbol === undefined ? "" : `  ${symbol}`}`)}`,
        ),
        ...more,
      ]
})

/** A name in more files is a common word, of which the places say nothing. */
const MAX_NAMED_FILES = 30

const MAX_NAMED = 5

/** `calls`, and a line for each function, method and class. */
const callees = Effect.fnUntraced(function* ({ displayPath, index }: Project, entry: IndexEntry) {
  const isItself = (other: IndexEntry) => other.path === entry.path && other.qualifiedName === entry.qualifiedName
  const called = (yield* index.callees(entry)).filter(
    (callee) => calledKinds.has(callee.entry.kind) && !isItself(callee.entry),
  )
  return called.length === 0
    ? []
    : [
        "  calls",
        ...called
          .slice(0, MAX_CALLEES)
          .map(
            ({ entry }) =>
              `    ${sanitizeLine(`${displayPath(entry.path)}:${entry.startLine}  ${entry.qualifiedName}`)}`,
          ),
        ...(called.length > MAX_CALLEES ? [`    and ${called.length - MAX_CALLEES} more`] : []),
      ]
})

const calledKinds: ReadonlySet<string> = new Set(["function", "method", "class"])

interface Range {
  /** 1-based, inclusive. */
  readonly first: number
  readonly last: number
  /** The line to show where not all fit. */
  readonly focus: number
  readonly tokens: number
}

/** Numbered lines, as many as fit, and which are left out. */
const source = (text: string, { first, focus, last, tokens }: Range): ReadonlyArray<string> => {
  const all = text.split("\n")
  const end = Math.min(last, all.length)
  if (first > end) return [`(the file has ${plural(all.length, "line")})`]
  const lines = Array.from({ length: end - first + 1 }, (_, at) =>
    `${String(first + at).padStart(String(end).length)} │ ${SymbolText.cut(sanitize((all[first + at - 1] ?? "").replace(/\r$/, "")), MAX_LINE)}`.trimEnd(),
  )
  const room = tokens - NOTE_TOKENS
  const count = TokenLimit.count(lines, room)
  if (count === lines.length) return lines
  // The line in question with a third of the lines before it.
  const wanted = Math.max(0, Math.min(focus - first - Math.floor(count / 3), lines.length - count))
  const piece = lines.slice(wanted, wanted + TokenLimit.count(lines.slice(wanted), room))
  const before = wanted === 0 ? [] : [`${first}-${first + wanted - 1}`]
  const next = first + wanted + piece.length
  const after = next > end ? [] : [`${next}-${end}`]
  return [
    ...piece,
    `(lines ${[...before, ...after].join(" and ")} are not shown: ask for them as path:from-to, or set maxTokens)`,
  ]
}

/** More than the note about lines that are left out. */
const NOTE_TOKENS = 40

const shownAt = ({ displayPath }: Project, entry: IndexEntry): IndexEntry =>
  new IndexEntry({ ...entry, path: displayPath(entry.path) })
