/** Handles requests about the index. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Api } from "./Api.ts"
import { Served } from "./Served.ts"

export const layer = HttpApiBuilder.group(Api, "index", (handlers) =>
  Effect.map(Served, ({ folder }) =>
    handlers.handle("status", () => Effect.succeed({ root: folder, indexed: false, files: 0, symbols: 0 })),
  ),
)
