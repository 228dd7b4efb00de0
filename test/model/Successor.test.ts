import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, ModelNotFound, type Reason, Unauthorized } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import { withSuccessor } from "../../src/model/Successor.ts"

const hello: Request = { system: "", messages: [Message.user("hello")], tools: [] }
const deprecated = new ModelId({ provider: "google", name: "gemini-2.5-flash" })
const successor = new ModelId({ provider: "google", name: "gemini-flash-latest" })
const gone = new ModelNotFound({ message: "no longer available" })

/** A model that fails with `reason`, decorated; the models that received requests; and the observer's events. */
const decorated = (id: ModelId, reason: Reason) => {
  const requested: Array<string> = []
  const notified: Array<string> = []
  const opened: Array<string> = []
  const model = (id: ModelId, answer: ReadonlyArray<Part> | ModelError) =>
    LanguageModel.make(id, (_, say) =>
      Effect.suspend(() => {
        requested.push(id.name)
        return answer instanceof ModelError ? answer : say(answer)
      }),
    )
  const error = new ModelError({ model: String(id), reason })
  const answer = [Part.Text({ text: "hi" }), Part.Finish({ reason: "stop", usage: Usage.none })]
  const observer: LanguageModel.Observer = {
    replaced: (by, error) => Effect.sync(() => notified.push(`${by} for ${error.model}`)),
  }
  const decorated = withSuccessor(model(id, error), (id) => {
    opened.push(id.name)
    return model(id, answer)
  })
  return { model: decorated, requested, notified, opened, observer, error }
}

describe("Successor.orSuccessor", () => {
  it.effect("answers with the successor once a deprecated model is gone, and notifies the observer", () =>
    Effect.gen(function* () {
      const { requested, model, observer, notified } = decorated(deprecated, gone)
      const reply = yield* model.generate(hello, observer)
      assert.deepStrictEqual(reply.model, successor)
      assert.deepStrictEqual(requested, ["gemini-2.5-flash", "gemini-flash-latest"])
      assert.deepStrictEqual(notified, ["google/gemini-flash-latest for google/gemini-2.5-flash"])
      assert.strictEqual(model.id, deprecated)
    }),
  )

  it.effect("sends later requests to the successor at once, without a notification", () =>
    Effect.gen(function* () {
      const { requested, model, observer, opened, notified } = decorated(deprecated, gone)
      yield* model.generate(hello, observer)
      yield* model.generate(hello, observer)
      yield* Stream.runDrain(model.stream(hello, observer))
      assert.deepStrictEqual(requested.slice(1), ["gemini-flash-latest", "gemini-flash-latest", "gemini-flash-latest"])
      assert.lengthOf(notified, 1)
      assert.lengthOf(opened, 1)
    }),
  )

  it.effect("does the same for a stream", () =>
    Effect.gen(function* () {
      const { requested, model, observer, notified } = decorated(deprecated, gone)
      const parts = yield* Stream.runCollect(model.stream(hello, observer))
      assert.lengthOf(parts, 2)
      assert.deepStrictEqual(requested, ["gemini-2.5-flash", "gemini-flash-latest"])
      assert.lengthOf(notified, 1)
    }),
  )

  it.effect("passes every other error on", () =>
    Effect.gen(function* () {
      const { error, model, opened } = decorated(deprecated, new Unauthorized({ message: "no" }))
      assert.strictEqual((yield* Effect.flip(model.generate(hello))).reason, error.reason)
      assert.deepStrictEqual(opened, [])
    }),
  )

  it.effect("does not replace an unknown model", () =>
    Effect.gen(function* () {
      const { error, model, opened } = decorated(new ModelId({ provider: "google", name: "gemini-typo" }), gone)
      assert.strictEqual((yield* Effect.flip(model.generate(hello))).reason, error.reason)
      assert.deepStrictEqual(opened, [])
    }),
  )
})
