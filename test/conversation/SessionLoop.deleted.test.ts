import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Ref } from "effect"
import type * as DraftStorage from "../../src/conversation/DraftStorage.ts"
import { DiskError, Unwritable } from "../../src/disk/DiskError.ts"
import * as Forest from "../../src/forest/Forest.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Part } from "../../src/model/Reply.ts"
import { counting, inMemory, leaving, makeDrafts, requestTexts, startSession } from "../utils/ChatSessions.ts"
import { texts } from "../utils/ScriptedUser.ts"

describe("SessionLoop: a position", () => {
  describe("with a position that is deleted meanwhile", () => {
    /** Deletes everything while it answers. */
    const deleting = (forest: Forest.Service, text: string) =>
      LanguageModel.make(new ModelId({ provider: "test", name: "deleting" }), (_, say) =>
        Effect.gen(function* () {
          for (const { id } of yield* forest.roots("chat")) {
            for (const node of yield* forest.children(id)) yield* forest.remove(node.id, "cascade")
          }
          yield* say([Part.Text({ text }), Part.Finish({ reason: "stop", usage: Usage.none })])
        }).pipe(Effect.catchTag("ForestError", Effect.die)),
      )

    it.effect("shows the answer, gives the message back, continues from what is left, and fails at the end", () =>
      Effect.gen(function* () {
        const { model, requests } = counting()
        const forest = yield* Forest.Forest
        const talking = yield* startSession({ model: deleting(forest, "It is so."), others: [model] })
        const { running, user } = talking
        yield* user.sends("one")
        yield* user.waitFor("Failed")
        const told = texts(yield* user.waitFor("Noted"))
        assert.include(texts(yield* user.shown), "NotPersisted: It is so.")
        assert.match(
          texts(yield* user.shown).join("\n"),
          /Failed: the answer is printed and not kept: the message that it answers was deleted or undone meanwhile \(node n-\d\)/,
        )
        assert.include(told.at(-1) ?? "", "deleted or undone elsewhere")
        assert.strictEqual(yield* Ref.get(user.draft), "one")
        yield* user.sends("/model test/counting")
        yield* user.asks("two")
        assert.deepStrictEqual(requestTexts(requests[0]), ["user: two"])
        yield* user.closes
        const exit = yield* Fiber.await(running)
        assert.include(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), "AnswerNotKept")
      }).pipe(inMemory),
    )

    it.effect("continues from the last message that still exists", () =>
      Effect.gen(function* () {
        const { model, requests } = counting()
        const talking = yield* startSession({ model })
        const { forest, user } = talking
        yield* user.asks("one")
        yield* user.asks("two")
        const [leaf] = yield* forest.leaves(1)
        const { nodes } = yield* forest.path(leaf?.id ?? assert.fail("nothing was kept"))
        yield* forest.remove(nodes[2]?.id ?? assert.fail("there is no second message"), "cascade")
        yield* user.sends("three")
        yield* user.waitFor("Noted")
        assert.strictEqual(yield* Ref.get(user.draft), "three")
        yield* user.asks("three")
        assert.deepStrictEqual(requestTexts(requests[2]), ["user: one", "assistant: answer 1", "user: three"])
        yield* leaving(talking)
      }).pipe(inMemory),
    )

    it.effect("shows the answer and fails where the view is not interactive, and says what was not sent", () =>
      Effect.gen(function* () {
        const { kept, unsent } = yield* makeDrafts("left by a user")
        const forest = yield* Forest.Forest
        const { running, user } = yield* startSession({ model: deleting(forest, "So."), isInteractive: false, unsent })
        yield* user.sends("one")
        yield* user.sends("two")
        const exit = yield* Fiber.await(running)
        assert.include(texts(yield* user.shown), "NotPersisted: So.")
        assert.include(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), "AnswerNotKept")
        assert.strictEqual(yield* Ref.get(kept), "left by a user")
        assert.include(texts(yield* user.shown), "Noted: the input was not sent, beginning with: two")
      }).pipe(inMemory),
    )

    it.effect("names the messages of a program from the one that could not be stored on, and keeps none", () =>
      Effect.gen(function* () {
        const { kept, unsent } = yield* makeDrafts("")
        const { forest, running, user } = yield* startSession({ model: counting().model, isInteractive: false, unsent })
        yield* user.asks("one")
        const [root] = yield* forest.roots("chat")
        for (const { id } of yield* forest.children(root?.id ?? assert.fail("there is no tree"))) {
          yield* forest.remove(id, "cascade")
        }
        yield* user.sends("two")
        yield* user.sends("three")
        const exit = yield* Fiber.await(running)
        assert.include(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), "Node not found")
        assert.strictEqual(yield* Ref.get(kept), "")
        assert.include(texts(yield* user.shown), "Noted: the input was not sent, beginning with: two")
      }).pipe(inMemory),
    )

    it.effect("shows drafts that cannot be stored, and fails", () =>
      Effect.gen(function* () {
        const lost = new DiskError({ path: "/x", reason: new Unwritable({ cause: "" }) })
        const unsent: DraftStorage.DraftStorage = {
          take: Effect.succeed(""),
          put: (text) => (text === "" ? Effect.succeed(false) : lost),
        }
        const { running, user } = yield* startSession({ model: counting().model, unsent })
        yield* user.asks("one")
        yield* Ref.set(user.draft, "half a sen")
        yield* user.closes
        const exit = yield* Fiber.await(running)
        assert.isTrue(Exit.isFailure(exit))
        assert.include(texts(yield* user.shown).at(-1) ?? "", "half a sen")
      }).pipe(inMemory),
    )
  })
})
