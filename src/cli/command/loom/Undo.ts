/** `vibe loom undo`: the latest change, taken back. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { common, someNode } from "./options.ts"

export const undo = Command.make("undo", { node: someNode, ...common }).pipe(
  Command.withDescription("Take back the latest change; of the tree that a node is of, where one is named"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom undo", "vibe loom undo draft"]

const job = Effect.promise(() => import("../../job/loom/Undo.ts"))
