import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Redaction from "../../../src/provider/transport/redaction.ts"

const secret = 'zzz"secret1'
const redaction = Redaction.makeRedaction([secret, "short"])
const { redactResponse, redactRequest } = redaction

const code = [
  'client = OpenAI(api_key="YOUR_KEY", timeout=5)',
  '<li key={i}>one</li> <li key="b">two</li>',
  'curl -H "Authorization: $TOKEN" postgres://me:pw@localhost/db?key=abc',
  '{"authorization": "x"} authorization="abc" sk-fading-circle sk-your-api-key-goes-here short',
].join("\n")

describe("makeRedaction", () => {
  it("leaves an answer unchanged, including code", () => {
    for (const text of [code, JSON.stringify({ code }), `data: ${JSON.stringify({ code })}\n\ndata: [DONE]\n\n`]) {
      assert.strictEqual(redactResponse(text), text)
    }
  })

  it("keeps JSON unchanged except for secrets", () => {
    const cases = {
      authorization: "Bearer zzz",
      json: '{"authorization": "Bearer zzzsecret1"}',
      twice: JSON.stringify({ call: JSON.stringify({ authorization: "Basic zzz" }) }),
      header: "curl\nAuthorization: Basic dXNlcjpwdw== -v",
      schema: { authorization: { type: "string" } },
    }
    assert.deepStrictEqual(JSON.parse(redactRequest(JSON.stringify(cases))), {
      authorization: "[key]",
      json: '{"authorization": "[key]"}',
      twice: JSON.stringify({ call: JSON.stringify({ authorization: "[key]" }) }),
      header: "curl\nAuthorization: [key] -v",
      schema: { authorization: { type: "string" } },
    })
    assert.strictEqual(
      redactRequest(JSON.stringify({ code: '<li key="b">' })),
      JSON.stringify({ code: '<li key="b">' }),
    )
  })

  it.each([
    ["plain", `it is ${secret}!`, "it is [key]!"],
    ["in JSON", JSON.stringify({ text: `it is\n${secret}!` }), '{"text":"it is\\n[key]!"}'],
    [
      "in JSON in JSON",
      JSON.stringify({ call: JSON.stringify({ secret }) }),
      String.raw`{"call":"{\"secret\":\"[key]\"}"}`,
    ],
    [
      "in truncated JSON in JSON",
      JSON.stringify({ call: JSON.stringify({ secret }).slice(0, -2) }),
      String.raw`{"call":"{\"secret\":\"[key]"}`,
    ],
    ["in truncated JSON", JSON.stringify({ secret }).slice(0, -2), '{"secret":"[key]'],
    ["with escapes", String.raw`{"text":"\u00fc \u007azz\"secret1"}`, '{"text":"ü [key]"}'],
    ["in an event", `event: a\ndata: ${JSON.stringify({ secret })}\n\n`, 'event: a\ndata: {"secret":"[key]"}\n\n'],
    ["in a line", `{}\r\n${JSON.stringify({ secret })}\r\n`, '{}\r\n{"secret":"[key]"}\r\n'],
    ["that looks like a key, in a line", '{"text":"\\nsk-0123456789abcdef"}\n', '{"text":"\\n[key]"}\n'],
  ])("redacts a secret %s", (_, text, kept) => {
    assert.strictEqual(redactResponse(text), kept)
    assert.strictEqual(redactRequest(text), kept)
  })

  it.each([
    ["a word", ["it is z", 'zz"secr', "et", "1 and more"], ["it is [key]", "", "", " and more"]],
    ["two secrets", ['zzz"', `secret1${secret} zzz"sec`, "ret1"], ["[key]", "[key] [key]", ""]],
    ["half a secret", ["it is zzz", '"secret'], ["it is zzz", '"secret']],
    ["one after a noncharacter", ["\uffffzzz", '"secret1'], ["\uffff[key]", ""]],
  ])("redacts a secret split over events: %s", (_, pieces, kept) => {
    const stream = (pieces: ReadonlyArray<string>) =>
      pieces
        .map((content) => `data: ${JSON.stringify({ type: "delta", choices: [{ delta: { content } }] })}\n\n`)
        .join("")
    assert.strictEqual(redactResponse(stream(pieces)), stream(kept))
  })

  it("does not match letters of an escape with those of a secret", () => {
    const text = JSON.stringify({ text: "\token0123", call: JSON.stringify({ text: "\token0123" }) })
    assert.strictEqual(Redaction.makeRedaction(["token0123"]).redactResponse(text), text)
  })

  it("redacts a request the same, whether its answer arrived in pieces or not", () => {
    const pieces = ["it is AIzaSyD0123", "456789!"]
    assert.strictEqual(redactRequest(pieces.map(redactResponse).join("")), redactRequest(pieces.join("")))
  })

  it.prop(
    "redacts the same in whatever pieces a text arrives",
    [
      FastCheck.array(FastCheck.constantFrom("a", secret, secret.slice(0, 4), secret.slice(4), "{", '"', "\n", "\\")),
      FastCheck.constantFrom<(words: string) => string>(
        (words) => words,
        (words) => `${JSON.stringify({ words })}\n`,
        (words) => `data: ${JSON.stringify({ words, call: JSON.stringify({ words }) })}\n\n`,
        (words) => `: alive\n\n${words}\n`,
      ),
      FastCheck.array(FastCheck.integer({ min: 1, max: 40 })),
    ],
    ([words, wire, sizes]) => {
      const text = `data: {}\n\n${words.map(wire).join("")}`
      const collector = redaction.makeCollector("response")
      let at = 0
      for (const size of sizes) {
        collector.add(text.slice(at, at + size))
        at += size
      }
      collector.add(text.slice(at))
      const work = collector.end()
      let step = work.next()
      while (step.done !== true) step = work.next()
      assert.strictEqual(step.value, redactResponse(text))
      assert.notInclude(step.value, JSON.stringify(secret).slice(1, -1))
    },
  )

  it("leaves little work for the end of a long stream", () => {
    const collector = redaction.makeCollector("response")
    for (let id = 0; id < 8_000; id++) collector.add(`data: ${JSON.stringify({ id, text: "words" })}\n\n`)
    const work = collector.end()
    let steps = 0
    while (work.next().done !== true) steps++
    assert.isBelow(steps, 2000)
  })

  it("joins the redacted lines of a long stream and redacts the others at its end", () => {
    const event = (id: number) => `data: ${JSON.stringify({ id: `id-${id}`, text: `${id}: ${secret}` })}\n\n`
    const ids = Array.from({ length: 5000 }, (_, id) => id)
    assert.strictEqual(
      redactResponse(ids.map(event).join("")),
      ids.map(event).join("").replaceAll(String.raw`zzz\"secret1`, "[key]"),
    )
  })

  it("accepts long texts", () => {
    const text = JSON.stringify({ text: "a\n".repeat(2_000_000) })
    assert.isTrue(redactResponse(text) === text)
  })
})
