import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { slugify } from "../../../src/conversation/prd/Slug.ts"

describe("slugify", () => {
  it.each([
    ["User Dashboard", "user-dashboard"],
    ["  Hello   World  ", "hello-world"],
    ["C++ & Rust!", "c-rust"],
    ["Feature: OAuth 2.0 (v1.1)", "feature-oauth-20-v11"],
    ["a - b", "a-b"],
    ["--Lead--", "lead"],
    ["multi\nline\ttab", "multi-line-tab"],
    ["a_b-c", "a_b-c"],
    ["x/../../etc", "xetc"],
    ["", ""],
  ])("makes of %j %j", (text, slug) => {
    assert.strictEqual(slugify(text), slug)
  })

  it.each([
    ["日本語 対応", "日本語-対応"],
    ["Café Menü", "café-menü"],
    ["Cafe\u0301", "café"],
    ["Тёмная тема", "тёмная-тема"],
    ["الوضع الداكن", "الوضع-الداكن"],
    ["हिन्दी समर्थन", "हिन्दी-समर्थन"],
    ["🚀", "untitled"],
    // The marks of the letter stand in the order of the normal form if the sign between them is gone.
    ["\u05D9\u05B4\u2AEB\u0338", "\u05D9\u0338\u05B4"],
    ["../..", "untitled"],
  ])("keeps the letters of any script, and gives what has none a name: %j is %j", (text, slug) => {
    assert.strictEqual(slugify(text), slug)
  })

  it.prop(
    "is never a path, is empty only for a blank text, and is idempotent",
    [FastCheck.string({ unit: "grapheme" })],
    ([text]) => {
      const slug = slugify(text)
      assert.strictEqual(slug === "", text.trim() === "")
      assert.notMatch(slug, /[\s/\\.:\0]|--|^-|-$/)
      assert.strictEqual(slugify(slug), slug)
    },
  )
})
