/** What `vibe ask` runs on: the forest, the models there are, files to show, and tools where they are wanted. */
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Unkept from "../cli/Unkept.ts"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import type * as AppConfig from "../config/AppConfig.ts"
import * as Sources from "../config/Sources.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as App from "./App.ts"
import * as Conversing from "./Conversing.ts"
import * as Models from "./Models.ts"
import * as Pulled from "./Pulled.ts"
import * as Terms from "./Terms.ts"

export interface Options extends Conversing.Options, AppConfig.Terms {
  /** A conversation to go on with. */
  readonly continued: Option.Option<string>
  readonly tools: boolean
}

/** A forest that cannot be opened is missed by nobody who does not go on with what is in it. */
const conversations = (options: Options) =>
  Conversing.layer(options).pipe(
    Layer.catchAll((error) =>
      Option.isSome(options.continued) || (!ConfigError.isConfigError(error) && error._tag === "UsageError")
        ? Layer.fail(error)
        : Layer.unwrapEffect(
            Effect.as(Unkept.warn(error), Conversing.layer({ forest: Option.none(), ephemeral: true })),
          ),
    ),
  )

const looking = App.lazily(
  () => import("./Looking.ts"),
  ({ layer }) => layer,
)

export const layer = (options: Options) =>
  Layer.mergeAll(
    conversations(options),
    options.tools ? looking : ToolRegistry.layer([]),
    Models.layer,
    Pulled.layer,
    FilesOfThisMachine.layer,
  ).pipe(Layer.provideMerge(Terms.layer(options)), Layer.provideMerge(Sources.layer(".")))
