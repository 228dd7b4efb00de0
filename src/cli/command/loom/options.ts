/** What the commands on the forest share. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"

const naming =
  "an id or the beginning of one, a bookmark, or @ (the end of what was added last); @^ is its parent, @~3 three further up"

export const node = Args.text({ name: "NODE" }).pipe(Args.withDescription(`A node: ${naming}`))

export const nodeOrNewest = Args.text({ name: "NODE" }).pipe(
  Args.withDescription(`A node: ${naming} (default: @)`),
  Args.withDefault("@"),
)

/** Where a tree may be named instead, by `--system`: then all words are text. */
export const someNode = node.pipe(Args.optional)

export const someWords = Args.text({ name: "TEXT" }).pipe(
  Args.withDescription("What is said"),
  Args.atLeast(1),
  Args.withDefault([]),
)

export const words = Args.text({ name: "TEXT" }).pipe(Args.withDescription("What is said"), Args.atLeast(1))

export const limit = Options.text("limit").pipe(
  Options.withPseudoName("N"),
  Options.filterMap(
    (text) => Option.liftPredicate(Number(text), (n) => Number.isSafeInteger(n) && n >= 1),
    "option '--limit' takes a number from 1",
  ),
  Options.optional,
  Options.withDescription("How many at the most"),
)

export const system = Options.text("system").pipe(
  Options.withAlias("s"),
  Options.withPseudoName("TEXT"),
  Options.optional,
  Options.withDescription("Instead of a node: the tree that this system prompt opens, made where there is none"),
)
