/** `vibe loom generate`: what a model says next. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { common, model, modelId, someNode, someWords, system } from "./options.ts"

const n = Options.text("n").pipe(
  Options.withPseudoName("N"),
  Options.filterMap(
    (text) => Option.liftPredicate(Number(text), (n) => Number.isInteger(n) && n >= 1 && n <= 20),
    "option '-n' takes a number from 1 to 20",
  ),
  Options.optional,
  Options.withDescription("How many answers of each model, every one a branch of its own (default: 1)"),
)

const amount = (name: string, isAllowed: (amount: number) => boolean, allowed: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("N"),
    Options.filterMap(
      (text) => Option.liftPredicate(Number(text), (amount) => text.trim() !== "" && isAllowed(amount)),
      `option '--${name}' takes ${allowed}`,
    ),
    Options.optional,
  )

const temperature = amount("temperature", (amount) => amount >= 0, "a number from 0").pipe(
  Options.withDescription("How freely to answer, as far as the provider goes (default: its own)"),
)

const maxTokens = amount("max-tokens", (amount) => Number.isSafeInteger(amount) && amount >= 1, "a number from 1").pipe(
  Options.withDescription("The most tokens of an answer (default: the model's)"),
)

const preset = Options.text("preset").pipe(
  Options.withPseudoName("NAME"),
  Options.optional,
  Options.withDescription("What holds where it is not said here: [presets.NAME] of a configuration file"),
)

const models = model.pipe(
  Options.repeated,
  Options.mapEffect((typed) => Effect.forEach(typed, modelId)),
  Options.withDescription("Who answers: google/NAME, offline or scripted/FILE.json; several answer side by side"),
)

const tools = Options.text("tool").pipe(
  Options.withPseudoName("NAME"),
  Options.repeated,
  Options.withDescription("A tool to offer: current_date or introspect"),
)

export const generate = Command.make("generate", {
  node: someNode,
  words: someWords,
  n,
  models,
  tools,
  temperature,
  maxTokens,
  preset,
  system,
  ...common,
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
