/** `vibe loom bookmarks`: the names that were given. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"

export const bookmarks = Command.make("bookmarks", forestOptions).pipe(
  Command.withDescription("List the bookmarks and what they name"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom bookmarks"]

const job = Effect.promise(() => import("../../job/loom/Bookmarks.ts"))
