/** The schemas of the arguments of `query` and `show`. Loaded with the first arguments that are not plainly valid. */
import * as Schema from "effect/Schema"
import * as Definitions from "./lookupDefinitions.ts"

const MaxTokens = Schema.optional(
  Schema.Number.pipe(Schema.int(), Schema.between(Definitions.LEAST_TOKENS, Definitions.MAX_TOKENS)),
).annotations({ description: Definitions.maxTokens.description })

const ofQuery = Definitions.query.parameters.properties

/**
 * Models sometimes write a list as one string. The schema that they receive has only the list, which takes fewer
 * tokens.
 */
const Keywords = Schema.Union(Schema.Array(Schema.String), Schema.String).annotations({ jsonSchema: ofQuery.keywords })

export const Query = Schema.Struct({
  query: Schema.String.annotations({ description: ofQuery.query.description }),
  keywords: Schema.optional(Keywords),
  path: Schema.optional(Schema.String).annotations({ description: ofQuery.path.description }),
  limit: Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(1, Definitions.MAX_LIMIT))),
  files: Schema.optional(Schema.Boolean),
  maxTokens: MaxTokens,
})

export const Show = Schema.Struct({
  target: Schema.String.annotations({ description: Definitions.show.parameters.properties.target.description }),
  maxTokens: MaxTokens,
})
