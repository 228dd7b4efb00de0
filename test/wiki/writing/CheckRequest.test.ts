import { assert, describe, it } from "@effect/vitest"
import * as Block from "../../../src/message/Block.ts"
import type { Statement } from "../../../src/wiki/Page.ts"
import * as Answer from "../../../src/wiki/writing/Answer.ts"
import * as CheckRequest from "../../../src/wiki/writing/CheckRequest.ts"

const claim = (text: string): Statement => ({ text, kind: "claim", author: "model", unchecked: "due", citations: [] })

const correct = (before: string, after: string): string | undefined =>
  CheckRequest.apply([claim(before)], {
    holds: new Set(),
    untrue: new Set(),
    corrected: new Map([[1, [{ text: after }]]]),
  }).statements[0]?.text

describe("CheckRequest.apply", () => {
  it("keeps the word that a corrected statement explains", () => {
    const before = "*Mount*: A mount matches a path."
    const after = "*Mount*: A mount matches the beginning of a path."
    for (const written of [
      "A mount matches the beginning of a path.",
      "Mount: A mount matches the beginning of a path.",
    ])
      assert.strictEqual(correct(before, written), after)
    assert.strictEqual(correct(before, after), after)
  })

  it("adds no word to a statement that explains none", () => {
    assert.strictEqual(correct("A mount matches.", "A *mount*: it matches."), "A *mount*: it matches.")
  })

  const apply = (text: string, answer: Record<string, unknown>) =>
    CheckRequest.apply(
      [claim(text)],
      Answer.read(CheckRequest.form, [Block.toolUse("1", "check_statements", answer as never)]) ??
        assert.fail("no answer"),
    )
  const patched = (text: string, ...partly: ReadonlyArray<{ readonly old: string; readonly new: string }>) => {
    const { statements, undecided } = apply(text, { partly: partly.map((each) => ({ i: 1, ...each })) })
    return undecided.has(0) ? undefined : statements[0]?.text
  }

  it("replaces the words that a correction names, and no others", () => {
    const text = "It closes `file` and always returns 0."
    assert.strictEqual(
      patched(text, { old: "always returns 0", new: "returns 0 if it is empty" }),
      "It closes `file` and returns 0 if it is empty.",
    )
    assert.strictEqual(patched(text, { old: " and always returns 0", new: "" }), "It closes `file`.")
    assert.strictEqual(
      patched(text, { old: "closes", new: "opens" }, { old: "0", new: "1" }),
      "It opens `file` and always returns 1.",
    )
    assert.strictEqual(
      patched("*Pool*: A pool is closed.", { old: "is closed", new: "stays open" }),
      "*Pool*: A pool stays open.",
    )
  })

  it("leaves a statement undecided if the words to replace are not in it, or more than once", () => {
    for (const old of ["never returns", "it", "ALWAYS"]) {
      assert.isUndefined(patched("If it fails, it always returns 0.", { old, new: "something" }), old)
    }
    assert.isUndefined(patched("It fails.", { old: "It fails.", new: "" }))
  })

  it("keeps the white space around what replaces words, and joins no words to others", () => {
    assert.strictEqual(
      patched("It returns its result; nothing else happens.", {
        old: "; nothing else happens",
        new: " before plugins are loaded",
      }),
      "It returns its result before plugins are loaded.",
    )
    assert.strictEqual(
      patched("It is JSON, the default, as a form, and as text.", { old: ", as a form,", new: " and as a form" }),
      "It is JSON, the default and as a form and as text.",
    )
    assert.strictEqual(patched("It opens; then it reads.", { old: "; then", new: "and" }), "It opens and it reads.")
    assert.strictEqual(patched("It opens, and reads.", { old: " and reads", new: " closes" }), "It opens, closes.")
    assert.strictEqual(
      patched("It opens and reads.", { old: "and reads", new: ", then closes" }),
      "It opens, then closes.",
    )
    assert.strictEqual(patched("It reads `a.b`.", { old: ".b", new: "c" }), "It reads `ac`.")
  })

  it("leaves out what only the words cited that are gone, and nothing if what is left names none", () => {
    const build = { path: "extras/build.py", symbol: "main", hash: "1" }
    const complete = { path: "extras/http.bash", symbol: "_complete", hash: "2" }
    const other = { path: "extras/tool.py", symbol: "begin", hash: "3" }
    const cited = (citations: Statement["citations"], old: string, words: string) =>
      CheckRequest.apply([{ ...claim("A build packs it. In bash, completion offers options."), citations }], {
        holds: new Set(),
        untrue: new Set(),
        corrected: new Map([[1, [{ old, text: words }]]]),
      }).statements[0]?.citations
    assert.deepStrictEqual(cited([build, complete, other], "A build packs it. ", ""), [complete, other])
    assert.deepStrictEqual(cited([build, complete], "offers options", "offers names"), [build, complete])
    assert.deepStrictEqual(cited([build, other], "A build packs it. ", ""), [build, other])
  })

  it("reads that a part of a statement is wrong and another one undecided", () => {
    const answer = { partly: [{ i: 1, old: "always", new: "never" }], unseen: [1] }
    const verdicts = Answer.read(CheckRequest.form, [Block.toolUse("1", "check_statements", answer as never)])
    assert.deepStrictEqual(
      [Array.from(verdicts?.corrected.keys() ?? []), Array.from(verdicts?.unseen ?? [])],
      [[1], [1]],
    )
  })

  it("cleans what replaces words as it cleans whole statements", () => {
    assert.strictEqual(patched("It fails at once.", { old: "at once", new: "<b>later</b> [S1]" }), "It fails later.")
  })

  it("keeps what replaces words as it is within inline code, and takes no list or heading for one", () => {
    const text = "It reads `--json` of `argv[1]` and takes 3 entries."
    assert.strictEqual(patched(text, { old: "--json", new: "--jsonl" }), text.replace("--json", "--jsonl"))
    assert.strictEqual(patched(text, { old: "argv[1]", new: "argv[0]" }), text.replace("[1]", "[0]"))
    assert.strictEqual(patched(text, { old: "argv[1]", new: "`Array<T>`" }), text.replace("argv[1]", "Array<T>"))
    assert.strictEqual(patched(text, { old: "`argv[1]`", new: "`argv[0]`" }), text.replace("[1]", "[0]"))
    assert.strictEqual(patched(text, { old: "takes 3", new: "- takes 4" }), text.replace("takes 3", "- takes 4"))
  })

  it("replaces words up to within inline code, and leaves a statement undecided if its code would end elsewhere", () => {
    const text = "It calls `python -m test [1]` and `b`."
    assert.strictEqual(
      patched(text, { old: "calls `python", new: "calls, on Windows, `python" }),
      "It calls, on Windows, `python -m test [1]` and `b`.",
    )
    assert.strictEqual(
      patched(text, { old: "test [1]` and", new: "run [2] [S3]` or [17]" }),
      "It calls `python -m run [2] [S3]` or `b`.",
    )
    assert.isUndefined(patched(text, { old: "calls `python", new: "calls python" }))
    assert.isUndefined(patched(text, { old: "calls", new: "calls `a" }))
    const { undecided } = apply("It reads.", { holds: "1-5", partly: [{ i: 1, old: "", new: "" }] })
    assert.deepStrictEqual([...undecided], [0])
  })

  it("reads which statements hold as ranges, as numbers and as a list", () => {
    for (const holds of ["1-3, 5", "1–3 and 5", "1 to 3, 5", [1, 2, 3, 5], ["1-3", 5], "1-2, 3, 5, 900-100000"]) {
      const verdicts = Answer.read(CheckRequest.form, [Block.toolUse("1", "check_statements", { holds } as never)])
      assert.deepStrictEqual(Array.from(verdicts?.holds ?? []), [1, 2, 3, 5], String(holds))
    }
    assert.deepStrictEqual(Array.from(apply("It fails.", { holds: "1-4", not: [1] }).undecided), [])
    assert.isUndefined(apply("It fails.", { holds: "1-4", not: [1] }).statements[0])
  })
})
