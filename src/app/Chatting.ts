/** What conversations in the terminal run on: the forest, the models there are, files, tools, and a view of them. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Screen from "../cli/terminal/Screen.ts"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import type * as AppConfig from "../config/AppConfig.ts"
import * as Sources from "../config/Sources.ts"
import * as OfferedTools from "../session/OfferedTools.ts"
import * as App from "./App.ts"
import * as Conversing from "./Conversing.ts"
import { inherited } from "./inherited.ts"
import * as Models from "./Models.ts"
import * as Pulled from "./Pulled.ts"
import * as Terms from "./Terms.ts"

export interface Options extends Conversing.Options, AppConfig.RequestPolicy {
  /** A conversation to go on with. */
  readonly resume: Option.Option<string>
  readonly plain: boolean
  readonly json: boolean
}

const looking = Effect.flatMap(
  Effect.promise(() => import("./Looking.ts")),
  ({ some }) => some,
)

const offered = Layer.scoped(
  OfferedTools.OfferedTools,
  Effect.flatMap(Effect.context<Effect.Effect.Context<typeof looking>>(), (context) =>
    Effect.cached(Effect.provide(looking, context)),
  ),
)

const lines = App.lazily(
  async () => ({
    view: await import("../cli/View/Lines.ts"),
    reader: await import("../cli/View/LineReader/Node.ts"),
  }),
  ({ reader, view }) => Layer.provide(view.layer, reader.layer),
)

const json = App.lazily(
  async () => ({
    view: await import("../cli/View/Json.ts"),
    reader: await import("../cli/View/LineReader/Node.ts"),
  }),
  ({ reader, view }) => Layer.provide(view.layer, reader.layer),
)

const saves = App.lazily(
  () => import("../session/document/Saves/Node.ts"),
  ({ layer }) => layer,
)

const terminal = App.lazily(
  () => import("../cli/View/Terminal.ts"),
  ({ layer }) => layer(inherited()),
)

/** Drawn only where both ends of it are a terminal. */
const view = (options: Options) =>
  Layer.unwrapEffect(
    Effect.map(Screen.Screen, ({ out }) =>
      options.json ? json : options.plain || !out.isTerminal || !process.stdin.isTTY ? lines : terminal,
    ),
  )

export const layer = (options: Options) =>
  Layer.mergeAll(
    Conversing.layerIfKept(options, Option.isSome(options.resume)),
    offered,
    saves,
    view(options),
    Models.layer,
    Pulled.layer,
  ).pipe(
    Layer.provideMerge(Terms.layer(options)),
    Layer.provideMerge(Sources.layer(".")),
    Layer.provideMerge(FilesOfThisMachine.layer),
  )
