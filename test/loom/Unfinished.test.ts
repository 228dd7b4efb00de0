import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as Unfinished from "../../src/loom/Unfinished.ts"
import { ContextOverflow, ModelError, Overloaded } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"

const failure = (reason: ModelError["reason"]) => new ModelError({ model: "scripted/test", reason })

const retry = (restarted: boolean) => ({
  attempt: 1,
  delay: Duration.seconds(2),
  error: failure(new Overloaded({ message: "busy" })),
  restarted,
})

const hear = (unfinished: Unfinished.Unfinished, ...parts: ReadonlyArray<Part>) =>
  Effect.forEach(parts, (part) => unfinished.observer.part?.(part) ?? assert.fail("it does not hear parts"))

describe("Unfinished", () => {
  it.effect("is the words that have come, as they came, and nothing else", () =>
    Effect.gen(function* () {
      const unfinished = Unfinished.make({})
      assert.strictEqual(unfinished.text(), "")
      yield* hear(
        unfinished,
        Part.Thinking({ text: "Hm." }),
        Part.Text({ text: "Half " }),
        Part.Image({ media_type: "image/png", data: "AAAA" }),
        Part.Text({ text: "of it", meta: { google: { thoughtSignature: "s" } } }),
        Part.ToolUse({ name: "look", parameters: {} }),
      )
      assert.strictEqual(unfinished.text(), "Half of it")
    }),
  )

  it.effect("begins anew with each request, and wherever its words are void", () =>
    Effect.gen(function* () {
      const unfinished = Unfinished.make({})
      const { observer } = unfinished
      const restarts = [
        Effect.sync(unfinished.begin),
        observer.retry?.(retry(true)),
        observer.compacted?.(1, failure(new ContextOverflow({ message: "too long" }))),
      ]
      for (const step of restarts) {
        yield* hear(unfinished, Part.Text({ text: "old" }))
        yield* step ?? assert.fail("it does not hear of that")
        yield* hear(unfinished, Part.Text({ text: "new" }))
        assert.strictEqual(unfinished.text(), "new")
        yield* observer.retry?.(retry(false)) ?? Effect.void
        assert.strictEqual(unfinished.text(), "new")
        unfinished.begin()
      }
    }),
  )

  it.effect("lets its own observer hear all the same", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const note = (what: string) => Effect.sync(() => void heard.push(what))
      const unfinished = Unfinished.make({
        part: ({ _tag }) => note(_tag),
        retry: ({ attempt }) => note(`attempt ${attempt}`),
        compacted: (leftOut) => note(`without ${leftOut}`),
        toolStarted: ({ name }) => note(name),
      })
      const { observer } = unfinished
      yield* hear(unfinished, Part.Text({ text: "a" }))
      yield* observer.retry?.(retry(true)) ?? Effect.void
      yield* observer.compacted?.(3, failure(new ContextOverflow({ message: "too long" }))) ?? Effect.void
      yield* observer.toolStarted?.({ type: "tool-use", id: "c", name: "look", parameters: {} }) ?? Effect.void
      assert.deepStrictEqual(heard, ["Text", "attempt 1", "without 3", "look"])
    }),
  )
})
