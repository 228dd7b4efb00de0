/** Models that answer when a test lets them, and what a page sees of their answers. */
import { Deferred, Effect } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"

export const finish = Part.Finish({ reason: "stop", usage: Usage.none })

/** Answers in two parts, and goes on to the second one when it is let. */
export const gated = (name = "gated") =>
  Effect.map(Deferred.make<void>(), (gate) => {
    const requests: Array<Request> = []
    const model = LanguageModel.make(new ModelId({ provider: "scripted", name }), (request, emit) =>
      Effect.gen(function* () {
        requests.push(request)
        yield* emit([Part.Text({ text: `${name} begins` })])
        yield* Deferred.await(gate)
        yield* emit([Part.Text({ text: " and ends" }), finish])
      }),
    )
    return {
      model,
      requests,
      open: Effect.runSync(Effect.sync(() => () => Effect.runPromise(Deferred.succeed(gate, undefined)))),
    }
  })

export const isDone = (event: { readonly type: string; readonly answer?: unknown }) =>
  event.type === "answer" && (event.answer as { state: string }).state !== "running"

export const textsOf = (messages: ReadonlyArray<{ readonly text: string }>) => messages.map(({ text }) => text)
