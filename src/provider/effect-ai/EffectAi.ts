/**
 * Uses any language model of `@effect/ai`, so that a program can pass its own layer. Tools are declared to it and never
 * run by it: calls are returned to the caller.
 *
 * Limitations compared with our own adapters:
 * - A call of an unknown tool, or with arguments that are not JSON, fails the whole answer: the model receives a
 *   correction and answers again, twice at most.
 * - Temperature, output limit and answer schema of a request are ignored: the layer has its own settings.
 * - The layer holds the key. It is redacted from error responses. Within an answer, errors
 *   lose only what looks like a key.
 * - Unknown finish reasons, unreadable answers, HTML pages and documents in place of a stream count as incomplete.
 * - Tool results reach the model as JSON strings, with quotes and escapes.
 * - An answer that failed at OpenAI ends as if it were complete.
 * - Redirects are followed if the layer's HTTP client follows them. Its request options
 *   (`FetchHttpClient.RequestInit` with `redirect: "manual"`) can disable that.
 * - Images of the assistant are not sent back. Thinking is sent back to the same model if its layer exposes the
 *   signatures: those for Anthropic and OpenAI do, Google's does not.
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
import * as Attempt from "../transport/attempt.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import * as EffectAiErrors from "./errors.ts"
import * as EffectAiReply from "./reply.ts"
import { makeEncoder, toolsOf } from "./request.ts"

/** `id` names the model in this program and in stored messages. */
export const make = (id: ModelId): Effect.Effect<LanguageModel.Service, never, AiLanguageModel.LanguageModel> =>
  Effect.map(AiLanguageModel.LanguageModel, (model) => LanguageModel.make(id, attempt(id, model)))

/** The layer needs the model of `@effect/ai`. */
export const layer = (id: ModelId): Layer.Layer<LanguageModel.LanguageModel, never, AiLanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, make(id))

const attempt = (id: ModelId, model: AiLanguageModel.Service): LanguageModel.Attempt => {
  const name = String(id)
  const encode = makeEncoder(name)
  return (request, emit) =>
    Effect.gen(function* () {
      const decoder = EffectAiReply.decoder({
        model: name,
        tools: request.tools,
        streamError: EffectAiErrors.fromStreamError,
      })
      const answer = yield* Ref.make(decoder.initial)
      const checkSize = UnusableAnswer.makeSizeCheck()
      const failed = (reason: Reason) =>
        Effect.flatMap(Ref.get(answer), ({ usage }) => new ModelError({ model: name, reason, usage }))
      const read = Effect.fnUntraced(function* (part: EffectAiReply.StreamPart) {
        const [next, parts] = yield* decoder.decodeChunk(yield* Ref.get(answer), part)
        yield* Ref.set(answer, next)
        const excess = checkSize(parts)
        if (excess !== undefined) return yield* excess
        yield* emit(parts)
      })
      yield* parts(model, encode(request), request).pipe(
        Stream.runForEach(read),
        Effect.zipRight(Effect.flatMap(Ref.get(answer), decoder.end)),
        Effect.flatMap(emit),
        Effect.catchAll(failed),
      )
    })
}

const parts = (
  model: AiLanguageModel.Service,
  prompt: ReturnType<ReturnType<typeof makeEncoder>>,
  request: Request,
): Stream.Stream<EffectAiReply.StreamPart, Reason> => {
  const names = request.tools.map(({ name }) => name)
  // The declared type requires tools known at compile time.
  const options = { prompt, ...toolsOf(request), disableToolCallResolution: true }
  const stream = model.streamText(options) as Stream.Stream<EffectAiReply.StreamPart, AiError.AiError>
  return stream.pipe(
    Stream.mapError((error) => EffectAiErrors.toReason(error, names)),
    Stream.timeoutFail(() => idleError, idleLimit),
  )
}

/** The time limit is longer than for our own adapters, since the keep-alive messages of servers are not passed on. */
const idleLimit = Attempt.loadingTimeout

const idleError = new StreamIncomplete({ message: `no data arrived for ${Duration.format(idleLimit)}` })
