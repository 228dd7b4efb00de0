/** `vibe loom generate`: what a model says next. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ToolChoice } from "../../../tool/ToolChoice.ts"
import { answerOptions, forestOptions, requestPolicy } from "../../arguments/options.ts"
import { someNode, someWords, system } from "./options.ts"

const n = Options.text("n").pipe(
  Options.withPseudoName("N"),
  Options.filterMap(
    (text) => Option.liftPredicate(Number(text), (n) => Number.isInteger(n) && n >= 1 && n <= 20),
    "option '-n' takes a number from 1 to 20",
  ),
  Options.optional,
  Options.withDescription("How many answers of each model, every one a branch of its own (default: 1)"),
)

const tools = Options.text("tool").pipe(
  Options.withPseudoName("NAME"),
  Options.repeated,
  Options.withDescription("A tool to offer: current_date or introspect"),
)

const toolChoice = Options.text("tool-choice").pipe(
  Options.withPseudoName("CHOICE"),
  Options.map((text): ToolChoice => (text === "auto" || text === "none" ? text : { tool: text })),
  Options.optional,
  Options.withDescription(
    "Which tool to call first: the name of one, 'none', or as the model likes ('auto', the default)",
  ),
)

export const generate = Command.make("generate", {
  node: someNode,
  words: someWords,
  n,
  tools,
  toolChoice,
  system,
  ...answerOptions,
  ...requestPolicy,
  ...forestOptions,
}).pipe(
  Command.withDescription("Let a model say what comes next, after a text of yours where there is one"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = [
  'vibe loom generate --system "You are a poet" "Write a poem"',
  "vibe loom generate @ And now a shorter one",
  "vibe loom generate draft -n 3",
]

const job = Effect.promise(() => import("../../job/loom/Generate.ts"))
