/** Which lines of source a batch shows of a symbol. */
import { assert, describe, it } from "@effect/vitest"
import type { SymbolNode } from "../../../src/explore/internal/SymbolTree.ts"
import * as UnitLines from "../../../src/explore/internal/UnitLines.ts"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"

type Fields = ConstructorParameters<typeof IndexEntry>[0]

/** A symbol on the lines from `startLine` to `endLine`, counted from 1. */
const node = (
  name: string,
  [startLine, endLine]: readonly [number, number],
  fields: Partial<Fields> = {},
  shown: Partial<SymbolNode> = {},
): SymbolNode => ({
  entry: new IndexEntry({
    path: "a.ts",
    name,
    kind: "function",
    signature: `${name}()`,
    startLine,
    endLine,
    hash: name,
    exported: true,
    isMajor: true,
    usedBy: 0,
    ...fields,
  }),
  isOpen: true,
  isNamed: false,
  children: [],
  ...shown,
})

const closed = { isOpen: false }

/** The lines of a unit. A mark is written as `§` with the name of its symbol, and `!` if the mark has that name. */
const show = (
  top: SymbolNode,
  source: ReadonlyArray<string> | undefined,
  { lines = 8, nested = true }: Partial<UnitLines.Shown> = {},
): ReadonlyArray<string> =>
  UnitLines.linesOf({ node: top, nested, lines }, source).map((line) =>
    typeof line === "string" ? line : `§${line.entry.name}${line.isNamed ? "!" : ""}`,
  )

/** So many lines that nothing joins or leaves out. */
const steps = (count: number, indent = ""): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => `${indent}step ${"abcdefghijklmnopqrstuvwxyz".charAt(n)} ${"x".repeat(n)} go`)

describe("UnitLines.linesOf", () => {
  it("shows three quarters of the lines from the beginning, a quarter from the end, and counts the others", () => {
    const shown = (count: number, fields: Partial<Fields> = {}, lines = 8) =>
      show(node("go", [1, count], fields), steps(count), { lines })
    assert.deepStrictEqual(shown(8), ["§go", ...steps(8)])
    // Two lines and a count of two would take as many lines.
    assert.deepStrictEqual(shown(10), ["§go", ...steps(10)])
    assert.deepStrictEqual(shown(11), ["§go", ...steps(11).slice(0, 6), "… 3 lines", ...steps(11).slice(9)])
    assert.deepStrictEqual(shown(13, {}, 5), ["§go", ...steps(13).slice(0, 4), "… 8 lines", ...steps(13).slice(12)])
    for (const fields of [{ usedBy: 2 }, { usedBy: 3, kind: "method" }] as const) {
      assert.deepStrictEqual(shown(16, fields), ["§go", ...steps(16)])
      assert.include(shown(19, fields), "… 3 lines")
    }
    for (const fields of [{ usedBy: 1 }, { usedBy: 2, kind: "class" }] as const) {
      assert.include(shown(16, fields), "… 8 lines")
    }
  })

  it("tells the messages of lines that it leaves out, with 240 characters at most", () => {
    const message = (n: number) => `throw Failure("message ${"abcde".charAt(n)} ${"x".repeat(68)} here")`
    const source = [...steps(6), ...[0, 1, 2, 3].map(message), ...steps(2)]
    const [told = ""] = show(node("go", [1, 12]), source).filter((line) => line.startsWith("…"))
    assert.match(told, /^… 4 lines: "message a x+ here" "message b x+ here"$/)
    assert.include(
      show(node("go", [1, 12]), [...steps(9), "a('§1 two three six')", ...steps(2)]).join("\n"),
      "'¶1 two three six'",
    )
  })

  it("shows the signature of a symbol without source, that of an open one in it, and no other", () => {
    const top = node(
      "Box",
      [1, 9],
      { kind: "class", signature: "class Box" },
      {
        children: [
          node("one", [2, 3]),
          node("two", [4, 5], {}, closed),
          node("three", [6, 8], {}, { ...closed, children: [node("four", [7, 7], { signature: "" })] }),
        ],
      },
    )
    const signatures = ["§Box", "class Box", "§one", "one()", "three()", "§four"]
    assert.deepStrictEqual(show(top, undefined), signatures)
    assert.deepStrictEqual(show(top, steps(9), { lines: 0 }), signatures)
    assert.deepStrictEqual(show(node("late", [10, 10]), steps(9)), ["§late", "late()"])
    assert.deepStrictEqual(show(node("last", [9, 9]), steps(9)), ["§last", ...steps(9).slice(8)])
    assert.deepStrictEqual(show(top, undefined, { nested: false }), ["§Box", "class Box"])
  })

  it("shows members of more than three lines by their signatures, without the comments above them", () => {
    const source = [
      "class Box {",
      "  // What one does.",
      "  @cached",
      "",
      "  one() {",
      ...steps(2, "    "),
      "  }",
      "  two() {",
      ...steps(1, "    "),
      "  }",
      "}",
    ]
    const one = node("one", [5, 8], {}, closed)
    const two = node("two", [9, 11], {}, closed)
    const top = node("Box", [1, 12], { kind: "class" }, { children: [one, two] })
    assert.deepStrictEqual(show(top, source), ["§Box", "class Box {", "  one()", "  two() { step a  go }", "}"])
    // Everything in a function is a part of it.
    const inFunction = show(node("Box", [1, 12], {}, { children: [one, two] }), source, { lines: 20 })
    assert.includeMembers([...inFunction], ["  one() {", "  two() { step a  go }"])
    // A member without a signature is left out.
    const silent = node("one", [5, 8], { signature: "" }, closed)
    assert.notInclude(show({ ...top, children: [silent] }, source).join("\n"), "one")
  })

  it("shows twelve signatures of members, and the names of the others where other lines follow", () => {
    const members = Array.from({ length: 15 }, (_, n) => node(`m${n}`, [2 + 4 * n, 5 + 4 * n], {}, closed))
    const source = [
      "class Box {",
      ...members.flatMap(({ entry }) => [`  ${entry.name}() {`, ...steps(2, "    "), "  }"]),
      "}",
    ]
    const top = node("Box", [1, source.length], { kind: "class" }, { children: members })
    assert.deepStrictEqual(show(top, source), [
      "§Box",
      "class Box {",
      ...members.slice(0, 12).map(({ entry }) => `  ${entry.name}()`),
      "… members: m12, m13, m14",
      "}",
    ])
    const opened = members.map((member, n) => (n === 13 ? { ...member, isOpen: true } : member))
    const shown = show({ ...top, children: opened }, source)
    assert.deepStrictEqual(
      shown.slice(14).filter((line) => !line.includes("step")),
      ["… members: m12", "§m13", "  m13() {", "  }", "… members: m14", "}"],
    )
    // The class itself ends with its last member.
    assert.strictEqual(
      show(node("Box", [1, 61], { kind: "class" }, { children: members }), source).at(-1),
      "… members: m12, m13, m14",
    )
  })

  it.each<readonly [what: string, fields: Partial<Fields>, value: ReadonlyArray<string>, shown: string]>([
    [
      "in one line if it is one when shortened",
      {},
      ["  sizes = [", "    1 + a,", "    2 + b,", "  ]"],
      "sizes = [1 + a, 2 + b]",
    ],
    [
      "with the words of its value",
      { signature: "sizes =" },
      ["  sizes = open(", "    (a + b", "    ), Cup,", "  )"],
      "sizes = = open a b Cup",
    ],
    [
      "with the words below a first line without a value",
      { signature: "sizes:" },
      ["  sizes: Map", "    (a + b", "    ), Cup,", "  )"],
      "sizes:",
    ],
    [
      "without the type in its first line",
      { signature: "sizes" },
      ["  sizes: Map = open(", "    (a + b", "    ), Cup,", "  )"],
      "sizes = open a b Cup",
    ],
    [
      "by a long signature alone",
      { signature: `sizes: ${"T".repeat(59)}` },
      ["  sizes = open(", "    (a + b", "    ), Cup,", "  )"],
      `sizes: ${"T".repeat(59)}`,
    ],
    [
      "with the words of its value beside a signature of 60 characters more than its name",
      { signature: `sizes: ${"T".repeat(58)}` },
      ["  sizes = open(", "    (a + b", "    ), Cup,", "  )"],
      `sizes: ${"T".repeat(58)} = open a b Cup`,
    ],
  ])("shows an attribute %s", (_, fields, value, shown) => {
    const source = ["class Box {", ...value, "}"]
    const sizes = node("sizes", [2, 5], { kind: "field", signature: "sizes", ...fields }, closed)
    const top = node("Box", [1, 6], { kind: "class" }, { children: [sizes] })
    assert.deepStrictEqual(show(top, source), ["§Box", "class Box {", `  ${shown}`, "}"])
  })

  it("marks open symbols in their place, and those that are units of their own not at all", () => {
    const source = [
      "class Box {",
      "  one() {",
      ...steps(2, "    "),
      "  }",
      "  two() {",
      ...steps(2, "    "),
      "  }",
      "}",
    ]
    const members = [node("one", [2, 5]), node("two", [6, 9], {}, closed)]
    const top = node("Box", [1, 10], { kind: "class" }, { children: members })
    const own = ["  one() {", ...steps(2, "    "), "  }"]
    assert.deepStrictEqual(show(top, source), ["§Box", "class Box {", "§one", ...own, "  two()", "}"])
    assert.deepStrictEqual(show(top, source, { nested: false }), ["§Box", "class Box {", "  one()", "  two()", "}"])
    assert.deepStrictEqual(show({ ...top, isOpen: false }, source), ["class Box {", "§one", ...own, "  two()", "}"])
    const deep = node(
      "Box",
      [1, 10],
      { kind: "class" },
      { children: [{ ...node("one", [2, 5], {}, closed), children: [node("in", [3, 3])] }] },
    )
    assert.include(show(deep, source), "§in")
    assert.notInclude(show(deep, source, { nested: false }), "§in")
  })

  it("names symbols that begin on a line that is shown already", () => {
    const source = ["one() {", "  a b c", "} two() {", "  d e f", "}"]
    const top = node("Box", [1, 5], { kind: "class" }, { children: [node("one", [1, 3]), node("two", [3, 5])] })
    assert.deepStrictEqual(show(top, source), ["§Box", "§one", "one() { a b c } two() {", "§two!", "  d e f", "}"])
    assert.deepStrictEqual(show(node("one", [1, 1], {}, { isNamed: true }), source), ["§one!", "one() {"])
  })

  it.each<readonly [above: string, shown: string | undefined]>([
    ["# Copies.", "# Copies."],
    ["-- Copies.", "-- Copies."],
    ["/// Copies.", "/// Copies."],
    ["//! Copies.", "//! Copies."],
    ["  // Copies.", "// Copies."],
    [" */", "/** Copies. */"],
    ["@cached", "/** Copies. */"],
    ["#[inline]", "/** Copies. */"],
    ["", undefined],
    [" ", undefined],
    ["a b c", undefined],
  ])("writes the comment below %j as %j", (above, shown) => {
    const source = ["a b c", above, "go() {}"]
    const doc = { doc: "Copies." }
    const expected = ["§go", ...(shown === undefined ? [] : [shown]), "go() {}"]
    assert.deepStrictEqual(show(node("go", [3, 3], doc), source), expected)
    assert.deepStrictEqual(show(node("go", [3, 3]), source), ["§go", "go() {}"])
    assert.deepStrictEqual(show(node("go", [3, 3], { doc: "" }), source), ["§go", "go() {}"])
  })

  it("finds the sign of a comment above decorators, and none behind another comment or the beginning of the file", () => {
    const shown = (...above: ReadonlyArray<string>) =>
      show(node("go", [above.length + 1, above.length + 1], { doc: "Copies." }), [...above, "go() {}"])[1]
    assert.strictEqual(shown("# Copies.", "@cached", "@late"), "# Copies.")
    assert.strictEqual(shown("/// Copies.", "  #[inline]"), "/// Copies.")
    assert.strictEqual(shown("@cached"), "/** Copies. */")
    assert.strictEqual(shown("# Drops.", "/* Copies. */"), "/** Copies. */")
    assert.strictEqual(shown("# Drops.", "a b c", "@cached"), "/** Copies. */")
    assert.strictEqual(shown("/* a */", "@cached // why"), "/** Copies. */")
  })

  it("writes a comment with the sign of block comments in it as it is", () => {
    const source = ["# Copies.", "go() {}"]
    assert.deepStrictEqual(show(node("go", [2, 2], { doc: "Copies */ all.\n  * Or one." }), source), [
      "§go",
      "# Copies */ all.",
      "# Or one.",
      "go() {}",
    ])
  })

  it("ends a row of lines that it leaves out before a member, and at the end", () => {
    const source = ["class Box {", ...steps(5), "  one() {", ...steps(2, "    "), "  }", ...steps(5), "}"]
    const one = node("one", [7, 10])
    const top = (member: SymbolNode) => node("Box", [1, 16], { kind: "class" }, { children: [member] })
    const box = { lines: 4 }
    const begin = ["§Box", "class Box {", ...steps(2), "… 3 lines"]
    const end = ["… 5 lines", "}"]
    const own = ["§one", "  one() {", ...steps(2, "    "), "  }"]
    assert.deepStrictEqual(show(top(one), source, box), [...begin, ...own, ...end])
    assert.deepStrictEqual(show(top({ ...one, isOpen: false }), source, box), [...begin, "  one()", ...end])
    assert.deepStrictEqual(show(node("go", [1, 8]), steps(8), { lines: 2 }), ["§go", ...steps(2), "… 6 lines"])
    // Lines of members are not among its own.
    assert.notInclude(show(top(one), source, { lines: 12 }).join("\n"), "…")
  })

  it("writes a comment of another origin than a model, with the indentation of its symbol", () => {
    const source = ["  # Copies.", "  def go(): pass", "  more()"]
    const written = (origin: "model" | "comment") =>
      show(
        node("go", [2, 3], {
          doc: "Copies.\nIt does.",
          purpose: { text: "Copies.", origin, model: "m", node: "n", stale: true },
        }),
        source,
      )
    assert.deepStrictEqual(written("comment"), ["§go", "# Copies. It does.", "def go(): pass", "more()"])
    assert.deepStrictEqual(written("model"), ["§go", "def go(): pass", "more()"])
    // A comment is that of an open symbol, and of the unit itself.
    assert.notInclude(show(node("go", [2, 3], { doc: "Copies." }, closed), source).join("\n"), "Copies")
    const inside = node("Box", [1, 3], { kind: "class" }, { children: [node("go", [2, 3], { doc: "Copies." })] })
    assert.lengthOf(
      show(inside, ["  # Drops.", ...source.slice(1)]).filter((line) => line.includes("Copies")),
      0,
    )
  })

  it.each([
    "#[cfg(unix)]",
    "#[should_panic]",
    "#[ignore]",
    "#[deprecated]",
    "@available(iOS 9, *)",
    "@deprecated",
    "@Deprecated",
  ])("shows `%s` above a symbol, and other attributes not", (attribute) => {
    const above = ["a b c", attribute, "#[inline]", "@cached", "// Why.", "/* Why. */"]
    const shown = (lines: ReadonlyArray<string>) =>
      show(node("go", [lines.length + 1, lines.length + 1]), [...lines, "go() {}"])
    assert.deepStrictEqual(shown(above), ["§go", attribute, "go() {}"])
    assert.deepStrictEqual(shown([attribute, "", "@cached"]), ["§go", "go() {}"])
    assert.deepStrictEqual(shown([attribute, "a b c", "@cached"]), ["§go", "go() {}"])
    assert.deepStrictEqual(shown([attribute, "a @b # c // d", "@cached"]), ["§go", "go() {}"])
    assert.deepStrictEqual(shown([attribute, " * b", " */"]), ["§go", attribute, "go() {}"])
    assert.deepStrictEqual(shown([attribute, ...Array.from({ length: 20 }, () => "@cached")]), [
      "§go",
      attribute,
      "go() {}",
    ])
    assert.deepStrictEqual(shown([attribute, ...Array.from({ length: 21 }, () => "@cached")]), ["§go", "go() {}"])
    assert.deepStrictEqual(shown([attribute, "#[ignore = 1]"]), ["§go", attribute, "#[ignore = 1]", "go() {}"])
  })

  it("takes the white space away with which all lines begin, and keeps what looks like no header of a file", () => {
    assert.deepStrictEqual(show(node("go", [1, 3]), ["    a b c", "  d e f", "    g h i"]), [
      "§go",
      "  a b c",
      "d e f",
      "  g h i",
    ])
    assert.deepStrictEqual(show(node("go", [1, 2]), ["\t\ta b c", "\t d e f"]), ["§go", "\ta b c", " d e f"])
    assert.deepStrictEqual(show(node("go", [1, 2]), ["\ta b c", "  d e f"]), ["§go", "\ta b c", "  d e f"])
    assert.deepStrictEqual(show(node("go", [1, 2]), ["  == a b", "  d e f"]), ["§go", " == a b", "d e f"])
    const cut = show(node("go", [1, 11]), steps(11, "    "))
    assert.deepStrictEqual(cut, ["§go", ...steps(11).slice(0, 6), "… 3 lines", ...steps(11).slice(9)])
  })
})
