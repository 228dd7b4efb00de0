/** The sizes of units, which are added up before a batch is written. */
import { assert, describe, it } from "@effect/vitest"
import * as BatchText from "../../../src/explore/internal/BatchText.ts"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"

const entryOf = (path: string, name: string, container?: string) =>
  new IndexEntry({
    path,
    name,
    kind: "function",
    signature: `${name}()`,
    startLine: 1,
    endLine: 1,
    hash: name,
    exported: true,
    isMajor: true,
    usedBy: 0,
    ...(container !== undefined && { container }),
  })

const unit = (path: string, other: Partial<BatchText.Unit> = {}): BatchText.Unit => {
  const entry = entryOf(path, "go")
  const node = { entry, isOpen: true, isNamed: false, children: [] }
  return {
    path,
    names: ["go"],
    around: [],
    symbols: [entry],
    tokens: 50,
    header: 7,
    context: 11,
    node,
    nested: true,
    lines: 28,
    ...other,
  }
}

describe("BatchText.withFile", () => {
  it("asks for a file below its last unit alone, which gets larger by that", () => {
    const file = entryOf("a.ts", "a.ts")
    const [first, last] = BatchText.withFile([unit("a.ts"), unit("a.ts")], file)
    assert.deepStrictEqual(first, unit("a.ts"))
    assert.deepStrictEqual([last?.file, last?.symbols.at(-1)], [file, file])
    assert.lengthOf(last?.symbols ?? [], 2)
    assert.isAbove(last?.tokens ?? 0, 50)
    assert.isBelow(last?.tokens ?? 0, 60)
    assert.deepStrictEqual(BatchText.withFile([], file), [])
  })
})

describe("BatchText.tokensAfter", () => {
  it("counts the header of a file once, and what is around units once while that is the same", () => {
    const outer = entryOf("a.ts", "Outer")
    const inner = unit("a.ts", { around: [outer] })
    assert.strictEqual(BatchText.tokensAfter(undefined, inner), 50)
    assert.strictEqual(BatchText.tokensAfter(unit("b.ts", { around: [outer] }), inner), 50)
    assert.strictEqual(BatchText.tokensAfter(inner, inner), 50 - 7 - 11)
    assert.strictEqual(BatchText.tokensAfter(unit("a.ts"), inner), 50 - 7)
    assert.strictEqual(BatchText.tokensAfter(unit("a.ts", { around: [entryOf("a.ts", "Other")] }), inner), 50 - 7)
    assert.strictEqual(BatchText.tokensAfter(unit("a.ts", { around: [outer, outer] }), inner), 50 - 7)
    const owned = (container: string) =>
      unit("a.ts", { node: { ...inner.node, entry: entryOf("a.ts", "go", container) } })
    assert.strictEqual(BatchText.tokensAfter(owned("Box"), owned("Box")), 50 - 7 - 11)
    assert.strictEqual(BatchText.tokensAfter(owned("Box"), owned("Crate")), 50 - 7)
  })
})

/** A class on `lines` lines with methods of four lines each, of which all are open. */
const house = (members: number, width = 10) => {
  const outer = new IndexEntry({ ...entryOf("a.ts", "House"), kind: "class", startLine: 1, endLine: 2 + 4 * members })
  const methods = Array.from(
    { length: members },
    (_, n) =>
      new IndexEntry({
        ...entryOf("a.ts", `m${n}`, "House"),
        kind: "method",
        startLine: 2 + 4 * n,
        endLine: 5 + 4 * n,
      }),
  )
  const lines = [
    "class House {",
    ...methods.flatMap(({ name }) => [
      `  ${name}() {`,
      `    step ${"x".repeat(width)} one of ${name};`,
      `    step ${"y".repeat(width)} two of ${name};`,
      "  }",
    ]),
    "}",
  ]
  return { outer, methods, lines }
}

const sourceOf = (lines: ReadonlyArray<string>, change: Partial<BatchText.Source> = {}): BatchText.Source => ({
  path: "a.ts",
  lines,
  callersOf: () => [],
  overriddenBy: () => undefined,
  familyOf: () => [],
  ...change,
})

describe("BatchText.units", () => {
  const namesOf = (units: ReadonlyArray<BatchText.Unit>) => units.map(({ symbols }) => symbols.map(({ name }) => name))
  const all = () => true

  it("shows a class with its members if it has a fifth of the symbols and tokens of a batch at most", () => {
    const { lines, methods, outer } = house(3)
    const entries = [outer, ...methods]
    const of = (limits: BatchText.Limits) => namesOf(BatchText.units(sourceOf(lines), entries, all, limits))
    const apart = [["House"], ["m0"], ["m1"], ["m2"]]
    assert.deepStrictEqual(of({ tokens: 9_000, symbols: 20 }), [["House", "m0", "m1", "m2"]])
    assert.deepStrictEqual(of({ tokens: 9_000, symbols: 19 }), apart)
    assert.deepStrictEqual(of({ tokens: 300, symbols: 20 }), apart)
    const [whole] = BatchText.units(sourceOf(lines), entries, all, { tokens: 9_000, symbols: 20 })
    const size = whole?.tokens ?? 0
    assert.deepStrictEqual(of({ tokens: 5 * size, symbols: 20 }), [["House", "m0", "m1", "m2"]])
    assert.deepStrictEqual(of({ tokens: 5 * (size - 1), symbols: 20 }), apart)
  })

  it("shows one symbol in one unit however few a batch may have, and members of a class that is not open apart", () => {
    const { lines, methods, outer } = house(2)
    const isMethod = (entry: IndexEntry) => entry !== outer
    const units = BatchText.units(sourceOf(lines), [outer, ...methods], isMethod, { tokens: 9_000, symbols: 1 })
    assert.deepStrictEqual(namesOf(units), [["m0"], ["m1"]])
    assert.deepStrictEqual(
      units.map(({ around, lines, nested }) => [around.map(({ name }) => name), lines, nested]),
      [
        [["House"], 28, true],
        [["House"], 28, true],
      ],
    )
    assert.deepStrictEqual(
      BatchText.units(sourceOf(lines), [outer, ...methods], () => false, { tokens: 9, symbols: 9 }),
      [],
    )
    const one = BatchText.units(sourceOf(lines), [outer, ...methods], (entry) => entry === outer, {
      tokens: 9_000,
      symbols: 1,
    })
    assert.deepStrictEqual(namesOf(one), [["House"]])
  })

  it("halves the lines of a symbol until it has room, down to its signature", () => {
    const lines = [
      "go {",
      ...Array.from({ length: 30 }, (_, n) => `  step ${"x".repeat(60)} ${"y".repeat(n)} go;`),
      "}",
    ]
    const go = new IndexEntry({ ...entryOf("a.ts", "go"), startLine: 1, endLine: 32 })
    const unitOf = (tokens: number) => BatchText.units(sourceOf(lines), [go], all, { tokens, symbols: 9 })[0]
    const sizes = [5_000, 500, 260, 120, 60, 4].map((tokens) => {
      const found = unitOf(tokens)
      assert.isAtMost(found?.tokens ?? 0, tokens)
      return found?.lines
    })
    assert.deepStrictEqual(sizes, [28, 14, 7, 3, 1, 0])
  })
})

describe("BatchText.textOf", () => {
  const { lines, methods, outer } = house(2)
  const [first = outer, second = outer] = methods

  const textOf = (units: ReadonlyArray<BatchText.Unit>, change: Partial<BatchText.Source> = {}, from = 1) =>
    BatchText.textOf(units, sourceOf(lines, change), from)

  const of = (entry: IndexEntry, around: ReadonlyArray<IndexEntry> = []) =>
    unit("a.ts", { around, symbols: [entry], node: { entry, isOpen: true, isNamed: false, children: [] } })

  const bodyOf = (name: string) => [
    `${name}() {`,
    `  step xxxxxxxxxx one of ${name};`,
    `  step yyyyyyyyyy two of ${name};`,
    "}",
  ]

  it("writes what is around units once, and says where that ends", () => {
    const free = new IndexEntry({ ...entryOf("a.ts", "free"), startLine: 10, endLine: 10 })
    const { symbols, text } = textOf([of(first, [outer]), of(second, [outer]), of(free)], {}, 7)
    assert.deepStrictEqual(text.split("\n"), [
      "== a.ts",
      "in House()",
      "§7",
      ...bodyOf("m0"),
      "§8",
      ...bodyOf("m1"),
      "at the top of the file",
      "§9",
      "}",
    ])
    assert.deepStrictEqual(symbols, [first, second, free])
    assert.notInclude(textOf([of(free)]).text, "at the top")
  })

  it("writes no line for a class whose own unit was before those of its members", () => {
    const alone = { ...of(outer), nested: false }
    assert.notInclude(textOf([alone, of(first, [outer])]).text, "in House")
    assert.include(textOf([{ ...alone, nested: true }, of(first, [outer])]).text, "in House")
  })

  it("names callers, and what is overridden with its purpose once", () => {
    const purpose = { text: "Opens doors. Who asks?", origin: "model", model: "m", node: "n", stale: false } as const
    const base = new IndexEntry({ ...entryOf("b.ts", "open", "Base"), purpose })
    const marks = (change: Partial<BatchText.Source>, units = [of(first, [outer]), of(second, [outer])]) =>
      textOf(units, change)
        .text.split("\n")
        .filter((line) => line.startsWith("§"))
    assert.deepStrictEqual(marks({ overriddenBy: () => base }), [
      "§1 overrides Base.open: Opens doors.",
      "§2 overrides Base.open",
    ])
    assert.deepStrictEqual(
      marks({ callersOf: ({ name }) => (name === "m0" ? ["a", "b"] : []), overriddenBy: () => base }),
      ["§1 used by a, b, overrides Base.open: Opens doors.", "§2 overrides Base.open"],
    )
    const named = of(first, [outer])
    const shown = [{ ...named, node: { ...named.node, isNamed: true } }]
    assert.deepStrictEqual(marks({ callersOf: () => ["a"] }, shown), ["§1 House.m0, used by a"])
    assert.deepStrictEqual(marks({ callersOf: () => ["x".repeat(34), "y".repeat(35), "z"] }, shown.slice(0, 1)), [
      `§1 House.m0, used by ${"x".repeat(34)}`,
    ])
    assert.deepStrictEqual(marks({ callersOf: () => ["x".repeat(34), "y".repeat(34)] }, shown), [
      `§1 House.m0, used by ${"x".repeat(34)}, ${"y".repeat(34)}`,
    ])
  })

  it("names the others of a family beside the mark of its first function", () => {
    const marks = (others: ReadonlyArray<string>) =>
      textOf([of(first, [outer]), of(second, [outer])], {
        callersOf: () => ["a"],
        familyOf: ({ name }) => (name === "m0" ? others : []),
      })
        .text.split("\n")
        .filter((line) => line.startsWith("§"))
    assert.deepStrictEqual(marks(["red", "blue"]), ["§1 used by a, and alike: red blue", "§2 used by a"])
    assert.isAtMost(marks(Array.from({ length: 900 }, (_, at) => `colour${at}`))[0]?.length ?? 0, 400)
  })

  it.each<readonly [signature: string, container: string, line: string | undefined]>([
    ["go()", "Box", "in Box"],
    ["fn go(&self)", "Box.Inner", "in Box.Inner"],
    ["impl Layer: fn go(&self)", "Box", "in impl Layer for Box"],
    ["impl a::Layer<T>: fn go(&self)", "Box", "in impl a::Layer<T> for Box"],
    ["function Box.go()", "Box", undefined],
    ["function Box:go()", "Box", undefined],
    ["void Box::go()", "Box", undefined],
    ["func (b *Box) go()", "Box", undefined],
    ["func (b *Boxes) go()", "Box", "in Box"],
    ["go(Box)", "Box", "in Box"],
    ["void Sandbox::go()", "box", "in box"],
  ])("writes for `%s` of %s the line %s", (signature, container, line) => {
    const entry = new IndexEntry({ ...entryOf("a.ts", "go", container), signature })
    const written = textOf([of(entry)]).text.split("\n")
    assert.strictEqual(written[1], line ?? "§1")
  })

  it("names an owner within what is around it, and again only after another one", () => {
    const inner = new IndexEntry({ ...entryOf("a.ts", "go", "House.Room") })
    assert.include(textOf([of(inner, [outer])]).text, "\nin House()\nin Room\n")
    const same = textOf([of(inner, [outer]), of(inner, [outer])]).text
    assert.lengthOf(same.match(/in Room/g) ?? [], 1)
    const free = entryOf("a.ts", "free")
    assert.lengthOf(textOf([of(inner), of(free), of(inner)]).text.match(/in House\.Room/g) ?? [], 2)
    assert.lengthOf(textOf([of(inner, [outer]), of(inner)]).text.match(/^in (?:House\.)?Room$/gm) ?? [], 2)
  })

  it("writes the signature of a class without the sign that opens it, or its name, with its purpose", () => {
    const purpose = { text: "Keeps doors. Who asks?", origin: "model", model: "m", node: "n", stale: false } as const
    const lineOf = (fields: object) =>
      textOf([of(first, [new IndexEntry({ ...outer, ...fields })])]).text.split("\n")[1]
    assert.strictEqual(lineOf({ signature: "class House(Base) :", purpose }), "in class House(Base): Keeps doors.")
    assert.strictEqual(lineOf({ signature: "class House {" }), "in class House")
    assert.strictEqual(lineOf({ signature: "" }), "in House")
  })
})
