/** `vibe query`: searches the index. */
import * as Command from "../arguments/Command.ts"
import { model, requestPolicy } from "../arguments/modelOptions.ts"
import { json, root } from "../arguments/options.ts"
import { atLeastOne, flag, number, operand, optional, repeated, text, whole } from "../arguments/Parameter.ts"
import * as RepositoryOptions from "../project/RepositoryOptions.ts"

const { repo, workspace } = RepositoryOptions

export const query = Command.declare(
  "query",
  "Find symbols by what they are for, with the lines that matter",
  {
    words: atLeastOne(operand("TEXT", "Words or names to look for")),
    limit: number(
      "limit",
      whole(1, 50),
      "Print N results, 1 to 50 (default: at most 5, fewer if the first are clearly better; 10 files)",
    ),
    files: flag("files", "Print files, best first, each with the symbols that say why"),
    also: repeated(text("also", "NAMES", "Look also for identifiers that the code may use: guess five")),
    within: optional(text("within", "PATH", "Find symbols in this file or folder only")),
    model: optional(model("Let this model put the first 20 results in order, by one request")),
    root,
    repo,
    workspace,
    json,
    ...requestPolicy,
  },
  [
    "vibe query where are passwords hashed",
    "vibe query --limit 1 --json parseConfig",
    "vibe query --files how do plugins register routes",
    "vibe query --repo ../api --repo ../web where is a session renewed",
  ],
)

export type Input = Command.InputOf<typeof query>
