import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as CommentLines from "../../src/code/CommentLines.ts"

const ranges = (text: string) => CommentLines.commentsIn(text.split("\n")).map(({ end, start }) => [start, end])

describe("CommentLines.commentsIn", () => {
  it("finds docstrings, block comments and runs of line comments, in any language", () => {
    assert.deepStrictEqual(ranges('def a():\n    """One.\n\n    Two.\n    """\n    return 1'), [[1, 5]])
    assert.deepStrictEqual(ranges("/**\n * One.\n */\nclass A {}\n// two\n// three\nlet b"), [
      [0, 3],
      [4, 6],
    ])
    assert.deepStrictEqual(ranges("-- one\nlocal a = b -- two"), [[0, 1]])
  })

  it("takes no preprocessor line, no text in three quotes and no comment with code after it for one", () => {
    for (const text of ["#include <a.h>\n#define B", 'a = """\n# one\n"""', "/* one */ let a"]) {
      assert.deepStrictEqual(ranges(text), [])
    }
  })

  it.prop(
    "finds comments in order, whatever the text",
    [fc.array(fc.constantFrom("# a", '"""', "/*", "*/", "x", ""))],
    ([lines]) => {
      const found = ranges(lines.join("\n")).flat()
      assert.deepStrictEqual(
        found,
        found.toSorted((one = 0, other = 0) => one - other),
      )
    },
  )
})
