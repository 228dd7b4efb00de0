/** `vibe query`: searches the index. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json, root } from "../arguments/options.ts"

const words = Args.text({ name: "TEXT" }).pipe(Args.withDescription("Words or names to look for"), Args.atLeast(1))

const limit = Options.text("limit").pipe(
  Options.withPseudoName("N"),
  Options.filterMap(
    (text) => Option.liftPredicate(Number(text), (n) => Number.isInteger(n) && n >= 1 && n <= 50),
    "option '--limit' takes a number from 1 to 50",
  ),
  Options.withDefault(5),
  Options.withDescription("Print at most N results, 1 to 50 (default: 5)"),
)

const config = { words, limit, root, json }

export type Input = InputOf<typeof config>

export const query = lazy("query", config, () => import("./run.ts")).pipe(
  Command.withDescription("Find symbols by what they are for, with the lines that matter"),
)

export const examples = ["vibe query where are passwords hashed", "vibe query --limit 1 --json parseConfig"]
