import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { fails, one, session } from "./session.ts"

describe("vibe ask --continue", () => {
  it.scoped("goes on from the newest question", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        yield* vibe("First", "--system", "Be brief", ...one)
        yield* vibe("Second", "--continue", ...one)
        const [, second] = requests
        assert.strictEqual(second?.system, "Be brief")
        assert.deepStrictEqual(second?.messages.map(Message.text), ["First", "Hello.", "Second"])
      }),
    ),
  )

  it.scoped("goes on from the node that is named, and leaves what came after it out", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        yield* vibe("First", ...one)
        yield* vibe("Second", "--continue", ...one)
        yield* vibe("Third", "--continue", "@~2", ...one)
        assert.deepStrictEqual(requests.at(-1)?.messages.map(Message.text), ["First", "Hello.", "Third"])
      }),
    ),
  )

  it.scoped("goes on from a bookmark that is joined to the option, and asks back where it stands apart", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        yield* vibe("First", ...one)
        yield* forest.bookmark("draft", NodeId.make("n-2"))
        yield* vibe("Second", ...one)
        const { code, err } = yield* vibe("--continue", "draft", "and now?", ...one)
        assert.strictEqual(code, 2)
        assert.include(err, "--continue=draft")
        assert.strictEqual((yield* vibe("--continue=draft", "and now?", ...one)).code, 0)
        assert.deepStrictEqual(requests.at(-1)?.messages.map(Message.text), ["First", "Hello.", "and now?"])
      }),
    ),
  )

  it.scoped("asks a question again if its answer failed", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* vibe("First", "--model", "test/two")).code, 1)
          const { code, out } = yield* vibe("--continue", ...one)
          assert.deepStrictEqual([code, out], [0, "Hello.\n"])
          assert.deepStrictEqual(requests.at(-1)?.messages.map(Message.text), ["First"])
          assert.strictEqual((yield* vibe("--continue", ...one)).code, 2)
        }),
      { says: { two: [fails] } },
    ),
  )
})
