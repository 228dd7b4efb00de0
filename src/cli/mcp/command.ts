/** `vibe mcp`: offers the index to coding agents. */

import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import * as RepositoryOptions from "../project/RepositoryOptions.ts"

const root = Options.text("root").pipe(
  Options.withPseudoName("DIR"),
  Options.optional,
  Options.withDescription("Answer about this folder (default: the nearest .vibe, else the git repository)"),
)

const { repo, workspace } = RepositoryOptions

const config = { root, repo, workspace }

export type Input = InputOf<typeof config>

export const mcp = lazy("mcp", config, () => import("./run.ts")).pipe(
  Command.withDescription("Answer coding agents on stdin and stdout (MCP)"),
)

export const examples = ["vibe mcp", "claude mcp add vibe -- vibe mcp --root .", "vibe mcp --repo ../api --repo ../web"]
