/**
 * A page of the wiki: what a reader is told about the project, a part of it or a flow through it, statement by
 * statement, each with the symbols that support it.
 */
import * as Schema from "effect/Schema"

/** A symbol or file that supports a statement, as it was when that was written. */
export const Citation = Schema.Struct({
  /** The path relative to the root, with `/`. */
  path: Schema.NonEmptyString,
  /** The qualified name of the symbol; undefined if the file as a whole is cited. */
  symbol: Schema.optional(Schema.NonEmptyString),
  /** Which of the symbols of that name in the file is meant, from 0, in order of their start; 0 if it is missing. */
  ordinal: Schema.optional(Schema.NonNegativeInt),
  /** The hash of the symbol (`IndexEntry.hash`) or of the file; undefined if it was never recorded. */
  hash: Schema.optional(Schema.NonEmptyString),
  /** The hash of the tokens of the symbol (`IndexEntry.tokens`), which the layout does not change. */
  tokens: Schema.optional(Schema.NonEmptyString),
})
export type Citation = typeof Citation.Type

/**
 * A claim says something of its symbols; a pointer only names them ("Order at start: …"), and is true while they exist.
 */
export const StatementKind = Schema.Literal("claim", "pointer")
export type StatementKind = typeof StatementKind.Type

/** Who wrote a statement: vibe from what the project says of itself, a model, or a person in the file of the page. */
export const Author = Schema.Literal("project", "model", "person")
export type Author = typeof Author.Type

export const Statement = Schema.Struct({
  /**
   * One to three sentences in one line, without citations, as they stand in the file. Inline Markdown is allowed. HTML
   * is not, nor are links but those to other pages (`StatementText.linkToPage`). `StatementText.sanitize` makes it of
   * any text. A fenced block that a person wrote is one statement of several lines.
   */
  text: Schema.NonEmptyString,
  kind: StatementKind,
  author: Author,
  /** The model that wrote it, as `provider/name`; undefined if no model did. */
  model: Schema.optional(Schema.NonEmptyString),
  /** Says what a model has found untrue in it since the code has changed; undefined if none has. */
  stale: Schema.optional(Schema.NonEmptyString),
  /**
   * Why a claim of a model was not held against the source of what it cites; undefined if it was, or needs not be.
   *
   * - `due`: the check has not been made yet, and the next run makes it
   * - `undecided`: the source is too long to be shown as a whole, and what was shown did not decide it
   */
  unchecked: Schema.optional(Schema.Literal("due", "undecided")),
  /** The symbol that decides comes first. */
  citations: Schema.Array(Citation),
})
export type Statement = typeof Statement.Type

export const Section = Schema.Struct({
  /** Undefined for the text below the title of the page. */
  title: Schema.optional(Schema.NonEmptyString),
  /** `text`: a block is a paragraph; `list`: an item; `steps`: a numbered step. */
  form: Schema.Literal("text", "list", "steps"),
  /** The statements of each block, in order. */
  blocks: Schema.Array(Schema.NonEmptyArray(Statement)),
})
export type Section = typeof Section.Type

/** The name of a page, which is that of its file without `.md`: a plan that came with the code names no other file. */
export const PageName = Schema.NonEmptyString.pipe(Schema.pattern(/^[a-z0-9-]{1,100}$/))

export const PageKind = Schema.Literal("start", "part", "flow")
export type PageKind = typeof PageKind.Type

export const Page = Schema.Struct({
  /** `index`, `loader`, `flow-start`. */
  name: PageName,
  kind: PageKind,
  title: Schema.NonEmptyString,
  sections: Schema.Array(Section),
})
export type Page = typeof Page.Type

/** The name of the start page. */
export const START = "index"
