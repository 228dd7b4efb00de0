/**
 * How models are requested: retries, the budget of the run, and recording. Options come before
 * settings, and those before defaults.
 */
import type { ConfigError } from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { UsageError } from "../base/UsageError.ts"
import type * as Files from "../code/Files.ts"
import * as AppConfig from "../config/AppConfig.ts"
import { RetryPolicy } from "../model/Retry.ts"
import * as RunBudget from "../model/RunBudget.ts"
import { type Service, Transport } from "../model/Transport.ts"

/** `options` are those of the command line. */
export const layer = (options: AppConfig.RequestPolicy): Layer.Layer<never, ConfigError | UsageError, Files.Files> =>
  Layer.unwrapEffect(
    Effect.map(AppConfig.requestPolicy, (settings) => {
      const or = <A>(one: Option.Option<A>, other: Option.Option<A>) => Option.orElse(one, () => other)
      const [maxCost, maxTokens] = [
        or(options.maxCost, settings.maxCost),
        or(options.maxRunTokens, settings.maxRunTokens),
      ]
      return Layer.effect(
        RetryPolicy,
        retryPolicy(or(options.maxRetries, settings.maxRetries), or(options.maxWait, settings.maxWait)),
      ).pipe(
        Layer.provideMerge(
          Option.isNone(maxCost) && Option.isNone(maxTokens)
            ? Layer.empty
            : Layer.effect(RunBudget.RunBudget, runBudget(maxCost, maxTokens)),
        ),
        Layer.provideMerge(transport(or(options.record, settings.record), or(options.replay, settings.replay))),
      )
    }),
  )

const retryPolicy = (maxRetries: Option.Option<number>, maxWait: Option.Option<number>) =>
  Effect.map(RetryPolicy, (builtIn) => ({
    maxRetries: Option.getOrElse(maxRetries, () => builtIn.maxRetries),
    maxWait: Option.match(maxWait, { onNone: () => builtIn.maxWait, onSome: Duration.seconds }),
  }))

const runBudget = (maxCost: Option.Option<number>, maxTokens: Option.Option<number>) =>
  RunBudget.make({ maxCost: Option.getOrUndefined(maxCost), maxTokens: Option.getOrUndefined(maxTokens) })

const transport = (
  record: Option.Option<string>,
  replay: Option.Option<string>,
): Layer.Layer<never, UsageError, Files.Files> => {
  if (Option.isNone(record) && Option.isNone(replay)) return Layer.empty
  if (Option.isSome(record) && Option.isSome(replay)) {
    return Layer.fail(new UsageError({ message: "there is either --record or --replay" }))
  }
  return Layer.scoped(
    Transport,
    Effect.flatMap(
      Effect.promise(() => import("./Recordings.ts")),
      ({ recorder, replayer }) =>
        Option.match(record, {
          onSome: (folder): Effect.Effect<Service, UsageError, Files.Files | Scope.Scope> => recorder(folder),
          onNone: () => replayer(Option.getOrElse(replay, () => "")),
        }),
    ),
  )
}
