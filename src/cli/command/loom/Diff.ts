/** `vibe loom diff`: in what two conversations differ. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"

const one = Args.text({ name: "A" }).pipe(Args.withDescription("The node that one of them ends at"))

const other = Args.text({ name: "B" }).pipe(Args.withDescription("The node that the other ends at"))

export const diff = Command.make("diff", { one, other, ...forestOptions }).pipe(
  Command.withDescription("Say how long two conversations are the same, and in which words they differ from there"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom diff draft @"]

const job = Effect.promise(() => import("../../job/loom/Diff.ts"))
