import { assert, describe, it } from "@effect/vitest"
import * as SourceTokens from "../../src/code/SourceTokens.ts"

const tokensOf = (path: string, text: string) => SourceTokens.read(path, text)(0, text.length)

type Case = readonly [path: string, one: string, other: string]

const sameLayout: ReadonlyArray<Case> = [
  [
    "a.ts",
    "export function f(a: number) {\n  const x = g(a, b)\n  return x.y().z()\n}",
    "export function f(a: number) {\n    const x = g(\n        a,\n        b,\n    )\n    return x\n        .y()\n        .z()\n}",
  ],
  ["a.ts", "if (a) {\n  b()\n} else {\n  c()\n}", "if (a) {\n\n\tb()\n}\nelse {\n\tc()\n}"],
  ["a.ts", "const f = (a) => a && b ? [1,2] : {c:1}", "const f = (a) =>\n  a &&\n  b\n    ? [1, 2]\n    : { c: 1 }"],
  [
    "a.ts",
    "class A {\n  /**\n   * One.\n   */\n  b() {}\n}",
    "class A {\n    /**\n     * One.\n     */\n    b() {}\n}",
  ],
  ["a.ts", "f()\r\ng()\r\n", "f()\ng()\n"],
  ["a.tsx", "const a = <p>\n  don't <b>x</b>\n</p>", "const a = <p>\n      don't <b>x</b>\n    </p>"],
  ["a.py", "def f(a):\n  return g(a, b)", "def f(a):\n    return g(\n        a,\n        b,\n    )"],
  [
    "a.py",
    "class A:\n  def b(self):\n    if c:\n      d()\n    e[:1]",
    "class A:\n\tdef b(self):\n\n\t\tif c:\n\t\t\td()\n\t\te[ : 1]",
  ],
  ["a.py", 'def f():\n  """One.\n\n  Two.\n  """\n  x = 1', 'def f():\n    """One.\n\n    Two.\n    """\n    x = 1'],
  ["a.py", "x = a + \\\n  b", "x = a+b"],
  ["a.go", "func f(a int) {\n\tg(a, b)\n}", "func f(a int) {\n  g(\n    a,\n    b,\n  )\n}"],
  [
    "a.rs",
    "fn f() -> Vec<Vec<u8>> { g(&a, 'b') }",
    "fn f() -> Vec<Vec<u8> >\n{\n    g(\n        &a,\n        'b',\n    )\n}",
  ],
  ["a.java", "int f() { return a+b; }", "int f()\n{\n    return a\n        + b;\n}"],
  ["a.cpp", "int f(int a) {\n  return a*2;\n}", "int\nf(int a)\n{\n    return a * 2;\n}"],
  ["a.cs", 'var a = $"x {b}"; f(a,b);', 'var a =\n    $"x {b}";\nf(a, b);'],
  [
    "a.php",
    "<?php function f($a) { return [1,2]; }",
    "<?php\nfunction f($a)\n{\n    return [\n        1,\n        2,\n    ];\n}",
  ],
  ["a.kt", "fun f() = a.b().c()", "fun f() =\n    a\n        .b()\n        .c()"],
  ["a.rb", "def f\n  foo(a,b)\nend", "def f\n    foo(\n        a,\n        b\n    )\n\nend"],
  ["a.sh", "f() {\n  if a; then\n    b  c\n  fi\n}", "f() {\n\tif a; then\n\t\tb c\n\tfi\n}"],
  ["a.css", "a .b{color:red;c:d}", "a .b {\n  color: red;\n  c: d\n}"],
  ["a.hs", "f x = do\n  a\n  b x\n where\n  c = 1", "f x = do\n      a\n      b x\n    where\n      c = 1"],
  ["a.hs", "f = let a = 1\n        b = 2\n    in a", "f = let a = 1\n        b = 2\n      in a"],
  ["a.swift", "func f() {\n  g(a, b)\n}", "func f() {\n    g(\n        a,\n        b\n    )\n}"],
]

const otherSource: ReadonlyArray<Case> = [
  ["a.ts", 'f("a b")', 'f("a  b")'],
  ["a.ts", "f(`a\n b`)", "f(`a\n  b`)"],
  ["a.ts", "f(/a b/)", "f(/a  b/)"],
  ["a.ts", "function f() { return\na }", "function f() { return a }"],
  ["a.ts", "a\n++b", "a++\nb"],
  ["a.ts", "a + +b", "a ++ b"],
  ["a.ts", "// a b\nf()", "// a  b\nf()"],
  ["a.ts", "// a\nf()", "// a f()\n"],
  ["a.ts", "f([a,,])", "f([a,])"],
  ["a.tsx", "const a = <p><b>x</b> <i>y</i></p>", "const a = <p><b>x</b><i>y</i></p>"],
  ["a.tsx", "const a = <p>x y</p>", "const a = <p>xy</p>"],
  ["a.py", "def f():\n  if a:\n    b()\n    c()", "def f():\n  if a:\n    b()\n  c()"],
  [
    "a.py",
    "def f():\n  for a in b:\n    if a:\n      c()\n  d()",
    "def f():\n  for a in b:\n    if a:\n      c()\n    d()",
  ],
  ["a.py", 'x = """a\n  b"""', 'x = """a\n    b"""'],
  ["a.py", "x = (1,)", "x = (1)"],
  ["a.py", "return (1,)", "return (1)"],
  ["a.py", "x[1,]", "x[1]"],
  ["a.py", "# a\nx = 1", "# b\nx = 1"],
  ["a.go", "func f() {\n\ta\n\t*b = 1\n}", "func f() {\n\ta * b = 1\n}"],
  ["a.go", "x := `a\n b`", "x := `a\n  b`"],
  ["a.rs", 'f(r#"a " b"#)', 'f(r#"a "  b"#)'],
  ["a.rs", "let x = (a,);", "let x = (a);"],
  ["a.cpp", "int a;\n#define B c\nint d;", "int a;\n#define B c int d;\n"],
  ["a.cpp", "a & &b", "a && b"],
  ["a.cpp", 'f(R"(a "b c)")', 'f(R"(a "b  c)")'],
  ["a.rb", "foo -1", "foo - 1"],
  ["a.rb", "a\nb", "a b"],
  ["a.sh", "echo 'a  b'", "echo 'a b'"],
  ["a.sh", 'echo "$(f "a  b")"', 'echo "$(f "a b")"'],
  ["a.sh", "(a\nb)", "(a b)"],
  ["a.css", "a .b{}", "a.b{}"],
  ["a.hs", "f = do x\n       y", "f = do x\n         y"],
  ["a.hs", "f = g\n where\n  a = b\n  c = d", "f = g\n where\n  a = b\n   c = d"],
  ["a.hs", "f = g . h", "f = g.h"],
  ["a.swift", "a\n-b", "a - b"],
]

describe("SourceTokens.read", () => {
  it.each(sameLayout)("is the same after a change of layout (%s, %j)", (path, one, other) => {
    assert.isDefined(tokensOf(path, one))
    assert.strictEqual(tokensOf(path, other), tokensOf(path, one))
  })

  it.each(otherSource)("tells another source apart (%s, %j)", (path, one, other) => {
    assert.isDefined(tokensOf(path, one))
    assert.notStrictEqual(tokensOf(path, other), tokensOf(path, one))
  })

  it("has the tokens of a part, whatever is around it", () => {
    const text = "class A {\n  b() {\n    c()\n  }\n}\n"
    const [start, end] = [text.indexOf("b()"), text.indexOf("  }\n}") + 3]
    assert.strictEqual(SourceTokens.read("a.ts", text)(start, end), tokensOf("b.ts", "b() { c() }"))
    assert.isUndefined(SourceTokens.read("a.ts", text)(1, end))
  })

  it.each([
    ["sh", "${"],
    ["tsx", " "],
    ["swift", "#"],
    ["rb", "%w("],
    ["cpp", 'R"('],
    ["hs", "do "],
    ["php", "<<E"],
  ])("takes time in proportion to the length of the text, whatever is in it (%s, %j)", (extension, part) => {
    const text = `const a = <p>${part.repeat(50_000)}`
    assert.doesNotThrow(() => SourceTokens.read(`a.${extension}`, text)(0, text.length))
  })

  it("has none of a language that it does not read, and of what a here-document may be part of", () => {
    assert.isUndefined(tokensOf("a.vue", "<script></script>"))
    const text = "f() {\n  cat <<-EOF\n\ta  b\n\tEOF\n}\n"
    assert.isUndefined(SourceTokens.read("a.sh", text)(0, text.length - 1))
    assert.isUndefined(tokensOf("a.ts", "const a = ("))
  })
})
