/** `vibe mcp`: offers the index to coding agents. */
import * as Command from "../arguments/Command.ts"
import { optional, text } from "../arguments/Parameter.ts"
import * as RepositoryOptions from "../project/RepositoryOptions.ts"

const { repo, workspace } = RepositoryOptions

export const mcp = Command.declare(
  "mcp",
  "Answer coding agents on stdin and stdout (MCP)",
  {
    root: optional(
      text("root", "DIR", "Answer about this folder (default: the nearest .vibe, else the git repository)"),
    ),
    repo,
    workspace,
  },
  ["vibe mcp", "claude mcp add vibe -- vibe mcp --root .", "vibe mcp --repo ../api --repo ../web"],
)

export type Input = Command.InputOf<typeof mcp>
