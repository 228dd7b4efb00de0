/** What the reading commands print: symbols as text for people, and as objects for programs. Pure. */
import { IndexEntry } from "../../indexing/IndexEntry.ts"
import type { Hit, Reference, Status } from "../../indexing/IndexStore.ts"
import { plural } from "../../message/Plural.ts"
import { sanitize, sanitizeLine } from "../../message/Sanitize.ts"
import type { Excerpt } from "../query/Excerpt.ts"
import { plain, type Style } from "../terminal/Style.ts"

/** Characters of `vibe query` for each of five symbols, with what stands between two: together a thousand tokens. */
const ROOM = 797

/** An entry of `vibe query --json`. What is longer than a purpose should be is cut: `vibe show` has all of it. */
export const hit = ({ entry, score }: Hit): object => ({ ...place(entry), score, ...purpose(brief(entry)) })

/**
 * An answer of `vibe query` for people: the heading, and as much of the lines as there is room for. Where there are
 * fewer than five, one of `count`, each has more of it.
 */
export const found = (entry: IndexEntry, excerpt: Excerpt, style: Style, count = 5): string => {
  const about = brief(entry)
  const room = (ROOM * 5) / Math.min(count, 5) - heading(about, plain).length
  return [heading(about, style), ...source(fitted(excerpt, room), style)].join("\n")
}

/** An entry of `vibe show --json`. */
export const symbol = (entry: IndexEntry, references: ReadonlyArray<Reference>): object => ({
  ...place(entry),
  signature: entry.signature,
  exported: entry.exported,
  major: entry.isMajor,
  doc: entry.doc ?? null,
  usedBy: entry.usedBy,
  references,
  ...purpose(entry),
  purposeModel: entry.purpose?.model ?? null,
})

/** `vibe status --json`; `coverage` is 0 to 1, of major symbols. */
export const status = (root: string, status: Status): object => ({ root, ...status, coverage: coverage(status) })

/** Where it is, what it is, what it is for. */
export const heading = (entry: IndexEntry, { quiet, strong }: Style): string =>
  [
    `${strong(`${location(entry)}`)}  ${entry.kind} ${sanitizeLine(entry.qualifiedName)}`,
    quiet(`  ${sanitizeLine(entry.signature)}`),
    `  ${meaning(entry)}`,
  ].join("\n")

/** One line a symbol, for lists. */
export const row = (entry: IndexEntry, { quiet }: Style): string =>
  `${quiet(`${entry.startLine}-${entry.endLine}`.padStart(11))}  ${entry.kind} ${sanitizeLine(entry.qualifiedName)}: ${meaning(entry)}`

const source = ({ firstLine, lines }: Excerpt, { quiet }: Style): ReadonlyArray<string> =>
  lines.map((line, i) => `${quiet(`${String(firstLine + i).padStart(6)} │`)} ${line}`)

/** Lines made safe, and narrow enough; where the narrowest are still too much, fewer of them. */
const fitted = ({ firstLine, lines }: Excerpt, room: number): Excerpt => {
  const safe = lines.map((line) => sanitize(line).trimEnd())
  const width = widths.find((width) => size(safe, width) <= room) ?? NARROWEST
  const narrow = safe.map((line) => cut(line, width))
  while (size(narrow, width) > room) narrow.pop()
  return { firstLine, lines: narrow }
}

const NARROWEST = 40
const widths = [200, 160, 120, 100, 80, 70, 60, 50, NARROWEST]

/** Of lines that are cut to a width, with their numbers. */
const size = (lines: ReadonlyArray<string>, width: number): number =>
  lines.reduce((sum, line) => sum + "\n123456 │ ".length + cut(line, width).length, 0)

/** The same with its longest parts cut. */
const brief = (entry: IndexEntry): IndexEntry =>
  new IndexEntry({
    ...entry,
    signature: cut(entry.signature, 120),
    ...(entry.purpose !== undefined && { purpose: { ...entry.purpose, text: cut(entry.purpose.text, 200) } }),
  })

export const doc = (entry: IndexEntry): ReadonlyArray<string> =>
  entry.doc === undefined
    ? []
    : [
        "",
        ...sanitize(entry.doc)
          .split("\n")
          .map((line) => `  ${line}`),
      ]

export const usedBy = (references: ReadonlyArray<Reference>, style: Style): ReadonlyArray<string> =>
  references.length === 0
    ? []
    : [
        "",
        "  used by",
        ...references.slice(0, 10).map(({ count, path }) => `    ${sanitizeLine(path)} ${style.quiet(`×${count}`)}`),
        ...(references.length > 10 ? [`    and ${references.length - 10} more files`] : []),
      ]

export const statusText = (root: string, status: Status): string => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["folder", sanitizeLine(root)],
    ["files", String(status.files)],
    ...(status.partialFiles === 0
      ? []
      : [["partial", `${plural(status.partialFiles, "file")} only partly outlined, listed by vibe index`] as const]),
    ["symbols", `${status.symbols}, ${status.majorSymbols} of them major`],
    [
      "purposes",
      `${status.purposes.model} by a model, ${status.purposes.comment} from comments, ${status.purposes.derived} derived`,
    ],
    ["stale", `${status.stale} ${status.stale === 1 ? "purpose" : "purposes"} of code that has changed since`],
    ["coverage", `${percent(coverage(status))} of major symbols are explained by a model or a comment`],
    ["on disk", bytes(status.bytesOnDisk)],
  ]
  return rows.map(([name, value]) => `${name.padEnd(10)}${value}`).join("\n")
}

export const percent = (share: number): string => `${Math.floor(share * 100)}%`

/** Of nothing, everything is explained. */
export const coverage = ({ covered, majorSymbols }: Pick<Status, "covered" | "majorSymbols">): number =>
  majorSymbols === 0 ? 1 : covered / majorSymbols

const place = (entry: IndexEntry) => ({
  path: entry.path,
  symbol: entry.qualifiedName,
  kind: entry.kind,
  startLine: entry.startLine,
  endLine: entry.endLine,
})

const purpose = ({ purpose }: IndexEntry) => ({
  purpose: purpose?.text ?? null,
  purposeOrigin: purpose?.origin ?? null,
  stale: purpose?.stale ?? false,
})

const location = ({ endLine, path, startLine }: IndexEntry): string => `${sanitizeLine(path)}:${startLine}-${endLine}`

const meaning = ({ purpose }: IndexEntry): string => {
  if (purpose === undefined) return "(no purpose yet)"
  const origin =
    purpose.origin === "model" ? `by ${purpose.model}` : purpose.origin === "comment" ? "from its comment" : "derived"
  return sanitizeLine(`${purpose.text} (${origin}${purpose.stale ? "; the code has changed since" : ""})`)
}

/** What is very long says nothing after its first words. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`

const bytes = (count: number): string =>
  count < 1024 * 1024 ? `${Math.ceil(count / 1024)} KB` : `${(count / 1024 / 1024).toFixed(1)} MB`
