/** The models there are. Each provider is loaded when one of its models is opened. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as AppConfig from "../config/AppConfig.ts"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { Misconfigured, ModelError, type Reason } from "../model/ModelError.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import * as Successor from "../model/Successor.ts"

type Open = (id: ModelId) => Effect.Effect<LanguageModel.Service, ConfigError | ModelError>

export const make = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const settings = yield* Effect.configProviderWith(Effect.succeed)
  // Loaded with the first model that is elsewhere: no other has limits that matter.
  const catalog = yield* Effect.promise(() => import("./Catalog.ts")).pipe(
    Effect.flatMap(({ make }) => make),
    Effect.provideService(FileSystem.FileSystem, files),
    Effect.withConfigProvider(settings),
    Effect.cached,
  )
  // Read now, and complained of when it is needed: what is wrong with one provider is nothing to the others.
  const googleSettings = yield* Effect.either(Config.all([AppConfig.googleApiKey, AppConfig.googleBaseUrl]))

  const google: Open = Effect.fnUntraced(function* (id) {
    const [key, url] = yield* googleSettings
    const apiKey = Option.getOrElse(key, () => Redacted.make(""))
    const baseUrl = Option.getOrUndefined(url)
    const Gemini = yield* Effect.promise(() => import("../provider/Gemini.ts"))
    yield* Effect.mapError(Gemini.keyOf(apiKey), failed(id))
    const open = ({ name }: ModelId) => Gemini.make({ apiKey, model: name, baseUrl })
    return { ...Successor.orSuccessor(open(id), open), limits: yield* (yield* catalog).limits(id) }
  })

  const offline: Open = () =>
    Effect.map(
      Effect.promise(() => import("../provider/Offline.ts")),
      ({ make }) => make,
    )

  /** `scripted/PATH.json`: a run told beforehand, for demonstrations and tests of the whole program. */
  const scripted: Open = Effect.fnUntraced(function* (id) {
    const Scripted = yield* Effect.promise(() => import("../provider/Scripted.ts"))
    const script = yield* Effect.mapError(files.readFileString(id.name), () =>
      failed(id)(new Misconfigured({ message: "there is no such script, or it cannot be read" })),
    )
    return yield* Scripted.fromJson(id.name, script)
  })

  const providers = new Map([
    ["google", google],
    ["offline", offline],
    ["scripted", scripted],
  ])
  const names = Array.from(providers.keys())
  return ModelRegistry.ModelRegistry.of({
    providers: names,
    open: Effect.fn("ModelRegistry.open")((id) => {
      const message = `there is no provider '${id.provider}'; there are ${names.join(", ")}`
      return providers.get(id.provider)?.(id) ?? Effect.fail(failed(id)(new Misconfigured({ message })))
    }),
  })
})

/** Needs the file system for scripts, and for what the user has fetched of what is known of models. */
export const layer: Layer.Layer<ModelRegistry.ModelRegistry, never, FileSystem.FileSystem> = Layer.effect(
  ModelRegistry.ModelRegistry,
  make,
)

const failed = (id: ModelId) => (reason: Reason) => new ModelError({ model: String(id), reason })
