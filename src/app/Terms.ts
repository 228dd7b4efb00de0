/** On what terms models are asked: as the command's options say, else as it is set, else as is built in. */
import type { ConfigError } from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Files from "../code/Files.ts"
import * as AppConfig from "../config/AppConfig.ts"
import { UsageError } from "../message/UsageError.ts"
import * as Budget from "../model/Budget.ts"
import { Patience } from "../model/Patience.ts"
import { type Service, Tape } from "../model/Tape.ts"

/** `said` by the command line. */
export const layer = (said: AppConfig.Terms): Layer.Layer<never, ConfigError | UsageError, Files.Files> =>
  Layer.unwrapEffect(
    Effect.map(AppConfig.terms, (set) => {
      const or = <A>(one: Option.Option<A>, other: Option.Option<A>) => Option.orElse(one, () => other)
      const [maxCost, maxTokens] = [or(said.maxCost, set.maxCost), or(said.maxRunTokens, set.maxRunTokens)]
      return Layer.mergeAll(
        Layer.effect(Patience, patience(or(said.maxRetries, set.maxRetries), or(said.maxWait, set.maxWait))),
        Option.isNone(maxCost) && Option.isNone(maxTokens)
          ? Layer.empty
          : Layer.effect(Budget.Budget, budget(maxCost, maxTokens)),
        taping(or(said.record, set.record), or(said.replay, set.replay)),
      )
    }),
  )

const patience = (maxRetries: Option.Option<number>, maxWait: Option.Option<number>) =>
  Effect.map(Patience, (builtIn) => ({
    maxRetries: Option.getOrElse(maxRetries, () => builtIn.maxRetries),
    maxWait: Option.match(maxWait, { onNone: () => builtIn.maxWait, onSome: Duration.seconds }),
  }))

const budget = (maxCost: Option.Option<number>, maxTokens: Option.Option<number>) =>
  Budget.make({ maxCost: Option.getOrUndefined(maxCost), maxTokens: Option.getOrUndefined(maxTokens) })

const taping = (
  record: Option.Option<string>,
  replay: Option.Option<string>,
): Layer.Layer<never, UsageError, Files.Files> => {
  if (Option.isNone(record) && Option.isNone(replay)) return Layer.empty
  if (Option.isSome(record) && Option.isSome(replay)) {
    return Layer.fail(new UsageError({ message: "there is either --record or --replay" }))
  }
  return Layer.effect(
    Tape,
    Effect.flatMap(
      Effect.promise(() => import("./Taping.ts")),
      ({ recorder, replayer }) =>
        Option.match(record, {
          onSome: (folder): Effect.Effect<Service, UsageError, Files.Files> => recorder(folder),
          onNone: () => replayer(Option.getOrElse(replay, () => "")),
        }),
    ),
  )
}
