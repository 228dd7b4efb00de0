/** The lengths and counts at which `Squeeze` begins to leave something out, and the shapes of lines that it knows. */
import { assert, describe, it } from "@effect/vitest"
import * as Squeeze from "../../../src/explore/internal/Squeeze.ts"

const squeeze = (lines: ReadonlyArray<string>, { name = "", isBody = false } = {}): ReadonlyArray<string> =>
  Squeeze.squeeze(lines, { name, isBody })

/** A text of words with four letters and a space. */
const prose = (length: number): string => "word ".repeat(length).slice(0, length)

describe("Squeeze.squeeze, comments", () => {
  it("shows 300 characters of the first comment in brackets, and 160 of any other", () => {
    // Words of four letters and a space.
    const lengths = (lines: ReadonlyArray<string>) =>
      squeeze(lines)
        .join(" ")
        .split("x()")
        .slice(0, -1)
        .map((text) => (text.match(/word/g) ?? []).length * 5 - 1)
    const block = (length: number) => ["/**", ` * ${prose(length)}`, " */", "x()"]
    assert.deepStrictEqual(lengths([...block(299), ...block(299)]), [299, 159])
    assert.deepStrictEqual(lengths([...block(309), ...block(169)]), [299, 159])
    assert.deepStrictEqual(lengths([`// ${prose(309)}`, "x()", ...block(309)]), [159, 299])
    assert.deepStrictEqual(lengths(["/* word */", "x()", ...block(309)]), [4, 159])
  })

  it("marks a comment that it cuts, and cuts between words if there are any", () => {
    assert.deepStrictEqual(squeeze([`// ${"x".repeat(160)}`]), [`// ${"x".repeat(160)}`])
    assert.deepStrictEqual(squeeze([`// ${"x".repeat(161)}`]), [`// ${"x".repeat(160)} …`])
    assert.deepStrictEqual(squeeze([`// ${"x".repeat(155)} ${"y".repeat(9)}`]), [`// ${"x".repeat(155)} …`])
    // Lines after the most characters are not read.
    const lines = ["y".repeat(80), "z".repeat(79), "a"].map((text) => `// ${text}`)
    assert.deepStrictEqual(squeeze(lines), [`// ${"y".repeat(80)} ${"z".repeat(79)} …`])
    assert.deepStrictEqual(squeeze([`// ${"y".repeat(80)}`, `// ${"z".repeat(78)}`, "// "]), [
      `// ${"y".repeat(80)} ${"z".repeat(78)}`,
    ])
  })

  it("wraps a comment of more than 180 characters into lines of 160, and one word where there is no space", () => {
    const wrapped = (text: string) => squeeze(["/**", ` * ${text}`, " */"]).map((line) => line.length)
    assert.deepStrictEqual(wrapped("x".repeat(180 - " */".length)), ["/** ".length + 180])
    assert.deepStrictEqual(wrapped("x".repeat(181 - " */".length)), ["/** ".length + 160, " * ".length + 21])
    const [first, second] = squeeze(["/**", ` * ${prose(199)}`, " */"])
    assert.deepStrictEqual([first, second], [`/** ${prose(159)}`, ` * ${prose(39)} */`])
    // A space that no line has before its end is not looked for.
    assert.deepStrictEqual(squeeze(["/**", ` * ${"x".repeat(170)} ${"y".repeat(20)}`, " */"]), [
      `/** ${"x".repeat(160)}`,
      ` * ${"x".repeat(10)} ${"y".repeat(20)} */`,
    ])
  })

  it("leaves out a list of parameters after a text, but not where a comment begins with it", () => {
    for (const head of ["Args:", "Arguments:", "Parameters:", "Params", "@param a b", "@template T", "@interface A"]) {
      assert.deepStrictEqual(squeeze([`# Sorts rows.`, `# ${head}`, "#  a: What."]), ["# Sorts rows. …"], head)
      assert.deepStrictEqual(squeeze([`# ${head}`]), [`# ${head}`], head)
    }
    assert.deepStrictEqual(squeeze(["# Sorts rows.", "# Argument of it."]), ["# Sorts rows. Argument of it."])
  })

  it.each(["-- stylua: ignore", "-- luacheck: ignore 212", "// swiftlint:disable all", "# rubocop:disable all"])(
    "leaves out %s, which is for a tool",
    (line) => {
      assert.deepStrictEqual(squeeze([line, "a b c"]), ["a b c"])
    },
  )

  it("keeps an indentation, and removes spaces at the ends of lines and lines without text", () => {
    assert.deepStrictEqual(squeeze(["  # One.  ", "  # Two.", "", "  \t", "  a b c  ", ""]), [
      "  # One. Two.",
      "  a b c",
    ])
    assert.deepStrictEqual(squeeze(['  """', "  One.", '  """', "  a b c"]), ['  """One."""', "  a b c"])
  })

  it("removes instructions to tools from the ends of lines, except from lines of more than 1,000 characters", () => {
    for (const instruction of [
      "# type: ignore",
      "# type:ignore[arg]",
      "#noqa",
      "#  noqa: E501",
      "// eslint-disable-line",
      "# pragma: no cover",
      "# pylint: disable=all",
    ]) {
      assert.deepStrictEqual(squeeze([`a b c ${instruction}`]), ["a b c"], instruction)
    }
    for (const kept of ['a b "# noqa"', "a b# noqa", "a b # notes", "a b // 'eslint-'"]) {
      assert.deepStrictEqual(squeeze([kept]), [kept])
    }
    const line = (length: number) => `${"x".repeat(length - " # noqa".length)} # noqa`
    assert.deepStrictEqual(squeeze([line(1_000)]), [line(1_000).slice(0, -7)])
    assert.deepStrictEqual(squeeze([line(1_001)]), [line(1_001)])
  })

  it("takes no line of more than 1,000 characters for a comment", () => {
    assert.isBelow(squeeze([`// ${"x".repeat(997)}`]).join("").length, 200)
    assert.lengthOf(squeeze([`// ${"x".repeat(998)}`]).join(""), 1_001)
  })
})

describe("Squeeze.squeeze, copies of parameters", () => {
  const body = (copies: ReadonlyArray<string>) => ["begin b c", ...copies, "a b c", "d e f"]

  it.each([
    "self.a = a",
    "self._a = a",
    "self.a = _a",
    "self.a: int = a",
    "this.a = a;",
    "this.#a = a",
    "this._a=a",
    "@a = a",
    "$this->_a = a",
  ])("writes a mark for `%s`", (copy) => {
    assert.deepStrictEqual(squeeze(body([`  ${copy}`]), { isBody: true }), ["begin b c", "  …", "a b c", "d e f"])
    assert.deepStrictEqual(squeeze(body([`  ${copy}`, `  ${copy}`]), { isBody: true }), [
      "begin b c",
      "  …",
      "a b c",
      "d e f",
    ])
    assert.include(squeeze(body([`  ${copy}`])).join("\n"), copy)
  })

  it.each(["self.a = b", "a = a", "self.a = a.copy()", "self.a == a", "other.a = a"])("keeps `%s`", (line) => {
    assert.include(squeeze(body([line]), { isBody: true }), line)
  })

  it("leaves out the text below an attribute with it, and no other text", () => {
    for (const quotes of ['"""', "'''"]) {
      const text = `  ${quotes}What a is.${quotes}`
      assert.deepStrictEqual(squeeze(body(["  self.a = a", text]), { isBody: true }).slice(1, 3), ["  …", "a b c"])
      assert.include(squeeze(body(["  self.a = b", text]), { isBody: true }), text)
      assert.include(squeeze(body([text, "  self.a = a"]), { isBody: true }), text)
    }
  })

  it.each([
    "if (b) {",
    "} else {",
    "if b:",
    "elif b:",
    "for b in c:",
    "while (b)",
    "try {",
    "} catch (b) {",
    "} finally {",
    "with b:",
    "case b:",
  ])("keeps the only statement of a branch below `%s`", (branch) => {
    assert.include(squeeze(body([branch, "  this.a = a"]), { isBody: true }).join("\n"), "this.a = a", branch)
  })

  it("shows a function that does nothing else as it is if it has more than three lines", () => {
    const copies = ["begin b c", "  self.a = a", "  self.b = b", "  self.c = c"]
    assert.deepStrictEqual(squeeze(copies, { isBody: true }), copies)
    assert.deepStrictEqual(squeeze(copies.slice(0, 3), { isBody: true }), ["begin b c", "  …"])
    assert.deepStrictEqual(squeeze([...copies, "d e f"], { isBody: true }), ["begin b c", "  …", "d e f"])
  })
})

describe("Squeeze.squeeze, members of a class", () => {
  const name = "CreateTable"

  it.each([
    "  a = None",
    "  a=null;",
    "\tb  =  nil",
    "  c = undefined",
    '  type = "create_table"',
    "  type = 'table';",
    "  static type: string = `create-table`,",
    '  a b="create"',
    '  type:str="table"',
    '  type = ""',
  ])("leaves out `%s`", (line) => {
    assert.deepStrictEqual(squeeze(["a b c", line, "d e f"], { name }), ["a b c", "d e f"])
  })

  it.each([
    "a = None",
    "  a = None or b",
    "  a.b = None",
    "  a b = null",
    'type = "table"',
    '  type = "table".b',
    '  type = "view"',
    '  type = "create.table"',
    `  ${"x".repeat(160)} = None`,
  ])("keeps `%s`", (line) => {
    assert.deepStrictEqual(squeeze(["a b c", line, "d e f"], { name }), ["a b c", line, "d e f"])
  })

  it("leaves out what is emptied or repeated in lines up to 160 characters", () => {
    const emptied = (length: number) => `  ${"x".repeat(length - "   = None".length)} = None`
    assert.deepStrictEqual(squeeze([emptied(160)], { name }), [])
    assert.deepStrictEqual(squeeze([emptied(161)], { name }), [emptied(161)])
  })

  it("shows three lines that differ in numbers alone, a fourth and fifth too, and counts six and more", () => {
    const overloads = (count: number) =>
      Array.from({ length: count }, (_, n) => `${" ".repeat(n % 3)}one E${n}9 two E${n}`)
    const shown = (count: number) => squeeze(["a b c", ...overloads(count), "d e f"]).slice(1, -1)
    assert.deepStrictEqual(shown(3), overloads(3))
    assert.deepStrictEqual(shown(5), overloads(5))
    assert.deepStrictEqual(shown(6), [...overloads(3), "… 3 lines alike"])
    assert.deepStrictEqual(squeeze(overloads(6)), [...overloads(3), "… 3 lines alike"])
    // The count is that of a row, which another line ends.
    assert.deepStrictEqual(squeeze([...overloads(6), "d e f", ...overloads(4)]), [
      ...overloads(3),
      "… 3 lines alike",
      "d e f",
      "… 4 lines alike",
    ])
  })

  it("leaves a closing line out with the one that opened it, and keeps that of what is around it", () => {
    const methods = Array.from({ length: 7 }, (_, n) => [`  one E${n} {`, "    a b c", "  }"]).flat()
    const shown = squeeze(["class B {", ...methods, "}"])
    assert.deepStrictEqual(shown.slice(-2), ["… 12 lines alike", "}"])
    assert.deepStrictEqual(squeeze(["  one E1 {", "  }"]).join(""), "  one E1 {  }")
  })
})

describe("Squeeze.squeeze, texts and rows", () => {
  it.each([
    (text: string) => `"${text}"`,
    (text: string) => `  '${text}' +`,
    (text: string) => `  f"${text}"`,
    (text: string) => `  rb"${text}"`,
    (text: string) => `  \`${text}\`  \\`,
    (text: string) => `  "${text}" .`,
  ])("shows the first two parts of a text, and marks the rest %#", (lineOf) => {
    const parts = ["one", "two", "three", "four"].map((word) => lineOf(`${word} ${"x".repeat(20)}`))
    const shown = squeeze(["a b c", ...parts, "d e f"], { isBody: true })
    const mark = `${/^\s*/.exec(parts[0] ?? "")?.[0] ?? ""}…`
    assert.deepStrictEqual(shown, ["a b c", ...parts.slice(0, 2).map((part) => part.trimEnd()), mark, "d e f"])
  })

  it("shows all parts of a text that are shorter than 20 characters or are no texts alone", () => {
    for (const lineOf of [
      (word: string) => `"${word}${"x".repeat(19 - word.length)}"`,
      (word: string) => `a "${word} ${"x".repeat(20)}"`,
      (word: string) => `"${word} ${"x".repeat(20)}",`,
      (word: string) => `"${word} ${"x".repeat(20)}'`,
      (word: string) => `raw"${word} ${"x".repeat(20)}"`,
      (word: string) => `"${word} ${"x".repeat(998)}"`,
    ]) {
      const parts = ["one", "two", "six", "ten"].map(lineOf)
      assert.deepStrictEqual(squeeze(parts, { isBody: true }), parts)
    }
    const twenty = ["one", "two", "six"].map((word) => `"${word}${"x".repeat(17)}"`)
    assert.deepStrictEqual(squeeze(twenty, { isBody: true }).slice(1), [twenty[1], "…"])
  })

  it.each<readonly [what: string, isRow: boolean, lineOf: (word: string, n: number) => string]>([
    ["fields with signs", true, (word) => `$${word}! : b`],
    ["keys in quotes", true, (word) => `"${word}-x": b`],
    ["fields with several modifiers", true, (word) => `private readonly ${word}: b`],
    ["qualified names", false, (word) => `${word}::b`],
    ["assignments without spaces", true, (word) => `this.${word}=b`],
    ["assignments with types", true, (word, n) => `let ${word}?x: ${"T".repeat(n + 1)}=b`.replace("?x", "")],
    ["comparisons", false, (word) => `${word} == b`],
    ["names in upper case before an assignment", false, (word) => `A ${word} = b`],
    ["members of an intersection", true, (word) => `& ${word} b`],
    ["a sign within a line", false, (word) => `${word} | b`],
    ["numbers in several columns", true, (_, n) => `0x${"abcdef".charAt(n % 6).repeat(n + 1)}, -1.5`],
    ["names that are no numbers", false, (word) => `${word} 12`],
    ["texts without a comma", true, (word) => `'${word} a'`],
    ["texts with a semicolon", true, (word) => `\`${word} a\`;`],
    ["texts with more behind", false, (word) => `"${word} a" b`],
    ["texts behind more", false, (word) => `b "${word} a"`],
    ["names without a comma", true, (word) => `$.${word}`],
    ["calls of one method", true, (word) => `a.b$(${word} c)`],
    ["calls behind more", false, (word) => `${word} b add(c)`],
    ["lines that open brackets", false, (word) => `add(${word} [`],
    ["lines that close brackets before they open", false, (word) => `add(${word})) ((`],
    ["lines that begin with a mark of omission", false, (word) => `… ${word}: b`],
    ["lines of 200 characters", true, (word) => `add(${word}${"x".repeat(195 - word.length)})`],
    ["lines of 201 characters", false, (word) => `add(${word}${"x".repeat(196 - word.length)})`],
  ])("takes %s for a row: %s", (_, isRow, lineOf) => {
    const names = ["red", "green", "blue", "cyan", "teal", "pink", "gold", "grey", "lime", "navy", "plum", "rust"]
    const shown = squeeze(["begin {{", ...names.map(lineOf), "}} end"], { isBody: true }).join("\n")
    assert.strictEqual(shown.includes("… 4 lines alike"), isRow, shown)
  })

  it("shows all of ten lines of one shape at the end of a text, and eight of eleven", () => {
    const row = (count: number) => Array.from({ length: count }, (_, n) => `add(${"x".repeat(n + 1)})`)
    assert.deepStrictEqual(squeeze(row(10), { isBody: true }), row(10))
    assert.deepStrictEqual(squeeze(row(11), { isBody: true }), [...row(8), "… 3 lines alike"])
  })
})

describe("Squeeze.squeeze, lists", () => {
  it("joins a list that has room in 160 characters, apart from its indentation", () => {
    const list = (length: number) => ["  open(", `    ${"x".repeat(length - "open()".length)}`, "  )"]
    assert.deepStrictEqual(squeeze(list(160), { isBody: true }), [`  open(${"x".repeat(154)})`])
    assert.deepStrictEqual(squeeze(list(161), { isBody: true }), list(161))
  })

  it("writes a longer list with commas in lines of about 160 characters", () => {
    const entries = Array.from({ length: 30 }, (_, n) => `    ${"abcdefghij".charAt(n % 10)}(${n}) + "b",`)
    const shown = squeeze(["  open(", ...entries, "  )"], { isBody: true })
    assert.deepStrictEqual([shown[0], shown.at(-1)], ["  open(", "  )"])
    assert.isBelow(shown.length, 8)
    for (const line of shown.slice(1, -1)) assert.match(line, /^ {4}\S.{1,180}$/)
    assert.strictEqual(
      shown
        .slice(1, -1)
        .map((line) => line.trim())
        .join(" "),
      entries.map((line) => line.trim()).join(" "),
    )
    const apart = entries.map((line, n) => (n === 3 ? line.slice(0, -1) : line))
    assert.lengthOf(squeeze(["  open(", ...apart, "  )"], { isBody: true }), 32)
    const last = entries.map((line, n) => (n === 29 ? line.slice(0, -1) : line))
    assert.isBelow(squeeze(["  open(", ...last, "  )"], { isBody: true }).length, 8)
  })

  it.each<readonly [what: string, lines: ReadonlyArray<string>, joined: string]>([
    ["a list in brackets", ["a = [", "  b c,", "  d e,", "]"], "a = [b c, d e]"],
    ["an object", ["a = {", "  b: c,", "  d: e", "}"], "a = { b: c, d: e }"],
    ["a type with semicolons", ["type A = {", "  b: c;", "  d: e;", "}"], "type A = { b: c; d: e }"],
    ["type arguments", ["a: Map<", "  b c,", "  d e", ">"], "a: Map<b c, d e>"],
    ["a call with more behind it", ["a(", "  b c,", ").d e"], "a(b c).d e"],
    ["an only entry", ["a {", "  b(c);", "}"], "a { b(c) }"],
    [
      "values of the same name",
      ["a(", "  b=b,", "  c: c,", "  d=self.d,", "  e: this.e,", "  f=_f,", "  g", ")"],
      "a(…, g)",
    ],
    ["values of the same name apart", ["a(", "  b=b,", "  x y,", "  c=c,", ")"], "a(…, x y, …)"],
    ["values of another name", ["a(", "  b=c,", "  d=self.e", ")"], "a(b=c, d=self.e)"],
    ["lists in lists", ["a([", "  [", "    b c,", "  ],", "])"], "a([[b c]])"],
  ])("joins %s", (_, lines, joined) => {
    assert.deepStrictEqual(squeeze(lines, { isBody: true }), [joined])
  })

  it.each<readonly [what: string, lines: ReadonlyArray<string>]>([
    ["statements in braces", ["a {", "  b(c);", "  d(e);", "}"]],
    ["an empty list", ["a(", ")"]],
    ["a comment in a list", ["a(", "  b c, // Why.", "  d e", ")"]],
    ["a list with an open bracket", ["a(", "  b (,", "  d e", ")"]],
    ["a function with a body", ["a(", "  b =>", "  d e", ")"]],
    ["a list that does not end", ["a(", "  b c,", "  d e,"]],
    ["a list whose end has another indentation", ["  a(", "    b c,", ")"]],
    ["an entry of more than 160 characters", ["a(", `  ${"x".repeat(158)},`, "  b c", ")"]],
    ["a last statement with a semicolon", ["a {", "  b: c", "  d(e);", "}"]],
    ["a bracket that is not at the end", ["a( b", "  c,", ")"]],
  ])("leaves %s as it is", (_, lines) => {
    assert.deepStrictEqual(squeeze(lines, { isBody: true }), lines)
  })

  it("joins lists of up to 199 entries", () => {
    const list = (count: number) => ["a(", ...Array.from({ length: count }, () => "  b c,"), ")"]
    const different = (count: number) =>
      list(count).map((line, n) => (line === ")" || n % 2 === 0 ? line : line.replace("b", "b + b")))
    assert.isBelow(squeeze(different(199), { isBody: true }).length, 30)
    assert.lengthOf(squeeze(different(200), { isBody: true }), 202)
  })
})

describe("Squeeze.squeeze, branches and chains", () => {
  it("joins an only line to its branch up to 160 characters", () => {
    const branch = (length: number) => ["if a:", `  ${"x".repeat(length - "if a:  ".length)}`]
    assert.lengthOf(squeeze(branch(160), { isBody: true }), 1)
    assert.lengthOf(squeeze(branch(161), { isBody: true }), 2)
  })

  it.each<readonly [what: string, lines: ReadonlyArray<string>]>([
    ["another branch below", ["if a:", "  if b:", "    c d e", "    f g h"]],
    ["two lines", ["if a:", "  b c d", "  e f g"]],
    ["a line that is not deeper", ["if a:", "b c d"]],
    ["a line of the same depth", ["  if a:", "  b c d"]],
    ["an open bracket", ["if a:", "  b(c"]],
    ["a comment", ["if a:", "  # Why so.", "b c d"]],
    ["a mark of omission", ["if a:", "  … 2 lines alike", "b c d"]],
    ["a comment in the branch", ["if a: # b:", "  c d e"]],
  ])("does not join %s to a branch", (_, lines) => {
    assert.deepStrictEqual(squeeze(lines, { isBody: true }), lines)
  })

  it.each([
    "if a:",
    "async def b():",
    "elif c:",
    "else:",
    "for a in b:",
    "while a:",
    "try:",
    "except A:",
    "finally:",
    "case a:",
  ])("joins an only line to `%s`", (branch) => {
    assert.deepStrictEqual(squeeze([branch, "    b c d"], { isBody: true }), [`${branch} b c d`])
  })

  it.each<readonly [what: string, lines: ReadonlyArray<string>, joined: ReadonlyArray<string>]>([
    ["optional calls", ["a b", "  ?.c()", "  .d()"], ["a b?.c().d()"]],
    ["calls of the same indentation", ["  a b", "  .c()"], ["  a b.c()"]],
    ["no calls that are less deep", ["    a b", "  .c()"], ["    a b", "  .c()"]],
    ["no numbers and spreads", ["a b", "  ...c"], ["a b", "  ...c"]],
    ["no call with an open bracket", ["a b", "  .c(d"], ["a b", "  .c(d"]],
    ["no call behind a comment", ["a b // Why.", "  .c()"], ["a b // Why.", "  .c()"]],
    ["no line that does not begin with a point", ["a b", "  c .d()"], ["a b", "  c .d()"]],
    ["no call without an indentation", ["a b", ".c()"], ["a b", ".c()"]],
  ])("joins %s to a chain", (_, lines, joined) => {
    assert.deepStrictEqual(squeeze(lines, { isBody: true }), joined)
  })
})

describe("Squeeze.messagesOf, Squeeze.wordsOf", () => {
  it.each<readonly [text: string, message: string]>([
    ["  # one two three", "# one two three"],
    ["-- one two three", "-- one two three"],
    ["a # one two three", ""],
    ["#one two three", ""],
    ['log("one  two\tthree", "four five")', '"one  two\tthree"'],
    ['log("one 22 333 two")', ""],
    ['"one-two-three"', '"one-two-three"'],
    ['"one-two"', ""],
    ['"one-two-three.js"', ""],
    ["'it \\'is one two'", "'it \\'is one two'"],
    ["`one two three`", "`one two three`"],
  ])("takes of %j the message %j", (line, message) => {
    assert.strictEqual(Squeeze.messagesOf([line], 200), message)
  })

  it("takes each message once, cuts it after 90 characters, and ends where the next has no room", () => {
    const quoted = (length: number) => `"one two ${"x".repeat(length - '"one two "'.length)}"`
    assert.strictEqual(Squeeze.messagesOf([quoted(90)], 300), quoted(90))
    assert.strictEqual(Squeeze.messagesOf([quoted(91)], 300), `${quoted(91).slice(0, 90)}…`)
    assert.strictEqual(Squeeze.messagesOf(["# one two three", "# one two three"], 300), "# one two three")
    const lines = ["# one two three", "# six two three", "# ten two three"]
    assert.strictEqual(Squeeze.messagesOf(lines, 47), lines.join(" "))
    assert.strictEqual(Squeeze.messagesOf(lines, 46), lines.slice(0, 2).join(" "))
    assert.strictEqual(Squeeze.messagesOf([`${" ".repeat(1_000)}"one two three"`], 300), "")
  })

  it("takes words with their texts cut after 40 characters, ends where the next has no room, and reads no comments", () => {
    const quoted = (length: number) => `"${"x".repeat(length)}"`
    assert.strictEqual(Squeeze.wordsOf([quoted(40)], 300), "x".repeat(40))
    assert.strictEqual(Squeeze.wordsOf([quoted(41)], 300), `${"x".repeat(40)}…`)
    assert.strictEqual(Squeeze.wordsOf(["one two six"], 12), "one two six")
    assert.strictEqual(Squeeze.wordsOf(["one two six"], 11), "one two …")
    assert.strictEqual(Squeeze.wordsOf(["one two one"], 300), "one two")
    assert.strictEqual(Squeeze.wordsOf(['"" " a b " None new 12 true'], 300), "a b")
    for (const comment of ["# six", "  // six", "/* six", " * six", "a # six", "a // six ten"]) {
      assert.strictEqual(Squeeze.wordsOf([comment], 300), comment.startsWith("a") ? "a" : "", comment)
    }
    assert.strictEqual(Squeeze.wordsOf(["a#six b//ten"], 300), "a six b ten")
    assert.strictEqual(Squeeze.wordsOf([`${" ".repeat(1_000)}one`], 300), "")
  })
})
