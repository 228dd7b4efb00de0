import { assert, describe, it } from "@effect/vitest"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as Related from "../../src/lookup/Related.ts"

const symbol = (name: string, line: number, more: Partial<IndexEntry> = {}) =>
  new IndexEntry({
    path: "a.py",
    name,
    kind: "method",
    startLine: line,
    endLine: line + 3,
    signature: name,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
    ...more,
  })

const session = symbol("Session", 1, { kind: "class", endLine: 99 })
const member = (name: string, line: number, more: Partial<IndexEntry> = {}) =>
  symbol(name, line, { container: "Session", ...more })

const names = (inFile: ReadonlyArray<IndexEntry>, question = "anything") =>
  Related.membersOf(session, inFile, question).named.map(({ name }) => name)

describe("Related.membersOf", () => {
  it("has the direct members of a class, in order of their lines", () => {
    const inFile = [
      session,
      member("close", 10),
      member("send", 20),
      symbol("other", 90),
      symbol("x", 21, { container: "Session.send" }),
    ]
    assert.deepStrictEqual(names(inFile), ["close", "send"])
  })

  it("names six, those of the question first, then what has a body and is used", () => {
    const fields = Array.from({ length: 5 }, (_, n) => member(`field${n}`, 2 + n, { kind: "field", endLine: 2 + n }))
    const methods = Array.from({ length: 5 }, (_, n) => member(`method${n}`, 10 + 4 * n))
    const inFile = [...fields, ...methods, member("_private", 50), member("used", 60, { usedBy: 4 })]
    assert.deepStrictEqual(names(inFile), ["used", "method0", "method1", "method2", "method3", "method4"])
    assert.include(names(inFile, "what is in field 3"), "field3")
    assert.strictEqual(Related.membersOf(session, inFile, "").others, 6)
  })
})

describe("Related.calleesOf", () => {
  const calleesOf = (...names: ReadonlyArray<string>) =>
    names.map((name) => ({ entry: symbol(name, 1, { kind: name === "LIMIT" ? "constant" : "function" }), lines: [2] }))

  const nothing = () => ""

  it("has functions, methods and classes in the order in which they are called, without the symbol itself", () => {
    const { named } = Related.calleesOf(session, calleesOf("open", "LIMIT", "Session", "close"), "anything", nothing)
    assert.deepStrictEqual(
      named.map(({ name }) => name),
      ["open", "close"],
    )
  })

  it("names six, those of the question first", () => {
    const { named, others } = Related.calleesOf(
      session,
      calleesOf(..."abcdefgh", "stripAuth"),
      "why is auth stripped",
      nothing,
    )
    assert.deepStrictEqual(
      named.map(({ name }) => name),
      ["stripAuth", "a", "b", "c", "d", "e"],
    )
    assert.strictEqual(others, 3)
  })

  it("has classes that the lines only name after what they call, and those that they construct before", () => {
    const lines = [
      "",
      "def f(a: Segment, b: mySegment(1)) -> Segment:",
      "  b = Config(a)",
      "  c = new x.Parser",
      "  go()",
    ]
    const callee = (name: string, line: number, kind: IndexEntry["kind"]) => ({
      entry: symbol(name, 1, { kind }),
      lines: [line],
    })
    const { named, others } = Related.calleesOf(
      session,
      [
        callee("Segment", 2, "class"),
        callee("Config", 3, "class"),
        callee("Parser", 4, "class"),
        callee("go", 5, "function"),
      ],
      "which segment",
      (line) => lines[line - 1] ?? "",
    )
    assert.deepStrictEqual(
      named.map(({ name }) => name),
      ["Config", "Parser", "go", "Segment"],
    )
    assert.strictEqual(others, 0)
  })
})
