/** The contract of the index: what a project is made of, and what its symbols are for. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { NotFound, NotKept, Refused } from "./Conversations.ts"

export class Index extends HttpApiGroup.make("index")
  .add(
    HttpApiEndpoint.get("status", "/index").addSuccess(
      Schema.Struct({
        root: Schema.String,
        /** Without an index there is nothing else. */
        indexed: Schema.Boolean,
        files: Schema.Int,
        symbols: Schema.Int,
        /** Markdown, as the exploration left it. */
        map: Schema.optional(Schema.String),
      }),
    ),
  )
  .addError(NotFound)
  .addError(Refused)
  .addError(NotKept) {}
