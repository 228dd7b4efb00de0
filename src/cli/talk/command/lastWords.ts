/** What the person said last; commands that are about it fail where there is nothing. */
import * as Effect from "effect/Effect"
import type { Node } from "../../../forest/Node.ts"
import { UsageError } from "../../Arguments.ts"
import type * as Render from "../../Render.ts"
import type { Session } from "../Session.ts"

export const nothingSaid = new UsageError({ message: "nothing has been said yet" })

export const lastWords = ({ lastSaid }: Session): Effect.Effect<Node, Render.Failure> =>
  Effect.flatMap(lastSaid, (node) => (node === undefined ? nothingSaid : Effect.succeed(node)))
