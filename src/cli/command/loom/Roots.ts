/** `vibe loom roots`: the trees there are. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"

export const roots = Command.make("roots", forestOptions).pipe(
  Command.withDescription("List the trees: who owns them, and the system prompt that opens them"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom roots", "vibe loom roots --json"]

const job = Effect.promise(() => import("../../job/loom/Roots.ts"))
