/** The results of `vibe query` as text and as JSON. Pure. */
import * as Either from "effect/Either"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import { plain, type Style } from "../base/Style.ts"
import { unbroken, wrap } from "../base/wrap.ts"
import type { FileError } from "../code/FileError.ts"
import { IndexEntry } from "../index/IndexEntry.ts"
import type { Hit } from "../index/IndexStore.ts"
import type { Blocks, Sizes } from "./Blocks.ts"
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
  /** Chooses the blocks of its code that decide the question, or is the same error. */
  readonly blocks: Either.Either<Blocks, FileError>
}

/** The most results that are shown with code. A place and a purpose are enough to judge the others. */
const MOST_WITH_CODE = 3

/**
 * Characters of the results with code, by how many there are. A clear answer is the only one, or far better than the
 * second: it has the room of all. Otherwise the first has about twice the room of each other.
 */
const ROOM_OF_ONE = 2_200
const ROOM_OF_CLEAR = 1_800
const ROOMS: ReadonlyArray<number> = [1_000, 480, 400]

/** The most characters that a short result leaves to the next one. */
const MAX_UNUSED = 500

/** A first result is clear if no other has more than this share of its score. */
const CLEAR_SHARE = 0.65

/** The most lines of `lines` of `--json`, of the first result and of each other, and their characters. */
const LINES = 8
const LINES_FURTHER = 5
const ROOM_OF_LINES = 400

/** A result has at least this room for lines, even below a long heading. */
const LEAST_CHARS = 240

/** Characters of a purpose, a signature, and a list of members or callees; longer ones are cut. */
const MAX_PURPOSE = 140
const MAX_SIGNATURE = 100
const MAX_LIST = 140

/** Longer lines, of generated code, are cut. */
const MAX_LINE = 200

const GUTTER_COLUMNS = "123456 │ ".length

export interface Format {
  readonly style: Style
  /** The width of the terminal; unlimited by default. */
  readonly columns?: number | undefined
  /** A path of the index as it is printed. */
  readonly displayPath: (path: string) => string
  /** Colours code, and marks in it what was asked for. */
  readonly paint?: SymbolText.PaintCode | undefined
  /** True if results without code have only their title, as many of them take a lot of room. */
  readonly isBrief?: boolean | undefined
  /** Marks in a text what was asked for. */
  readonly mark?: ((text: string) => string) | undefined
}

/** The results as text, best first. */
export const format = (answers: ReadonlyArray<Answer>, format: Format): string =>
  chooseBlocks(answers)
    .map((blocks, at) => {
      const answer = answers[at]
      if (answer === undefined) return ""
      const lines = blocks === undefined ? withoutCode(answer, format) : withCode(answer, blocks, format)
      const separator = at === 0 ? "" : format.isBrief === true && blocks === undefined ? "\n" : "\n\n"
      return `${separator}${lines.join("\n")}`
    })
    .join("")

/** The results for `--json`, best first. If there are several repositories, each result names its own. */
export const toJson = (
  answers: ReadonlyArray<Answer>,
  repositories?: ReadonlyArray<RepositoryPath.Repository> | undefined,
): ReadonlyArray<object> => {
  const blocks = chooseBlocks(answers)
  return answers.map((answer, at) => {
    const { entry, score } = answer.hit
    const short = abbreviate(entry)
    const isDetailed = at < MOST_WITH_CODE
    const lines = isDetailed ? Either.getOrUndefined(Either.map(answer.excerpt, (of) => fewLines(of, at))) : undefined
    const shown = blocks[at] === undefined ? undefined : Either.getOrUndefined(blocks[at])
    const { callees, members } = isDetailed ? answer : { callees: Related.none, members: Related.none }
    return {
      ...RepositoryPath.toJson(repositories, entry.path),
      ...SymbolText.place(entry),
      score,
      signature: short.signature,
      ...SymbolText.purpose(short),
      members: members.named.map(({ endLine, kind, name, startLine }) => ({ name, kind, startLine, endLine })),
      callees: callees.named.map(SymbolText.place),
      lines: lines === undefined ? null : linesToJson(lines),
      blocks: shown === undefined ? null : shown.map(linesToJson),
    }
  })
}

/** Chooses as many lines around what matched as `lines` of `--json` may have. */
const fewLines = (excerpt: Excerpts, at: number): Excerpt => {
  for (let most = at === 0 ? LINES : LINES_FURTHER; most > 1; most--) {
    const lines = safe(excerpt(most))
    if (charactersOf([lines]) <= ROOM_OF_LINES) return lines
  }
  return safe(excerpt(1))
}

const linesToJson = ({ firstLine, lines }: Excerpt) => ({ start: firstLine, text: lines.join("\n") })

/** The heading of a result, then its lines, or the reason why they cannot be read. */
const withCode = (
  answer: Answer,
  blocks: Either.Either<ReadonlyArray<Excerpt>, FileError>,
  format: Format,
): ReadonlyArray<string> => [
  ...heading(
    answer,
    Either.getOrElse(blocks, () => []),
    format,
  ),
  ...Either.match(blocks, {
    onLeft: ({ message }) => [`  (${sanitizeLine(message)})`],
    onRight: (pieces) =>
      pieces.flatMap((piece, at) => [
        ...(at === 0 ? [] : [format.style.quiet(GAP)]),
        ...source(piece, answer.hit.entry.path, format),
      ]),
  }),
]

/** The line between two pieces of one symbol. */
const GAP = "     … │"

/** The title and the purpose; if there is no purpose, the signature stands in for it. */
const withoutCode = ({ hit }: Answer, format: Format): ReadonlyArray<string> => {
  const entry = abbreviate(hit.entry)
  const more = format.isBrief === true ? [] : (purposeLines(entry, format) ?? signatureLines(entry, format))
  return [title(entry, format), ...more]
}

/** Location, kind and name; the signature, the purpose and the members, unless the lines have them; the callees. */
const heading = (
  { callees, hit, members }: Answer,
  pieces: ReadonlyArray<Excerpt>,
  format: Format,
): ReadonlyArray<string> => {
  const entry = abbreviate(hit.entry)
  const lines = pieces.flatMap(({ lines }) => lines)
  const isWhole = lines.length > entry.endLine - entry.startLine
  const place = (other: IndexEntry) =>
    `${other.path === entry.path ? "" : `${format.displayPath(other.path)}:`}${linesOf(other)}`
  const { quiet } = format.style
  return [
    title(entry, format),
    ...(hasSignature(lines, entry) ? [] : signatureLines(entry, format)),
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
const hasSignature = (lines: ReadonlyArray<string>, { signature }: IndexEntry): boolean => {
  const compact = (text: string) => text.replace(/\s+/g, "").replaceAll(",)", ")")
  return compact(lines.join("")).includes(compact(signature.replace(/…$/, "")))
}

/**
 * Chooses the blocks of each result that fit into its room, and makes them safe to print.
 * Undefined for a result without code.
 */
const chooseBlocks = (
  answers: ReadonlyArray<Answer>,
): ReadonlyArray<Either.Either<ReadonlyArray<Excerpt>, FileError> | undefined> => {
  const [first, second] = answers.map(({ hit }) => hit.score)
  const isClear = first !== undefined && second !== undefined && second <= CLEAR_SHARE * first
  const rooms = answers.length === 1 ? [ROOM_OF_ONE] : isClear ? [ROOM_OF_CLEAR] : ROOMS
  let unused = 0
  return answers.map((answer, at) => {
    const room = rooms[at]
    if (room === undefined) return undefined
    const left = room + unused - heading(answer, [], unstyled).join("\n").length
    const chosen = Either.map(answer.blocks, (blocks) => blocks(Math.max(LEAST_CHARS, left)).map(safe))
    unused = Math.min(MAX_UNUSED, Math.max(0, left - charactersOf(Either.getOrElse(chosen, () => []))))
    return chosen
  })
}

/**
 * Returns the pieces of code that `format` shows of each result. Results without code there have the fewest characters
 * that one with code may have. A file that cannot be read has no pieces.
 */
export const pieces = (answers: ReadonlyArray<Answer>): ReadonlyArray<ReadonlyArray<Excerpt>> =>
  chooseBlocks(answers).map((blocks, at) => {
    const shown = blocks ?? Either.map(answers[at]?.blocks ?? Either.right(() => []), (of) => of(LEAST_CHARS).map(safe))
    return Either.getOrElse(shown, () => [])
  })

const charactersOf = (pieces: ReadonlyArray<Excerpt>): number =>
  pieces.flatMap(({ lines }) => lines).reduce((sum, line) => sum + sizes.sizeOf(line), 0)

/** The sizes of lines as they are printed, for `Blocks`. */
export const sizes: Sizes = {
  sizeOf: (line) => Math.min(line.length, MAX_LINE) + GUTTER_COLUMNS + 1,
  gap: GAP.length + 1,
}

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

/** The entry with a long signature or purpose cut. */
const abbreviate = (entry: IndexEntry): IndexEntry =>
  new IndexEntry({
    ...SymbolText.withPurposeCut(entry, MAX_PURPOSE),
    signature: SymbolText.cut(entry.signature, MAX_SIGNATURE),
  })
