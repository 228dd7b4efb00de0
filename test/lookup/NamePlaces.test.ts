import { assert, describe, it } from "@effect/vitest"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as NamePlaces from "../../src/lookup/NamePlaces.ts"

const entry = (fields: Partial<IndexEntry>): IndexEntry =>
  new IndexEntry({
    path: "a.py",
    name: "send",
    container: undefined,
    kind: "function",
    startLine: 1,
    endLine: 2,
    signature: "",
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
    ...fields,
  })

const find = (
  text: string,
  symbol: Partial<IndexEntry> = {},
  known: Partial<NamePlaces.Known> = {},
  language = "python",
) =>
  NamePlaces.find(text, entry(symbol), language, { resolved: new Set(), symbols: [], ...known }).map(({ line }) => line)

describe("NamePlaces.find", () => {
  it("finds the lines with the name as a word", () => {
    assert.deepStrictEqual(find("send(x)\nresend(x)\nsend_all()\ny = send\n"), [1, 4])
  })

  it("leaves out comments, documentation and imports", () => {
    const text = '# send\nfrom a import send\ndef f():\n    """Calls\n    send(x)\n    """\n    send(1)\n'
    assert.deepStrictEqual(find(text), [7])
    assert.deepStrictEqual(find("from a import (\n    send,\n)\nsend(1)\n"), [4])
    assert.deepStrictEqual(find("// send\n/**\n * send\n */\nsend()\n", {}, {}, "typescript"), [5])
  })

  it("leaves out definitions, below their decorators, and lines that are resolved", () => {
    const symbols = [entry({ startLine: 1, endLine: 3 })]
    assert.deepStrictEqual(
      find("@cached\ndef send():\n    send()\nsend()\n", {}, { symbols, resolved: new Set([4]) }),
      [3],
    )
  })

  it("wants a receiver before the name of a method, where the language does", () => {
    const text = "send(x)\nclient.send(x)\nclient?.send(x)\n"
    assert.deepStrictEqual(find(text, { kind: "method" }), [2, 3])
    for (const language of ["go", "rust", "javascript", "typescript"]) {
      assert.deepStrictEqual(find(text, { kind: "method" }, {}, language), [2, 3], language)
      assert.deepStrictEqual(find(text, {}, {}, language), [1, 2, 3], language)
    }
    for (const language of ["java", "csharp", "cpp", "ruby", "kotlin", "swift", "scala"]) {
      assert.deepStrictEqual(find(text, { kind: "method" }, {}, language), [1, 2, 3], language)
    }
    const rust = "send(x);\nSelf::send(x);\nclient . send(x);\n"
    assert.deepStrictEqual(find(rust, { kind: "method" }, {}, "rust"), [2, 3])
    const php = 'send($x);\n$a?->send($x);\nstatic::send($x);\non([$this, "send"]);\n'
    assert.deepStrictEqual(find(php, { kind: "method" }, {}, "php"), [2, 3, 4])
  })

  it("takes the dot at the end of the line before for one before the name of a method", () => {
    const text = "client.\n\tsend(x). // then\n\tsend(y)\n// The last.\nsend(z)\n"
    assert.deepStrictEqual(find(text, { kind: "method" }, {}, "go"), [2, 3])
  })

  it("takes names with characters that patterns use as they are", () => {
    assert.deepStrictEqual(find("f($a.b)\nf($axb)\n", { name: "$a.b" }), [1])
  })
})

describe("NamePlaces.calledNames", () => {
  it("has the names of calls with their lines, apart by whether they have a receiver", () => {
    const text = "def f():\n  a(b(1))\n  x.a(2)\n  a(3)\n  # c()\n  d\n"
    assert.deepStrictEqual(NamePlaces.calledNames(text, 2, 6), [
      { name: "a", hasReceiver: false, lines: [2, 4] },
      { name: "b", hasReceiver: false, lines: [2] },
      { name: "a", hasReceiver: true, lines: [3] },
    ])
  })
})

describe("NamePlaces.canUse", () => {
  it("holds for languages whose code shares names", () => {
    assert.isTrue(NamePlaces.canUse("typescript", "javascript"))
    assert.isTrue(NamePlaces.canUse("kotlin", "java"))
    assert.isTrue(NamePlaces.canUse("python", "python"))
    assert.isFalse(NamePlaces.canUse("typescript", "kotlin"))
    assert.isFalse(NamePlaces.canUse("python", undefined))
  })
})
