/** `vibe loom purge`: remove messages for good. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { someNode } from "./options.ts"

const removed = Options.boolean("removed").pipe(
  Options.withDescription("In place of NODE: all that was deleted before, and the words that edits replaced"),
)

const bookmarks = Options.boolean("bookmarks").pipe(
  Options.withDescription("Also where bookmarks stand on what goes: they go with it"),
)

const yes = Options.boolean("yes").pipe(Options.withDescription("Do not ask before"))

export const purge = Command.make("purge", { node: someNode, removed, bookmarks, yes, ...forestOptions }).pipe(
  Command.withDescription(
    "Remove a message and what follows it, or a tree, for good, also where it was deleted; nothing brings it back",
  ),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom purge 01jx4c", "vibe loom purge --removed --yes"]

const job = Effect.promise(() => import("../../job/loom/Purge.ts"))
