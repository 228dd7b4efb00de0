import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Lexer from "../../../../../src/code/languages/ecma/scanner/Lexer.ts"
import type { Tokens } from "../../../../../src/code/languages/ecma/scanner/Token.ts"

/** The lexer is unsure of the third text, the last one is too long to be remembered, and two are elements or types. */
const texts = ["a = <b>c", "a /* b */ = `${c}`", "a)", "<b>a</b>", `a${" ".repeat(150_000)}b`]

const columns = (tokens: Tokens | undefined) =>
  tokens && {
    comments: tokens.comments,
    start: Array.from(tokens.start.subarray(0, tokens.count)),
    end: Array.from(tokens.end.subarray(0, tokens.count)),
    kind: Array.from(tokens.kind.subarray(0, tokens.count)),
  }

describe("Lexer", () => {
  it("gives each text its tokens, whichever it has read before", () => {
    const read = FastCheck.tuple(FastCheck.constantFrom(...texts), FastCheck.boolean())
    FastCheck.assert(
      FastCheck.property(FastCheck.array(read, { maxLength: 8 }), (reads) => {
        for (const [text, hasElements] of reads) {
          assert.deepStrictEqual(columns(Lexer.lex(text, hasElements)), columns(Lexer.make()(text, hasElements)))
        }
      }),
    )
  })

  it("reads a text once for all who ask one after the other", () => {
    const text = "const once = 1"
    assert.strictEqual(Lexer.lex(text, false), Lexer.lex(text, false))
  })
})
