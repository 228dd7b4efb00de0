/** Describes a name, a place, a file or a folder to a model, in a limited number of tokens. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { plural } from "../base/Prose.ts"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import { plain } from "../base/Style.ts"
import * as FileClass from "../code/FileClass.ts"
import { IndexEntry, sameSymbol } from "../index/IndexEntry.ts"
import type { Reference } from "../index/IndexStore.ts"
import * as Tokens from "../message/Tokens.ts"
import * as Excerpt from "./Excerpt.ts"
import * as FileSummary from "./FileSummary.ts"
import * as FolderText from "./FolderText.ts"
import { candidatesIn } from "./findPath.ts"
import { findSymbols, splitLines } from "./findSymbols.ts"
import type { Project } from "./Project.ts"
import * as Relations from "./Relations.ts"
import * as SymbolText from "./SymbolText.ts"
import * as WrittenName from "./WrittenName.ts"

/** The most characters of a purpose in a list. */
const MAX_PURPOSE = 80

/** Longer lines, of generated code, are cut. */
const MAX_LINE = 200

/** A class with more lines is shown by its members: its source would be cut in the middle. */
const MAX_CLASS_LINES = 40

/**
 * Shows, by what the target names:
 * - a symbol: signature, purpose, callers, callees and source; of several symbols with one name, the most used and a
 *   list of the others
 * - `path:line`: the innermost symbol around the line; `path:from-to`: these lines
 * - a file: its outline; a folder: its files and main symbols, behind the page of the wiki about it; the root: also the
 *   project's map, if it has no wiki
 *
 * Fails with `NoSuchSymbol`, which names the nearest.
 */
export const describe = Effect.fn("Show.describe")(function* (project: Project, target: string, tokens: number) {
  const place = placeOf(target)
  const shown = place === undefined ? undefined : yield* showPlace(project, place, tokens)
  if (shown !== undefined) return shown
  const found = yield* Effect.either(findSymbols(project, target))
  if (Either.isLeft(found)) {
    if (found.left._tag !== "NoSuchSymbol") return yield* found.left
    // A file without symbols is shown as it is, since there is no outline of it.
    const whole = yield* showPlace(project, { file: target, first: 1, last: Number.POSITIVE_INFINITY }, tokens)
    if (whole !== undefined) return whole
    const named = yield* WrittenName.find(project.index, target)
    if (named.length === 0) return yield* found.left
    const names = Array.from(new Set(named.map(({ qualifiedName }) => qualifiedName)))
    const taken = names.length === 1 ? names.join() : `symbols named ${named[0]?.name}`
    const note = `(nothing is named ${sanitizeLine(target)}: taken for ${sanitizeLine(taken)})`
    const lines = yield* showSymbols(project, named, undefined, tokens - Tokens.ofLines([note]))
    return Tokens.joinFitting([note, ...lines], tokens)
  }
  const { folder, named, namesakes, outline } = found.right
  const lines =
    folder !== undefined
      ? yield* showFolder(project, folder, tokens)
      : outline.length > 0
        ? yield* showOutline(project, outline, tokens)
        : named.some(isRoute)
          ? yield* showRoutes(project, named, tokens)
          : yield* showSymbols(project, named, place?.first, tokens)
  const others = namesakes > 0 ? [`(${plural(namesakes, "symbol")} of that name: show :${sanitizeLine(target)})`] : []
  return Tokens.joinFitting([...others, ...lines], tokens)
})

const isRoute = ({ kind }: IndexEntry): boolean => kind === "route"

/** Shows where routes are registered, and their handlers; the whole registration if the handler is written in place. */
const showRoutes = Effect.fnUntraced(function* (project: Project, named: ReadonlyArray<IndexEntry>, tokens: number) {
  const routes = named.filter(isRoute)
  const handlers = named.filter((entry) => !isRoute(entry))
  if (handlers.length > 0) {
    const head = routes.map((entry) => SymbolText.title(shownAt(project, entry), plain))
    return [...head, "", ...(yield* showSymbols(project, handlers, undefined, tokens - Tokens.ofLines(head)))]
  }
  const lines: Array<string> = []
  for (const entry of routes) {
    const head = SymbolText.title(shownAt(project, entry), plain)
    const file = yield* Effect.option(project.workspace.read(entry.path))
    const { endLine: last, startLine: first } = entry
    const code = Option.match(file, {
      onNone: () => [],
      onSome: ({ text }) =>
        source(text, { first, last, focus: first, tokens: tokens - Tokens.ofLines([...lines, head]) }),
    })
    lines.push(head, ...code)
  }
  return lines
})

interface Place {
  readonly file: string
  readonly first: number
  readonly last: number | undefined
}

const placeOf = (target: string): Place | undefined => {
  const { file, first, last } = splitLines(target)
  return file === undefined ? undefined : { file, first: Math.max(1, first), last }
}

/**
 * Shows lines of any file; for a single line, the symbol around it if there is one. Returns undefined if there is no
 * such file.
 */
const showPlace = Effect.fnUntraced(function* (project: Project, place: Place, tokens: number) {
  const { displayPath, index, workspace } = project
  const read = candidatesIn(project, place.file).map((path) => workspace.read(path))
  const file = yield* Effect.option(Effect.firstSuccessOf(read))
  if (Option.isNone(file)) return undefined
  const { path, text } = file.value
  const name = sanitizeLine(displayPath(path))
  const count = text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
  if (place.first > count) return `(${name} has ${plural(count, "line")})`
  const { first, last = first } = place
  const around = symbolsAround(yield* index.symbolsOf(path, text), first, last).slice(0, 1)
  if (place.last === undefined && around.length > 0) {
    return Tokens.joinFitting(yield* showSymbols(project, around, first, tokens), tokens)
  }
  const range =
    place.last === undefined
      ? { first: Math.max(1, first - LINES_BEFORE), last: Math.min(count, first + LINES_BEHIND) }
      : { first, last: Math.min(last, count) }
  const head =
    around.length === 0
      ? [`${name}:${range.first}-${range.last}`]
      : around.map((entry) => `${SymbolText.title(shownAt(project, entry), plain)}`)
  const lines = source(text, { ...range, focus: first, tokens: tokens - Tokens.ofLines(head) })
  return Tokens.joinFitting([...head, ...lines], tokens)
})

/** The innermost first. */
const symbolsAround = (symbols: ReadonlyArray<IndexEntry>, first: number, last: number): ReadonlyArray<IndexEntry> =>
  symbols
    .filter(({ endLine, startLine }) => startLine <= first && last <= endLine)
    .sort((one, other) => one.endLine - one.startLine - (other.endLine - other.startLine))

/** Lines that are shown around one that is in no symbol, such as a line of a function that is passed to another. */
const LINES_BEFORE = 5
const LINES_BEHIND = 25

const showFolder = Effect.fnUntraced(function* (
  { displayPath, index, pages }: Project,
  folder: FolderText.Folder,
  tokens: number,
) {
  const page = pages === undefined ? undefined : yield* pages.ofFolder(folder.path, tokens)
  if (page !== undefined) return [...page, "", ...FolderText.format(folder, displayPath, plain).split("\n")]
  const map = folder.path === "." ? yield* index.map : undefined
  return [
    ...(map === undefined ? [] : [...sanitize(map).trim().split("\n"), ""]),
    ...FolderText.format(folder, displayPath, plain).split("\n"),
  ]
})

/** Shows the outline of the file as it is now. */
const showOutline = Effect.fnUntraced(function* (
  { displayPath, index, workspace }: Project,
  outline: ReadonlyArray<IndexEntry>,
  tokens: number,
) {
  const path = outline[0]?.path ?? ""
  const name = sanitizeLine(displayPath(path))
  const file = yield* Effect.either(workspace.read(path))
  const now = Either.isRight(file) ? yield* index.symbolsOf(path, file.right.text) : outline
  const isGone = Either.isLeft(file) && file.left.reason._tag === "NotFound"
  const summary = Either.isRight(file)
    ? FileSummary.of(path, file.right.text, now, yield* index.fileEntry(path))
    : undefined
  const [indexed] = yield* index.filesIn(path)
  const head = [
    ...(isGone ? [goneNote(name)] : []),
    `${name}  ${plural(now.length, "symbol")}`,
    ...(summary === undefined ? [] : [sanitizeLine(FileSummary.toText(summary))]),
    ...(indexed?.note === undefined ? [] : [`(${sanitizeLine(indexed.note)})`]),
  ]
  return [...head, ...rows(now, tokens - Tokens.ofLines(head))]
})

const goneNote = (file: string): string => `(${file} is gone: this is what the index has of it)`

/** Returns a line for each symbol, with the beginning of its purpose if all of them fit with it. */
const rows = (entries: ReadonlyArray<IndexEntry>, tokens: number): ReadonlyArray<string> => {
  const full = entries.map((entry) => SymbolText.row(SymbolText.withPurposeCut(entry, MAX_PURPOSE), plain).trimStart())
  if (Tokens.countFitting(full, tokens) === full.length) return full
  return entries.map((entry) => SymbolText.row(new IndexEntry({ ...entry, purpose: undefined }), plain).trimStart())
}

/** Shows the most used of several symbols, below a list of the others. If there are many, shows only the list. */
const showSymbols = Effect.fnUntraced(function* (
  project: Project,
  named: ReadonlyArray<IndexEntry>,
  focus: number | undefined,
  tokens: number,
) {
  const [first, ...others] = yield* byUse(project, named)
  if (first === undefined) return []
  if (named.length > MAX_SYMBOLS) return listOf(project, [first, ...others], tokens)
  const list = others.map((entry) => SymbolText.title(shownAt(project, entry), plain))
  const namesakes =
    list.length === 0
      ? []
      : [`${named.length} symbols have that name. The most used is shown; the others:`, ...list, ""]
  const lines = yield* showSymbol(project, first, focus, tokens - Tokens.ofLines(namesakes))
  return [...namesakes, ...lines]
})

/** If more symbols than this have one name, they are only listed. */
const MAX_SYMBOLS = 8

/**
 * Sorts symbols: those of code first, then by how many files of code use them, then by how many files of any kind do.
 */
const byUse = Effect.fnUntraced(function* ({ index }: Project, named: ReadonlyArray<IndexEntry>) {
  const counted = yield* Effect.forEach(named, (entry) =>
    // Decoding the references of a hundred symbols takes longer than an answer may.
    named.length > MAX_SYMBOLS || named.length === 1
      ? Effect.succeed({ entry, users: 0 })
      : Effect.map(index.references(entry), (references) => ({
          entry,
          users: new Set(references.map(({ path }) => path).filter((path) => FileClass.of(path) === "code")).size,
        })),
  )
  return counted
    .sort(
      (one, other) =>
        codeFirst(one.entry, other.entry) || other.users - one.users || other.entry.usedBy - one.entry.usedBy,
    )
    .map(({ entry }) => entry)
})

const listOf = (project: Project, named: ReadonlyArray<IndexEntry>, tokens: number): ReadonlyArray<string> => {
  const head = [`${named.length} symbols have that name, the most used first. Show one as path:name:`]
  const rows = named.map((entry) => {
    const users = entry.usedBy === 0 ? "" : `  used by ${plural(entry.usedBy, "file")}`
    return `${SymbolText.title(shownAt(project, entry), plain)}${users}`
  })
  const room = tokens - Tokens.ofLines(head) - NOTE_TOKENS
  const count = Tokens.countFitting(rows, tokens > LIST_TOKENS ? Math.max(LIST_TOKENS, room / 2) : room)
  const left = rows.length - count
  return [...head, ...rows.slice(0, count), ...(left > 0 ? [`and ${left} more: set maxTokens`] : [])]
}

/** The most tokens of a list of symbols with one name, unless half the room is more: the first ones say most. */
const LIST_TOKENS = 500

const showSymbol = Effect.fnUntraced(function* (
  project: Project,
  known: IndexEntry,
  focus: number | undefined,
  tokens: number,
) {
  const { displayPath, index, workspace } = project
  const name = sanitizeLine(displayPath(known.path))
  const file = yield* Effect.either(workspace.read(known.path))
  if (Either.isLeft(file)) {
    const isGone = file.left.reason._tag === "NotFound"
    return [
      isGone ? goneNote(name) : `(${sanitizeLine(file.left.message)})`,
      ...(yield* describeSymbol(project, known, undefined, tokens)),
    ]
  }
  const now = yield* index.symbolsOf(known.path, file.right.text)
  const entry = sameSymbol(now, known)
  if (entry === undefined) {
    const head = [`(${name} has changed and has no ${sanitizeLine(known.qualifiedName)} now. Its symbols:)`]
    return [...head, ...rows(now, tokens - Tokens.ofLines(head))]
  }
  return yield* describeSymbol(project, entry, { text: file.right.text, focus: focus ?? entry.startLine }, tokens)
})

interface Shown {
  /** The text of the whole file. */
  readonly text: string
  /** The line that is shown even if not all lines fit. */
  readonly focus: number
}

/** `file`: undefined if it cannot be read; then no source is shown. */
const describeSymbol = Effect.fnUntraced(function* (
  project: Project,
  entry: IndexEntry,
  file: Shown | undefined,
  tokens: number,
) {
  const { displayPath, index } = project
  const code = file?.text.split("\n").slice(entry.startLine - 1, entry.endLine) ?? []
  const spare = tokens - Tokens.ofLines(code)
  const shown = shownAt(project, entry)
  const used = callers(yield* index.references(entry), displayPath, spare)
  const uses = [...used, ...(yield* namedUses(project, entry))]
  const calls =
    calledKinds.has(entry.kind) && entry.kind !== "class"
      ? yield* callees(project, entry, spare - Tokens.ofLines(uses))
      : []
  const heading = (hasDeclaration: boolean) => [
    SymbolText.title(shown, plain),
    ...(hasDeclaration ? [] : [`  ${sanitizeLine(shown.signature)}`]),
    ...(shown.purpose === undefined ? [] : [`  ${SymbolText.purposeText(shown)}`]),
    ...uses,
    ...calls,
  ]
  if (file === undefined) return [...heading(false), ...SymbolText.doc(shown)]
  const { focus, text } = file
  if (entry.endLine - entry.startLine >= MAX_CLASS_LINES) {
    const members = (yield* index.symbolsOf(entry.path, text)).filter(
      ({ container }) => container === entry.qualifiedName,
    )
    if (members.length > 0 && focus === entry.startLine) {
      const named = members.map((member) => new IndexEntry({ ...member, container: undefined }))
      const title = [...heading(false), "  members"]
      return [...title, ...rows(named, tokens - Tokens.ofLines(title)).map((row) => `    ${row}`)]
    }
  }
  const isWhole = (room: number) => Tokens.countFitting(code, room) === code.length
  const whole = (head: ReadonlyArray<string>) => {
    const tokensLeft = tokens - Tokens.ofLines(head)
    return [...head, ...source(text, { first: entry.startLine, last: entry.endLine, focus, tokens: tokensLeft })]
  }
  // The lines contain the signature in this case.
  if (isWhole(tokens - Tokens.ofLines(heading(true)))) return whole(heading(true))
  if (focus !== entry.startLine) return whole(heading(false))
  // The code of a long symbol says more than the rest of its comment.
  const [first, last] = Excerpt.linesBesideDoc(text, entry)
  const declaration = declarationOf(code).slice(0, Math.max(0, first - entry.startLine))
  const head = heading(declaration.length > 0)
  const room = tokens - Tokens.ofLines(head)
  const end = entry.startLine + declaration.length
  const beginning = [
    ...source(text, { first: entry.startLine, last: end - 1, focus, tokens: room / 2 }).slice(0, declaration.length),
    ...(first > end ? [`(lines ${end}-${first - 1} are not shown: the comment)`] : []),
  ]
  return [
    ...head,
    ...beginning,
    ...source(text, { first, last, focus: first, tokens: room - Tokens.ofLines(beginning) }),
  ]
})

/** The lines up to the one at which the body of a function begins, in languages of braces and in Python. */
const declarationOf = (code: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = code.slice(0, MAX_DECLARATION).findIndex((line) => /(?:[:{]|=>)\s*(?:#.*|\/\/.*)?$/.test(line.trimEnd()))
  return code.slice(0, last + 1)
}

const MAX_DECLARATION = 40

/**
 * `used by`, and a line for each symbol with the lines of its uses. As many are listed as fit beside the source, but at
 * least `LEAST_CALLERS`.
 */
const callers = (
  references: ReadonlyArray<Reference>,
  displayPath: Project["displayPath"],
  spare: number,
): ReadonlyArray<string> => {
  const users = Array.from(
    Map.groupBy(references, ({ path, symbol }) => `${path}\n${symbol ?? ""}`).values(),
    (uses) => {
      const [{ path, symbol } = { path: "", symbol: undefined }] = uses
      const lines = Array.from(new Set(uses.map(({ line }) => line)))
      const most = FileClass.of(path) === "code" ? MAX_USES : MAX_USES_IN_TESTS
      const shown = lines.slice(0, most).join(", ") + (lines.length > most ? ", …" : "")
      return `    ${sanitizeLine(`${displayPath(path)}:${shown}${userOf(symbol)}`)}`
    },
  )
  const count = Math.max(LEAST_CALLERS, Tokens.countFitting(users, spare - CALLEES_TOKENS))
  const left = users.length - count
  return users.length === 0
    ? []
    : [
        "  used by",
        ...users.slice(0, count),
        ...(left > 0 ? [`    and ${plural(left, "more symbol")}: set maxTokens`] : []),
      ]
}

/** A function without a name says nothing beside its path. */
const userOf = (symbol: string | undefined): string =>
  symbol === undefined || symbol === "default" ? "" : `  ${symbol}`

const codeFirst = (one: { readonly path: string }, other: { readonly path: string }): number =>
  Number(FileClass.of(one.path) !== "code") - Number(FileClass.of(other.path) !== "code")

const LEAST_CALLERS = 10

/** The most lines of uses that are listed for one symbol, or for the top level of a file. */
const MAX_USES = 30
const MAX_USES_IN_TESTS = 8

/** Tokens that are kept for the callees and for notes on what is left out. */
const CALLEES_TOKENS = 300

/** Lists unresolved uses of the name if few files have it; else says only that many do. */
const namedUses = Effect.fnUntraced(function* (project: Project, entry: IndexEntry) {
  const mentions = yield* project.index.mentions(entry.name)
  if (mentions.length > MAX_NAMED_FILES) return ["  (many files have the name: grep it for uses that are not resolved)"]
  const isOutside = ({ line, path }: Relations.NamedUse) =>
    path !== entry.path || line < entry.startLine || line > entry.endLine
  const found = yield* Relations.findNamedUses(project, [entry], MAX_NAMED + MAX_OWN)
  const { moreFiles, moreLines } = found
  const outside = found.uses.filter(isOutside)
  const uses = outside.slice(0, MAX_NAMED)
  const more = outside.length - uses.length + moreLines + moreFiles === 0 ? [] : ["    and more: grep the name"]
  return uses.length === 0
    ? []
    : [
        "  maybe used at (the name is there, and is not resolved)",
        ...uses.map(
          ({ line, path, symbol }) => `    ${sanitizeLine(`${project.displayPath(path)}:${line}${userOf(symbol)}`)}`,
        ),
        ...more,
      ]
})

/** A name in more files than this is a common word, and its places say nothing. */
const MAX_NAMED_FILES = 30

const MAX_NAMED = 5

/** Places within the symbol itself, which are left out. */
const MAX_OWN = 10

/** `calls`, and a line for each function, method and class. As many are listed as fit, but at least `LEAST_CALLEES`. */
const callees = Effect.fnUntraced(function* ({ displayPath, index }: Project, entry: IndexEntry, spare: number) {
  const isItself = (other: IndexEntry) => other.path === entry.path && other.qualifiedName === entry.qualifiedName
  const called = (yield* index.callees(entry)).filter(
    (callee) => calledKinds.has(callee.entry.kind) && !isItself(callee.entry),
  )
  const lines = called.map(
    ({ entry }) => `    ${sanitizeLine(`${displayPath(entry.path)}:${entry.startLine}  ${entry.qualifiedName}`)}`,
  )
  const count = Math.max(LEAST_CALLEES, Tokens.countFitting(lines, spare - NOTES_TOKENS))
  const left = lines.length - count
  return lines.length === 0
    ? []
    : ["  calls", ...lines.slice(0, count), ...(left > 0 ? [`    and ${left} more: set maxTokens`] : [])]
})

const LEAST_CALLEES = 10

/** Tokens that are kept for the heading and for notes on what is left out. */
const NOTES_TOKENS = 120

const calledKinds: ReadonlySet<string> = new Set(["function", "method", "class"])

interface Range {
  /** 1-based, inclusive. */
  readonly first: number
  readonly last: number
  /** The line that is shown even if not all lines fit. */
  readonly focus: number
  readonly tokens: number
}

/** Returns numbered lines, as many as fit, and a note that says which are left out. */
const source = (text: string, { first, focus, last, tokens }: Range): ReadonlyArray<string> => {
  const all = text.split("\n")
  const end = Math.min(last, all.length)
  if (first > end) return [`(the file has ${plural(all.length, "line")})`]
  const lines = Array.from({ length: end - first + 1 }, (_, at) =>
    `${String(first + at).padStart(String(end).length)} │ ${SymbolText.cut(sanitize((all[first + at - 1] ?? "").replace(/\r$/, "")), MAX_LINE)}`.trimEnd(),
  )
  const room = tokens - NOTE_TOKENS
  const count = Tokens.countFitting(lines, room)
  if (count === lines.length) return lines
  // A third of the lines that fit stand before the line in question.
  const wanted = Math.max(0, Math.min(focus - first - Math.floor(count / 3), lines.length - count))
  const piece = lines.slice(wanted, wanted + Tokens.countFitting(lines.slice(wanted), room))
  const before = wanted === 0 ? [] : [`${first}-${first + wanted - 1}`]
  const next = first + wanted + piece.length
  const after = next > end ? [] : [`${next}-${end}`]
  return [
    ...piece,
    `(lines ${[...before, ...after].join(" and ")} are not shown: ask for them as path:from-to, or set maxTokens)`,
  ]
}

/** Tokens that are kept for the note about lines that are left out. */
const NOTE_TOKENS = 40

const shownAt = ({ displayPath }: Project, entry: IndexEntry): IndexEntry =>
  new IndexEntry({ ...entry, path: displayPath(entry.path) })
