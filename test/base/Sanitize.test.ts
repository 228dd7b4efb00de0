import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { sanitize, sanitizeLine } from "../../src/base/Sanitize.ts"
import { anyText } from "../utils/anyText.ts"

const esc = "\u001b"
const bel = "\u0007"
const family = "👨‍👩‍👧‍👦"

/**
 * Characters that are unsafe for a terminal: C0 but tab and line feed, DEL, C1, bidi, zero-width but the joiner, tags.
 */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

/** Strings of any characters and unpaired surrogates, with parts of escape sequences. */
const hostile = FastCheck.array(
  FastCheck.oneof(
    anyText(),
    FastCheck.string({ unit: "grapheme" }),
    FastCheck.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    FastCheck.constantFrom(esc, `${esc}[`, `${esc}]`, `${esc}P`, `${esc}\\`, bel, "\u009b", "\u009d", "\u009c", "\r\n"),
    FastCheck.constantFrom("\u200b", "\u202e", "\ufeff", "\udb40", "\udc41", "\u{e0041}", "[31m", "]52;c;", "0"),
  ),
).map((pieces) => pieces.join(""))

describe("sanitize", () => {
  it.each([
    ["colours", `a${esc}[1;31mb${esc}[0mc`, "abc"],
    ["a colour with colons", `a${esc}[38:2::255:0:0mb`, "ab"],
    ["the question where the cursor is", `a${esc}[6nb`, "ab"],
    ["a cleared screen", `a${esc}[2J${esc}[Hb`, "ab"],
    ["private modes", `a${esc}[?1049h${esc}[>cb`, "ab"],
    ["a sequence with intermediates", `a${esc}[!pb`, "ab"],
    ["a control sequence that does not end", `a${esc}[12`, "a"],
    ["a reset", `a${esc}cb`, "ab"],
    ["a character set", `a${esc}(0b`, "ab"],
    ["a lone escape at the end", `a${esc}`, "a"],
    ["a title, ended by BEL", `a${esc}]0;title${bel}b`, "ab"],
    ["a title, ended by ST", `a${esc}]0;title${esc}\\b`, "ab"],
    ["a title, ended by the 8-bit ST", `a${esc}]0;title\u009cb`, "ab"],
    ["a title that does not end, up to the end of its line", `a${esc}]0;title\nb`, "a\nb"],
    ["the clipboard, ended by BEL", `a${esc}]52;c;cm0gLXJm${bel}b`, "ab"],
    ["the clipboard, ended by ST", `a${esc}]52;c;cm0gLXJm${esc}\\b`, "ab"],
    ["the clipboard, not ended", `a${esc}]52;c;cm0gLXJm`, "a"],
    ["a link, keeping its text", `${esc}]8;;http://evil.example${bel}here${esc}]8;;${bel}`, "here"],
    ["a device control string", `a${esc}Pq#0;2;0${esc}\\b`, "ab"],
    ["an application program command", `a${esc}_Gi=1;AAAA${esc}\\b`, "ab"],
    ["a privacy message", `a${esc}^secret${esc}\\b`, "ab"],
    ["a start of string", `a${esc}Xsecret${esc}\\b`, "ab"],
    ["a string that another sequence cuts off", `a${esc}]0;title${esc}[31mb`, "ab"],
    ["8-bit colours", "a\u009b31mb", "ab"],
    ["an 8-bit title", `a\u009d0;title\u009cb`, "ab"],
    ["an 8-bit device control string", "a\u0090q\u009cb", "ab"],
    ["the other 8-bit strings", "a\u0098x\u009cb\u009ey\u009cc\u009fz\u009cd", "abcd"],
    ["a lone 8-bit terminator and next line", "a\u009c\u0085b", "ab"],
    ["NUL, BEL, backspace, DEL", "a\u0000\u0007\u0008\u007fb", "ab"],
    ["carriage returns", "a\r\nb\rc", "a\nbc"],
    ["vertical tab and form feed", "a\u000b\u000cb", "ab"],
    ["bidirectional controls", "a\u202eb\u2066c\u2069\u200f\u061cd", "abcd"],
    ["zero-width characters, soft hyphens and byte order marks", "a\u200b\u200c\u2060\u00ad\ufeffb", "ab"],
    ["letters that look like nothing", "a\u3164\u115f\uffa0\u034fb", "ab"],
    ["tag characters", "a\u{e0041}\u{e007f}b", "ab"],
    ["the supplementary variation selectors that can hide text", "a\u{e0100}\u{e01ef}b", "ab"],
    ["a tag whose halves stood apart", "a\udb40\u200b\udc41b", "a\ufffd\ufffdb"],
    ["a tag whose halves a sequence kept apart", `a\udb40${esc}[0m\udc41b`, "a\ufffd\ufffdb"],
  ])("removes %s", (_, text, expected) => {
    assert.strictEqual(sanitize(text), expected)
  })

  it.each([
    ["words of any script", "Grüße, 你好, שלום, مرحبا, नमस्ते, สวัสดี"],
    ["tabs and line breaks", "a\tb\n\nc"],
    ["emoji, families and the styles of emoji", `${family} 🏳️‍🌈 ❤️ ☺︎ 👍🏽 1️⃣`],
    ["what only looks like a sequence", "[31m ]52;c; \\ array[0] 0x1b"],
    ["accents that combine", "e\u0301"],
  ])("keeps %s", (_, text) => {
    assert.strictEqual(sanitize(text), text)
  })

  it.prop("removes every control and invisible character", [hostile], ([text]) => {
    assert.notMatch(sanitize(text), forbidden)
    assert.isTrue(sanitize(text).isWellFormed())
  })

  it.prop("is idempotent", [hostile], ([text]) => {
    assert.strictEqual(sanitize(sanitize(text)), sanitize(text))
  })

  it.prop(
    "keeps the text around a terminated sequence",
    [
      FastCheck.string({ unit: "grapheme-ascii" }),
      FastCheck.constantFrom(`${esc}[6n`, `${esc}]52;c;x${bel}`, `${esc}Px${esc}\\`, "\u009b1A", `${esc}c`),
      FastCheck.string({ unit: "grapheme-ascii" }),
    ],
    ([before, sequence, after]) => {
      assert.strictEqual(sanitize(before + sequence + after), before + after)
    },
  )

  it("takes linear time", () => {
    const text = `${`${esc}]`.repeat(100_000)}${`${esc}[0`.repeat(100_000)}`
    assert.strictEqual(sanitize(text), "")
  })
})

describe("sanitizeLine", () => {
  it("replaces line breaks and tabs by single spaces", () => {
    assert.strictEqual(sanitizeLine(`a\r\n\n\tb${esc}[31m\nc`), "a b c")
  })

  it.prop("never contains a line break", [hostile], ([text]) => {
    assert.notMatch(sanitizeLine(text), /[\n\t]/)
    assert.notMatch(sanitizeLine(text), forbidden)
  })
})
