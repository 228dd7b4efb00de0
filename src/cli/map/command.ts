/** `vibe map`: the main folders and symbols of a project. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json, numberOption, root } from "../arguments/options.ts"

/** Fewer tokens have no room for a line; a map of more is no longer one that a model should read at once. */
const FEWEST = 50
const MOST = 100_000

const path = Args.text({ name: "PATH" }).pipe(
  Args.withDescription("A folder or a file to which the map is restricted (default: the whole project)"),
  Args.optional,
)

const tokens = numberOption(
  "tokens",
  (amount) => Number.isInteger(amount) && amount >= FEWEST && amount <= MOST,
  `a number from ${FEWEST} to ${MOST}`,
).pipe(Options.withDescription("Print at most N tokens, as vibe estimates them (default: 1000)"))

const config = { path, tokens, root, json }

export type Input = InputOf<typeof config>

export const map = lazy("map", config, () => import("./run.ts")).pipe(
  Command.withDescription("Print the main folders and symbols of a project, for a prompt"),
)

export const examples = ["vibe map", "vibe map --tokens 4000 src/forest"]
