import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Purposes from "../../src/index/Purposes.ts"

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

/** Few words, so that paths, symbols and versions coincide. */
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
  it.prop("lose no line, valid or not", [found], ([text]) => {
    const sorted = (text: string) =>
      text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "")
        .toSorted()
    assert.deepStrictEqual(sorted(Purposes.render(Purposes.parse(text))), sorted(text))
  })

  it.prop("do not change a text that was rendered before", [found], ([text]) => {
    const once = Purposes.render(Purposes.parse(text))
    assert.strictEqual(Purposes.render(Purposes.parse(once)), once)
  })

  it("write the keys of a line in order", () => {
    assert.strictEqual(
      Purposes.render({ lines: [written()], invalid: [] }),
      '{"path":"src/Forest.ts","symbol":"append","kind":"function","hash":"h1","purpose":"Adds a node.",' +
        '"model":"google/gemini-2.5-flash","node":"n-1"}\n',
    )
  })

  it("read both sides of a merge conflict, and move its markers to the end", () => {
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

  it("keep keys of a newer version", () => {
    const text = `${JSON.stringify({ ...line(), proof: [3, 7] })}\n`
    assert.strictEqual(Purposes.render(Purposes.parse(text)), text)
  })

  it("read CRLF line endings, and purposes with U+2028", () => {
    const text = `${written({ purpose: "One.\u2028Two." }).text}\r\n${written({ symbol: "path" }).text}\r\n`
    const parsed = Purposes.parse(text)
    assert.deepStrictEqual(purposes(parsed.lines), ["One.\u2028Two.", "Adds a node."])
    assert.deepStrictEqual(parsed.invalid, [])
  })
})

describe("Purposes.merge", () => {
  it("replaces a line about the same version, and appends the new one", () => {
    const known = [written({ hash: "h1", purpose: "old" }), written({ hash: "h2", purpose: "other" })]
    assert.deepStrictEqual(purposes(Purposes.merge(known, [written({ hash: "h1", purpose: "new" })])), ["other", "new"])
  })

  it.prop("is idempotent", [lines, lines], ([known, added]) => {
    const once = Purposes.merge(known, added)
    assert.deepStrictEqual(Purposes.merge(once, added), once)
  })
})

describe("Purposes.prune", () => {
  const isPresent = ({ hash }: Purposes.Line) => hash === "now"

  it("removes the oldest versions that the source no longer has, and never the present one", () => {
    const versions = ["now", "h1", "h2", "h3"].map((hash) => written({ hash, purpose: hash }))
    assert.deepStrictEqual(purposes(Purposes.prune(versions, isPresent)), ["now", "h2", "h3"])
  })

  it("counts the versions of each symbol separately", () => {
    const versions = ["h1", "h2"].flatMap((hash) => [written({ hash }), written({ hash, symbol: "path" })])
    assert.deepStrictEqual(Purposes.prune(versions, isPresent), versions)
  })
})

describe("Purposes.choose", () => {
  const subject: Purposes.Subject = {
    path: "src/Forest.ts",
    qualifiedName: "append",
    kind: "function",
    signature: "append(node: Node): void",
    hash: "now",
  }
  const known = (change: Partial<Purposes.Line>): Purposes.Line => line({ hash: "now", ...change })
  const chosen = (candidates: ReadonlyArray<Purposes.Line>, { doc = "", siblings = [subject] } = {}) => {
    const purpose = Purposes.choose({ ...subject, doc }, candidates, siblings)
    return purpose === undefined || purpose === Purposes.NOTHING
      ? purpose
      : `${purpose.stale ? "stale " : ""}${purpose.origin}: ${purpose.text}`
  }

  it("is none for a symbol without a purpose", () => {
    const elsewhere = [known({ symbol: "path" }), known({ hash: "old", path: "src/Tree.ts" })]
    assert.isUndefined(chosen(elsewhere))
    assert.isUndefined(chosen(elsewhere, { doc: "The append function." }))
  })

  it("prefers a purpose of the present source from its own path to one from another path", () => {
    const there = known({ path: "lib/Forest.ts", purpose: "there" })
    assert.strictEqual(chosen([there]), "model: there")
    assert.strictEqual(chosen([known({ purpose: "here" }), there]), "model: here")
  })

  it("prefers a model to the comment, and that to a stale purpose of a model", () => {
    const doc = "Adds a node."
    const stale = known({ hash: "old", purpose: "stale" })
    assert.strictEqual(chosen([stale, known({ purpose: "present" })], { doc }), "model: present")
    assert.strictEqual(chosen([stale, known({ purpose: "moved", path: "lib/Forest.ts" })], { doc }), "model: moved")
    assert.strictEqual(chosen([stale], { doc }), "comment: Adds a node.")
    assert.strictEqual(chosen([stale]), "stale model: stale")
  })

  it("prefers a purpose that passed its checks, and the comment, to a weak one", () => {
    const weak = known({ purpose: "weak", weak: "says no more than its name", lines: [1, 4] })
    assert.strictEqual(chosen([known({ purpose: "good", path: "lib/Forest.ts" }), weak]), "model: good")
    assert.strictEqual(chosen([weak], { doc: "Adds a node." }), "comment: Adds a node.")
    assert.strictEqual(chosen([known({ hash: "old", purpose: "stale" }), weak]), "model: weak")
    assert.deepInclude(Purposes.choose(subject, [weak], [subject]), {
      weak: "says no more than its name",
      lines: [1, 4],
      stale: false,
    })
  })

  it("is that of another layout of the present source, and of a line without tokens that of the exact source", () => {
    const layout = { ...subject, tokens: "t1" }
    const staleOf = (chosen: ReturnType<typeof Purposes.choose>) =>
      chosen === Purposes.NOTHING ? undefined : chosen?.stale
    const choose = (candidate: Purposes.Line) => staleOf(Purposes.choose(layout, [candidate], [layout]))
    assert.isFalse(choose(known({ hash: "old", tokens: "t1" })))
    assert.isTrue(choose(known({ hash: "old", tokens: "t0" })))
    assert.isTrue(choose(known({ hash: "old" })))
    assert.isFalse(choose(known({})))
    const overload = { ...layout, hash: "overload", tokens: "t2" }
    assert.isUndefined(Purposes.choose(layout, [known({ hash: "old", tokens: "t2" })], [layout, overload]))
    assert.isTrue(staleOf(Purposes.choose(subject, [known({ hash: "old", tokens: "t1" })], [subject])))
  })

  it("is none if a model had nothing to say of the present source, unless there is a sentence or a comment", () => {
    const nothing = known({ purpose: Purposes.NOTHING })
    const weak = known({ purpose: "weak", weak: "says no more than its name" })
    assert.strictEqual(chosen([nothing]), Purposes.NOTHING)
    assert.strictEqual(chosen([weak, nothing]), Purposes.NOTHING)
    assert.strictEqual(chosen([nothing, weak]), Purposes.NOTHING)
    assert.strictEqual(chosen([{ ...nothing, path: "lib/Forest.ts" }]), Purposes.NOTHING)
    assert.strictEqual(chosen([known({ hash: "old", purpose: "stale" }), nothing]), Purposes.NOTHING)
    assert.strictEqual(chosen([known({ purpose: "good" }), nothing]), "model: good")
    assert.strictEqual(chosen([nothing], { doc: "Adds a node." }), "comment: Adds a node.")
    assert.isUndefined(chosen([{ ...nothing, hash: "old" }]))
    assert.strictEqual(
      chosen([known({ hash: "older", purpose: "stale" }), { ...nothing, hash: "old" }]),
      "stale model: stale",
    )
  })

  it("says of a comment that a model had nothing to add to it", () => {
    const confirmedOf = (candidates: ReadonlyArray<Purposes.Line>) => {
      const purpose = Purposes.choose({ ...subject, doc: "Adds a node." }, candidates, [subject])
      return purpose === Purposes.NOTHING ? purpose : purpose?.confirmed
    }
    assert.isTrue(confirmedOf([known({ purpose: Purposes.NOTHING })]))
    assert.isUndefined(confirmedOf([known({ hash: "old", purpose: Purposes.NOTHING })]))
    assert.isUndefined(confirmedOf([]))
  })

  it("is the newest of stale purposes", () => {
    assert.strictEqual(
      chosen([known({ hash: "h1", purpose: "older" }), known({ hash: "h2", purpose: "newer" })]),
      "stale model: newer",
    )
  })

  it("is not the purpose of an overload", () => {
    const overload = { ...subject, hash: "overload" }
    assert.isUndefined(chosen([known({ hash: "overload" })], { siblings: [subject, overload] }))
  })
})
