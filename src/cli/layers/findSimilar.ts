/** The symbols with the vectors nearest to that of a question, by the user's settings. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Embedders from "../../app/Embedders.ts"
import * as RequestPolicy from "../../app/RequestPolicy.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import type { SimilarSymbol } from "../../index/IndexStore.ts"
import * as NearestSymbols from "../../index/NearestSymbols.ts"
import * as Failure from "../Failure.ts"

/** `root` is that of a workspace. */
export type FindSimilar = (root: string, question: string) => Effect.Effect<ReadonlyArray<SimilarSymbol>>

/**
 * Makes a search that keeps the vectors it has read. It finds nothing if the user has set no model. If vectors should
 * be there and are not, a warning says why.
 */
export const make = (): FindSimilar => {
  const finders = new Map<string, NearestSymbols.Finder>()
  return Effect.fnUntraced(function* (root: string, question: string) {
    const opened = yield* Effect.either(Effect.fromNullable(finders.get(root)).pipe(Effect.orElse(() => open(root))))
    if (Either.isRight(opened)) finders.set(root, opened.right)
    const { problem, symbols } = Either.isRight(opened)
      ? yield* opened.right(root, question)
      : { symbols: [], problem: Failure.sentence(opened.left) }
    if (problem !== undefined) yield* Effect.logWarning(`the search goes by words alone: ${problem}`)
    return symbols
  })
}

const open = (root: string) =>
  Effect.gen(function* () {
    const settings = yield* AppConfig.embedding
    if (Option.isNone(settings)) return nothing
    const { dimensions, model } = settings.value
    return NearestSymbols.makeFinder(yield* Embedders.open(model, dimensions))
  }).pipe(
    Effect.provide(RequestPolicy.layer(withoutFlags)),
    Effect.provide(Sources.layer(root)),
    Effect.provide(NodeFiles.layer),
  )

const nothing: NearestSymbols.Finder = () => Effect.succeed({ symbols: [], problem: undefined })

const withoutFlags: AppConfig.RequestPolicy = {
  maxRetries: Option.none(),
  maxWait: Option.none(),
  maxCost: Option.none(),
  maxRunTokens: Option.none(),
  record: Option.none(),
  replay: Option.none(),
}
