/** What the reading commands print: symbols as text for people, and as objects for programs. Pure. */
import type { IndexEntry } from "../indexing/IndexEntry.ts"
import type { Hit, Reference, Status } from "../indexing/IndexStore.ts"
import { printable, printableLine } from "../message/Printable.ts"
import type { Excerpt } from "./Excerpt.ts"
import type { Style } from "./Style.ts"

/** An entry of `vibe query --json`. */
export const hit = ({ entry, score }: Hit): object => ({ ...place(entry), score, ...purpose(entry) })

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
    `${strong(`${location(entry)}`)}  ${entry.kind} ${printableLine(entry.qualifiedName)}`,
    quiet(`  ${printableLine(entry.signature)}`),
    `  ${meaning(entry)}`,
  ].join("\n")

/** One line a symbol, for lists. */
export const row = (entry: IndexEntry, { quiet }: Style): string =>
  `${quiet(`${entry.startLine}-${entry.endLine}`.padStart(11))}  ${entry.kind} ${printableLine(entry.qualifiedName)}: ${meaning(entry)}`

export const source = ({ firstLine, lines }: Excerpt, { quiet }: Style): string =>
  lines
    .map((line, i) => `${quiet(`${String(firstLine + i).padStart(6)} │`)} ${cut(printable(line).trimEnd())}`)
    .join("\n")

export const doc = (entry: IndexEntry): ReadonlyArray<string> =>
  entry.doc === undefined
    ? []
    : [
        "",
        ...printable(entry.doc)
          .split("\n")
          .map((line) => `  ${line}`),
      ]

export const usedBy = (references: ReadonlyArray<Reference>, style: Style): ReadonlyArray<string> =>
  references.length === 0
    ? []
    : [
        "",
        "  used by",
        ...references.slice(0, 10).map(({ count, path }) => `    ${printableLine(path)} ${style.quiet(`×${count}`)}`),
        ...(references.length > 10 ? [`    and ${references.length - 10} more files`] : []),
      ]

export const statusText = (root: string, status: Status): string => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["folder", printableLine(root)],
    ["files", String(status.files)],
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

const location = ({ endLine, path, startLine }: IndexEntry): string => `${printableLine(path)}:${startLine}-${endLine}`

const meaning = ({ purpose }: IndexEntry): string => {
  if (purpose === undefined) return "(no purpose yet)"
  const origin =
    purpose.origin === "model" ? `by ${purpose.model}` : purpose.origin === "comment" ? "from its comment" : "derived"
  return printableLine(`${purpose.text} (${origin}${purpose.stale ? "; the code has changed since" : ""})`)
}

/** A minified line says nothing after its first words. */
const cut = (line: string): string => (line.length <= 200 ? line : `${line.slice(0, 200).toWellFormed()}…`)

const bytes = (count: number): string =>
  count < 1024 * 1024 ? `${Math.ceil(count / 1024)} KB` : `${(count / 1024 / 1024).toFixed(1)} MB`
