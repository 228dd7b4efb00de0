import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Purposes from "../../src/indexing/Purposes.ts"

const line = (change: Partial<Purposes.Line> = {}): Purposes.Line => ({
  path: "src/Forest.ts",
  symbol: "append",
  kind: "function",
  hash: "h1",
  purpose: "Adds a node.",
  model: "google/gemini-2.5-flash",
  node: "n-1",
  ...change,
})
const written = (change: Partial<Purposes.Line> = {}) => Purposes.encode(line(change))
const purposes = (written: ReadonlyArray<Purposes.StoredLine>) => written.map(({ line }) => line.purpose)

/** Few words, so that places and versions meet. */
const few = FastCheck.constantFrom("a", "b", "c")
const lines = FastCheck.array(
  FastCheck.record({ path: few, symbol: few, hash: few, purpose: FastCheck.string({ minLength: 1 }) }).map(written),
)
const strays = FastCheck.constantFrom("<<<<<<< HEAD", "=======", ">>>>>>> main", "{}", '{"path":"a"', "  ", "null")
const found = FastCheck.array(
  FastCheck.oneof(
    lines.map((lines) => lines.map(({ text }) => text).join("\n")),
    strays,
  ),
).map((lines) => lines.join("\n"))

describe("Purposes.parse and render", () => {
  it.prop("lose no line, whatever stands between the purposes", [found], ([text]) => {
    const sorted = (text: string) =>
      text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "")
        .toSorted()
    assert.deepStrictEqual(sorted(Purposes.render(Purposes.parse(text))), sorted(text))
  })

  it.prop("leave a text that they have sorted as it is", [found], ([text]) => {
    const once = Purposes.render(Purposes.parse(text))
    assert.strictEqual(Purposes.render(Purposes.parse(once)), once)
  })

  it("write a line with its keys in order", () => {
    assert.strictEqual(
      Purposes.render({ lines: [written()], invalid: [] }),
      '{"path":"src/Forest.ts","symbol":"append","kind":"function","hash":"h1","purpose":"Adds a node.",' +
        '"model":"google/gemini-2.5-flash","node":"n-1"}\n',
    )
  })

  it("take both sides of a conflict, and leave its marks where they are seen", () => {
    const [ours, theirs] = [written({ hash: "h1" }).text, written({ hash: "h2" }).text]
    const text = ["<<<<<<< HEAD", ours, "=======", theirs, ">>>>>>> main", ""].join("\n")
    const parsed = Purposes.parse(text)
    assert.deepStrictEqual(
      parsed.lines.map(({ line }) => line.hash),
      ["h1", "h2"],
    )
    assert.strictEqual(
      Purposes.render(parsed),
      [ours, theirs, "<<<<<<< HEAD", "=======", ">>>>>>> main", ""].join("\n"),
    )
  })

  it("keep what a newer vibe has added to a line", () => {
    const text = `${JSON.stringify({ ...line(), proof: [3, 7] })}\n`
    assert.strictEqual(Purposes.render(Purposes.parse(text)), text)
  })

  it("read lines that end as they do on Windows, and purposes with separators of their own", () => {
    const text = `${written({ purpose: "One.\u2028Two." }).text}\r\n${written({ symbol: "path" }).text}\r\n`
    const parsed = Purposes.parse(text)
    assert.deepStrictEqual(purposes(parsed.lines), ["One.\u2028Two.", "Adds a node."])
    assert.deepStrictEqual(parsed.invalid, [])
  })
})

describe("Purposes.merge", () => {
  it("puts what is new in the place of what was said of the same version, and after the others", () => {
    const known = [written({ hash: "h1", purpose: "old" }), written({ hash: "h2", purpose: "other" })]
    assert.deepStrictEqual(purposes(Purposes.merge(known, [written({ hash: "h1", purpose: "new" })])), ["other", "new"])
  })

  it.prop("changes nothing when it is done again", [lines, lines], ([known, added]) => {
    const once = Purposes.merge(known, added)
    assert.deepStrictEqual(Purposes.merge(once, added), once)
  })
})

describe("Purposes.prune", () => {
  const isPresent = ({ hash }: Purposes.Line) => hash === "now"

  it("drops the oldest versions that the source no longer has, and never the one it has", () => {
    const versions = ["now", "h1", "h2", "h3"].map((hash) => written({ hash, purpose: hash }))
    assert.deepStrictEqual(purposes(Purposes.prune(versions, isPresent)), ["now", "h2", "h3"])
  })

  it("counts the versions of each symbol for itself", () => {
    const versions = ["h1", "h2"].flatMap((hash) => [written({ hash }), written({ hash, symbol: "path" })])
    assert.deepStrictEqual(Purposes.prune(versions, isPresent), versions)
  })
})

describe("Purposes.choose", () => {
  const subject: Purposes.Subject = {
    path: "src/Forest.ts",
    qualifiedName: "append",
    kind: "function",
    hash: "now",
    doc: "Adds.",
  }
  const known = (change: Partial<Purposes.KnownPurpose>): Purposes.KnownPurpose => ({
    ...line({ hash: "now" }),
    origin: "model",
    doc: undefined,
    ...change,
  })
  const chosen = (candidates: ReadonlyArray<Purposes.KnownPurpose>, siblings = [subject]) => {
    const purpose = Purposes.choose(subject, candidates, siblings)
    return purpose === undefined ? undefined : `${purpose.stale ? "stale " : ""}${purpose.origin}: ${purpose.text}`
  }

  it("knows nothing of a symbol that nobody has described", () => {
    assert.isUndefined(chosen([known({ symbol: "path" }), known({ hash: "old", path: "src/Tree.ts" })]))
  })

  it("takes what is true of the source from another path, but rather from its own", () => {
    const there = known({ path: "lib/Forest.ts", purpose: "there" })
    assert.strictEqual(chosen([there]), "model: there")
    assert.strictEqual(chosen([known({ purpose: "here" }), there]), "model: here")
  })

  it("prefers what a model wrote to a comment, both to what is stale, and that to what was derived", () => {
    const all = [
      known({ origin: "derived", hash: "old", purpose: "f" }),
      known({ origin: "comment", hash: "old", purpose: "e" }),
      known({ origin: "derived", purpose: "d" }),
      known({ hash: "old", purpose: "c" }),
      known({ origin: "comment", doc: "Adds.", purpose: "b" }),
      known({ purpose: "a" }),
    ]
    const worse = all.map((_, dropped) => chosen(all.slice(0, all.length - dropped)))
    assert.deepStrictEqual(worse, [
      "model: a",
      "comment: b",
      "stale model: c",
      "derived: d",
      "stale comment: e",
      "stale derived: f",
    ])
  })

  it("takes the newest of the stale ones", () => {
    assert.strictEqual(
      chosen([known({ hash: "h1", purpose: "older" }), known({ hash: "h2", purpose: "newer" })]),
      "stale model: newer",
    )
  })

  it("does not take what is true of an overload for a stale purpose", () => {
    const overload = { ...subject, hash: "overload" }
    assert.isUndefined(chosen([known({ hash: "overload" })], [subject, overload]))
  })
})
