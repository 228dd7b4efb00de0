/** How long a command goes on with a provider that fails: as its options say, else as it is set, else as is built in. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AppConfig from "../config/AppConfig.ts"
import { Patience } from "../model/Patience.ts"

const unsaid: AppConfig.Patience = { maxRetries: Option.none(), maxWait: Option.none() }

export const layer = (said: AppConfig.Patience = unsaid) =>
  Layer.effect(
    Patience,
    Effect.gen(function* () {
      const set = yield* AppConfig.patience
      const builtIn = yield* Patience
      return {
        maxRetries: Option.getOrElse(
          Option.orElse(said.maxRetries, () => set.maxRetries),
          () => builtIn.maxRetries,
        ),
        maxWait: Option.match(
          Option.orElse(said.maxWait, () => set.maxWait),
          { onNone: () => builtIn.maxWait, onSome: Duration.seconds },
        ),
      }
    }),
  )
