/** `vibe loom split`: two nodes for one. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { node } from "./options.ts"

const position = Args.integer({ name: "POSITION" }).pipe(
  Args.withDescription("How many characters the first of the two has (in UTF-16 units)"),
)

export const split = Command.make("split", { node, position, ...forestOptions }).pipe(
  Command.withDescription("Cut a message in two, and print both ids; the second keeps the id and what follows"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom split @ 120"]

const job = Effect.promise(() => import("../../job/loom/Split.ts"))
