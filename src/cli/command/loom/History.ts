/** `vibe loom history`: the operations on the forest. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { limit } from "./options.ts"

export const history = Command.make("history", { limit, ...forestOptions }).pipe(
  Command.withDescription(
    "List what was done to the forest, the latest first: number, time, command, and what it changed",
  ),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom history", "vibe loom history --limit 100 --json"]

const job = Effect.promise(() => import("../../job/loom/History.ts"))
