/** `vibe loom edit`: other words in place of a node's. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { node, words } from "./options.ts"

export const edit = Command.make("edit", { node, words, ...forestOptions }).pipe(
  Command.withDescription("Say it in other words: beside the old ones where something follows them; print the id"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ['vibe loom edit @^ "Write a longer poem"']

const job = Effect.promise(() => import("../../job/loom/Edit.ts"))
