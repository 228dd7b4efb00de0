/** The plan of a wiki: which parts the project has, with which files, and which flows are described. */
import * as Schema from "effect/Schema"
import { Citation, PageName } from "./Page.ts"

export const Part = Schema.Struct({
  /** The name of its page. */
  name: PageName,
  title: Schema.NonEmptyString,
  /** Says in a sentence what it is for. */
  line: Schema.String,
  /**
   * The paths of its files, sorted. Each file of the code is in exactly one part or in `Plan.undescribed`, unless it is
   * divided: then it is in all parts that have some of its symbols.
   */
  files: Schema.Array(Schema.NonEmptyString),
  /** The symbols at the top of divided files that belong to it (`Places`). Other files belong to it as a whole. */
  symbols: Schema.optional(
    Schema.Array(Schema.Struct({ path: Schema.NonEmptyString, names: Schema.Array(Schema.NonEmptyString) })),
  ),
})
export type Part = typeof Part.Type

export const Flow = Schema.Struct({
  /** The name of its page, which begins with `flow-`. */
  name: PageName,
  title: Schema.NonEmptyString,
  /** The symbol at which it begins. */
  start: Citation,
})
export type Flow = typeof Flow.Type

export const Plan = Schema.Struct({
  parts: Schema.Array(Part),
  flows: Schema.Array(Flow),
  /** Files of the code that no part describes. */
  undescribed: Schema.Array(Schema.NonEmptyString),
  /** The model that made it, as `provider/name`; undefined if the program has grouped the files. */
  model: Schema.optional(Schema.NonEmptyString),
})
export type Plan = typeof Plan.Type
