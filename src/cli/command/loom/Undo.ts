/** `vibe loom undo`: an operation, taken back. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"

const operation = Args.text({ name: "OPERATION" }).pipe(
  Args.withDescription("Its number in 'vibe loom history', or a node: the latest operation in its tree"),
  Args.optional,
)

export const undo = Command.make("undo", { operation, ...forestOptions }).pipe(
  Command.withDescription("Take back the latest operation of 'vibe loom', whole, or the one that is named"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom undo", "vibe loom undo 12", "vibe loom undo draft"]

const job = Effect.promise(() => import("../../job/loom/Undo.ts"))
