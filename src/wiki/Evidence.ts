/**
 * The text of `statements.jsonl`: what is known of each statement of the wiki beside its text, one line of JSON for
 * each. A statement without a line was written or changed by a person. Pure functions.
 */
import * as Either from "effect/Either"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import type { ParseOptions } from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import { sha256 } from "../base/Text.ts"
import * as PurposeMerge from "../index/PurposeMerge.ts"
import * as Labels from "./Labels.ts"
import * as Markdown from "./Markdown.ts"
import { Author, Citation, type Page, Statement, StatementKind } from "./Page.ts"

/** A line of the file. The order of the keys is that in the text. */
export const Line = Schema.Struct({
  /** The name of the page. */
  page: Schema.NonEmptyString,
  /** `digestOf` of the text of the statement. */
  digest: Schema.NonEmptyString,
  kind: StatementKind,
  author: Author,
  model: Schema.optional(Schema.NonEmptyString),
  /** Says what a model has found untrue in it since the code has changed. */
  stale: Schema.optional(Schema.NonEmptyString),
  unchecked: Statement.fields.unchecked,
  citations: Schema.Array(Citation),
})
export type Line = typeof Line.Type

interface EvidenceText {
  /** Sorted by page and digest. Equal statements of a page have several lines, in the order of the page. */
  readonly lines: ReadonlyArray<Line>
  /** Lines that are no evidence, such as those of a newer version. They are kept. */
  readonly invalid: ReadonlyArray<string>
}

/** Returns the digest of the text of a statement: 16 hexadecimal digits. */
const digestOf = (text: string): string => sha256(text).slice(0, 16)

const decodeJson = Schema.decodeUnknownEither(Schema.parseJson(Line))
const encodeJson = Schema.encodeSync(Schema.parseJson(Line))

/** Options of `parse` and `render` that keep the keys of a newer version, which this one does not know. */
export const withAllKeys: ParseOptions = { onExcessProperty: "preserve", propertyOrder: "original" }

/**
 * Splits at line feeds only: U+2028 may be in a string of JSON. In a merge conflict the lines of both sides count, and
 * its markers are dropped.
 */
export const parse = (text: string, options?: ParseOptions): EvidenceText => {
  const lines: Array<Line> = []
  const invalid: Array<string> = []
  for (const raw of text.split("\n")) {
    const trimmed = raw.trim()
    if (trimmed === "") continue
    const line = decodeJson(trimmed, options)
    if (Either.isRight(line)) lines.push(line.right)
    else if (!PurposeMerge.isMarker(raw)) invalid.push(raw)
  }
  return { lines: lines.toSorted(byPage), invalid }
}

export const render = ({ invalid, lines }: Pick<EvidenceText, "lines" | "invalid">, options?: ParseOptions): string =>
  [...lines.toSorted(byPage).map((line) => encodeJson(line, options)), ...invalid].map((line) => `${line}\n`).join("")

const byPage = (one: Line, other: Line): number =>
  Order.string(one.page, other.page) || Order.string(one.digest, other.digest)

/** Returns the lines for the statements of a page, in the order of the page. */
export const linesOf = (page: Page): ReadonlyArray<Line> =>
  Markdown.normalize(Markdown.fromPage(page)).page.sections.flatMap(({ blocks }) =>
    blocks.flat().map(({ text, ...evidence }): Line => ({ page: page.name, digest: digestOf(text), ...evidence })),
  )

/**
 * Returns a page that was read from its file with what the lines say of its statements. A statement without a line, or
 * with other citations than those of its line, is a claim of a person; its citations keep the hashes that are known.
 */
export const join = (page: Page, lines: ReadonlyArray<Line>): Page => {
  const unused = Map.groupBy(
    lines.filter((line) => line.page === page.name),
    ({ digest }) => digest,
  )
  const known = new Map<string, Citation>()
  const joinStatement = (statement: Statement): Statement => {
    const candidates = unused.get(digestOf(statement.text)) ?? []
    const at = candidates.findIndex((line) => hasSameCitations(line.citations, statement.citations))
    const [line] = at === -1 ? [] : candidates.splice(at, 1)
    if (line !== undefined) return { text: statement.text, ...Struct.omit(line, "page", "digest") }
    for (const { citations } of candidates) {
      for (const citation of citations) known.set(Labels.keyOf(citation), citation)
    }
    const citations = statement.citations.map((citation) => known.get(Labels.keyOf(citation)) ?? citation)
    known.clear()
    return { text: statement.text, kind: "claim", author: "person", citations }
  }
  return {
    ...page,
    sections: page.sections.map((section) => ({
      ...section,
      blocks: section.blocks.map(([first, ...others]) => [joinStatement(first), ...others.map(joinStatement)] as const),
    })),
  }
}

const hasSameCitations = (one: ReadonlyArray<Citation>, other: ReadonlyArray<Citation>): boolean =>
  one.length === other.length &&
  one.every((citation, at) => Labels.keyOf(citation) === Labels.keyOf(other[at] ?? citation))
