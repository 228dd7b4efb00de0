/** `vibe loom delete`: take a node away. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { node } from "./options.ts"

const cascade = Options.boolean("cascade").pipe(Options.withDescription("And all that follows it"))

const reparent = Options.boolean("reparent").pipe(
  Options.withDescription("And let what follows it follow its parent; a call takes its answers along"),
)

const bookmarks = Options.boolean("bookmarks").pipe(
  Options.withDescription("Also where bookmarks stand on what goes: they go with it"),
)

export const remove = Command.make("delete", { node, cascade, reparent, bookmarks, ...forestOptions }).pipe(
  Command.withDescription("Delete a message; 'vibe loom undo' brings it back"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom delete @ --cascade", "vibe loom delete draft --reparent --bookmarks"]

const job = Effect.promise(() => import("../../job/loom/Delete.ts"))
