/** `vibe completion`: what a shell needs to complete command lines. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"

const words = Args.text({ name: "WORD" }).pipe(
  Args.withDescription("From that script: what is typed so far, each word after a ="),
  Args.atLeast(1),
  Args.withDefault([]),
)

export const completion = Command.make("completion", { words }).pipe(
  Command.withDescription("Print a script with which bash completes commands, options, bookmarks and ids of nodes"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ['eval "$(vibe completion)"']

const job = Effect.promise(() => import("../job/Completion.ts"))
