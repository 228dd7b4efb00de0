/** `vibe loom bookmark`: a name for a node. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { someNode } from "./options.ts"

const title = Args.text({ name: "TITLE" }).pipe(
  Args.withDescription("The name; a bookmark that has it moves to the node"),
  Args.optional,
)

const remove = Options.text("delete").pipe(
  Options.withPseudoName("TITLE"),
  Options.optional,
  Options.withDescription("Remove the bookmark of that title"),
)

export const bookmark = Command.make("bookmark", { title, node: someNode, remove, ...forestOptions }).pipe(
  Command.withDescription("Give a node a name of your own"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom bookmark draft @", "vibe loom bookmark --delete draft"]

const job = Effect.promise(() => import("../../job/loom/Bookmark.ts"))
