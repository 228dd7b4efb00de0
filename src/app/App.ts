/** The program: each command with its layer, which is loaded when the command runs. */
import * as Command from "@effect/cli/Command"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ask } from "../cli/ask/command.ts"
import { chat } from "../cli/chat/command.ts"
import { check } from "../cli/check/command.ts"
import { completion } from "../cli/completion/command.ts"
import { config } from "../cli/config/command.ts"
import { diff } from "../cli/diff/command.ts"
import { discover } from "../cli/discover/command.ts"
import type * as Failure from "../cli/Failure.ts"
import { index } from "../cli/index/command.ts"
import { install } from "../cli/install/command.ts"
import { map } from "../cli/map/command.ts"
import { mcp } from "../cli/mcp/command.ts"
import { mergeDriver } from "../cli/merge-driver/command.ts"
import { models } from "../cli/models/command.ts"
import { prd } from "../cli/prd/command.ts"
import { query } from "../cli/query/command.ts"
import { RankingModel } from "../cli/query/RankingModel.ts"
import { serve } from "../cli/serve/command.ts"
import { show } from "../cli/show/command.ts"
import { status } from "../cli/status/command.ts"
import type * as Screen from "../cli/terminal/Screen.ts"
import { watch } from "../cli/watch/command.ts"
import { worker } from "../cli/worker/command.ts"
import type { ModelId } from "../message/ModelId.ts"
import type * as AskLayer from "./AskLayer.ts"
import type * as ChatLayer from "./ChatLayer.ts"
import type * as ForestLayer from "./ForestLayer.ts"
import * as GitLayer from "./GitLayer.ts"
import type * as IndexLayer from "./IndexLayer.ts"
import { lazily } from "./Lazy.ts"
import { processEnvironment } from "./processEnvironment.ts"
import type * as QueryLayer from "./QueryLayer.ts"
import type * as ServeLayer from "./ServeLayer.ts"
import type * as WatchLayer from "./WatchLayer.ts"
import type * as WorkerLayer from "./WorkerLayer.ts"

/** For commands that read settings, or files that the user names. */
export const files = lazily(
  () => import("../code/Files/Node.ts"),
  ({ layer }) => layer,
)

/** For commands that may begin a conversation. See `ForestLayer.layerFound` for those that only read or change one. */
export const forest = (options: ForestLayer.Options) =>
  lazily(
    () => import("./ForestLayer.ts"),
    ({ layer }) => layer(options),
  )

const code = lazily(
  () => import("./CodeLayer.ts"),
  ({ layer }) => layer,
)

const watchLayer = (options: WatchLayer.Options) =>
  lazily(
    () => import("./WatchLayer.ts"),
    ({ layer }) => layer(options),
  )

const workerLayer = (options: WorkerLayer.Options) =>
  lazily(
    () => import("./WorkerLayer.ts"),
    ({ layer }) => layer(options),
  )

const indexLayer = (options: IndexLayer.Options) =>
  lazily(
    () => import("./IndexLayer.ts"),
    ({ layer }) => layer(options),
  )

const noModel = Layer.succeed(RankingModel, Option.none())

const modelOfQuery = (options: QueryLayer.Options) => (model: ModelId) =>
  lazily(
    () => import("./QueryLayer.ts"),
    ({ layer }) => layer(model, options),
  )

const review = lazily(
  () => import("./ReviewLayer.ts"),
  ({ layer }) => layer,
)

const completionLayer = (options: { readonly words: ReadonlyArray<string> }) =>
  lazily(
    () => import("./CompletionLayer.ts"),
    ({ layer }) => layer(options),
  )

const askLayer = (options: AskLayer.Options) =>
  lazily(
    () => import("./AskLayer.ts"),
    ({ layer }) => layer(options),
  )

const chatLayer = (options: ChatLayer.Options) =>
  lazily(
    () => import("./ChatLayer.ts"),
    ({ layer }) => layer(options),
  )

const discoverLayer = (options: ChatLayer.Options) =>
  lazily(
    () => import("./DiscoverLayer.ts"),
    ({ layer }) => layer(options),
  )

/** The layer of Beads, in which `vibe prd` creates issues. */
const beads = lazily(
  () => import("../cli/prd/Beads/Node.ts"),
  ({ layer }) => layer(processEnvironment()),
)

const installLayer = lazily(
  () => import("./InstallLayer.ts"),
  ({ layer }) => layer,
)

const modelsLayer = lazily(
  () => import("./ModelsLayer.ts"),
  ({ layer }) => layer,
)

const mcpLayer = lazily(
  () => import("./McpLayer.ts"),
  ({ layer }) => layer,
)

const serveLayer = (options: ServeLayer.Options) =>
  lazily(
    () => import("./ServeLayer.ts"),
    ({ layer }) => layer(options),
  )

/** All commands but those of `vibe loom`. */
export const commands = [
  Command.provide(index, (options) => Layer.provideMerge(indexLayer(options), GitLayer.layer)),
  Command.provide(query, (options) =>
    // The model is opened before the index is.
    Layer.provideMerge(
      Layer.provideMerge(code, GitLayer.layer),
      Option.match(options.model, { onNone: () => noModel, onSome: modelOfQuery(options) }),
    ),
  ),
  // Without `--why` no conversation is read.
  Command.provide(show, ({ why }) => Layer.provideMerge(code, forest({ forest: Option.none(), ephemeral: !why }))),
  Command.provide(map, code),
  Command.provide(status, Layer.provideMerge(code, GitLayer.layer)),
  Command.provide(watch, watchLayer),
  Command.provide(worker, workerLayer),
  Command.provide(check, review),
  Command.provide(diff, review),
  Command.provide(ask, askLayer),
  Command.provide(chat, chatLayer),
  Command.provide(prd, (options) => Layer.provideMerge(beads, chatLayer(options))),
  Command.provide(discover, discoverLayer),
  Command.provide(serve, serveLayer),
  Command.provide(mcp, mcpLayer),
  Command.provide(models, modelsLayer),
  Command.provide(config, files),
  Command.provide(mergeDriver, review),
  Command.provide(install, installLayer),
  Command.provide(completion, completionLayer),
] as const

/** Checks that a command needs only a screen, which `main` provides, and fails only as `Failure` can show. */
export const checkRequirements = <A>(
  vibe: Command.Command<"vibe", Screen.Screen, Failure.DetailedFailure | Failure.Failure, A>,
) => vibe

export const vibe = checkRequirements(Command.make("vibe").pipe(Command.withSubcommands(commands)))
