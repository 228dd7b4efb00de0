/** `vibe ask`: one question, one answer. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { answerOptions, forestOptions, requestPolicy, systemOptions } from "../arguments/options.ts"

const words = Args.text({ name: "QUESTION" }).pipe(
  Args.withDescription("The question; text on stdin is added to it"),
  Args.atLeast(1),
  Args.withDefault([]),
)

const files = Options.text("file").pipe(
  Options.withPseudoName("PATH"),
  Options.repeated,
  Options.withDescription("Show this file to the model; it must not be secret or ignored"),
)

const images = Options.text("image").pipe(
  Options.withPseudoName("PATH"),
  Options.repeated,
  Options.withDescription("Show this picture to the model: PNG, JPEG, GIF or WebP"),
)

const schema = Options.text("schema").pipe(
  Options.withPseudoName("FILE"),
  Options.optional,
  Options.withDescription("Require an answer that validates against this JSON Schema"),
)

const extract = Options.boolean("extract").pipe(
  Options.withAlias("x"),
  Options.withDescription("Print only the first code block of the answer"),
)

const continued = Options.text("continue").pipe(
  Options.withAlias("c"),
  Options.withPseudoName("[NODE]"),
  Options.optional,
  Options.withDescription("Continue your newest question, or from NODE (--continue=TITLE)"),
)

const noStream = Options.boolean("no-stream").pipe(
  Options.withDescription("Print the answer when it is complete, on a terminal too"),
)

const tools = Options.boolean("tools").pipe(
  Options.withDescription("Let the model read this folder without changing it, and use your tool servers"),
)

const config = {
  words,
  ...systemOptions,
  files,
  images,
  schema,
  extract,
  continued,
  tools,
  noStream,
  ...answerOptions,
  ...requestPolicy,
  ...forestOptions,
}

export type Input = InputOf<typeof config>

export const ask = lazy("ask", config, () => import("./run.ts")).pipe(
  Command.withDescription("Ask a model one question"),
)

export const examples = [
  'vibe ask "What is a monad?"',
  'cat build.log | vibe ask "What failed?"',
  'vibe ask -x "A regular expression for dates, as in 2026-11-22" > date.txt',
  'vibe ask --continue "And in one sentence?"',
  'vibe ask --json --schema person.json --file letter.txt "Who wrote this?"',
]
