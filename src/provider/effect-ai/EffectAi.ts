/**
 * Any language model of `@effect/ai` as one of ours, so that a program that has such a layer can hand it on. Tools are
 * declared to it and never run by it: calls come back to whoever asked.
 *
 * What is lost on the way, compared with an adapter of our own:
 * - One call of a tool that was not offered, or with arguments that are no JSON, and the whole answer fails: the model
 *   is told so and asked again, twice at the most.
 * - A request's temperature, its most tokens and the schema of its answer do not pass: the layer has settings of its own
 *   for them.
 * - The key is the layer's. It is struck out of a refusal; of an error in an answer only what looks like a key is.
 * - An ending that the layer does not list, and an answer that it cannot read for another reason, is one that broke off;
 *   so is a page, or a document where a stream was asked for.
 * - Results of tools reach the model as JSON strings, with quotes and escapes.
 * - An answer that failed on the side of OpenAI ends as if it had been complete.
 * - Redirects are followed where the layer's HTTP client follows them: its request options (`FetchHttpClient.RequestInit`
 *   with `redirect: "manual"`) can turn that off.
 * - Pictures that a model drew are not sent back. Thoughts are, to the model that had them, where its layer tells what
 *   they were signed with: those for Anthropic and OpenAI do, Google's do not.
 */
import type * as AiError from "@effect/ai/AiError"
import * as AiLanguageModel from "@effect/ai/LanguageModel"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { ModelId } from "../../message/ModelId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { ModelError, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import * as Endings from "../shared/unusable.ts"
import * as Adapter from "../transport/attempt.ts"
import * as EffectAiError from "./errors.ts"
import * as EffectAiReply from "./reply.ts"
import { encoder, toolsOf } from "./request.ts"

/** `id` is what the model is called here, and in what is kept of it. */
export const make = (id: ModelId): Effect.Effect<LanguageModel.Service, never, AiLanguageModel.LanguageModel> =>
  Effect.map(AiLanguageModel.LanguageModel, (model) => LanguageModel.make(id, attempt(id, model)))

/** Needs the model of `@effect/ai`. */
export const layer = (id: ModelId): Layer.Layer<LanguageModel.LanguageModel, never, AiLanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, make(id))

const attempt = (id: ModelId, model: AiLanguageModel.Service): LanguageModel.Attempt => {
  const name = String(id)
  const encode = encoder(name)
  return (request, say) =>
    Effect.gen(function* () {
      const decoder = EffectAiReply.decoder({ model: name, tools: request.tools, broken: EffectAiError.broken })
      const answer = yield* Ref.make(decoder.start)
      const excess = Endings.counting()
      const failed = (reason: Reason) =>
        Effect.flatMap(Ref.get(answer), ({ usage }) => new ModelError({ model: name, reason, usage }))
      const read = Effect.fnUntraced(function* (part: EffectAiReply.StreamPart) {
        const [next, parts] = yield* decoder.step(yield* Ref.get(answer), part)
        yield* Ref.set(answer, next)
        const beyond = excess(parts)
        if (beyond !== undefined) return yield* beyond
        yield* say(parts)
      })
      yield* parts(model, encode(request), request).pipe(
        Stream.runForEach(read),
        Effect.zipRight(Effect.flatMap(Ref.get(answer), decoder.end)),
        Effect.flatMap(say),
        Effect.catchAll(failed),
      )
    })
}

const parts = (
  model: AiLanguageModel.Service,
  prompt: ReturnType<ReturnType<typeof encoder>>,
  request: Request,
): Stream.Stream<EffectAiReply.StreamPart, Reason> => {
  const names = request.tools.map(({ name }) => name)
  // Its own type of the parts is that of tools known beforehand, whose calls decode to what their schemas say.
  const asked = { prompt, ...toolsOf(request), disableToolCallResolution: true }
  const said = model.streamText(asked) as Stream.Stream<EffectAiReply.StreamPart, AiError.AiError>
  return said.pipe(
    Stream.mapError((error) => EffectAiError.toReason(error, names)),
    Stream.timeoutFail(() => silence, patience),
  )
}

/** Longer than of a wire of our own: what servers send to stay alive is not passed on. */
const patience = Adapter.loadingTimeout

const silence = new StreamIncomplete({ message: `nothing was heard for ${Duration.format(patience)}` })
