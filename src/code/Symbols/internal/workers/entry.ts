/** The entry of a worker thread of `Workers`. */
import * as Effect from "effect/Effect"
import * as OutlineServer from "../../OutlineServer.ts"

void Effect.runPromise(OutlineServer.serve)
