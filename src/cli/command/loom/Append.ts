/** `vibe loom append`: a message of one's own. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { someNode, someWords, system } from "./options.ts"

const role = Options.choice("role", ["user", "assistant"]).pipe(
  Options.withDefault("user"),
  Options.withDescription("Who says it (default: user)"),
)

export const append = Command.make("append", { node: someNode, words: someWords, role, system, ...forestOptions }).pipe(
  Command.withDescription("Append a message to a node, and print the id of the new one"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = [
  'vibe loom append --system "You are a poet" "Write a poem"',
  "vibe loom append @ --role assistant The first line is",
  "vibe loom append draft < question.md",
]

const job = Effect.promise(() => import("../../job/loom/Append.ts"))
