/** Puts the results of `vibe query` in order by a model. Loaded only if one is named. */
import * as Effect from "effect/Effect"
import { TurnEvent } from "../../agent/TurnEvent.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Reranking from "../../explore/Reranking.ts"
import type { Hit } from "../../index/IndexStore.ts"
import type { Rerank } from "../../lookup/Query.ts"
import * as Cost from "../../model/Cost.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { ModelError } from "../../model/ModelError.ts"
import * as TurnNotices from "../conversation/TurnNotices.ts"
import { tokens } from "../index/Progress.ts"
import * as Screen from "../terminal/Screen.ts"

/** `onEnd` receives the fields that `--json` prints about the ranking. */
export const rankBy = (
  model: LanguageModel.Service,
  question: string,
  err: Screen.Stream,
  onEnd: (used: object) => void,
): Rerank<ModelError> => {
  const print = TurnNotices.print(err)
  const observer: LanguageModel.Observer = {
    retry: (retrying) => print(TurnEvent.RetryScheduled(retrying)),
    replaced: (by, error) => print(TurnEvent.ModelReplaced({ by, error })),
  }
  const order = Effect.fn("rankBy")(function* (hits: ReadonlyArray<Hit>) {
    const entries = hits.map(({ entry }) => entry)
    const { named, order, reply } = yield* Reranking.rerank(model, question, entries, observer)
    const cost = Cost.ofReply(model, reply)
    const spent = `${tokens(reply.usage)} tokens${cost === 0 ? "" : `, ${Cost.describe(cost)}`}`
    const shown = plural(Math.min(hits.length, Reranking.MAX_RESULTS), "result")
    const did =
      named === 0
        ? `answered with no list of numbers, so the ${shown} stay in the order of the search`
        : `put ${shown} in order`
    yield* Screen.line(err, sanitizeLine(`vibe: ${reply.model} ${did}: ${spent}`))
    const { cachedTokens, inputTokens, outputTokens, thinkingTokens } = reply.usage
    onEnd({
      model: String(reply.model),
      named,
      usage: { inputTokens, outputTokens, cachedInputTokens: cachedTokens, reasoningTokens: thinkingTokens },
      cost: cost ?? null,
    })
    return { hits: order.flatMap((at) => hits[at] ?? []), relevant: named === 0 ? undefined : named }
  })
  return { results: Reranking.MAX_RESULTS, order }
}
