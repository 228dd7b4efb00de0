import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import type * as View from "../../src/conversation/View.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { counting, inMemory, leaving, requestTexts, startSession } from "../utils/ChatSessions.ts"

describe("SessionLoop: branches", () => {
  it.effect("branches off on /fork and comes back on /tree, with both branches kept", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({
        model,
        picks: ({ choices }) => choices.findIndex(({ label }) => label.includes("answer 2")),
      })
      const { forest, user } = talking
      yield* user.sends("one")
      yield* user.sends("two")
      yield* user.sends("/fork 1")
      yield* user.waitFor("History")
      assert.strictEqual(yield* Ref.get(user.draft), "one")
      yield* user.asks("uno")
      yield* user.sends("/tree")
      yield* user.asks("three")
      assert.deepStrictEqual(requestTexts(requests[2]), ["user: uno"])
      assert.deepStrictEqual(requestTexts(requests[3]), [
        "user: one",
        "assistant: answer 1",
        "user: two",
        "assistant: answer 2",
        "user: three",
      ])
      const [root] = yield* forest.roots("chat")
      assert.lengthOf(yield* forest.leaves(10, root?.id), 2)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("shows on /tree what was said, and no calls of tools in between", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "S" })
      const call = Block.toolUse("c1", "look", {})
      const nodes = yield* forest.append(
        root.id,
        [
          Message.user("Look around"),
          { role: "assistant" as const, content: [Block.text("I look."), call] as const },
          Message.toolResult(call, "nothing here", false),
          { role: "assistant" as const, content: [Block.text("There is nothing.")] as const },
        ].map((message) => ({ message, source: { type: "user" as const } })),
      )
      const menus: Array<View.Menu> = []
      const talking = yield* startSession({
        model: counting().model,
        from: nodes.at(-1)?.id ?? root.id,
        picks: (menu) => menus.push(menu) - 2,
      })
      yield* talking.user.sends("/tree")
      yield* leaving(talking)
      assert.deepStrictEqual(
        menus.map(({ choices }) => choices),
        [
          [
            { label: 'user "Look around"', about: undefined },
            { label: 'assistant "There is nothing."', about: "you are here" },
          ],
        ],
      )
    }).pipe(inMemory),
  )

  it.effect("answers a message several times, each answer a branch", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { forest, user } = talking
      yield* user.sends("one")
      yield* user.sends("/retry -n 2")
      yield* leaving(talking)
      assert.deepStrictEqual(requests.map(requestTexts), [["user: one"], ["user: one"], ["user: one"]])
      const [root] = yield* forest.roots("chat")
      const [question] = yield* forest.children(root?.id ?? assert.fail("there is no tree"))
      assert.lengthOf(yield* forest.children(question?.id ?? assert.fail("there is no question")), 3)
    }).pipe(inMemory),
  )

  it.effect("resumes a conversation, and shows the end of it", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const before = yield* startSession({ model })
      yield* before.user.sends("one")
      yield* leaving(before)
      const [leaf] = yield* before.forest.leaves(1)
      const talking = yield* startSession({ model, from: leaf?.id ?? assert.fail("nothing was kept") })
      const earlier = (yield* talking.user.waitFor("History")).at(-1)
      assert.ok(earlier?._tag === "History")
      assert.deepStrictEqual(
        earlier.nodes.map(({ message }) => Message.text(message)),
        ["one", "answer 1"],
      )
      yield* talking.user.sends("two")
      yield* leaving(talking)
      assert.lengthOf(requests[1]?.messages ?? [], 3)
    }).pipe(inMemory),
  )
})
