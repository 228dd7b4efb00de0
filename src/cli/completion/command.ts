/** `vibe completion`: what a shell needs to complete command lines. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import { type InputOf, lazy } from "../arguments/lazy.ts"

const words = Args.text({ name: "WORD" }).pipe(
  Args.withDescription("From that script: what is typed so far, each word after a ="),
  Args.atLeast(1),
  Args.withDefault([]),
)

const config = { words }

export type Input = InputOf<typeof config>

export const completion = lazy("completion", config, () => import("./run.ts")).pipe(
  Command.withDescription("Print a script with which bash completes commands, options, bookmarks and ids of nodes"),
)

export const examples = ['eval "$(vibe completion)"']
