/** `vibe show`: describes a symbol, or lists those of a file or a folder. */
import * as Command from "../arguments/Command.ts"
import { json, root } from "../arguments/options.ts"
import { flag, number, operand, whole } from "../arguments/Parameter.ts"
import * as RepositoryOptions from "../project/RepositoryOptions.ts"

/** The most steps of `--impact`: in most projects fewer reach everything. */
const MAX_DEPTH = 20

const MAX_LIMIT = 10_000

const { repo, workspace } = RepositoryOptions

export const show = Command.declare(
  "show",
  "Show a symbol, all symbols of a file, or the main ones of a folder",
  {
    symbol: operand("SYMBOL", "A name (append, Forest.append), PATH:NAME, PATH:LINE, a file, or a folder"),
    root,
    repo,
    workspace,
    why: flag("why", "Print how a model came to write the purpose"),
    history: flag("history", "Print the purposes it has had, with the commits that they came with"),
    callers: flag("callers", "List what uses the symbol, with the lines"),
    callees: flag("callees", "List what the symbol uses"),
    impact: flag("impact", "List what depends on the symbol: what uses it, what uses that, and so on"),
    depth: number("depth", whole(1, MAX_DEPTH), `Follow --impact for N steps, 1 to ${MAX_DEPTH} (default: 3)`),
    limit: number("limit", whole(1, MAX_LIMIT), "List at most N symbols, of --impact at each distance (default: 30)"),
    json,
  },
  [
    "vibe show Forest.append",
    "vibe show src/forest/Forest.ts:append",
    "vibe show src/forest/Forest.ts",
    "vibe show src/forest",
    "vibe show --why Forest.append",
    "vibe show --history Forest.append",
    "vibe show --callers --callees Forest.append",
    "vibe show --impact --depth 2 Forest.append",
    "vibe show --repo ../api --repo ../web api/src/main.ts:12",
  ],
)

export type Input = Command.InputOf<typeof show>
