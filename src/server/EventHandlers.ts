/** Handles connections for events. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import { Api } from "./Api.ts"
import { EventHub } from "./EventHub.ts"

export const layer = HttpApiBuilder.group(Api, "events", (handlers) =>
  Effect.map(EventHub, (hub) =>
    handlers.handleRaw("events", ({ request }) =>
      // The scope is that of the request: it ends with the connection.
      hub
        .connect(() => void NodeHttpServerRequest.toServerResponse(request).destroy())
        .pipe(
          Effect.map((lines) =>
            HttpServerResponse.stream(lines, {
              contentType: "text/event-stream",
              headers: { "cache-control": "no-store" },
            }),
          ),
          Effect.catchAll(({ message }) =>
            Effect.succeed(HttpServerResponse.unsafeJson({ message: `${message}.` }, { status: 503 })),
          ),
        ),
    ),
  ),
)
