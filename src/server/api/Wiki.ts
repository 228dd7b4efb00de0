/** The contract of the wiki: its pages with the states of their statements, their pictures, and a search. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { NotFound, NotKept } from "./Conversations.ts"

export const PageRow = Schema.Struct({
  /** The name of the page: `index` is the start page. */
  name: Schema.String,
  title: Schema.String,
  kind: Schema.Literal("start", "part", "flow"),
})
export type PageRow = typeof PageRow.Type

export const Overview = Schema.Struct({
  /** The start page first, then parts, then flows; empty if there is no wiki. */
  pages: Schema.Array(PageRow),
  /** Files of the wiki that cannot be read, with the reason. */
  flaws: Schema.Array(Schema.Struct({ path: Schema.String, flaw: Schema.String })),
})
export type Overview = typeof Overview.Type

/** A symbol or file that supports a statement. */
export const Citation = Schema.Struct({
  path: Schema.String,
  /** The qualified name; undefined if the file as a whole is cited. */
  symbol: Schema.optional(Schema.String),
  /** A short name, which no other citation of the statement has. */
  label: Schema.String,
  /** The first line of the symbol now; undefined for a file, and for what does not exist any more. */
  line: Schema.optional(Schema.Int),
  isGone: Schema.Boolean,
})
export type Citation = typeof Citation.Type

export const Statement = Schema.Struct({
  /** Inline Markdown, in which links to pages of the wiki lead to views of this page. */
  text: Schema.String,
  author: Schema.Literal("project", "model", "person"),
  model: Schema.optional(Schema.String),
  state: Schema.Literal("gone", "stale", "touched", "unchecked", "moved", "holds"),
  /** Says in words what is wrong with the statement; undefined if it holds. */
  note: Schema.optional(Schema.String),
  citations: Schema.Array(Citation),
})
export type Statement = typeof Statement.Type

const Box = Schema.Struct({
  x: Schema.Number,
  y: Schema.Number,
  width: Schema.Number,
  height: Schema.Number,
  label: Schema.String,
  /** The label, shortened to fit. */
  text: Schema.String,
  page: Schema.optional(Schema.String),
  isMain: Schema.Boolean,
  /** True for a part that most others use, and whose arrows are left out. */
  isHub: Schema.Boolean,
})

/** A picture with its positions, in pixels. */
export const Drawing = Schema.Struct({
  width: Schema.Number,
  height: Schema.Number,
  boxes: Schema.Array(Box),
  lines: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      width: Schema.Number,
      kind: Schema.Literal("arrow", "indirect", "dashed", "lane"),
      title: Schema.optional(Schema.String),
    }),
  ),
  texts: Schema.Array(Schema.Struct({ x: Schema.Number, y: Schema.Number, text: Schema.String })),
})
export type Drawing = typeof Drawing.Type

export const Page = Schema.Struct({
  name: Schema.String,
  title: Schema.String,
  kind: Schema.Literal("start", "part", "flow"),
  sections: Schema.Array(
    Schema.Struct({
      title: Schema.optional(Schema.String),
      form: Schema.Literal("text", "list", "steps"),
      blocks: Schema.Array(Schema.Array(Statement)),
    }),
  ),
  /** Shows which parts use which, or the flow through parts; undefined if no reference is resolved. */
  drawing: Schema.optional(Drawing),
})
export type Page = typeof Page.Type

/** A paragraph, an item or a step that answers a search. */
export const Found = Schema.Struct({ page: PageRow, text: Schema.String })
export type Found = typeof Found.Type

export class Wiki extends HttpApiGroup.make("wiki")
  .add(HttpApiEndpoint.get("overview", "/wiki").addSuccess(Overview))
  .add(
    HttpApiEndpoint.get("page", "/wiki/page")
      .setUrlParams(Schema.Struct({ name: Schema.String }))
      .addSuccess(Page),
  )
  .add(
    HttpApiEndpoint.get("search", "/wiki/search")
      .setUrlParams(Schema.Struct({ text: Schema.String }))
      .addSuccess(Schema.Array(Found)),
  )
  .addError(NotFound)
  .addError(NotKept) {}
