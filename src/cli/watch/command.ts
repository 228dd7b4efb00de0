/** `vibe watch`: keeps the structure current. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"

const path = Args.text({ name: "PATH" }).pipe(
  Args.withDescription("The indexed folder (default: the nearest .vibe, upwards)"),
  Args.optional,
)

const poll = Options.boolean("poll").pipe(
  Options.withDescription("Look at all files every few seconds, without the system's events"),
)

const json = Options.boolean("json").pipe(Options.withDescription("Print one JSON object a line on stdout"))

const config = { path, poll, json }

export type Input = InputOf<typeof config>

export const watch = lazy("watch", config, () => import("./run.ts")).pipe(
  Command.withDescription("Keep the structure current while files change"),
)

export const examples = ["vibe watch", "vibe watch --json ../project"]
