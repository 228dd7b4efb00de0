import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Ids from "../../../src/message/Ids.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import type { Event } from "../../../src/server/api/Events.ts"
import * as Sqlite from "../../../src/server/DraftStore/Sqlite.ts"
import type * as DraftStore from "../../../src/server/DraftStore.ts"
import * as EventHub from "../../../src/server/EventHub.ts"
import * as WaitingMessages from "../../../src/server/internal/waitingMessages.ts"
import * as Served from "../../../src/server/Served.ts"

const conversation = NodeId.make("n-1")
const own = Scripted.unsafeMake([], "own")
const other = Scripted.unsafeMake([], "other")

/** Runs a test with one model of the server, another one that it can open, and a store in memory. */
const withWaiting = <A, E>(
  run: (
    events: ReadonlyArray<Event>,
  ) => Effect.Effect<A, E, DraftStore.DraftStore | EventHub.EventHub | Ids.Ids | Served.Served>,
  refusal?: string,
) =>
  Effect.suspend(() => {
    const events: Array<Event> = []
    const hub: EventHub.Service = {
      publish: (event) => Effect.sync(() => void events.push(event)),
      connect: () => Effect.die("no page connects"),
      connections: Effect.succeed(0),
    }
    const served: Served.Service = {
      server: "test",
      folder: "/here",
      systemPrompt: "",
      filePrompt: "",
      model: own,
      refusal,
      openModel: (id) => (String(id) === String(other.id) ? Effect.succeed(other) : Effect.fail(`no ${id}`)),
      models: Effect.succeed([]),
      price: () => Effect.succeed(undefined),
      tools: undefined,
      describe: String,
    }
    return run(events).pipe(
      Effect.provideService(EventHub.EventHub, hub),
      Effect.provideService(Served.Served, served),
      Effect.provide(Layer.merge(Sqlite.layerMemory, Ids.layerSequence)),
    )
  })

const message = { parent: undefined, text: "one", models: [other] }

describe("messages that wait", () => {
  it.effect("are stored in order, with their models by name, and published each time", () =>
    withWaiting((events) =>
      Effect.gen(function* () {
        const waiting = yield* WaitingMessages.make(conversation)
        const first = yield* waiting.add(message)
        const second = yield* waiting.add({ ...message, text: "two", parent: conversation })
        assert.deepStrictEqual(yield* waiting.all, [first, second])
        assert.deepStrictEqual(
          (yield* waiting.rows).map(({ models, parent }) => ({ models, parent })),
          [
            { models: [String(other.id)], parent: undefined },
            { models: [String(other.id)], parent: conversation },
          ],
        )
        assert.deepStrictEqual(events, [
          { type: "waiting", conversation, waiting: [first] },
          { type: "waiting", conversation, waiting: [first, second] },
        ])
      }),
    ),
  )

  it.effect("are answered by the models that were chosen, also after a restart of the server", () =>
    withWaiting(() =>
      Effect.gen(function* () {
        const before = yield* WaitingMessages.make(conversation)
        yield* before.add(message)
        const after = yield* WaitingMessages.make(conversation)
        for (const waiting of [before, after]) {
          const [row = assert.fail()] = yield* waiting.rows
          assert.deepStrictEqual(yield* waiting.modelsOf(row), [other])
        }
      }),
    ),
  )

  it.effect("are answered by the model of the server if it has none of those that were chosen", () =>
    withWaiting(() =>
      Effect.gen(function* () {
        const waiting = yield* WaitingMessages.make(conversation)
        const row = { id: "earlier", text: "one", parent: undefined }
        assert.deepStrictEqual(yield* waiting.modelsOf({ ...row, models: ["gone/model"] }), [own])
        assert.deepStrictEqual(yield* waiting.modelsOf({ ...row, models: [] }), [own])
        assert.deepStrictEqual(yield* waiting.modelsOf({ ...row, models: ["gone/model", String(other.id)] }), [other])
      }),
    ),
  )

  it.effect("are refused if no model is left", () =>
    withWaiting(
      () =>
        Effect.gen(function* () {
          const waiting = yield* WaitingMessages.make(conversation)
          const row = { id: "earlier", text: "one", parent: undefined, models: [String(own.id)] }
          const refused = yield* Effect.flip(waiting.modelsOf(row))
          assert.deepInclude(refused, { _tag: "Refused", message: "A key is missing." })
        }),
      "A key is missing.",
    ),
  )

  it.effect("are removed with the models that were chosen", () =>
    withWaiting(() =>
      Effect.gen(function* () {
        const waiting = yield* WaitingMessages.make(conversation)
        const { id } = yield* waiting.add(message)
        assert.isTrue(yield* waiting.remove(id))
        assert.deepStrictEqual(yield* waiting.all, [])
        assert.deepStrictEqual(yield* waiting.modelsOf({ id, text: "one", parent: undefined, models: [] }), [own])
        assert.isFalse(yield* waiting.remove(id))
      }),
    ),
  )
})
