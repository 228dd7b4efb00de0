/** The results of `vibe query` as text and as JSON. Pure. */
import * as Either from "effect/Either"
import type { FileError } from "../../code/FileError.ts"
import { IndexEntry } from "../../indexing/IndexEntry.ts"
import type { Hit } from "../../indexing/IndexStore.ts"
import { sanitize, sanitizeLine } from "../../message/Sanitize.ts"
import * as SymbolText from "../project/SymbolText.ts"
import { plain, type Style } from "../terminal/Style.ts"
import { wrap } from "../terminal/wrap.ts"
import type { Excerpt } from "./Excerpt.ts"
import type { Members } from "./Members.ts"

/** A result with what is shown of it. */
export interface Answer {
  readonly hit: Hit
  readonly members: Members
  /** The best lines of its code, at most so many; or why they cannot be read. */
  readonly excerpt: Either.Either<(most: number) => Excerpt, FileError>
}

/** Results with code; of the others a place and a purpose are enough to judge whether to look. */
const MOST_WITH_CODE = 3

/** Characters of the results with code together. The first has twice the room of each other. */
const MAX_CHARS = 1_400

/** Lines of code of the first result, and of each other. */
const MOST_LINES = 8
const MOST_LINES_FURTHER = 5

/** A result has three lines of this size together also where its heading is long. */
const LEAST_LINES = 3
const LEAST_CHARS = 240

/** A longer purpose is cut. */
const MAX_PURPOSE = 160

/** Longer lines, of generated code, are cut. */
const MAX_LINE = 240

/** The results as text, best first. Their paths are as they are to be printed. */
export const format = (answers: ReadonlyArray<Answer>, style: Style, columns = SymbolText.UNLIMITED): string =>
  answers
    .map((answer, at) =>
      at < MOST_WITH_CODE
        ? withCode(answer, chooseLines(answer, at, answers.length), style, columns)
        : withoutCode(answer, style, columns),
    )
    .map((lines) => lines.join("\n"))
    .join("\n\n")

/** The results for `--json`, best first. */
export const toJson = (answers: ReadonlyArray<Answer>): ReadonlyArray<object> =>
  answers.map((answer, at) => {
    const { entry, score } = answer.hit
    const short = abbreviate(entry)
    const lines = at < MOST_WITH_CODE ? Either.getOrUndefined(chooseLines(answer, at, answers.length)) : undefined
    return {
      ...SymbolText.place(entry),
      score,
      signature: short.signature,
      ...SymbolText.purpose(short),
      members: answer.members.named.map(({ endLine, kind, name, startLine }) => ({ name, kind, startLine, endLine })),
      lines: lines === undefined ? null : { start: lines.firstLine, text: lines.lines.join("\n") },
    }
  })

/** An answer with another path. */
export const at = (path: string, answer: Answer): Answer => ({
  ...answer,
  hit: { ...answer.hit, entry: new IndexEntry({ ...answer.hit.entry, path }) },
})

/** What a result is about, then its lines; why there are none, if they cannot be read. */
const withCode = (
  answer: Answer,
  lines: Either.Either<Excerpt, FileError>,
  style: Style,
  columns: number,
): ReadonlyArray<string> => [
  ...heading(answer, Either.getOrUndefined(lines), style, columns),
  ...Either.match(lines, {
    onLeft: ({ message }) => [`  (${sanitizeLine(message)})`],
    onRight: (excerpt) => source(excerpt, style, columns),
  }),
]

/** The signature stands in for a purpose. */
const withoutCode = ({ hit }: Answer, style: Style, columns: number): ReadonlyArray<string> => {
  const entry = abbreviate(hit.entry)
  return [SymbolText.title(entry, style), ...(purposeLines(entry, columns) ?? signatureLines(entry, style, columns))]
}

/** Location, kind and name; the signature, the purpose and the members, unless the lines have them. */
const heading = (
  { hit, members }: Answer,
  excerpt: Excerpt | undefined,
  style: Style,
  columns: number,
): ReadonlyArray<string> => {
  const entry = abbreviate(hit.entry)
  const isWhole = excerpt !== undefined && excerpt.lines.length > entry.endLine - entry.startLine
  return [
    SymbolText.title(entry, style),
    ...(excerpt !== undefined && hasSignature(excerpt, entry) ? [] : signatureLines(entry, style, columns)),
    ...(purposeLines(entry, columns) ?? []),
    ...(isWhole || members.named.length === 0 ? [] : indent(membersText(members), columns).map(style.quiet)),
  ]
}

/** None where the title says all of it: `class Session`. */
const signatureLines = (entry: IndexEntry, { quiet }: Style, columns: number): ReadonlyArray<string> =>
  entry.signature === `${entry.kind} ${entry.qualifiedName}`
    ? []
    : indent(sanitizeLine(entry.signature), columns).map(quiet)

const purposeLines = (entry: IndexEntry, columns: number): ReadonlyArray<string> | undefined => {
  const purpose = SymbolText.markedPurpose(entry)
  return purpose === undefined ? undefined : indent(purpose, columns)
}

const indent = (text: string, columns: number): ReadonlyArray<string> =>
  wrap(text, columns - 2).map((line) => `  ${line}`)

/** `members: request 500-591, send 673-748, and 14 more` */
const membersText = ({ named, others }: Members): string =>
  `members: ${[
    ...named.map(({ endLine, name, startLine }) =>
      sanitizeLine(`${name} ${startLine === endLine ? startLine : `${startLine}-${endLine}`}`),
    ),
    ...(others === 0 ? [] : [`and ${others} more`]),
  ].join(", ")}`

/** Whether the lines show the signature, however it is broken into lines. */
const hasSignature = ({ lines }: Excerpt, { signature }: IndexEntry): boolean => {
  const compact = (text: string) => text.replace(/\s+/g, "").replaceAll(",)", ")")
  return compact(lines.join("")).includes(compact(signature.replace(/…$/, "")))
}

/** As many lines as fit into the room of the result, safe to print. */
const chooseLines = (answer: Answer, at: number, count: number): Either.Either<Excerpt, FileError> =>
  Either.map(answer.excerpt, (excerpt) => {
    const share = (MAX_CHARS / (Math.min(count, MOST_WITH_CODE) + 1)) * (at === 0 ? 2 : 1)
    const room = share - heading(answer, undefined, plain, SymbolText.UNLIMITED).join("\n").length
    for (let most = at === 0 ? MOST_LINES : MOST_LINES_FURTHER; most > 1; most--) {
      const lines = safe(excerpt(most))
      const size = lines.lines.reduce((sum, line) => sum + line.length + GUTTER_COLUMNS, 0)
      if (size <= room || (most <= LEAST_LINES && size <= LEAST_CHARS)) return lines
    }
    return safe(excerpt(1))
  })

const safe = ({ firstLine, lines }: Excerpt): Excerpt => ({
  firstLine,
  lines: lines.map((line) => SymbolText.cut(sanitize(line).trimEnd(), MAX_LINE)),
})

/** Lines of code with their numbers; what does not fit is continued on a line without one. */
const source = ({ firstLine, lines }: Excerpt, { quiet }: Style, columns: number): ReadonlyArray<string> =>
  lines.flatMap((line, i) =>
    wrap(line, columns - GUTTER_COLUMNS).map((part, n) =>
      `${quiet(`${(n === 0 ? String(firstLine + i) : "").padStart(6)} │`)} ${part}`.trimEnd(),
    ),
  )

const GUTTER_COLUMNS = "123456 │ ".length

/** The entry with a long signature or purpose cut. */
const abbreviate = (entry: IndexEntry): IndexEntry =>
  new IndexEntry({
    ...entry,
    signature: SymbolText.cut(entry.signature, 120),
    ...(entry.purpose !== undefined && {
      purpose: { ...entry.purpose, text: SymbolText.cut(entry.purpose.text, MAX_PURPOSE) },
    }),
  })
