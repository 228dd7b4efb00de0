import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as ConversationManager from "../../../src/conversation/engines/ConversationManager.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Sqlite from "../../../src/server/DraftStore/Sqlite.ts"
import * as DraftStore from "../../../src/server/DraftStore.ts"
import * as SharedDocument from "../../../src/server/internal/sharedDocument.ts"
import { layerOf } from "../../utils/Looms.ts"

const services = Layer.provideMerge(Sqlite.layerMemory, layerOf(Scripted.layer([])))

/** A conversation with a stored text, which was made from `known`; a model has `answered` since. */
const openWith = (text: string, known: string, answered?: string) =>
  Effect.gen(function* () {
    const drafts = yield* DraftStore.DraftStore
    const manager = yield* ConversationManager.make({ owner: "test", systemPrompt: "You help." })
    if (answered !== undefined) yield* manager.addAssistantMessage("Done.", answered)
    const conversation = yield* manager.cursor
    yield* drafts.save(conversation, { text, known, version: 1 }, 0)
    return yield* SharedDocument.make({ conversation, manager, drafts, changed: () => Effect.void })
  })

describe("the text beside a conversation", () => {
  it.effect("refuses an edit where another server has stored one since the text was read, and keeps that one", () =>
    Effect.gen(function* () {
      const drafts = yield* DraftStore.DraftStore
      const manager = yield* ConversationManager.make({ owner: "test", systemPrompt: "You help." })
      const conversation = yield* manager.cursor
      let before: Effect.Effect<unknown> = Effect.void
      /** Stores nothing before another server has stored its text. */
      const save: DraftStore.Service["save"] = (...draft) =>
        Effect.flatMap(
          Effect.suspend(() => before),
          () => drafts.save(...draft),
        )
      const shared = yield* SharedDocument.make({
        conversation,
        manager,
        drafts: { ...drafts, save },
        changed: () => Effect.void,
      })
      const first = yield* shared.edit("a text", 0)
      const stored = Option.getOrThrow(yield* drafts.draft(conversation)).version
      before = Effect.suspend(() => {
        before = Effect.void
        const theirs = { text: "theirs", known: "", version: stored + 1 }
        return Effect.orDie(drafts.save(conversation, theirs, stored))
      })
      const refused = yield* Effect.flip(shared.edit("mine", first.version))
      assert.strictEqual(refused._tag, "Outdated")
      const draft = Option.getOrThrow(yield* drafts.draft(conversation))
      assert.include(draft.text, "theirs")
      const current = yield* shared.current
      assert.include(current.text, "theirs")
      // Made from theirs, it is taken.
      assert.strictEqual((yield* shared.edit("theirs and mine", current.version)).text, "theirs and mine")
    }).pipe(Effect.provide(services)),
  )

  it.effect("begins with the stored text whole, where the path has no version that it could be merged with", () =>
    Effect.gen(function* () {
      for (const text of ["a\nb\nmine", "a\nb"]) {
        const shown = yield* openWith(text, "a\nb").pipe(
          Effect.flatMap(({ current }) => current),
          Effect.provide(Layer.fresh(services)),
        )
        assert.strictEqual(shown.text, text)
      }
    }),
  )

  it.effect("begins with the stored text and what a model has changed since that text was stored", () =>
    Effect.gen(function* () {
      const { current } = yield* openWith("a\nb\nc\nmine", "a\nb\nc", "the model's\nb\nc")
      assert.strictEqual((yield* current).text, "the model's\nb\nc\nmine")
    }).pipe(Effect.provide(services)),
  )
})
