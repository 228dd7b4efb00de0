import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { UnreadableBody } from "../../../src/provider/transport/http.ts"
import { DONE, readEvents, splitEvents } from "../../../src/provider/transport/sse.ts"

const whole = (text: string) => splitEvents(text, true).events

/** As a connection delivers it: in chunks of any size, and then the end. */
const inPieces = (text: string, sizes: ReadonlyArray<number>) => {
  const events: Array<string> = []
  let rest = ""
  let at = 0
  for (const size of sizes) {
    const found = splitEvents(rest + text.slice(at, at + size), false)
    events.push(...found.events)
    rest = found.rest
    at += size
  }
  return [...events, ...splitEvents(rest + text.slice(at), true).events]
}

describe("splitEvents", () => {
  for (const [name, gap] of Object.entries({ LF: "\n", CRLF: "\r\n", CR: "\r" })) {
    it(`finds events with lines ending in ${name}, the last one without a blank line too`, () => {
      assert.deepStrictEqual(whole(`data: {"a":1}${gap}${gap}data:{"b":2}${gap}`), ['{"a":1}', '{"b":2}'])
    })
  }

  it("accepts names, ids and comments beside the data", () => {
    assert.deepStrictEqual(whole(': alive\nevent: message\nid: 7\ndata: {"a":1}\n\n: alive\n\n'), ['{"a":1}'])
  })

  it("joins the data lines of an event", () => {
    assert.deepStrictEqual(
      whole('data: {"a":\ndata:\ndata: 1}\n\n').map((event) => JSON.parse(event)),
      [{ a: 1 }],
    )
  })

  it("drops [DONE], unless it is requested", () => {
    const text = 'data: {"a":1}\n\ndata: [DONE]\n\n'
    assert.deepStrictEqual(whole(text), ['{"a":1}'])
    assert.deepStrictEqual(splitEvents(text, true, DONE).events, ['{"a":1}', '"[DONE]"'])
  })

  it("holds back incomplete events", () => {
    assert.deepStrictEqual(splitEvents('data: {"a":1}\n\ndata: {"b"', false), {
      events: ['{"a":1}'],
      rest: 'data: {"b"',
    })
    assert.deepStrictEqual(splitEvents('{"error":\n\n', false), { events: [], rest: '{"error":\n\n' })
  })

  it("treats a bare JSON document as an event, in any layout, and an array as one event per item", () => {
    assert.deepStrictEqual(whole('{\n  "a": 1\n\n}\n'), ['{"a":1}'])
    assert.deepStrictEqual(whole('[{"a":1},\n\n{"b":2}]'), ['{"a":1}', '{"b":2}'])
    assert.deepStrictEqual(whole('data: {"a":1}\n\n{\n"error":{"code":503}\n}'), ['{"a":1}', '{"error":{"code":503}}'])
  })

  it("finds nothing in empty text", () => {
    assert.deepStrictEqual(whole(""), [])
    assert.deepStrictEqual(whole("\r\n\r\n"), [])
  })

  it("distinguishes an HTML page and a truncated document from an answer", () => {
    assert.throws(() => whole("<html>\n\n</html>"), UnreadableBody, "not an API response")
    assert.throws(() => whole('{"candidates": ['), UnreadableBody, "cut off")
  })

  it.prop(
    "finds the same events in whatever pieces the text arrives",
    [
      FastCheck.array(FastCheck.json().filter((json) => !/[\r\n]/.test(json) && json !== '"[DONE]"')),
      FastCheck.constantFrom("\n", "\r\n"),
      FastCheck.array(FastCheck.integer({ min: 1, max: 9 })),
    ],
    ([documents, line, sizes]) => {
      const text = documents.map((json) => `: alive${line}data: ${json}${line}${line}`).join("")
      assert.deepStrictEqual(inPieces(text, sizes), documents)
    },
  )
})

describe("readEvents", () => {
  const read = (text: string) =>
    Effect.tryPromise({
      try: async () => {
        const events: Array<unknown> = []
        await readEvents(new Response(text), (event) => events.push(event), DONE)
        return events
      },
      catch: (cause) => cause,
    })

  it.effect.each([
    "data: : keepalive",
    "data: : OPENROUTER PROCESSING",
    "event: ping\ndata: ping",
    'event: ping\ndata: ""',
    "event: keepalive\ndata: null",
    "data: 1764259200",
    "data: true",
    "data: []",
    "data: [1]",
    "data: [ping]",
    'data: "keep-alive"',
    "data: : keepalive\ndata: still there",
    "data: 2026-11-27T10:00:00Z",
  ])("skips a keep-alive before, between and after events: %j", (line) =>
    Effect.gen(function* () {
      const text = [line, 'data: {"a":1}', line, line, 'data: {"b":2}', line, "data: [DONE]", ""].join("\n\n")
      assert.deepStrictEqual(yield* read(text), [{ a: 1 }, { b: 2 }, DONE])
    }),
  )

  it.effect("finds events beside a keep-alive, or another event, without a blank line between them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read('data: : keepalive\ndata: {"a":1}\n\n'), [{ a: 1 }])
      assert.deepStrictEqual(yield* read('data: {"a":1}\ndata: ping\n\n'), [{ a: 1 }])
      assert.deepStrictEqual(yield* read('data: {"a":1}\ndata: {"b":2}\n\n'), [{ a: 1 }, { b: 2 }])
      assert.deepStrictEqual(yield* read('data: [{"a":1},null,{"b":2}]\n\n'), [{ a: 1 }, { b: 2 }])
    }),
  )

  it.effect("rejects an object that is cut off, since text would be missing", () =>
    Effect.gen(function* () {
      assert.instanceOf(yield* Effect.flip(read('data: {"a":1}\n\ndata: {"b":"te\n\n')), SyntaxError)
      assert.instanceOf(yield* Effect.flip(read('data: {"b":"te\ndata: xt\n\n')), SyntaxError)
      assert.instanceOf(yield* Effect.flip(read('data: [{"b":"te\n\n')), SyntaxError)
    }),
  )

  it.effect("fails at the end if there was nothing else", () =>
    Effect.gen(function* () {
      assert.instanceOf(yield* Effect.flip(read("data: : keepalive\n\ndata: ping\n\n")), SyntaxError)
      assert.deepStrictEqual(yield* read("data: null\n\n"), [null])
      assert.deepStrictEqual(yield* read(": alive\n\n"), [])
    }),
  )
})
