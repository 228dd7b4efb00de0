/** Symbols as text and as objects for `--json`. Pure. */

import { plural } from "../base/Prose.ts"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import type { Style } from "../base/Style.ts"
import { wrap, wrapHanging } from "../base/wrap.ts"
import { IndexEntry, type Origin, statementOf } from "../index/IndexEntry.ts"
import type { Mention, Reference } from "../index/IndexStore.ts"

/**
 * An entry of `vibe show --json`. `overloads`: declarations of further types of the same symbol. `declarations`: its
 * prototypes in other places.
 */
export const symbol = (
  entry: IndexEntry,
  uses: Uses,
  overloads: ReadonlyArray<IndexEntry> = [],
  declarations: ReadonlyArray<IndexEntry> = [],
): object => ({
  ...place(entry),
  signature: entry.signature,
  overloads: overloads.map(({ endLine, signature, startLine }) => ({ startLine, endLine, signature })),
  ...(declarations.length > 0 && {
    declarations: declarations.map((each) => ({
      path: each.path,
      startLine: each.startLine,
      endLine: each.endLine,
      ...purpose(each),
    })),
  }),
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

/**
 * The columns of a stream that is not a terminal. Nothing is wrapped there, so that other programs read whole lines.
 */
export const UNLIMITED = Number.POSITIVE_INFINITY

/** Location, kind and name. If they do not fit, the rest goes on indented lines, if possible split before the kind. */
export const title = (entry: IndexEntry, { strong }: Style, columns = UNLIMITED): string => {
  const place = location(entry)
  const name = `${entry.kind} ${sanitizeLine(entry.qualifiedName)}`
  if (place.length + 2 + name.length <= columns) return `${strong(place)}  ${name}`
  return [
    ...wrapHanging(place, columns, 4).map(strong),
    ...wrapHanging(name, columns - 4, 2).map((line) => `    ${line}`),
  ].join("\n")
}

/** Returns a function that colours the lines of a file, one after the other: a line can begin within a comment. */
export type PaintCode = (path: string) => (line: string) => string

/**
 * Location, kind, name, signature, and purpose with its origin. `paint` colours the signature. If the
 * symbol has no purpose and one of its prototypes (`declarations`) has, `declarationLines` says it, and
 * nothing is said to be missing here.
 */
export const heading = (
  entry: IndexEntry,
  style: Style,
  columns = UNLIMITED,
  paint?: PaintCode,
  declarations: ReadonlyArray<IndexEntry> = [],
): string =>
  [
    title(entry, style, columns),
    ...wrap(sanitizeLine(entry.signature), columns - 2).map(
      paint === undefined ? (line) => style.quiet(`  ${line}`) : inColumn(paint(entry.path)),
    ),
    // A route has no purpose of its own.
    ...(entry.kind === "route" || isSaidByPrototype(entry, declarations)
      ? []
      : wrap(purposeText(entry), columns - 2).map((line) => `  ${line}`)),
  ].join("\n")

const isSaidByPrototype = ({ doc = "", purpose }: IndexEntry, declarations: ReadonlyArray<IndexEntry>): boolean =>
  purpose === undefined && doc.trim() === "" && declarations.some((each) => each.purpose !== undefined)

const inColumn = (paint: (line: string) => string) => (line: string) => `  ${paint(line)}`

/** `2 overloads`, and the signature of each. */
export const overloadLines = (
  overloads: ReadonlyArray<IndexEntry> | undefined,
  style: Style,
  columns = UNLIMITED,
): ReadonlyArray<string> =>
  overloads === undefined || overloads.length === 0
    ? []
    : [
        style.quiet(`  ${plural(overloads.length, "overload")}, which declare its types`),
        ...overloads
          .slice(0, MAX_OVERLOADS)
          .flatMap(({ signature, startLine }) =>
            wrapHanging(`${startLine}  ${sanitizeLine(signature)}`, columns - 4, 2),
          )
          .map((line) => style.quiet(`    ${line}`)),
        ...(overloads.length > MAX_OVERLOADS ? [style.quiet(`    and ${overloads.length - MAX_OVERLOADS} more`)] : []),
      ]

const MAX_OVERLOADS = 5

/**
 * `declared at hiredis.h:300`, for each prototype. It has the purpose of the prototype if the definition has none,
 * since many libraries in C comment only their headers.
 */
export const declarationLines = (
  entry: IndexEntry,
  declarations: ReadonlyArray<IndexEntry> | undefined,
  style: Style,
  columns = UNLIMITED,
): ReadonlyArray<string> =>
  (declarations ?? []).flatMap((each) => {
    const said = entry.purpose === undefined && each.purpose !== undefined ? `: ${purposeText(each)}` : ""
    return wrapHanging(sanitizeLine(`declared at ${each.path}:${each.startLine}${said}`), columns - 2, 2).map((line) =>
      style.quiet(`  ${line}`),
    )
  })

/** A symbol as one row of a list. */
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

/**
 * The comment of a symbol without the lines at its beginning that are already shown as its purpose. A long comment is
 * cut, and the last line says where the rest is.
 */
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

/**
 * Indents a line by two more columns than it has. If it does not fit, the rest goes below the beginning of its text.
 */
const indent = (text: string, columns: number): ReadonlyArray<string> =>
  wrapHanging(text, columns - 2, text.length - text.trimStart().length).map((line) => `  ${line}`)

const MAX_DOC_LINES = 60

const MAX_DOC_CHARS = 4_000

/** The uses of a symbol: its resolved references, and the files in which its name occurs. */
interface Uses {
  readonly references: ReadonlyArray<Reference>
  readonly mentions: ReadonlyArray<Mention>
}

/** Files in which only the name occurs. */
const mentionedIn = ({ mentions, references }: Uses): ReadonlyArray<Mention> => {
  const resolved = new Set(references.map(({ path }) => path))
  return mentions.filter(({ path }) => !resolved.has(path))
}

/**
 * Lists the uses of a symbol. `hint`: how to list what is left out, and the lines of the files in which only the name
 * occurs.
 */
export const usedBy = (uses: Uses, style: Style, columns = UNLIMITED, hint?: string): ReadonlyArray<string> => {
  // All uses in one symbol take one line.
  const users = Array.from(Map.groupBy(uses.references, ({ path, symbol }) => `${path}\n${symbol ?? ""}`).values())
  const others = mentionedIn(uses).length
  const suffix = hint === undefined ? "" : `: ${hint}`
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
          ...(users.length > 10
            ? wrapHanging(`and ${plural(users.length - 10, "more symbol")}${suffix}`, columns - 4, 2).map(
                (line) => `    ${line}`,
              )
            : []),
        ]),
    ...(others === 0
      ? []
      : [
          "",
          ...wrapHanging(
            `${plural(others, users.length === 0 ? "file" : "more file")} ${others === 1 ? "has" : "have"} the name, which may mean something else there${users.length > 10 ? "" : suffix}`,
            columns - 2,
            2,
          ).map((line) => `  ${style.quiet(line)}`),
        ]),
  ]
}

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

/** The purpose with a mark for its origin: no mark for a model, `#` for a comment. */
export const markedPurpose = ({ purpose }: IndexEntry): string | undefined =>
  purpose === undefined
    ? undefined
    : sanitizeLine(
        `${marks[purpose.origin]}${purpose.text}${purpose.stale ? " (stale)" : purpose.weak === undefined ? "" : " (weak)"}`,
      )

const marks: Readonly<Record<Origin, string>> = { model: "", comment: "# " }

/** The purpose with its origin. A comment that does not count as a purpose is announced: `doc` prints it below. */
export const purposeText = ({ doc = "", isSelfExplanatory = false, purpose }: IndexEntry): string => {
  if (purpose === undefined && isSelfExplanatory) return "(name and signature say what it is for)"
  if (purpose === undefined) return doc.trim() === "" ? "(no purpose yet)" : "(no purpose yet; its comment says:)"
  const origin = purpose.origin === "model" ? `by ${purpose.model}` : "from its comment"
  const weak = purpose.weak === undefined ? "" : `; weak: ${purpose.weak}`
  return sanitizeLine(`${purpose.text} (${origin}${purpose.stale ? "; the code has changed since" : weak})`)
}

/** Returns the entry with a purpose that is cut to so many characters. */
export const withPurposeCut = (entry: IndexEntry, length: number): IndexEntry =>
  entry.purpose === undefined
    ? entry
    : new IndexEntry({ ...entry, purpose: { ...entry.purpose, text: cut(statementOf(entry.purpose), length) } })

/**
 * Cuts a text to at most `length` characters and ends it with an ellipsis. Cuts after a word if one ends near the
 * limit.
 */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const most = text.slice(0, length - 1)
  const last = /\s/.test(text.charAt(length - 1)) ? undefined : /\s\S*$/.exec(most)
  const isNear = last !== null && last !== undefined && last[0].length <= LONGEST_CUT_WORD
  return `${(isNear ? most.slice(0, last.index) : most).toWellFormed().trimEnd()}…`
}

const LONGEST_CUT_WORD = 16
