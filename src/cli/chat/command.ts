/** `vibe chat`: a conversation in the terminal. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { search, sessionOptions } from "../session/options.ts"

const config = {
  words: Args.text({ name: "MESSAGE" }).pipe(
    Args.withDescription("What you say first"),
    Args.atLeast(1),
    Args.withDefault([]),
  ),
  system: Options.text("system").pipe(
    Options.withAlias("s"),
    Options.withPseudoName("FILE"),
    Options.optional,
    Options.withDescription("A file that holds the system prompt"),
  ),
  document: Options.text("document").pipe(
    Options.withPseudoName("FILE"),
    Options.optional,
    Options.withDescription("A text file that you edit in your editor and the model by a tool, while you talk"),
  ),
  tools: Options.boolean("tools").pipe(
    Options.withDescription("Let the model look around in this folder, without changing anything"),
  ),
  list: Options.boolean("list").pipe(Options.withDescription("List your conversations, newest first")),
  search,
  ...sessionOptions,
}

export type Input = InputOf<typeof config>

export const chat = lazy("chat", config, () => import("./run.ts")).pipe(
  Command.withDescription("Talk with a model or an agent; nothing that is said is lost"),
)

export const examples = [
  "vibe chat",
  "vibe chat --resume",
  "vibe chat --agent claude --tools",
  "vibe chat --document plan.md",
  "echo 'What is a monad?' | vibe chat --model ollama/llama3.2",
]
