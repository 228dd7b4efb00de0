/** The law of sessions: however often the process is restarted in between, a session is in the same state. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Stream } from "effect"
import * as SessionManager from "../../../src/conversation/engines/SessionManager.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { isThorough } from "../../thoroughness.ts"
import { layerOf } from "../../utils/Looms.ts"

const RUNS = isThorough ? 200 : 3

/** Ids that look like the owners of other sessions' trees are among them. */
const session = FastCheck.constantFrom("a", "b", "2:a", "#2:a", "a#2", " cleared:a")

const operation = FastCheck.record({
  session,
  type: FastCheck.constantFrom("respond", "respond", "say", "answer", "edit", "clear", "remove", "open"),
  text: FastCheck.constantFrom("one", "two", "three"),
})
type Operation = typeof operation extends FastCheck.Arbitrary<infer A> ? A : never

const perform = (sessions: SessionManager.Service, { session, text, type }: Operation) =>
  Effect.gen(function* () {
    if (type === "remove") return yield* sessions.remove(session)
    const manager = yield* sessions.getOrCreate(session)
    switch (type) {
      case "respond":
        return yield* Stream.runDrain(manager.respond(text))
      case "say":
        return yield* manager.addUserMessage(text)
      case "answer":
        return yield* manager.addAssistantMessage(`Prompt: ${text} cats`, `${text} cats`)
      case "edit":
        yield* manager.updatePrompt(`${text}, edited`)
        return yield* manager.notifyPromptEdited()
      case "clear":
        return yield* manager.clear()
      default:
        return
    }
  })

/** What a user of each session sees after the operations, with or without a new manager before each. */
const states = (operations: ReadonlyArray<Operation>, restarts: boolean) =>
  Effect.gen(function* () {
    const make = SessionManager.make({ systemPrompt: "You help.", prompt: "an empty scene" })
    let sessions = yield* make
    for (const operation of operations) {
      if (restarts) sessions = yield* make
      yield* perform(sessions, operation)
    }
    if (restarts) sessions = yield* make
    return yield* Effect.forEach(["a", "b", "2:a", "#2:a", "a#2", " cleared:a"], (id) =>
      Effect.gen(function* () {
        const manager = yield* sessions.getOrCreate(id)
        const history = yield* manager.getHistory()
        return [id, history.map(Message.text), yield* manager.getCurrentPrompt(), yield* manager.isPromptEdited()]
      }),
    )
  }).pipe(
    Effect.provide(
      layerOf(
        Scripted.layer(({ messages }) => {
          const said = messages.findLast(({ role }) => role === "user")
          return `Here.\n\nPrompt: ${said === undefined ? "" : Message.text(said)} dogs`
        }),
      ),
    ),
  )

describe("SessionManager", () => {
  it.effect(
    "is in the same state after a restart as without one",
    () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(operation, { maxLength: 8 }), async (operations) => {
            const [without, with_] = await Promise.all(
              [false, true].map((restarts) => Effect.runPromise(states(operations, restarts))),
            )
            assert.deepStrictEqual(with_, without)
          }),
          { numRuns: RUNS },
        ),
      ),
    240_000,
  )

  const oneProcess = (...operations: ReadonlyArray<readonly [type: Operation["type"], text?: Operation["text"]]>) =>
    Effect.gen(function* () {
      const sessions = yield* SessionManager.make({ systemPrompt: "You help.", prompt: "an empty scene" })
      for (const [type, text = "one"] of operations) yield* perform(sessions, { session: "a", type, text })
      const manager = yield* sessions.getOrCreate("a")
      return [(yield* manager.getHistory()).map(Message.text), yield* manager.getCurrentPrompt()]
    })

  const inOneForest = Effect.provide(layerOf(Scripted.layer(() => "Prompt: a dog")))

  it.effect("begins anew after a restart where the session was cleared or removed", () =>
    Effect.gen(function* () {
      yield* oneProcess(["respond"], ["clear"])
      assert.deepStrictEqual(yield* oneProcess(), [[], ""])
      yield* oneProcess(["respond", "two"], ["remove"])
      assert.deepStrictEqual(yield* oneProcess(), [[], "an empty scene"])
      yield* oneProcess(["respond", "three"])
      assert.deepStrictEqual(yield* oneProcess(), [["three", "Prompt: a dog"], "a dog"])
      // Of a session that this process has not asked for yet.
      yield* oneProcess(["remove"])
      assert.deepStrictEqual(yield* oneProcess(), [[], "an empty scene"])
    }).pipe(inOneForest),
  )

  it.effect("adds no tree where there is nothing to leave", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      yield* oneProcess(["remove"], ["open"], ["clear"], ["clear"], ["clear"])
      yield* oneProcess(["clear"], ["open"])
      const owners = (yield* forest.roots()).map(({ owner }) => owner)
      assert.deepStrictEqual(owners, ["session:a", "session#2 cleared:a"])
    }).pipe(inOneForest),
  )

  it.effect("sees what another process has begun since", () =>
    Effect.gen(function* () {
      const make = SessionManager.make({ systemPrompt: "You help." })
      const [one, other] = [yield* make, yield* make]
      yield* Effect.flatMap(one.getOrCreate("b"), ({ addUserMessage }) => addUserMessage("hello"))
      const cleared = yield* other.getOrCreate("a")
      for (const text of ["x", "y"]) {
        yield* cleared.addUserMessage(text)
        yield* cleared.clear()
      }
      yield* cleared.addUserMessage("z")
      const manager = yield* one.getOrCreate("a")
      assert.deepStrictEqual((yield* manager.getHistory()).map(Message.text), ["z"])
    }).pipe(inOneForest),
  )
})
