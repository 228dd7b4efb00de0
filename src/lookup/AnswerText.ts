/** The results of `vibe query` as text and as JSON. Pure. */
import * as Either from "effect/Either"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import { plain, type Style } from "../base/Style.ts"
import { unbroken, wrap } from "../base/wrap.ts"
import type { FileError } from "../code/FileError.ts"
import { IndexEntry, statementOf } from "../index/IndexEntry.ts"
import type { Hit } from "../index/IndexStore.ts"
import type { Excerpt, Excerpts } from "./Excerpt.ts"
import * as Related from "./Related.ts"
import * as RepositoryPath from "./repositories/RepositoryPath.ts"
import * as SymbolText from "./SymbolText.ts"

/** A result, with everything that is shown of it. */
export interface Answer {
  readonly hit: Hit
  readonly members: Related.Related
  readonly callees: Related.Related
  /** Chooses the best lines of its code, or is the error if the file cannot be read. */
  readonly excerpt: Either.Either<Excerpts, FileError>
}

/** The most results that are shown with code. A place and a purpose are enough to judge the others. */
const MOST_WITH_CODE = 3

/** Characters of the results with code together. The first has twice the room of each other. */
const MAX_CHARS = 1_400

/** Lines of code of the first result, and of each other. */
const MOST_LINES = 8
const MOST_LINES_FURTHER = 5

/** A result keeps three lines if they have at most this size together, even below a long heading. */
const LEAST_LINES = 3
const LEAST_CHARS = 330

/** Characters of a purpose, a signature, and a list of members or callees; longer ones are cut. */
const MAX_PURPOSE = 140
const MAX_SIGNATURE = 100
const MAX_LIST = 140

/** Longer lines, of generated code, are cut. */
const MAX_LINE = 200

export interface Format {
  readonly style: Style
  /** The width of the terminal; unlimited by default. */
  readonly columns?: number | undefined
  /** A path of the index as it is printed. */
  readonly displayPath: (path: string) => string
  /** Colours code, and marks in it what was asked for. */
  readonly paint?: SymbolText.PaintCode | undefined
  /** Marks in a text what was asked for. */
  readonly mark?: ((text: string) => string) | undefined
}

/** The results as text, best first. */
export const format = (answers: ReadonlyArray<Answer>, format: Format): string =>
  answers
    .map((answer, at) =>
      at < MOST_WITH_CODE
        ? withCode(answer, chooseLines(answer, at, answers.length), format)
        : withoutCode(answer, format),
    )
    .map((lines) => lines.join("\n"))
    .join("\n\n")

/** The results for `--json`, best first. If there are several repositories, each result names its own. */
export const toJson = (
  answers: ReadonlyArray<Answer>,
  repositories?: ReadonlyArray<RepositoryPath.Repository> | undefined,
): ReadonlyArray<object> =>
  answers.map((answer, at) => {
    const { entry, score } = answer.hit
    const short = abbreviate(entry)
    const isDetailed = at < MOST_WITH_CODE
    const lines = isDetailed ? Either.getOrUndefined(chooseLines(answer, at, answers.length)) : undefined
    const { callees, members } = isDetailed ? answer : { callees: Related.none, members: Related.none }
    return {
      ...RepositoryPath.toJson(repositories, entry.path),
      ...SymbolText.place(entry),
      score,
      signature: short.signature,
      ...SymbolText.purpose(short),
      members: members.named.map(({ endLine, kind, name, startLine }) => ({ name, kind, startLine, endLine })),
      callees: callees.named.map(SymbolText.place),
      lines: lines === undefined ? null : { start: lines.firstLine, text: lines.lines.join("\n") },
    }
  })

/** The heading of a result, then its lines, or the reason why they cannot be read. */
const withCode = (answer: Answer, lines: Either.Either<Excerpt, FileError>, format: Format): ReadonlyArray<string> => [
  ...heading(answer, Either.getOrUndefined(lines), format),
  ...Either.match(lines, {
    onLeft: ({ message }) => [`  (${sanitizeLine(message)})`],
    onRight: (excerpt) => source(excerpt, answer.hit.entry.path, format),
  }),
]

/** The title and the purpose; if there is no purpose, the signature stands in for it. */
const withoutCode = ({ hit }: Answer, format: Format): ReadonlyArray<string> => {
  const entry = abbreviate(hit.entry)
  return [title(entry, format), ...(purposeLines(entry, format) ?? signatureLines(entry, format))]
}

/** Location, kind and name; the signature, the purpose and the members, unless the lines have them; the callees. */
const heading = (
  { callees, hit, members }: Answer,
  excerpt: Excerpt | undefined,
  format: Format,
): ReadonlyArray<string> => {
  const entry = abbreviate(hit.entry)
  const isWhole = excerpt !== undefined && excerpt.lines.length > entry.endLine - entry.startLine
  const place = (other: IndexEntry) =>
    `${other.path === entry.path ? "" : `${format.displayPath(other.path)}:`}${linesOf(other)}`
  const { quiet } = format.style
  return [
    title(entry, format),
    ...(excerpt !== undefined && hasSignature(excerpt, entry) ? [] : signatureLines(entry, format)),
    ...(purposeLines(entry, format) ?? []),
    ...(isWhole ? [] : indent(listOf("members", members, place), format).map(quiet)),
    ...indent(listOf("calls", callees, place), format).map(quiet),
  ]
}

const title = (entry: IndexEntry, { columns, displayPath, style }: Format): string =>
  SymbolText.title(new IndexEntry({ ...entry, path: displayPath(entry.path) }), style, columns)

/** Returns no lines if the title already says all of it: `class Session`. */
const signatureLines = (entry: IndexEntry, format: Format): ReadonlyArray<string> =>
  entry.signature === `${entry.kind} ${entry.qualifiedName}`
    ? []
    : indent(sanitizeLine(entry.signature), format).map(format.paint?.(entry.path) ?? format.style.quiet)

const purposeLines = (entry: IndexEntry, format: Format): ReadonlyArray<string> | undefined => {
  const purpose = SymbolText.markedPurpose(entry)
  return purpose === undefined ? undefined : indent(purpose, format).map(format.mark ?? ((line) => line))
}

/** Indents a text by two columns. An empty text has no lines. */
const indent = (text: string, { columns = SymbolText.UNLIMITED }: Format): ReadonlyArray<string> =>
  text === "" ? [] : wrap(text, columns - 2).map((line) => `  ${line}`)

/** `members: request 500-591, send 673-748, and 14 more`, with as many as fit. It is empty if there are none. */
const listOf = (title: string, { named, others }: Related.Related, place: (entry: IndexEntry) => string): string => {
  const names = named.map((entry) => sanitizeLine(`${entry.name} ${place(entry)}`))
  const ends = names.map((_, at) => names.slice(0, at + 1).join(", ").length)
  const count = Math.max(1, ends.filter((end) => end <= MAX_LIST).length)
  const left = others + names.length - count
  return names.length === 0
    ? ""
    : `${title}: ${[...names.slice(0, count), ...(left === 0 ? [] : [`and ${left} more`])].map(unbroken).join(", ")}`
}

const linesOf = ({ endLine, startLine }: IndexEntry): string =>
  startLine === endLine ? String(startLine) : `${startLine}-${endLine}`

/** Returns whether the lines show the signature, however it is broken into lines. */
const hasSignature = ({ lines }: Excerpt, { signature }: IndexEntry): boolean => {
  const compact = (text: string) => text.replace(/\s+/g, "").replaceAll(",)", ")")
  return compact(lines.join("")).includes(compact(signature.replace(/…$/, "")))
}

/** Chooses as many lines as fit into the room of the result, and makes them safe to print. */
const chooseLines = (answer: Answer, at: number, count: number): Either.Either<Excerpt, FileError> =>
  Either.map(answer.excerpt, (excerpt) => {
    const share = (MAX_CHARS / (Math.min(count, MOST_WITH_CODE) + 1)) * (at === 0 ? 2 : 1)
    const room = share - heading(answer, undefined, unstyled).join("\n").length
    // The only answer has all lines that fit, not only those that match.
    const least = count === 1 ? MOST_LINES : undefined
    for (let most = at === 0 ? MOST_LINES : MOST_LINES_FURTHER; most > 1; most--) {
      const lines = safe(excerpt(most, least))
      const size = lines.lines.reduce((sum, line) => sum + line.length + GUTTER_COLUMNS, 0)
      if (size <= room || (most <= LEAST_LINES && size <= LEAST_CHARS)) return lines
    }
    return safe(excerpt(1))
  })

/** The size of a heading does not depend on the display. */
const unstyled: Format = { style: plain, displayPath: (path) => path }

const safe = ({ firstLine, lines }: Excerpt): Excerpt => ({
  firstLine,
  lines: lines.map((line) => SymbolText.cut(sanitize(line).trimEnd(), MAX_LINE)),
})

/** Lines of code with their numbers; what does not fit is continued on a line without one. */
const source = (
  { firstLine, lines }: Excerpt,
  path: string,
  { columns = SymbolText.UNLIMITED, paint, style }: Format,
): ReadonlyArray<string> => {
  const colour = paint?.(path) ?? ((text: string) => text)
  return lines.flatMap((line, i) =>
    wrap(columns === SymbolText.UNLIMITED ? line : line.replaceAll("\t", TAB), columns - GUTTER_COLUMNS).map(
      (part, n) => {
        const gutter = style.quiet(`${(n === 0 ? String(firstLine + i) : "").padStart(6)} │`)
        return `${gutter} ${colour(part.trimEnd())}`.trimEnd()
      },
    ),
  )
}

/** Replaces a tab on a terminal, which would make the line too long: there it is up to eight columns wide. */
const TAB = "    "

const GUTTER_COLUMNS = "123456 │ ".length

/** The entry with a long signature or purpose cut. */
const abbreviate = (entry: IndexEntry): IndexEntry =>
  new IndexEntry({
    ...entry,
    signature: SymbolText.cut(entry.signature, MAX_SIGNATURE),
    ...(entry.purpose !== undefined && {
      purpose: { ...entry.purpose, text: SymbolText.cut(statementOf(entry.purpose), MAX_PURPOSE) },
    }),
  })
