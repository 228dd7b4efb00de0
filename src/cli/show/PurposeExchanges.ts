/** The port of `vibe show --why` to the conversations that wrote purposes; `None` without `--why`. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type * as PurposeExchange from "./PurposeExchange.ts"

export class PurposeExchanges extends Context.Tag("vibe/cli/show/PurposeExchanges")<
  PurposeExchanges,
  Option.Option<Service>
>() {}

/** The functions of `PurposeExchange`, over the forest of this user. */
export interface Service {
  readonly toJson: (entry: IndexEntry) => WithoutNeeds<typeof PurposeExchange.toJson>
  readonly toText: (entry: IndexEntry, format: PurposeExchange.Format) => WithoutNeeds<typeof PurposeExchange.toText>
}

type WithoutNeeds<F extends (...args: never) => Effect.Effect<unknown, unknown, unknown>> = Effect.Effect<
  Effect.Effect.Success<ReturnType<F>>,
  Effect.Effect.Error<ReturnType<F>>
>
