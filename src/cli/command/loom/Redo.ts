/** `vibe loom redo`: what was undone, put back. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"

export const redo = Command.make("redo", forestOptions).pipe(
  Command.withDescription("Put back what 'vibe loom undo' took back last"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom redo"]

const job = Effect.promise(() => import("../../job/loom/Redo.ts"))
