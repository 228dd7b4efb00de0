import { assert, describe, it } from "@effect/vitest"
import * as Branches from "../../../src/wiki/writing/Branches.ts"

const conditionsOf = (path: string, text: string, name: string) => {
  const lines = text.split("\n")
  return Branches.conditionsIn(path, lines)(lines.findIndex((line) => line.includes(name)) + 1)
}

describe("Branches.conditionsIn", () => {
  it("looks at each line of a file once for its directives, however many symbols the file has", () => {
    let read = 0
    const texts = Array.from({ length: 2_000 }, (_, n) => (n === 0 ? "#if A" : `int f${n}(void);`))
    const lines = new Proxy(texts, {
      get: (target, key) => {
        if (/^\d+$/.test(String(key))) read += 1
        return Reflect.get(target, key)
      },
    })
    const conditions = Branches.conditionsIn("a.c", lines)
    for (let line = 2; line <= texts.length; line++) assert.deepStrictEqual(conditions(line), ["#if A"])
    assert.isBelow(read, 20 * texts.length)
  })

  it("names the condition of an else with it, and every one of a chain", () => {
    const text = `import sys

if sys.platform.startswith("win"):  # Windows

    def one(): ...

elif JYTHON:
    def two(): ...

else:

    class Streams:
        def three(self): ...


def four():
    pass
`
    assert.deepStrictEqual(conditionsOf("a.py", text, "one"), ['if sys.platform.startswith("win")'])
    assert.deepStrictEqual(conditionsOf("a.py", text, "two"), ['elif JYTHON of: if sys.platform.startswith("win")'])
    assert.deepStrictEqual(conditionsOf("a.py", text, "three"), [
      'else of: if sys.platform.startswith("win"), elif JYTHON',
    ])
    assert.deepStrictEqual(conditionsOf("a.py", text, "four"), [])
  })

  it("says what failed if something is declared where an import fails, and nothing of what is tried", () => {
    const text = `try:
    import colorama
    def first(): ...
except ImportError:
    def second(): ...
`
    assert.deepStrictEqual(conditionsOf("a.py", text, "second"), ["except ImportError of: try"])
    assert.deepStrictEqual(conditionsOf("a.py", text, "first"), [])
  })

  it("reads blocks between brackets, from the outside to the inside", () => {
    const text = `if (isNode) {
  function one() {}
} else {
  if (!hasFetch) {
    function two() {}
  }
}
function three() {
}
`
    assert.deepStrictEqual(conditionsOf("a.js", text, "one"), ["if (isNode)"])
    assert.deepStrictEqual(conditionsOf("a.js", text, "two"), ["else of: if (isNode)", "if (!hasFetch)"])
    assert.deepStrictEqual(conditionsOf("a.js", text, "three"), [])
  })

  it("reads the directives of a preprocessor, but not the guard of a header", () => {
    const text = `#ifndef A_H
#define A_H
#ifdef _WIN32
void one(void);
#else
void two(void);
#endif
void three(void);
#endif
`
    assert.deepStrictEqual(conditionsOf("a.h", text, "one"), ["#ifdef _WIN32"])
    assert.deepStrictEqual(conditionsOf("a.h", text, "two"), ["#else of: #ifdef _WIN32"])
    assert.deepStrictEqual(conditionsOf("a.h", text, "three"), [])
    assert.deepStrictEqual(conditionsOf("a.py", "# if it rains\ndef two(): ...\n", "two"), [])
  })

  it("reads the attributes of an item of Rust", () => {
    assert.deepStrictEqual(conditionsOf("a.rs", "/// Runs.\n#[cfg(unix)]\n#[inline]\nfn one() {}\n", "one"), [
      "cfg(unix)",
    ])
    assert.deepStrictEqual(conditionsOf("a.rs", "#[cfg(unix)]\nmod a;\n\nfn one() {}\n", "one"), [])
  })
})

describe("Branches.enclosing", () => {
  it("returns the lines of the blocks around a line, and with an else its if", () => {
    const lines = [
      "def run(a):",
      "    if a:",
      "        stop()",
      "    else:",
      "        for b in a:",
      "            go(b)",
    ]
    assert.deepStrictEqual(Branches.enclosing(lines, 5), [4, 3, 1, 0])
    assert.deepStrictEqual(Branches.enclosing(lines, 2), [1, 0])
    assert.deepStrictEqual(Branches.enclosing(["for a in b:", "    go()", "else:", "    stop()"], 3), [2])
  })

  it("takes time in proportion to the lines", () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => (at % 2 === 0 ? "  a" : "  } else {"))
    assert.isAtMost(Branches.enclosing(lines, lines.length - 1).length, 3)
  })
})

describe("Branches.note", () => {
  it("stands behind a name", () => {
    assert.strictEqual(Branches.note(["if A", "else of: if B"]), " (declared only in: if A; else of: if B)")
    assert.strictEqual(Branches.note([]) + Branches.note(undefined), "")
  })
})
