/** `vibe chat`: a conversation in the terminal. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { common } from "./loom/options.ts"
import { modelId, runTokens, terms, model as typedModel } from "./options.ts"

/** What `vibe prd` and `vibe discover` have too. */
export const talking = {
  model: typedModel.pipe(
    Options.mapEffect(modelId),
    Options.optional,
    Options.withDescription("Who answers, as 'vibe models' lists them, or scripted/FILE.json"),
  ),
  agent: Options.text("agent").pipe(
    Options.withPseudoName("NAME"),
    Options.optional,
    Options.withDescription(
      "A program that answers in place of a model: claude, codex, gemini, opencode, pi, or yours",
    ),
  ),
  resume: Options.text("resume").pipe(
    Options.withAlias("r"),
    Options.withPseudoName("[NODE]"),
    Options.optional,
    Options.withDescription(
      "Go on with your newest conversation, or from a node named as in 'vibe loom' (--resume=TITLE)",
    ),
  ),
  plain: Options.boolean("plain").pipe(
    Options.withDescription("Lines in place of a drawn terminal: for screen readers, logs and scripts"),
  ),
  ...terms,
  maxRunTokens: runTokens("max-run-tokens"),
  ...common,
  json: Options.boolean("json").pipe(
    Options.withDescription("Print what happens on stdout, a JSON object a line; of what is listed, one object"),
  ),
}

/** What `vibe discover` has too. */
export const search = Options.text("search").pipe(
  Options.withPseudoName("WORDS"),
  Options.optional,
  Options.withDescription("Find what was said in them"),
)

export const chat = Command.make("chat", {
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
  ...talking,
}).pipe(
  Command.withDescription("Talk with a model or an agent; nothing that is said is lost"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = [
  "vibe chat",
  "vibe chat --resume",
  "vibe chat --agent claude --tools",
  "vibe chat --document plan.md",
  "echo 'What is a monad?' | vibe chat --model ollama/llama3.2",
]

const job = Effect.promise(() => import("../job/Chat.ts"))
