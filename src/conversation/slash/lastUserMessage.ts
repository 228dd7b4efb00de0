/** Finds the last message of the user, for the commands that need one. */
import * as Effect from "effect/Effect"
import { UsageError } from "../../base/UsageError.ts"
import type { Node } from "../../forest/Node.ts"
import type { Session } from "../Session.ts"
import type { SessionFailure } from "../SessionFailure.ts"

export const noMessage = new UsageError({ message: "there is no message yet" })

export const lastUserMessage = ({ lastUserMessage: lastSaid }: Session): Effect.Effect<Node, SessionFailure> =>
  Effect.flatMap(lastSaid, (node) => (node === undefined ? noMessage : Effect.succeed(node)))
