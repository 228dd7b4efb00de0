/**
 * The API of `vibe serve`, as a contract: paths, payloads and failures. The page imports its types alone, and no code.
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { Conversations } from "./api/Conversations.ts"
import { Forest } from "./api/Forest.ts"
import { Index } from "./api/Index.ts"
import { Wiki } from "./api/Wiki.ts"

/** A stream of server-sent events, each the JSON of an `Event`. */
export class Events extends HttpApiGroup.make("events").add(
  HttpApiEndpoint.get("events", "/events").addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" })),
) {}

export class Api extends HttpApi.make("vibe")
  .add(Events)
  .add(Conversations)
  .add(Forest)
  .add(Index)
  .add(Wiki)
  .prefix("/api") {}
