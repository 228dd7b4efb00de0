/** The layers of `vibe chat` and `vibe prd`: the forest, the models, files, tools, and a view of the session. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Models from "../../app/Models.ts"
import { processEnvironment } from "../../app/OwnProcess.ts"
import * as RequestPolicy from "../../app/RequestPolicy.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import type * as Files from "../../code/Files.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as TerminalConfig from "../../config/TerminalConfig.ts"
import type * as View from "../../conversation/View.ts"
import * as ForestLayer from "../layers/ForestLayer.ts"
import * as OfferedToolsLayer from "../layers/OfferedToolsLayer.ts"
import { lazily } from "../Table.ts"
import * as Screen from "../terminal/Screen.ts"

export interface Options extends ForestLayer.Options, AppConfig.RequestPolicy {
  /** The conversation to continue. */
  readonly resume: Option.Option<string>
  readonly plain: boolean
  readonly json: boolean
}

const linesView = lazily(
  async () => ({
    view: await import("../View/Lines.ts"),
    reader: await import("../View/LineReader/Node.ts"),
  }),
  ({ reader, view }) => Layer.provide(view.layer, reader.layer),
)

const jsonView = lazily(
  async () => ({
    view: await import("../View/Json.ts"),
    reader: await import("../View/LineReader/Node.ts"),
  }),
  ({ reader, view }) => Layer.provide(view.layer, reader.layer),
)

const terminalView = lazily(
  () => import("../View/Terminal.ts"),
  ({ layer }) => layer(processEnvironment()),
)

const saves = lazily(
  () => import("../../conversation/document/Saves.ts"),
  ({ layer }) => layer,
)

/** The terminal view needs a terminal on both ends. */
const view = (options: Options) =>
  Layer.unwrapEffect(
    Effect.gen(function* (): Effect.fn.Return<
      Layer.Layer<View.View, never, Files.Files | Screen.Screen>,
      never,
      Screen.Screen
    > {
      const { out } = yield* Screen.Screen
      if (options.json) return jsonView
      const isPlain = options.plain || (yield* Effect.orDie(TerminalConfig.takesLinesOnly))
      return isPlain || !out.isTerminal || !process.stdin.isTTY ? linesView : terminalView
    }),
  )

export const layer = (options: Options) =>
  Models.layer.pipe(
    Layer.provideMerge(view(options)),
    Layer.provideMerge(saves),
    Layer.provideMerge(OfferedToolsLayer.layer),
    Layer.provideMerge(ForestLayer.layerOrMemory(options, Option.isSome(options.resume))),
    Layer.provideMerge(RequestPolicy.layer(options)),
    Layer.provideMerge(Sources.layer(".")),
    Layer.provideMerge(NodeFiles.layer),
  )
