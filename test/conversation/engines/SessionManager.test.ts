import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, ManagedRuntime, Option, Stream } from "effect"
import type * as ConversationManager from "../../../src/conversation/engines/ConversationManager.ts"
import * as SessionManager from "../../../src/conversation/engines/SessionManager.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { isThorough, some } from "../../thoroughness.ts"
import { interruptAfter } from "../../utils/interruptAfter.ts"
import { layerOf } from "../../utils/Looms.ts"

const withSessions = (script: Scripted.Script = []) =>
  Effect.provide(
    SessionManager.layer({ systemPrompt: "You help." }).pipe(Layer.provideMerge(layerOf(Scripted.layer(script)))),
  )

const texts = (manager: ConversationManager.Service) =>
  Effect.map(manager.getHistory(), (messages) => messages.map(Message.text))

describe("SessionManager", () => {
  const allSteps = Array.from({ length: 120 }, (_, at) => at + 1)

  /** A manager of its own for each number of steps. */
  const managers = function* (offset: number) {
    for (const steps of some(allSteps, offset, 10)) {
      const runtime = ManagedRuntime.make(
        SessionManager.layer({ systemPrompt: "You help." }).pipe(Layer.provideMerge(layerOf(Scripted.layer([])))),
      )
      const context = runtime.runSync(Effect.context<SessionManager.SessionManager>())
      yield { steps, runtime, sessions: Context.get(context, SessionManager.SessionManager) }
    }
  }

  it("opens sessions after a call was interrupted, wherever that was", () => {
    for (const { sessions, steps } of managers(0)) {
      interruptAfter(steps, sessions.getOrCreate("a"))
      assert.isTrue(Exit.isSuccess(Effect.runSyncExit(sessions.getOrCreate("b"))), `after ${steps} steps`)
    }
  })

  it("removes sessions after a call was interrupted, wherever that was", () => {
    for (const { sessions, steps } of managers(1)) {
      Effect.runSync(sessions.getOrCreate("a"))
      interruptAfter(steps, sessions.remove("a"))
      assert.isTrue(Exit.isSuccess(Effect.runSyncExit(sessions.getOrCreate("b"))), `after ${steps} steps`)
    }
  })

  it("changes the prompt after a change or a reader of it was interrupted, wherever that was", () => {
    for (const { runtime, sessions, steps } of managers(2)) {
      const manager = Effect.runSync(sessions.getOrCreate("a"))
      interruptAfter(steps, manager.updatePrompt("a cat"))
      assert.strictEqual(runtime.runSync(manager.updatePrompt("a dog")).text, "a dog", `a change after ${steps} steps`)
      interruptAfter(steps, Stream.runDrain(manager.changes))
      assert.strictEqual(runtime.runSync(manager.updatePrompt("a fox")).text, "a fox", `a reader after ${steps} steps`)
    }
  })

  it.effect("creates a session for a new id, and finds it afterwards", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionManager.SessionManager
      assert.isTrue(Option.isNone(yield* sessions.get("a")))
      const a = yield* sessions.getOrCreate("a")
      assert.strictEqual(yield* sessions.getOrCreate("a"), a)
      assert.strictEqual(Option.getOrNull(yield* sessions.get("a")), a)
      assert.notStrictEqual(yield* sessions.getOrCreate("b"), a)
    }).pipe(withSessions()),
  )

  it.effect("forgets a removed session, and leaves its messages in the forest", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionManager.SessionManager
      const forest = yield* Forest.Forest
      const before = yield* sessions.getOrCreate("a")
      const root = yield* before.cursor
      yield* before.addUserMessage("hello")
      assert.isTrue(yield* sessions.remove("a"))
      assert.isFalse(yield* sessions.remove("a"))
      const after = yield* sessions.getOrCreate("a")
      assert.notStrictEqual(after, before)
      assert.deepStrictEqual(yield* texts(after), [])
      assert.lengthOf(yield* forest.subtree(root), 1)
    }).pipe(withSessions()),
  )

  it.effect("goes on with a session that another manager has left in the forest", () =>
    Effect.gen(function* () {
      const make = SessionManager.make({ systemPrompt: "You help.", prompt: "nothing" })
      const before = yield* Effect.flatMap(make, ({ getOrCreate }) => getOrCreate("a"))
      yield* Stream.runDrain(before.respond("hello"))
      const after = yield* Effect.flatMap(make, ({ getOrCreate }) => getOrCreate("a"))
      assert.deepStrictEqual(yield* texts(after), ["hello", "Prompt: a cat"])
      assert.strictEqual(yield* after.getCurrentPrompt(), "a cat")
      assert.isFalse(yield* after.isPromptEdited())
      const other = yield* Effect.flatMap(make, ({ getOrCreate }) => getOrCreate("b"))
      assert.strictEqual(yield* other.getCurrentPrompt(), "nothing")
    }).pipe(withSessions(["Prompt: a cat"])),
  )

  it.effect.each(["", "a".repeat(100_000), "a\0b", "a\nb"])("refuses an id that cannot be one", (id) =>
    Effect.gen(function* () {
      const sessions = yield* SessionManager.SessionManager
      const forest = yield* Forest.Forest
      const error = yield* Effect.flip(sessions.getOrCreate(id))
      assert.strictEqual(error.reason._tag, "BadSessionId")
      assert.deepStrictEqual(yield* forest.roots(), [])
    }).pipe(withSessions()),
  )

  it.effect("shares nothing between sessions, not even equal messages", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionManager.SessionManager
      const a = yield* sessions.getOrCreate("a")
      const b = yield* sessions.getOrCreate("b")
      yield* a.addUserMessage("hello")
      yield* b.addUserMessage("hello")
      yield* a.updatePrompt("a cat")
      assert.notStrictEqual(yield* a.cursor, yield* b.cursor)
      assert.strictEqual(yield* b.getCurrentPrompt(), "")
      assert.isFalse(yield* b.isPromptEdited())
      yield* a.clear()
      assert.deepStrictEqual(yield* texts(b), ["hello"])
    }).pipe(withSessions()),
  )

  it.effect("separates concurrent conversations of several turns", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionManager.SessionManager
      const turns = isThorough ? [0, 1, 2, 3, 4] : [0, 1, 2]
      const count = isThorough ? 10 : 4
      yield* Effect.forEach(
        Array.from({ length: count }, (_, n) => `s${n}`),
        (id) =>
          Effect.gen(function* () {
            for (const turn of turns) {
              const manager = yield* sessions.getOrCreate(id)
              yield* Stream.runDrain(manager.respond(`${id}, turn ${turn}`))
              yield* manager.updatePrompt(`edited by ${id} in turn ${turn}`)
            }
          }),
        { concurrency: "unbounded" },
      )
      for (let n = 0; n < count; n++) {
        const manager = yield* sessions.getOrCreate(`s${n}`)
        assert.deepStrictEqual(
          yield* texts(manager),
          turns.flatMap((turn) => [
            ...(turn === 0 ? [] : [`[user edited prompt to: "edited by s${n} in turn ${turn - 1}"]`]),
            `s${n}, turn ${turn}`,
            `heard s${n}, turn ${turn}\n\nPrompt: of s${n}, turn ${turn}`,
          ]),
        )
        assert.strictEqual(yield* manager.getCurrentPrompt(), `edited by s${n} in turn ${turns.length - 1}`)
      }
    }).pipe(
      withSessions(({ messages }) => {
        const said = messages.findLast(({ role }) => role === "user")
        const text = said === undefined ? "" : Message.text(said)
        return `heard ${text}\n\nPrompt: of ${text}`
      }),
    ),
  )

  it.effect("returns one manager to a hundred concurrent calls for one session", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionManager.SessionManager
      const forest = yield* Forest.Forest
      const managers = yield* Effect.replicateEffect(sessions.getOrCreate("a"), 100, { concurrency: "unbounded" })
      assert.strictEqual(new Set(managers).size, 1)
      assert.lengthOf(yield* forest.roots("session:a"), 1)
    }).pipe(slowly),
  )
})

/** In a forest where making a tree takes a moment, in which others come. */
const slowly = Effect.provide(
  SessionManager.layer({ systemPrompt: "You help." }).pipe(
    Layer.provideMerge(
      Layer.effect(
        Forest.Forest,
        Effect.map(Forest.Forest, (forest) => ({
          ...forest,
          root: (tree: Parameters<Forest.Service["root"]>[0]) => Effect.zipRight(Effect.yieldNow(), forest.root(tree)),
        })),
      ),
    ),
    Layer.provideMerge(layerOf(Scripted.layer([]))),
  ),
)
