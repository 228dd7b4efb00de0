import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { Message } from "../../src/message/Message.ts"
import * as Tokens from "../../src/message/Tokens.ts"
import { messages } from "./Messages.ts"

/** The specified formula, for messages without pictures. */
const whole = (system: string, history: ReadonlyArray<Message>): number =>
  Math.floor(
    0.3 * (system.length + JSON.stringify(history).replaceAll('"aGVsbG8="', `"${"x".repeat(Tokens.PICTURE)}"`).length),
  )

/** Text in scripts with thousands of characters. */
const character = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.constantFrom(..."的一是不了人我在有他这中大来上国") },
  { weight: 2, arbitrary: FastCheck.constantFrom(..."のはをがにでとカタヅーー。、「」") },
  { weight: 2, arbitrary: FastCheck.constantFrom(..."가나다한국어말을쓰면") },
  FastCheck.integer({ min: 0x3400, max: 0x9fff }).map((code) => String.fromCodePoint(code)),
  FastCheck.integer({ min: 0x20000, max: 0x2a6df }).map((code) => String.fromCodePoint(code)),
)

const word = FastCheck.constantFrom("a", "tea", "index", "function", "Workspaces", " ", ", ")

/**
 * The estimate of tokenx: a token for each character of those scripts, for six letters of others, and for each mark.
 */
const closer = (text: string): number =>
  Array.from(text.matchAll(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]|[a-z]+|[^\s\w]/giu), ([part]) =>
    Math.ceil(part.length / 6),
  ).reduce((sum, tokens) => sum + tokens, 0)

describe("Tokens", () => {
  it("estimates three tenths of the characters of the system prompt and of the messages as JSON", () => {
    assert.strictEqual(Tokens.estimate("", []), 0)
    assert.strictEqual(Tokens.estimate("0123456789", []), 3)
    const hello: Message = { role: "user", content: [{ type: "text", text: "hello" }] }
    assert.strictEqual(Tokens.estimate("be kind", [hello, hello]), 37)
    assert.strictEqual(whole("be kind", [hello, hello]), 37)
  })

  it.prop(
    "is the same for a whole history and message by message",
    [FastCheck.string(), messages],
    ([system, history]) => {
      let tally = Tokens.start(system)
      history.forEach((message, i) => {
        tally = Tokens.add(tally, message)
        assert.strictEqual(Tokens.tokens(tally), whole(system, history.slice(0, i + 1)))
      })
      assert.strictEqual(Tokens.estimate(system, history), whole(system, history))
    },
  )

  it("estimates 1000 for a picture of any size", () => {
    const shown = (length: number): Message => ({
      role: "user",
      content: [{ type: "image", media_type: "image/png", data: "x".repeat(length) }],
    })
    assert.closeTo(Tokens.estimate("", [shown(10)]), 1000, 25)
    assert.strictEqual(Tokens.estimate("", [shown(10)]), Tokens.estimate("", [shown(1_000_000)]))
  })

  it.each<readonly [script: string, text: string, tokens: number]>([
    ["English", "The quick brown fox jumps over the lazy dog", 12],
    ["Russian", "Съешь же ещё этих мягких французских булок", 12],
    ["Chinese", "知识就是力量", 6],
    ["Japanese", "いろはにほへと", 7],
    ["Korean", "나랏말싸미", 5],
    ["Thai", "สวัสดี", 6],
    ["Hindi", "नमस्ते", 6],
    ["Georgian", "ქართული", 7],
    ["emoji", "😀👍", 4],
    ["rare characters", "𠀀𠀁", 4],
  ])("counts a token for each character of %s", (_, text, tokens) => {
    assert.strictEqual(Math.floor(0.3 * Tokens.lengthOf(text)), tokens)
  })

  it.prop(
    "is at least half of the estimate of tokenx for mixed Chinese, Japanese and Korean text",
    [FastCheck.array(FastCheck.oneof({ weight: 5, arbitrary: character }, word), { maxLength: 60 })],
    ([parts]) => {
      const text = parts.join("")
      assert.isAtLeast(Tokens.estimate(text, []), Math.floor(closer(text) / 2))
      assert.isAtLeast(Tokens.estimate("", [{ role: "user", content: [{ type: "text", text }] }]), closer(text) / 2)
    },
  )

  it.prop("never decreases with another message", [FastCheck.string(), messages], ([system, history]) => {
    assert.isAtMost(Tokens.estimate(system, history.slice(0, -1)), Tokens.estimate(system, history))
  })
})
