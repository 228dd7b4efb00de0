/** `vibe chat`: a conversation in the terminal. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { systemOptions } from "../arguments/options.ts"
import { all, search, sessionOptions } from "../session/options.ts"

const config = {
  words: Args.text({ name: "MESSAGE" }).pipe(
    Args.withDescription("Your first message"),
    Args.atLeast(1),
    Args.withDefault([]),
  ),
  ...systemOptions,
  document: Options.text("document").pipe(
    Options.withPseudoName("FILE"),
    Options.optional,
    Options.withDescription("Edit this text file together with the model"),
  ),
  tools: Options.boolean("tools").pipe(
    Options.withDescription("Let the model read this folder without changing it, and use your tool servers"),
  ),
  list: Options.boolean("list").pipe(Options.withDescription("List your conversations, newest first")),
  all,
  search,
  ...sessionOptions,
}

export type Input = InputOf<typeof config>

export const chat = lazy("chat", config, () => import("./run.ts")).pipe(
  Command.withDescription("Talk with a model or an agent; every message is stored"),
)

export const examples = [
  "vibe chat",
  "vibe chat --resume",
  "vibe chat --agent claude",
  "vibe chat --tools",
  "vibe chat --document plan.md",
  "echo 'What is a monad?' | vibe chat --model ollama/llama3.2",
]
