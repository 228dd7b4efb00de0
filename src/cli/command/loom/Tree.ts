/** `vibe loom tree`: what is below a node. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { forestOptions } from "../../arguments/options.ts"
import { someNode } from "./options.ts"

const depth = Options.text("depth").pipe(
  Options.withPseudoName("N"),
  Options.filterMap(
    (text) => Option.liftPredicate(Number(text), (n) => Number.isSafeInteger(n) && n >= 0),
    "option '--depth' takes a number from 0",
  ),
  Options.optional,
  Options.withDescription("How many levels below it (default: all)"),
)

export const tree = Command.make("tree", { node: someNode, depth, ...forestOptions }).pipe(
  Command.withDescription("Draw what is below a node (default: the whole tree of @), a line a message"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom tree", "vibe loom tree draft --depth 3"]

const job = Effect.promise(() => import("../../job/loom/Tree.ts"))
