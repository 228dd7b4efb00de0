/** `vibe ask`: one question, one answer. */
import * as Command from "../arguments/Command.ts"
import { answerOptions, requestPolicy } from "../arguments/modelOptions.ts"
import { forestOptions, systemOptions } from "../arguments/options.ts"
import { flag, operand, optional, repeated, text, withAlias } from "../arguments/Parameter.ts"

export const ask = Command.declare(
  "ask",
  "Ask a model one question",
  {
    words: repeated(operand("QUESTION", "The question; text on stdin is added to it")),
    ...systemOptions,
    files: repeated(text("file", "PATH", "Show this file to the model; it must not be secret or ignored")),
    images: repeated(text("image", "PATH", "Show this picture to the model: PNG, JPEG, GIF or WebP")),
    schema: optional(text("schema", "FILE", "Require an answer that validates against this JSON Schema")),
    extract: withAlias(flag("extract", "Print only the first code block of the answer"), "x"),
    continued: optional(
      withAlias(text("continue", "[NODE]", "Continue your newest question, or from NODE (--continue=TITLE)"), "c"),
    ),
    tools: flag("tools", "Let the model read this folder without changing it, and use your tool servers"),
    noStream: flag("no-stream", "Print the answer when it is complete, on a terminal too"),
    ...answerOptions,
    ...requestPolicy,
    ...forestOptions,
  },
  [
    'vibe ask "What is a monad?"',
    'cat build.log | vibe ask "What failed?"',
    'vibe ask -x "A regular expression for dates, as in 2026-11-22" > date.txt',
    'vibe ask --continue "And in one sentence?"',
    'vibe ask --json --schema person.json --file letter.txt "Who wrote this?"',
  ],
)

export type Input = Command.InputOf<typeof ask>
