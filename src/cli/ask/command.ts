/** `vibe ask`: one question, one answer. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { answerOptions, forestOptions, requestPolicy } from "../arguments/options.ts"

const words = Args.text({ name: "QUESTION" }).pipe(
  Args.withDescription("What you want to know, of what comes on stdin where something does"),
  Args.atLeast(1),
  Args.withDefault([]),
)

const system = Options.text("system").pipe(
  Options.withAlias("s"),
  Options.withPseudoName("TEXT"),
  Options.optional,
  Options.withDescription("The system prompt"),
)

const files = Options.text("file").pipe(
  Options.withPseudoName("PATH"),
  Options.repeated,
  Options.withDescription("A file in this folder to show with the question, if it is neither secret nor ignored"),
)

const images = Options.text("image").pipe(
  Options.withPseudoName("PATH"),
  Options.repeated,
  Options.withDescription("A picture to show with the question: PNG, JPEG, GIF or WebP"),
)

const schema = Options.text("schema").pipe(
  Options.withPseudoName("FILE"),
  Options.optional,
  Options.withDescription("JSON Schema that the answer is to be JSON by"),
)

const extract = Options.boolean("extract").pipe(
  Options.withAlias("x"),
  Options.withDescription("Print the first block of code in the answer alone, where there is one"),
)

const continued = Options.text("continue").pipe(
  Options.withAlias("c"),
  Options.withPseudoName("[NODE]"),
  Options.optional,
  Options.withDescription("Go on from your newest question, or from a node named as in 'vibe loom' (--continue=TITLE)"),
)

const noStream = Options.boolean("no-stream").pipe(
  Options.withDescription("Print the answer when it is complete, on a terminal too"),
)

const tools = Options.boolean("tools").pipe(
  Options.withDescription("Let the model look around in the indexed folder, without changing anything"),
)

const config = {
  words,
  system,
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
  Command.withDescription("Ask a model: one question, one answer"),
)

export const examples = [
  'vibe ask "What is a monad?"',
  'cat build.log | vibe ask "What failed?"',
  'vibe ask -x "A regular expression for dates, as in 2026-11-22" > date.txt',
  'vibe ask --continue "And in one sentence?"',
  'vibe ask --json --schema person.json --file letter.txt "Who wrote this?"',
]
