import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { UnreadableBody } from "../../../src/provider/transport/http.ts"
import { readLines } from "../../../src/provider/transport/ndjson.ts"

/** A body that arrives in these pieces. */
const body = (pieces: ReadonlyArray<Uint8Array>) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    }),
  )

const bytes = (text: string) => new TextEncoder().encode(text)

const all = async (response: Response) => {
  const documents: Array<unknown> = []
  await readLines(response, (document) => documents.push(document))
  return documents
}

const from = (text: string) => Effect.promise(() => all(body([bytes(text)])))

const unreadable = (text: string) =>
  Effect.flip(Effect.tryPromise({ try: () => all(body([bytes(text)])), catch: (cause) => cause }))

describe("readLines", () => {
  it.effect("parses one document per line, with any line ending, the last without one too", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* from('{"a":1}\n{"a":2}\n'), [{ a: 1 }, { a: 2 }])
      assert.deepStrictEqual(yield* from('{"a":1}\r\n\r\n  {"a":2}'), [{ a: 1 }, { a: 2 }])
      assert.deepStrictEqual(yield* from(""), [])
    }),
  )

  it.effect.each([": keepalive", "ping", '""', "null", "5", "[]", "data: {}"])(
    "skips a line that is no document: %j",
    (line) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* from(`${line}\n{"a":1}\n${line}\n{"a":2}\n${line}`), [{ a: 1 }, { a: 2 }])
        assert.deepStrictEqual(yield* from(`${line}\n{\n  "a":\n1}\n`), [{ a: 1 }])
      }),
  )

  it.effect("parses one document over several lines", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* from('{\n  "a": 1\n}\n'), [{ a: 1 }])
    }),
  )

  it.effect("distinguishes an HTML page from a truncated answer", () =>
    Effect.gen(function* () {
      for (const [text, message] of [
        ["<html>\n</html>", "a page"],
        ['{"a":1}\n{"a":', "cut off"],
        ['data: {"a":1}\n\n', "cut off"],
      ] as const) {
        const error = yield* unreadable(text)
        assert.instanceOf(error, UnreadableBody)
        assert.include(String(error), message)
      }
    }),
  )

  it.effect.prop(
    "parses the same in whatever pieces the bytes arrive",
    [FastCheck.array(FastCheck.object()), FastCheck.array(FastCheck.integer({ min: 1, max: 9 }), { minLength: 1 })],
    ([documents, sizes]) =>
      Effect.gen(function* () {
        const json = documents.map((document) => JSON.stringify(document))
        const whole = bytes(json.map((line) => `${line}\n`).join(""))
        const pieces: Array<Uint8Array> = []
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          pieces.push(whole.subarray(at, at + size))
          at += size
        }
        const received = yield* Effect.promise(() => all(body(pieces)))
        assert.deepStrictEqual(
          received,
          json.map((line) => JSON.parse(line)),
        )
      }),
  )
})
