import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as PurposeMerge from "../../src/index/PurposeMerge.ts"
import * as Purposes from "../../src/index/Purposes.ts"

const written = (change: Partial<Purposes.Line> = {}): string =>
  Purposes.encode({
    path: "src/a.ts",
    symbol: "a",
    kind: "function",
    hash: "h1",
    purpose: "Adds.",
    model: "google/gemini-2.5-flash",
    node: "n-1",
    ...change,
  }).text

const textOf = (...lines: ReadonlyArray<string>): string => lines.map((line) => `${line}\n`).join("")

/** Few words, so that lines of two sides are about the same version of a symbol. */
const few = FastCheck.constantFrom("a", "b")
const aLine = FastCheck.record({
  path: few,
  symbol: few,
  hash: few,
  purpose: FastCheck.constantFrom("One.", "Two.", "Three."),
  node: FastCheck.constantFrom("n-1", "n-2"),
  weak: FastCheck.constantFrom(undefined, "it says no more than the name"),
}).map(({ weak, ...line }) => written({ ...line, ...(weak !== undefined && { weak }) }))
const someText = FastCheck.array(aLine, { maxLength: 8 }).map((lines) => textOf(...lines))

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")
const keysOf = (text: string): ReadonlyArray<string> =>
  Purposes.parse(text)
    .lines.map(({ line: { hash, path, symbol } }) => `${path} ${symbol} ${hash}`)
    .toSorted()

const merge = (base: string, ours: string, theirs: string): string => {
  const { damaged, text } = PurposeMerge.merge({ base, ours, theirs })
  assert.strictEqual(damaged, 0)
  return text
}

describe("PurposeMerge.merge", () => {
  it("prefers a sentence to the answer that there is nothing to say, and that to a weak sentence", () => {
    const nothing = written({ purpose: Purposes.NOTHING, node: "n-2" })
    const good = written({ node: "n-1" })
    const weak = written({ node: "n-3", weak: "it says no more than the name", confirmed: true })
    assert.strictEqual(merge("", textOf(nothing), textOf(good)), textOf(good))
    assert.strictEqual(merge("", textOf(weak), textOf(nothing)), textOf(nothing))
  })

  it.prop("does not depend on which side is ours", [someText, someText, someText], ([base, ours, theirs]) => {
    assert.strictEqual(merge(base, ours, theirs), merge(base, theirs, ours))
  })

  it.prop(
    "merges three branches to the same, whichever two come first",
    [someText, someText, someText, someText],
    ([base, one, two, three]) => {
      const expected = merge(base, merge(base, one, two), three)
      assert.strictEqual(merge(base, one, merge(base, two, three)), expected)
      assert.strictEqual(merge(base, merge(base, one, three), two), expected)
    },
  )

  it.prop(
    "leaves a side as it is where it is merged with itself or with its base",
    [someText, someText],
    ([base, text]) => {
      const sorted = PurposeMerge.repair(text)
      assert.strictEqual(merge(base, text, text), sorted)
      assert.strictEqual(merge(base, text, base), merge(base, text, text))
    },
  )

  it.prop(
    "writes what vibe would write: sorted, and one line for each version",
    [someText, someText, someText],
    (texts) => {
      const text = merge(...texts)
      assert.deepStrictEqual(PurposeMerge.findFlaws(text), [])
      assert.strictEqual(Purposes.render(Purposes.parse(text)), text)
    },
  )

  it.prop("makes up no line, and loses no version that either side added", [someText, someText, someText], (texts) => {
    const [base, ours, theirs] = texts
    const text = merge(...texts)
    const all = new Set([...linesOf(ours), ...linesOf(theirs)])
    for (const line of linesOf(text)) assert.isTrue(all.has(line), line)
    const merged = keysOf(text)
    const before = keysOf(base)
    for (const key of [...keysOf(ours), ...keysOf(theirs)]) {
      if (!before.includes(key)) assert.include(merged, key)
    }
  })

  it("keeps what each side added, and drops what one side dropped", () => {
    const kept = written({ symbol: "b" })
    const dropped = written({ symbol: "c" })
    const ours = written({ symbol: "d" })
    const theirs = written({ symbol: "e" })
    assert.strictEqual(
      merge(textOf(kept, dropped), textOf(kept, ours), textOf(kept, dropped, theirs)),
      textOf(kept, ours, theirs),
    )
  })

  it("keeps a line that one side changed and the other dropped", () => {
    const changed = textOf(written({ purpose: "Adds two numbers." }))
    assert.strictEqual(merge(textOf(written()), changed, ""), changed)
  })

  it("of two texts for one version keeps the one that passed the check, else the later one, else the first by its text", () => {
    const pick = (one: Partial<Purposes.Line>, other: Partial<Purposes.Line>) =>
      Purposes.parse(merge("", textOf(written(one)), textOf(written(other)))).lines.map(({ line }) => line.purpose)
    const weak = { weak: "it says no more than the name", node: "n-9" }
    assert.deepStrictEqual(pick({ purpose: "Weak.", ...weak }, { purpose: "Sound." }), ["Sound."])
    assert.deepStrictEqual(
      pick({ purpose: "Weak.", ...weak }, { purpose: "Asked again.", ...weak, node: "n-1", confirmed: true }),
      ["Asked again."],
    )
    assert.deepStrictEqual(pick({ purpose: "Early.", node: "n-1" }, { purpose: "Late.", node: "n-2" }), ["Late."])
    assert.deepStrictEqual(pick({ purpose: "B." }, { purpose: "A." }), ["A."])
  })

  it("puts the versions of a symbol in the order in which they were recorded", () => {
    const first = written({ hash: "h3", node: "n-1" })
    const second = written({ hash: "h2", node: "n-2" })
    const third = written({ hash: "h1", node: "n-3" })
    assert.strictEqual(merge(textOf(first), textOf(first, third), textOf(first, second)), textOf(first, second, third))
  })

  it("keeps keys of a newer version", () => {
    const newer = `${JSON.stringify({ ...JSON.parse(written()), proof: [3, 7] })}\n`
    assert.strictEqual(merge("", newer, textOf(written({ symbol: "b" }))), newer + textOf(written({ symbol: "b" })))
  })

  it("puts lines that are no purposes between the markers of a conflict, and loses none", () => {
    const { damaged, text } = PurposeMerge.merge({
      base: "",
      ours: textOf(written(), "half a line {"),
      theirs: textOf("<<<<<<< HEAD", written({ symbol: "b" })),
    })
    assert.strictEqual(damaged, 2)
    assert.strictEqual(
      text,
      textOf(
        written(),
        written({ symbol: "b" }),
        "<<<<<<< ours",
        "half a line {",
        "=======",
        "<<<<<<< HEAD",
        ">>>>>>> theirs",
      ),
    )
  })
})

describe("PurposeMerge.findFlaws", () => {
  const kinds = (text: string) =>
    PurposeMerge.findFlaws(text).map(({ count, kind, line }) => `${kind} ${line} ${count}`)

  it("finds none in an empty text, and in what vibe writes", () => {
    assert.deepStrictEqual(kinds(""), [])
    assert.deepStrictEqual(kinds(textOf(written(), written({ hash: "h2" }), written({ symbol: "b" }))), [])
  })

  it("finds markers of a conflict, damaged lines, duplicates, and lines out of order, each with the first line", () => {
    const text = textOf("<<<<<<< HEAD", written({ symbol: "b" }), "=======", written(), ">>>>>>> main", "{", written())
    assert.deepStrictEqual(kinds(text), ["conflict 1 3", "unsorted 4 1", "damaged 6 1", "duplicate 7 1"])
  })
})

describe("PurposeMerge.repair", () => {
  it("sorts, keeps the better of two lines, and drops markers, but no line that it cannot read", () => {
    const text = textOf(
      "<<<<<<< HEAD",
      written({ symbol: "b" }),
      "=======",
      written({ node: "n-2", purpose: "Late." }),
      written(),
      ">>>>>>> main",
      "{",
    )
    assert.strictEqual(
      PurposeMerge.repair(text),
      textOf(written({ node: "n-2", purpose: "Late." }), written({ symbol: "b" }), "{"),
    )
  })
})

describe("PurposeMerge.mergeUnfinished", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((symbol) => written({ symbol }))
  const text = (...lines: ReadonlyArray<string | undefined>) => textOf(...lines.map((line) => line ?? ""))

  it.each(["\n", "\r\n"])(
    "does not bring back what a side has removed, and keeps what was written since, with lines that end in %j",
    (ending) => {
      const sides = { base: text(a, b), ours: text(a), theirs: text(a, b, c) }
      const present = text(a, "<<<<<<< HEAD", "=======", b, c, ">>>>>>> topic", d).replaceAll("\n", ending)
      const merged = PurposeMerge.mergeUnfinished(sides, present)
      assert.strictEqual(merged, text(a, c, d))
      assert.strictEqual(PurposeMerge.mergeUnfinished(sides, merged.replaceAll("\n", ending)), merged)
    },
  )
})
