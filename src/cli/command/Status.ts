/** `vibe status`: how much the index knows. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { json, root } from "./options.ts"

export const status = Command.make("status", { root, json }).pipe(
  Command.withDescription("Show how much is indexed, and how much of it is explained"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe status", "vibe status --root ../project --json"]

const job = Effect.promise(() => import("../job/Status.ts"))
