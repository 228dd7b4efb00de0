import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Squeeze from "../../../src/explore/internal/Squeeze.ts"

const squeeze = (text: string, { name = "", isBody = false } = {}): string =>
  Squeeze.squeeze(text.split("\n"), { name, isBody }).join("\n")

describe("Squeeze.squeeze", () => {
  it("writes a comment on few lines, without addresses, examples and instructions to tools", () => {
    assert.strictEqual(
      squeeze(`class Sort:
    """
    Sorts rows.

    https://example.com/a/long/address.html
    As per https://example.com/another.html

    By one column.
    Examples:
        >>> Sort(1)
    """
    # pylint: disable=all
    #: Rows of the same
    #: value stay in order.
    x = 1`),
      `class Sort:
    """Sorts rows. By one column. …"""
    #: Rows of the same value stay in order.
    x = 1`,
    )
    assert.strictEqual(
      squeeze(
        "/**\n * Sorts rows.\n *\n * @see {@link https://example.com/sort}\n * @example\n * sort(1)\n */\nsort()",
      ),
      "/** Sorts rows. … */\nsort()",
    )
  })

  it("leaves a comment out that says nothing, and of a long one the end", () => {
    assert.strictEqual(squeeze('"""\n    https://example.com\n    """\n//\n// ----\nx'), "x")
    const long = squeeze(`/*\n${" * several words that go on\n".repeat(100)} */`)
    assert.isBelow(long.length, 320)
    assert.match(long, / … \*\/$/)
    assert.isBelow(squeeze(`# ${"x".repeat(900)}`).length, 320)
  })

  it("leaves texts alone that are no comments, and comments that do not end", () => {
    for (const text of [
      'return """\n# one\n# two\n"""',
      "/* one\n * two",
      'x = """\n    """ + """\n# one\n# two\n"""',
      "/* a */ x()\n/* b */ y()",
    ]) {
      assert.strictEqual(squeeze(text, { isBody: true }), text)
    }
  })

  it("joins the entries of a list, and those that hand on what has the same name", () => {
    assert.strictEqual(
      squeeze(
        `def read(
    self,
    path: str,
) -> None:
    super().read(
        path,
        limit=limit,
        mode=mode,
    )`,
        { isBody: true },
      ),
      "def read(self, path: str) -> None: super().read(path, …)",
    )
    assert.strictEqual(squeeze("if (a) {\n  return b;\n}", { isBody: true }), "if (a) { return b }")
    assert.strictEqual(squeeze("type A = {\n  b: string\n  c: number\n}"), "type A = { b: string; c: number }")
    assert.strictEqual(squeeze("const a = {\n  one,\n  two\n}", { isBody: true }), "const a = { one, two }")
    const statements = "run(() => {\n  one();\n  two();\n})"
    assert.strictEqual(squeeze(statements, { isBody: true }), statements)
  })

  it("joins an only line to its branch, and calls to their chain", () => {
    assert.strictEqual(
      squeeze(
        "for a in b:\n    if c:\n        return d\n    elif e:\n        f()\n        g()\nreturn [\n    a\n    for a in b\n]",
        {
          isBody: true,
        },
      ),
      "for a in b:\n    if c: return d\n    elif e:\n        f()\n        g()\nreturn [a for a in b]",
    )
    assert.strictEqual(squeeze("return a\n  .b()\n  .c()", { isBody: true }), "return a.b().c()")
  })

  it("joins no statements, though the lines before them are fields", () => {
    const text = "interface A {\n  b: c\n  d();\n}"
    assert.strictEqual(squeeze(text), text)
    assert.strictEqual(squeeze("interface A {\n  d();\n}"), "interface A { d() }")
    assert.strictEqual(squeeze("interface A {\n  b: c\n  d()\n}"), "interface A { b: c; d() }")
  })

  it("knows comments of any language by their signs, also on lines without words", () => {
    for (const sign of ["//", "///", "//!", "#", "#:", "--"]) {
      assert.strictEqual(
        squeeze(`${sign}\n${sign} Sorts rows\n${sign} by one column.\n${sign}\nx`),
        `${sign} Sorts rows by one column.\nx`,
        sign,
      )
    }
    assert.strictEqual(squeeze("; Sorts rows\n; by one column.\nx"), "; Sorts rows by one column.\nx")
    for (const text of ["--a\n--b\nx", "#a\n#b\nx", ";\n;\nx"]) assert.strictEqual(squeeze(text), text)
  })

  it("joins calls to their chain up to 160 characters", () => {
    const chain = (length: number) => ["return a", "  .b()", `  .${"c".repeat(length - "return a.b().()".length)}()`]
    for (const [length, lines] of [
      [160, 1],
      [161, 2],
    ] as const) {
      const joined = squeeze(chain(length).join("\n"), { isBody: true }).split("\n")
      assert.lengthOf(joined, lines)
      assert.lengthOf(joined.map((line) => line.trim()).join(""), length)
    }
  })

  it("shows the first two parts of a long message", () => {
    const parts = ["one", "two", "three", "four"].map((part) => `    f"part ${part} of a long message "`)
    assert.strictEqual(
      squeeze(["raise Failure(", ...parts, ")  # noqa: E501"].join("\n"), { isBody: true }),
      `raise Failure(${parts
        .slice(0, 2)
        .map((part) => part.trim())
        .join(" ")} …)`,
    )
  })

  it("marks assignments of parameters that it leaves out of a constructor that does more", () => {
    assert.strictEqual(
      squeeze(
        'def __init__(self, a, b):\n    self.a = a\n    """What a is."""\n    self._b = b\n    self.c = a + b\n    self.d = c',
        {
          isBody: true,
        },
      ),
      "def __init__(self, a, b):\n    …\n    self.c = a + b\n    self.d = c",
    )
    // An `else` whose only statement is left out is not empty.
    assert.strictEqual(
      squeeze("function M.new(a, b)\n  if b then\n    run(b)\n  else\n    self.a = a\n  end\nend", { isBody: true }),
      "function M.new(a, b)\n  if b then\n    run(b)\n  else\n    …\n  end\nend",
    )
    const branch = "constructor(a) {\n  if (b) {\n    this.a = a\n  }\n  c()\n}"
    assert.strictEqual(squeeze(branch, { isBody: true }), "constructor(a) {\n  if (b) { this.a = a }\n  c()\n}")
  })

  it("leaves attributes out of a class that repeat its name or are only emptied", () => {
    assert.strictEqual(
      squeeze(
        'class CreateTableSegment:\n    type = "create_table"\n    kind = "create_view"\n    parse = None\n    def type(self):\n        pass',
        { name: "CreateTableSegment" },
      ),
      'class CreateTableSegment:\n    kind = "create_view"\n    def type(self): pass',
    )
  })

  it("shows eight of more than ten lines of one shape, and three that differ in numbers alone", () => {
    const fields = Array.from({ length: 30 }, (_, i) => `  field${"x".repeat(i)}: Map<string, ${"y".repeat(i)}>;`)
    const lines = squeeze(["interface A {", ...fields, "}"].join("\n")).split("\n")
    assert.deepStrictEqual(lines.slice(8), [fields[7], "… 22 lines alike", "}"])
    const colours = ["Red", "Green", "Blue", "Cyan", "Teal", "Pink", "Gold", "Grey", "Lime", "Navy", "Plum", "Rust"]
    assert.strictEqual(
      squeeze(["enum Colour {", ...colours.map((colour) => `  ${colour},`), "}"].join("\n")),
      `enum Colour { ${colours.slice(0, 8).join(", ")}, … 4 lines alike }`,
    )
    const overloads = Array.from({ length: 9 }, (_, i) => `  <E${i} extends Env>(one: E${i}): void`)
    assert.deepStrictEqual(squeeze(["interface A {", ...overloads, "}"].join("\n")).split("\n"), [
      "interface A {",
      ...overloads.slice(0, 3),
      "… 6 lines alike",
      "}",
    ])
  })

  it.each<readonly [what: string, lineOf: (word: string, n: number) => string]>([
    ["assignments", (word) => `${word} = read`],
    ["assignments with modifiers and types", (word, n) => `private static ${word}: ${"T".repeat(n + 1)} = read`],
    ["fields", (word, n) => `readonly ${word}?: ${"T".repeat(n + 1)}`],
    ["members of a union", (word) => `| ${word}`],
    ["numbers", (_, n) => `0x${"abcdef".charAt(n % 6).repeat(n + 1)},`],
    ["texts", (word) => `"${word} and ${word}",`],
    ["names", (word) => `${word},`],
    ["calls of one function", (word) => `add(${word})`],
    ["constructions of one class", (word) => `new Box(${word})`],
  ])("shows eight of more than ten %s, and all of ten", (_, lineOf) => {
    const words = ["red", "green", "blue", "cyan", "teal", "pink", "gold", "grey", "lime", "navy", "plum", "rust"]
    const lines = words.map(lineOf)
    const squeezed = (count: number) => squeeze(["begin {{", ...lines.slice(0, count), "}} end"].join("\n"))
    const shownOf = (text: string) => lines.filter((line) => text.includes(line.replace(/,$/, "")))
    assert.include(squeezed(12), "… 4 lines alike")
    assert.deepStrictEqual(shownOf(squeezed(12)), lines.slice(0, 8))
    assert.notInclude(squeezed(10), "alike")
    assert.deepStrictEqual(shownOf(squeezed(10)), lines.slice(0, 10))
  })

  it("shows lines alike that are of different functions, levels or shapes, or begin what goes on", () => {
    const words = ["red", "green", "blue", "cyan", "teal", "pink", "gold", "grey", "lime", "navy", "plum", "rust"]
    for (const lineOf of [
      (word: string) => `${word}(1)`,
      (word: string, n: number) => `${" ".repeat(n)}add(${word})`,
      (word: string, n: number) => (n % 2 === 0 ? `add(${word})` : `${word} = read`),
      (word: string) => `if (${word} == read)`,
      (word: string) => `${word} => read`,
    ]) {
      const lines = words.map(lineOf)
      const text = ["begin {{", ...lines, "}} end"].join("\n")
      assert.notInclude(squeeze(text), "alike", lines[0])
    }
  })

  it.prop(
    "takes time for its length, and adds next to nothing",
    [
      FastCheck.array(
        FastCheck.constantFrom("(", ")", "{", "}", '"""', "/*", "*/", "// a", "a,", "", "  b: c", "x".repeat(2_000)),
      ),
      FastCheck.boolean(),
    ],
    ([lines, isBody]) => {
      const output = Squeeze.squeeze(lines, { name: "a", isBody })
      const lengthOf = (texts: ReadonlyArray<string>) => texts.join("\n").length
      assert.isAtMost(lengthOf(output), lengthOf(lines) + 20 * lines.length)
    },
  )
})

describe("Squeeze.messagesOf", () => {
  it("takes texts of three words and more, and comments, up to a limit", () => {
    const lines = ['log("one two three", "one two")', "x = 'a-b-c' + \".a-b-c.d\"", "  // four five six seven", "y()"]
    assert.strictEqual(Squeeze.messagesOf(lines, 100), `"one two three" 'a-b-c' // four five six seven`)
    assert.strictEqual(Squeeze.messagesOf(lines, 20), '"one two three"')
  })
})

describe("Squeeze.wordsOf", () => {
  it("takes names and texts once, without names of arguments", () => {
    assert.strictEqual(
      Squeeze.wordsOf(['OneOf(r"SELECT", Ref("Select"), optional=True),', '  Ref("Select") # not', "x == 12"], 100),
      "OneOf SELECT Ref Select x",
    )
    assert.strictEqual(Squeeze.wordsOf(["one two three"], 9), "one two …")
  })
})
