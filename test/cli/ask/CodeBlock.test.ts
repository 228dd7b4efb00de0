import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as CodeBlock from "../../../src/cli/ask/CodeBlock.ts"

describe("CodeBlock.first", () => {
  it.each<readonly [what: string, answer: string, code: string | undefined]>([
    ["what is in the fence, and nothing around it", "So:\n\n```sh\nls -l\n\npwd\n```\nThat is it.", "ls -l\n\npwd\n"],
    ["the first of several", "```\na\n```\n```\nb\n```", "a\n"],
    ["a fence of tildes, in which one of backticks is code", "~~~md\n```\na\n```\n~~~", "```\na\n```\n"],
    ["a longer fence, in which a shorter one is code", "````\n```\na\n```\n`````", "```\na\n```\n"],
    ["what is indented no more than its fence without that", "  ```py\n  if a:\n    b\n c\n  ```", "if a:\n  b\nc\n"],
    ["what ends in CRLF", "```\r\na\r\n```\r\n", "a\r\n"],
    ["what is not closed up to the end", "```\na\n``", "a\n``"],
    ["nothing of an empty block", "```\n```", ""],
    ["no code in words", "Use `a` or ``b``.", undefined],
    ["no code between backticks on a line", "```a``` and\nb", undefined],
    ["no code in what is a quarter of a line to the right", "    ```\n    a\n    ```", undefined],
  ])("finds %s", (_, answer, code) => assert.strictEqual(CodeBlock.first(answer), code))

  it.prop(
    "gives back any lines that were put into a fence long enough",
    [FastCheck.array(FastCheck.string())],
    ([lines]) => {
      const code = lines.map((line) => line.replaceAll(/[\r\n]/g, "")).join("\n")
      const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length))
      const fence = "`".repeat(longest + 1)
      assert.strictEqual(CodeBlock.first(`Here:\n${fence}text\n${code}\n${fence}\n`), `${code}\n`)
    },
  )
})
