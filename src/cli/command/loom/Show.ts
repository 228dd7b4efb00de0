/** `vibe loom show`: one node. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { node } from "./options.ts"

export const show = Command.make("show", { node, ...forestOptions }).pipe(
  Command.withDescription("Print a whole message: who said it, when, with which model, and what is around it"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom show @", "vibe loom show @^ --json"]

const job = Effect.promise(() => import("../../job/loom/Show.ts"))
