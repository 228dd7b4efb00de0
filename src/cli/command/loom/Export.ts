/** `vibe loom export`: a conversation as a file. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"
import { nodeOrNewest } from "./options.ts"

const format = Options.choice("format", ["markdown", "json", "jsonl", "html"]).pipe(
  Options.withDefault("markdown"),
  Options.withDescription("As what (default: markdown); 'vibe loom import' reads json and jsonl back"),
)

export const exporting = Command.make("export", { node: nodeOrNewest, format, ...forestOptions }).pipe(
  Command.withDescription("Print the conversation that ends at a node as a file; of a root, its whole tree"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom export draft > draft.md", "vibe loom export @ --format jsonl > talk.jsonl"]

const job = Effect.promise(() => import("../../job/loom/Export.ts"))
