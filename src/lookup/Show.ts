/** What a name, a place, a file or a folder is, in a limited number of tokens: for models. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { IndexEntry, statementOf } from "../indexing/IndexEntry.ts"
import { plural } from "../message/Plural.ts"
import { sanitize, sanitizeLine } from "../message/Sanitize.ts"
import { plain } from "../message/Style.ts"
import * as Excerpt from "./Excerpt.ts"
import * as FolderText from "./FolderText.ts"
import { pathsOf } from "./findPath.ts"
import { findSymbols } from "./findSymbols.ts"
import type { Project } from "./Project.ts"
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
  const namesakes = list.length === 0 ? [] : ["", "others of that name:", ...list]
  const lines = yield* showSymbol(project, first, focus, tokens - TokenLimit.of(namesakes))
  return [...lines, ...namesakes]
})

const showSymbol = Effect.fnUntraced(function* (
  project: Project,
  entry: IndexEntry,
  focus = entry.startLine,
  tokens: number,
) {
  const { displayPath, index, workspace } = project
  const references = (yield* index.references(entry)).map((use) => ({ ...use, path: displayPath(use.path) }))
  const mentions = (yield* index.mentions(entry.name)).map((use) => ({ ...use, path: displayPath(use.path) }))
  const shown = shownAt(project, entry)
  const head = [
    ...SymbolText.heading(shown, plain).split("\n"),
    ...SymbolText.usedBy({ references, mentions }, plain).filter((line) => line !== ""),
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
  const file = yield* Effect.either(workspace.read(entry.path))
  if (file._tag === "Left") return [...head, ...SymbolText.doc(shown), `  (${sanitizeLine(file.left.message)})`]
  const { text } = file.right
  const room = tokens - TokenLimit.of(head)
  const whole = { first: entry.startLine, last: entry.endLine, focus, tokens: room }
  const [first, last] = Excerpt.linesBesideDoc(text, entry)
  // Of a long symbol the code says more than a comment whose beginning is shown already.
  const isCut =
    TokenLimit.count(text.split("\n").slice(entry.startLine - 1, entry.endLine), room) <=
    entry.endLine - entry.startLine
  return [
    ...head,
    ...source(text, isCut && focus === entry.startLine ? { ...whole, first, last, focus: first } : whole),
  ]
})

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
