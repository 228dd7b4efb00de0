/** The whole program: each command with the layers it runs on, loaded when it runs. The only module that chooses. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ask } from "../cli/ask/command.ts"
import { chat } from "../cli/chat/command.ts"
import { completion } from "../cli/completion/command.ts"
import { config } from "../cli/config/command.ts"
import { discover } from "../cli/discover/command.ts"
import type * as Failure from "../cli/Failure.ts"
import { index } from "../cli/index/command.ts"
import { models } from "../cli/models/command.ts"
import { prd } from "../cli/prd/command.ts"
import { query } from "../cli/query/command.ts"
import { show } from "../cli/show/command.ts"
import { status } from "../cli/status/command.ts"
import type * as Screen from "../cli/terminal/Screen.ts"
import type * as Asking from "./Asking.ts"
import type * as Chatting from "./Chatting.ts"
import type * as Conversing from "./Conversing.ts"
import type * as Exploring from "./Exploring.ts"
import { inherited } from "./inherited.ts"

/** Layers that are loaded when they are built. */
export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  layer: (module: M) => Layer.Layer<A, E, R>,
): Layer.Layer<A, E, R> => Layer.unwrapEffect(Effect.map(Effect.promise(load), layer))

/** For the commands that read settings, or files that are named. */
export const files = lazily(
  () => import("../code/Files/Node.ts"),
  ({ layer }) => layer,
)

const exploring = (options: Exploring.Options) =>
  lazily(
    () => import("./Exploring.ts"),
    ({ layer }) => layer(options),
  )

const reading = lazily(
  () => import("./Code.ts"),
  ({ layer }) => layer,
)

export const conversing = (options: Conversing.Options) =>
  lazily(
    () => import("./Conversing.ts"),
    ({ layer }) => layer(options),
  )

const completing = (options: { readonly words: ReadonlyArray<string> }) =>
  lazily(
    () => import("./Completing.ts"),
    ({ layer }) => layer(options),
  )

const asking = (options: Asking.Options) =>
  lazily(
    () => import("./Asking.ts"),
    ({ layer }) => layer(options),
  )

const chatting = (options: Chatting.Options) =>
  lazily(
    () => import("./Chatting.ts"),
    ({ layer }) => layer(options),
  )

const discovering = (options: Chatting.Options) =>
  lazily(
    () => import("./Discovering.ts"),
    ({ layer }) => layer(options),
  )

/** Tasks of a PRD go there. */
const beads = lazily(
  () => import("../cli/prd/Beads/Node.ts"),
  ({ layer }) => layer(inherited()),
)

const knowing = lazily(
  () => import("./Knowing.ts"),
  ({ layer }) => layer,
)

/** All commands but those of `vibe loom`. */
export const commands = [
  Command.provide(index, exploring),
  Command.provide(query, reading),
  // Without `--why` no conversation is looked at.
  Command.provide(show, ({ why }) => Layer.merge(reading, conversing({ forest: Option.none(), ephemeral: !why }))),
  Command.provide(status, reading),
  Command.provide(ask, asking),
  Command.provide(chat, chatting),
  Command.provide(prd, (options) => Layer.merge(chatting(options), beads)),
  Command.provide(discover, discovering),
  Command.provide(models, knowing),
  Command.provide(config, files),
  Command.provide(completion, completing),
] as const

/** Has what it needs but for a screen: `main` gives nothing else. */
export const ready = <A>(vibe: Command.Command<"vibe", Screen.Screen, Failure.DetailedFailure | Failure.Failure, A>) =>
  vibe

export const vibe = ready(Command.make("vibe").pipe(Command.withSubcommands(commands)))
