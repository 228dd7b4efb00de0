/** `vibe show`: describes a symbol, or lists those of a file or a folder. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json, numberOption, root } from "../arguments/options.ts"
import * as RepositoryOptions from "../project/RepositoryOptions.ts"

const symbol = Args.text({ name: "SYMBOL" }).pipe(
  Args.withDescription("A name (append, Forest.append), PATH:NAME, PATH:LINE, a file, or a folder"),
)

/** Steps of `--impact`: in most projects it reaches everything before. */
const MAX_DEPTH = 20

const MAX_LIMIT = 10_000

const why = Options.boolean("why").pipe(Options.withDescription("Print how a model came to write the purpose"))

const callers = Options.boolean("callers").pipe(Options.withDescription("List what uses the symbol, with the lines"))

const callees = Options.boolean("callees").pipe(Options.withDescription("List what the symbol uses"))

const impact = Options.boolean("impact").pipe(
  Options.withDescription("List what depends on the symbol: what uses it, what uses that, and so on"),
)

const depth = numberOption(
  "depth",
  (steps) => Number.isInteger(steps) && steps >= 1 && steps <= MAX_DEPTH,
  `a number from 1 to ${MAX_DEPTH}`,
).pipe(Options.withDescription(`Follow --impact for N steps, 1 to ${MAX_DEPTH} (default: 3)`))

const limit = numberOption(
  "limit",
  (count) => Number.isInteger(count) && count >= 1 && count <= MAX_LIMIT,
  `a number from 1 to ${MAX_LIMIT}`,
).pipe(Options.withDescription("List at most N symbols, of --impact at each distance (default: 30)"))

const { repo, workspace } = RepositoryOptions

const config = { symbol, root, repo, workspace, why, callers, callees, impact, depth, limit, json }

export type Input = InputOf<typeof config>

export const show = lazy("show", config, () => import("./run.ts")).pipe(
  Command.withDescription("Show a symbol, all symbols of a file, or the main ones of a folder"),
)

export const examples = [
  "vibe show Forest.append",
  "vibe show src/forest/Forest.ts:append",
  "vibe show src/forest/Forest.ts",
  "vibe show src/forest",
  "vibe show --why Forest.append",
  "vibe show --callers --callees Forest.append",
  "vibe show --impact --depth 2 Forest.append",
  "vibe show --repo ../api --repo ../web api/src/main.ts:12",
]
