/** `vibe chat`: a conversation in the terminal. */
import * as Command from "../arguments/Command.ts"
import { all, search, sessionOptions, systemOptions } from "../arguments/options.ts"
import { flag, operand, optional, repeated, text } from "../arguments/Parameter.ts"

export const chat = Command.declare(
  "chat",
  "Talk with a model or an agent; every message is stored",
  {
    words: repeated(operand("MESSAGE", "Your first message")),
    ...systemOptions,
    document: optional(text("document", "FILE", "Edit this text file together with the model")),
    tools: flag("tools", "Let the model read this folder without changing it, and use your tool servers"),
    list: flag("list", "List your conversations, newest first"),
    all,
    search,
    ...sessionOptions,
  },
  [
    "vibe chat",
    "vibe chat --resume",
    "vibe chat --agent claude",
    "vibe chat --tools",
    "vibe chat --document plan.md",
    "echo 'What is a monad?' | vibe chat --model ollama/llama3.2",
  ],
)

export type Input = Command.InputOf<typeof chat>
