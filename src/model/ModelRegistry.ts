/**
 * The port from a model id to the model. Its implementation in `app/` imports the code of a provider only when one of
 * its models is opened.
 */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { ModelInfo } from "./ModelCatalog.ts"
import type { ModelError } from "./ModelError.ts"

/**
 * Opens a model by its id, such as `google/gemini-2.5-flash`.
 *
 * When to use it: if a setting or a user names the model while the program runs. A program that always uses the same
 * model provides it as its `LanguageModel` instead. The registry of the command line reads keys and servers from vibe's
 * configuration and is not exported: a program that embeds vibe lists the providers that it wants.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { ModelError, ModelId, ModelRegistry } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const registry = Layer.succeed(ModelRegistry.ModelRegistry, {
 *   providers: ["scripted"],
 *   known: Effect.succeed([]),
 *   open: (id) =>
 *     id.provider === "scripted"
 *       ? Scripted.make(["Hello."], id.name)
 *       : new ModelError.ModelError({
 *           model: String(id),
 *           reason: new ModelError.Misconfigured({ message: `there is no provider '${id.provider}'` }),
 *         }),
 * })
 *
 * const program = Effect.gen(function* () {
 *   const { open } = yield* ModelRegistry.ModelRegistry
 *   const model = yield* Effect.flatMap(ModelId.parse("scripted/greeter"), open)
 *   yield* Console.log(String(model.id))
 * })
 *
 * await Effect.runPromise(Effect.provide(program, registry))
 * // prints: scripted/greeter
 * ```
 */
export class ModelRegistry extends Context.Tag("vibe/model/ModelRegistry")<ModelRegistry, Service>() {}

export interface Service {
  /** The names of the providers, as in model ids. */
  readonly providers: ReadonlyArray<string>
  /**
   * Opens a model. Fails with `Unauthorized` if a key is missing. Fails with `Misconfigured` or a `ConfigError` if the
   * provider is unknown or its settings are invalid. Settings of other providers are not read.
   */
  readonly open: (id: ModelId) => Effect.Effect<LanguageModel.Service, ConfigError | ModelError>
  /** The models of the catalogue, sorted by id. The first call loads its tables. */
  readonly known: Effect.Effect<ReadonlyArray<ModelInfo>, ConfigError>
}
