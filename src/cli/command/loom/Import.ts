/** `vibe loom import`: conversations from a file. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"

const file = Args.text({ name: "FILE" }).pipe(
  Args.withDescription("Of 'vibe loom export', or a session of Claude Code, Codex, gemini-cli, pi or ChatGPT"),
)

export const importing = Command.make("import", { file, ...forestOptions }).pipe(
  Command.withDescription("Take conversations from a file into the forest; what is there already stays as it is"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom import talk.jsonl", "vibe loom import conversations.json"]

const job = Effect.promise(() => import("../../job/loom/Import.ts"))
