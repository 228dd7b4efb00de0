/** `vibe loom log`: a conversation, the newest last. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { limit, nodeOrNewest } from "./options.ts"

const graph = Options.boolean("graph").pipe(
  Options.withDescription("Draw all branches of its tree instead, a line a message"),
)

export const log = Command.make("log", { node: nodeOrNewest, graph, limit, ...forestOptions }).pipe(
  Command.withDescription("Print the conversation that ends at a node, the newest message last, and what it has used"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom log", "vibe loom log @~2 --limit 4", "vibe loom log draft --graph"]

const job = Effect.promise(() => import("../../job/loom/Log.ts"))
