/** Symbols and the state of an index, as text and as objects for `--json`. Pure. */
import * as FileClass from "../../code/FileClass.ts"
import * as Coverage from "../../indexing/Coverage.ts"
import type { IndexEntry, Origin } from "../../indexing/IndexEntry.ts"
import type { Mention, Reference, Status } from "../../indexing/IndexStore.ts"
import type { NotOutlined } from "../../indexing/NotOutlined.ts"
import type { Unreadable } from "../../indexing/Unreadable.ts"
import { plural } from "../../message/Plural.ts"
import { sanitize, sanitizeLine } from "../../message/Sanitize.ts"
import type { Style } from "../terminal/Style.ts"
import { unbroken, wrap, wrapHanging } from "../terminal/wrap.ts"

/** An entry of `vibe show --json`. */
export const symbol = (entry: IndexEntry, uses: Uses): object => ({
  ...place(entry),
  signature: entry.signature,
  exported: entry.exported,
  major: entry.isMajor,
  doc: entry.doc ?? null,
  usedBy: entry.usedBy,
  references: uses.references.map(({ line, path, symbol }) => ({
    path,
    line,
    symbol: symbol ?? null,
    certainty: "resolved",
  })),
  nameOccursIn: mentionedIn(uses).length,
  ...purpose(entry),
  purposeModel: entry.purpose?.model ?? null,
})

/** What `vibe status` prints besides the counts of the index. */
export interface StatusDetails {
  /** Files by language, most first. */
  readonly languages: ReadonlyArray<{ readonly name: string; readonly files: number }>
  /** Source files without symbols. */
  readonly notOutlined: NotOutlined
  readonly unreadable: Unreadable
  /** When the index was last written; undefined for an index in memory. */
  readonly updatedAt: string | undefined
}

/** `vibe status --json`; `coverage` is 0 to 1, of the major symbols of the code. */
export const status = (
  root: string,
  status: Status,
  { languages, notOutlined, unreadable, updatedAt }: StatusDetails,
): object => ({
  root,
  ...status,
  coverage: coverage(status),
  languages: Object.fromEntries(languages.map(({ files, name }) => [name, files])),
  notOutlined,
  unreadable,
  updatedAt: updatedAt ?? null,
})

/** Counts the files of each language; files of an unknown language are left out. */
export const countLanguages = (
  files: ReadonlyArray<{ readonly language: string | undefined }>,
): StatusDetails["languages"] => {
  const counts = new Map<string, number>()
  for (const { language } of files) if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1)
  return Array.from(counts, ([name, files]) => ({ name, files })).sort(
    (a, b) => b.files - a.files || (a.name < b.name ? -1 : 1),
  )
}

/** `12 ocaml files, 1 file too large, minified or broken (src/big.ts)`; `undefined` where there are none. */
export const notOutlined = (
  { languages, refused, refusedFiles }: NotOutlined,
  displayPath: DisplayPath,
): string | undefined => {
  const parts = [
    ...languages.map(({ files, language }) => plural(files, `${language} file`)),
    ...(refusedFiles === 0
      ? []
      : [
          `${plural(refusedFiles, "file")} too large, minified or broken (${listed(refused, refusedFiles, displayPath)})`,
        ]),
  ]
  return parts.length === 0 ? undefined : parts.join(", ")
}

/** `a.ts, b.ts, …`: names of `count` files, as they are printed. */
const listed = (paths: ReadonlyArray<string>, count: number, displayPath: DisplayPath): string =>
  [...paths.map((path) => sanitizeLine(displayPath(path))), ...(count > paths.length ? ["…"] : [])].join(", ")

const withoutOutline = (none: NotOutlined, displayPath: DisplayPath): ReadonlyArray<readonly [string, string]> => {
  const text = notOutlined(none, displayPath)
  return text === undefined ? [] : [["no outline", text]]
}

/** `2 files and 1 folder could not be read`; `undefined` where there are none. */
export const unreadable = ({ files, folders }: Unreadable): string | undefined => {
  const counts = [
    ...(files === 0 ? [] : [plural(files, "file")]),
    ...(folders === 0 ? [] : [plural(folders, "folder")]),
  ]
  return counts.length === 0 ? undefined : `${counts.join(" and ")} could not be read`
}

const unread = (of: Unreadable, displayPath: DisplayPath): ReadonlyArray<readonly [string, string]> => {
  const text = unreadable(of)
  return text === undefined ? [] : [["unreadable", `${text}: ${listed(of.paths, of.files + of.folders, displayPath)}`]]
}

/** A path of the index as it is printed. */
export type DisplayPath = (path: string) => string

/** Columns of a stream that is no terminal: nothing is wrapped, so that other programs read whole lines. */
export const UNLIMITED = Number.POSITIVE_INFINITY

/** Location, kind and name. What does not fit is continued on indented lines, if possible the kind and the name. */
export const title = (entry: IndexEntry, { strong }: Style, columns = UNLIMITED): string => {
  const place = location(entry)
  const name = `${entry.kind} ${sanitizeLine(entry.qualifiedName)}`
  if (place.length + 2 + name.length <= columns) return `${strong(place)}  ${name}`
  return [
    ...wrapHanging(place, columns, 4).map(strong),
    ...wrapHanging(name, columns - 4, 2).map((line) => `    ${line}`),
  ].join("\n")
}

/** Location, kind, name, signature, and purpose with its origin. */
export const heading = (entry: IndexEntry, style: Style, columns = UNLIMITED): string =>
  [
    title(entry, style, columns),
    ...wrap(sanitizeLine(entry.signature), columns - 2).map((line) => style.quiet(`  ${line}`)),
    ...wrap(purposeText(entry), columns - 2).map((line) => `  ${line}`),
  ].join("\n")

/** One symbol of a list. */
export const row = (entry: IndexEntry, { quiet }: Style, columns = UNLIMITED): string => {
  const lines = `${entry.startLine}-${entry.endLine}`.padStart(LINE_COLUMNS)
  const purpose = markedPurpose(entry)
  const [first = "", ...others] = wrap(
    `${entry.kind} ${sanitizeLine(entry.qualifiedName)}${purpose === undefined ? "" : `  ${purpose}`}`,
    columns - LINE_COLUMNS - 2,
  )
  return [`${quiet(lines)}  ${first}`, ...others.map((line) => `${" ".repeat(LINE_COLUMNS + 2)}${line}`)].join("\n")
}

const LINE_COLUMNS = 11

/** Its comment without the lines at its beginning that are the purpose. Of a long one the beginning, and where the rest is. */
export const doc = (entry: IndexEntry, columns = UNLIMITED): ReadonlyArray<string> => {
  const text = sanitize(withoutPurpose(entry))
  if (text === "") return []
  const lines = cut(text, MAX_DOC_CHARS).split("\n").slice(0, MAX_DOC_LINES)
  const left = text.split("\n").length - lines.length
  const rest = left > 0 ? `${plural(left, "more line")} of` : text.length > MAX_DOC_CHARS ? "more of" : undefined
  return [
    "",
    ...lines.flatMap((line) => indent(line, columns)),
    ...(rest === undefined
      ? []
      : indent(`and ${rest} its comment, at ${sanitizeLine(`${entry.path}:${entry.startLine}`)}`, columns)),
  ]
}

const withoutPurpose = ({ doc = "", purpose }: IndexEntry): string => {
  if (purpose === undefined) return doc
  const lines = doc.split("\n")
  let begin = ""
  for (const [at, line] of lines.entries()) {
    begin = `${begin} ${line}`.split(/\s+/).join(" ").trim()
    if (begin.length > purpose.text.length) return doc
    if (begin === purpose.text)
      return lines
        .slice(at + 1)
        .join("\n")
        .replace(/^\s*\n/, "")
        .trimEnd()
  }
  return doc
}

/** Each line by two columns more than the text has; what does not fit is below the beginning of the text. */
const indent = (text: string, columns: number): ReadonlyArray<string> =>
  wrapHanging(text, columns - 2, text.length - text.trimStart().length).map((line) => `  ${line}`)

const MAX_DOC_LINES = 60

const MAX_DOC_CHARS = 4_000

/** Where a symbol is used: its resolved references, and the files in which its name occurs. */
export interface Uses {
  readonly references: ReadonlyArray<Reference>
  readonly mentions: ReadonlyArray<Mention>
}

/** Files in which only the name occurs. */
const mentionedIn = ({ mentions, references }: Uses): ReadonlyArray<Mention> => {
  const resolved = new Set(references.map(({ path }) => path))
  return mentions.filter(({ path }) => !resolved.has(path))
}

export const usedBy = (uses: Uses, style: Style, columns = UNLIMITED): ReadonlyArray<string> => {
  // One line for all uses in one symbol.
  const users = Array.from(Map.groupBy(uses.references, ({ path, symbol }) => `${path}\n${symbol ?? ""}`).values())
  const others = mentionedIn(uses).length
  return [
    ...(users.length === 0
      ? []
      : [
          "",
          `  ${style.quiet("used by")}`,
          ...users.slice(0, 10).flatMap((references) => {
            const [{ line, path, symbol } = { line: 0, path: "", symbol: undefined }] = references
            const times = references.length > 1 ? ` ×${references.length}` : ""
            const user = sanitizeLine(`${path}:${line}${symbol === undefined ? "" : `  ${symbol}`}${times}`)
            return wrapHanging(user, columns - 4, 2).map((line) => `    ${line}`)
          }),
          ...(users.length > 10 ? [`    and ${plural(users.length - 10, "more symbol")}`] : []),
        ]),
    ...(others === 0
      ? []
      : ["", `  ${style.quiet(`the name occurs in ${plural(others, users.length === 0 ? "file" : "more file")}`)}`]),
  ]
}

export const statusText = (
  root: string,
  status: Status,
  { languages, notOutlined: none, unreadable, updatedAt }: StatusDetails,
  displayPath: DisplayPath,
  columns = UNLIMITED,
): string => {
  const lackOfCode = Coverage.describeLackOfCode(status.classes)
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["folder", sanitizeLine(root)],
    ["files", filesText(status)],
    ...(languages.length === 0
      ? []
      : [["languages", languages.map(({ files, name }) => unbroken(`${name} ${files}`)).join(", ")] as const]),
    ...(status.partialFiles === 0
      ? []
      : [["partial", `${plural(status.partialFiles, "file")} only partly outlined, listed by vibe index`] as const]),
    ...unread(unreadable, displayPath),
    ...withoutOutline(none, displayPath),
    ["symbols", `${status.symbols}, of them ${Coverage.describeFocus(status.classes)}`],
    ["purposes", purposesText(status)],
    ["state", stateText(status)],
    [
      "coverage",
      status.majorSymbols === 0
        ? "no major symbols"
        : `${percent(coverage(status))} of ${Coverage.describeFocus(status.classes)} explained by a model or a comment${Coverage.describeBeside(status.classes)}`,
    ],
    ...(lackOfCode === undefined ? [] : [["note", lackOfCode] as const]),
    ["on disk", bytes(status.bytesOnDisk)],
    ...(updatedAt === undefined ? [] : [["updated", updatedAt] as const]),
    ...nextSteps(status),
  ]
  return rows
    .flatMap(([name, value]) =>
      wrap(value, columns - NAME_COLUMNS).map((line, at) => `${(at === 0 ? name : "").padEnd(NAME_COLUMNS)}${line}`),
    )
    .join("\n")
}

const NAME_COLUMNS = 11

/** `1070 by a model (6 of them for copies of the same source), 287 from comments`. */
const purposesText = ({ copies, purposes }: Status): string =>
  `${purposes.model} by a model${copies === 0 ? "" : ` (${copies} of them for ${copies === 1 ? "a copy" : "copies"} of the same source)`}, ${purposes.comment} from comments`

/** The commands that explain what is open, and what is weak. */
const nextSteps = ({ open, weak }: Status): ReadonlyArray<readonly [string, string]> => {
  const steps = [
    ...(open === 0 ? [] : ["vibe index . explains what is open (with --estimate: what that costs)"]),
    ...(weak === 0 ? [] : ["vibe index . --refresh-weak asks again for what is weak"]),
  ]
  return steps.map((step, at) => [at === 0 ? "next" : "", step])
}

/** `442 explained, 3 weak, 12 stale (the code has changed since), 28 open (major symbols in code)`. */
const stateText = ({ classes, open, purposes, stale, weak }: Status): string =>
  [
    `${purposes.model + purposes.comment - stale - weak} explained`,
    `${weak} weak`,
    `${stale} stale${stale === 0 ? "" : " (the code has changed since)"}`,
    `${open} open${open === 0 ? "" : ` (major ${open === 1 ? "symbol" : "symbols"}${Coverage.focusOf(classes) === "code" ? " in code" : ""})`}`,
  ].join(", ")

/** `233: code 37, tests 68`; the number alone where all are code. */
const filesText = ({ classes, files }: Status): string =>
  classes.code.files === files
    ? String(files)
    : `${files}: ${FileClass.all
        .filter((name) => classes[name].files > 0)
        .map((name) => `${FileClass.plurals[name]} ${classes[name].files}`)
        .join(", ")}`

export const percent = (share: number): string => `${Math.floor(share * 100)}%`

/** 1 where there are no major symbols. */
export const coverage = ({ covered, majorSymbols }: Pick<Status, "covered" | "majorSymbols">): number =>
  majorSymbols === 0 ? 1 : covered / majorSymbols

/** The fields that name a symbol in JSON. */
export const place = (entry: IndexEntry) => ({
  path: entry.path,
  symbol: entry.qualifiedName,
  kind: entry.kind,
  startLine: entry.startLine,
  endLine: entry.endLine,
})

/** The fields of its purpose in JSON. */
export const purpose = ({ purpose }: IndexEntry) => ({
  purpose: purpose?.text ?? null,
  purposeOrigin: purpose?.origin ?? null,
  stale: purpose?.stale ?? false,
  weak: purpose?.weak ?? null,
})

const location = ({ endLine, path, startLine }: IndexEntry): string => `${sanitizeLine(path)}:${startLine}-${endLine}`

/** The purpose with its origin as one mark: none for a model, `#` for a comment. */
export const markedPurpose = ({ purpose }: IndexEntry): string | undefined =>
  purpose === undefined
    ? undefined
    : sanitizeLine(
        `${marks[purpose.origin]}${purpose.text}${purpose.stale ? " (stale)" : purpose.weak === undefined ? "" : " (weak)"}`,
      )

const marks: Readonly<Record<Origin, string>> = { model: "", comment: "# " }

const purposeText = ({ purpose }: IndexEntry): string => {
  if (purpose === undefined) return "(no purpose yet)"
  const origin = purpose.origin === "model" ? `by ${purpose.model}` : "from its comment"
  const weak = purpose.weak === undefined ? "" : `; weak: ${purpose.weak}`
  return sanitizeLine(`${purpose.text} (${origin}${purpose.stale ? "; the code has changed since" : weak})`)
}

/** At most `length` characters, with an ellipsis where it is cut: behind a word, if one ends not far before. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const most = text.slice(0, length - 1)
  const last = /\s/.test(text.charAt(length - 1)) ? undefined : /\s\S*$/.exec(most)
  const isNear = last !== null && last !== undefined && last[0].length <= LONGEST_CUT_WORD
  return `${(isNear ? most.slice(0, last.index) : most).toWellFormed().trimEnd()}…`
}

const LONGEST_CUT_WORD = 16

const bytes = (count: number): string =>
  count < 1024 * 1024 ? `${Math.ceil(count / 1024)} KB` : `${(count / 1024 / 1024).toFixed(1)} MB`
