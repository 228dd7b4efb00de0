/** `vibe loom search`: find what was said. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { forestOptions, model, modelId } from "../../arguments/options.ts"
import { limit, words } from "./options.ts"

const text = words.pipe(Args.withDescription("The words that are looked for"))

const role = Options.choice("role", ["user", "assistant", "tool", "system"]).pipe(
  Options.optional,
  Options.withDescription("Only what was said by one of them"),
)

const root = Options.text("root").pipe(
  Options.withPseudoName("NODE"),
  Options.optional,
  Options.withDescription("Only in the tree that a node is of"),
)

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Milliseconds since the epoch. `ofDay`: which of a day's is meant where only the day is told. */
const time = (name: string, ofDay: number) =>
  Options.text(name).pipe(
    Options.withPseudoName("TIME"),
    Options.filterMap(
      (text) => Option.liftPredicate(Date.parse(text) + (DAY.test(text) ? ofDay : 0), (time) => !Number.isNaN(time)),
      `option '--${name}' takes a date or a time, such as 2026-11-30 or 2026-11-30T12:00Z`,
    ),
    Options.optional,
  )

const since = time("since", 0).pipe(Options.withDescription("Only what was said then or later (a day is UTC's)"))

const until = time("until", 86_399_999).pipe(Options.withDescription("Only what was said then or earlier"))

const spoken = model.pipe(
  Options.mapEffect(modelId),
  Options.optional,
  Options.withDescription("Only what that model said"),
)

export const search = Command.make("search", {
  words: text,
  role,
  model: spoken,
  root,
  since,
  until,
  limit,
  ...forestOptions,
}).pipe(
  Command.withDescription("Find messages that have all these words, the last added first; WORD* finds what begins so"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom search retries backoff", "vibe loom search 'retr*' --role assistant --limit 5"]

const job = Effect.promise(() => import("../../job/loom/Search.ts"))
