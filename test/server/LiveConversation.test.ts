/** A conversation that pages have open, with a text beside it that the test changes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as ConversationManager from "../../src/conversation/engines/ConversationManager.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as ForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../src/message/Ids.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Document } from "../../src/server/api/Conversations.ts"
import * as DraftStore from "../../src/server/DraftStore/Sqlite.ts"
import * as EventHub from "../../src/server/EventHub.ts"
import type { SharedDocument } from "../../src/server/internal/sharedDocument.ts"
import * as LiveConversation from "../../src/server/LiveConversation.ts"
import * as Served from "../../src/server/Served.ts"
import { gated } from "./Conversations.fixture.ts"

const services = (model: LanguageModel.Service) => {
  const served: Served.Service = {
    server: "a run",
    folder: "/project",
    systemPrompt: "",
    filePrompt: "",
    model,
    openModel: () => Effect.fail("there is no model"),
    models: Effect.succeed([]),
    price: () => Effect.succeed(undefined),
    tools: undefined,
    describe: ({ message }) => message,
  }
  return Layer.effect(LoomEngine.LoomEngine, LoomEngine.make).pipe(
    Layer.provideMerge(Layer.succeed(LanguageModel.LanguageModel, model)),
    Layer.provideMerge(Layer.succeed(Served.Served, served)),
    Layer.provideMerge(EventHub.layer("a run")),
    Layer.provideMerge(DraftStore.layerMemory),
    Layer.provideMerge(Forest.layer),
    Layer.provideMerge(Ids.layer),
    Layer.provideMerge(ForestStore.layerMemory),
  )
}

describe("a change of the text beside a conversation", () => {
  // Between the change and its announcement, the model may have written a later text.
  it.scopedLive("is not written over the text of the conversation's own answer", () =>
    Effect.gen(function* () {
      const { model } = yield* gated()
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
        const { owner, systemPrompt } = root
        const manager = yield* ConversationManager.make({ owner, systemPrompt, from: root.id, prompt: "mine" })
        const document: Document = { text: "earlier", version: 1, edited: false, conflicts: 0 }
        let announce: (document: Document) => Effect.Effect<void> = () => Effect.void
        const shared: SharedDocument = {
          current: Effect.succeed(document),
          edit: () => Effect.succeed(document),
          sync: Effect.void,
          moved: () => Effect.void,
          tools: [],
          answered: () => Effect.void,
        }
        const live = yield* LiveConversation.make({
          id: root.id,
          root,
          manager,
          changed: () => Effect.void,
          document: (changed) => {
            announce = changed
            return Effect.succeed(shared)
          },
        })
        yield* live.say({ parent: root.id, text: "Hi", pictures: [], models: [model] })
        assert.lengthOf(yield* live.answers, 1)
        yield* announce(document)
        assert.strictEqual((yield* manager.document).text, "mine")
        assert.strictEqual(yield* live.stop(), 1)
      }).pipe(Effect.provide(services(model)))
    }),
  )
})

describe("a conversation", () => {
  it.scopedLive("lets a hundred messages wait, and has room again for each that is taken back", () =>
    Effect.gen(function* () {
      const { model } = yield* gated()
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
        const { owner, systemPrompt } = root
        const manager = yield* ConversationManager.make({ owner, systemPrompt, from: root.id })
        const live = yield* LiveConversation.make({ id: root.id, root, manager, changed: () => Effect.void })
        const say = (parent: NodeId, text: string) => live.say({ parent, text, pictures: [], models: [model] })
        const { message } = yield* say(root.id, "Hi")
        const parent = message?.id ?? assert.fail("it waits")
        for (let n = 0; n < 100; n++) yield* say(parent, `message ${n}`)
        const refused = yield* Effect.flip(say(parent, "one more"))
        assert.strictEqual(refused.message, "100 messages wait already")
        const waiting = yield* live.waiting
        assert.lengthOf(waiting, 100)
        yield* live.unqueue(waiting[0]?.id ?? "")
        assert.strictEqual((yield* say(parent, "one more")).waiting?.text, "one more")
      }).pipe(Effect.provide(services(model)))
    }),
  )
})
