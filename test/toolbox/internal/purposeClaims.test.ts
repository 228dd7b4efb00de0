import { assert, describe, it } from "@effect/vitest"
import * as PurposeClaims from "../../../src/toolbox/internal/purposeClaims.ts"

const claims = (entries: unknown) =>
  PurposeClaims.read(entries).claims.map(({ path, purpose, symbol }) => [path, symbol, purpose])

const refused = (entries: unknown) => PurposeClaims.read(entries).refused

describe("PurposeClaims.read", () => {
  it("reads one purpose in an entry, and many of one file", () => {
    assert.deepStrictEqual(
      claims([
        { path: "a.ts", symbol: "Stack", purpose: "Keeps things." },
        {
          path: "b.ts",
          purposes: ["Queue.push: Adds: at the end.", "Outer::inner: Counts.", "12: Ends.", "§13: Begins."],
        },
      ]),
      [
        ["a.ts", "Stack", "Keeps things."],
        ["b.ts", "Queue.push", "Adds: at the end."],
        ["b.ts", "Outer::inner", "Counts."],
        ["b.ts", "12", "Ends."],
        ["b.ts", "§13", "Begins."],
      ],
    )
  })

  it("takes `symbolName`, as other tools call it, for `symbol`", () => {
    const entry = { symbolName: "Stack", purpose: "Keeps things." }
    const expected = [["a.ts", "Stack", "Keeps things."]]
    assert.deepStrictEqual(claims([{ path: "a.ts", ...entry }]), expected)
    assert.deepStrictEqual(claims([{ path: "a.ts", purposes: [entry] }]), expected)
  })

  it("reads the other shapes that models send purposes in", () => {
    const expected = [
      ["a.ts", "1", "Keeps things."],
      ["a.ts", "Queue", "Orders things."],
    ]
    const shapes = [
      { 1: "Keeps things.", Queue: "Orders things." },
      { 1: { purpose: "Keeps things." }, Queue: { text: "Orders things." } },
      [
        { n: 1, text: "Keeps things." },
        { symbol: "Queue", purpose: "Orders things." },
      ],
      [{ 1: "Keeps things." }, { Queue: "Orders things." }],
      [
        ["1", "Keeps things."],
        ["Queue", "Orders things."],
      ],
      ["1. Keeps things.", "- Queue: Orders things."],
      "1: Keeps things.\nQueue: Orders things.\n",
      '{"1":"Keeps things.","Queue":"Orders things."}',
      '["1: Keeps things.","Queue: Orders things."]',
    ]
    for (const purposes of shapes) assert.deepStrictEqual(claims([{ path: "a.ts", purposes }]), expected)
    assert.deepStrictEqual(claims({ path: "a.ts", purposes: shapes[0] }), expected)
    assert.deepStrictEqual(claims(JSON.stringify([{ path: "a.ts", purposes: shapes[0] }])), expected)
    assert.deepStrictEqual(claims(["1: Keeps things."]), [[undefined, "1", "Keeps things."]])
    assert.deepStrictEqual(claims([{ symbol: 7, purpose: "Ends." }]), [[undefined, "7", "Ends."]])
  })

  it("refuses what it cannot read, and reads the rest", () => {
    const entries = [
      { path: "a.ts" },
      { path: "a.ts", symbol: "Stack" },
      { path: "a.ts", symbol: "", purpose: "Keeps things." },
      { path: "a.ts", purposes: 5 },
      { path: "a.ts", purposes: ["Keeps things.", null, "Queue: Orders things."] },
      null,
      17,
    ]
    assert.deepStrictEqual(claims(entries), [["a.ts", "Queue", "Orders things."]])
    assert.deepStrictEqual(refused(entries), [
      "a.ts: neither symbol and purpose nor purposes",
      "a.ts Stack: the purpose is missing",
      "a.ts: the symbol is missing",
      'a.ts: purposes are texts such as "12: what it is for"',
      'a.ts "Keeps things.": no number or name before a colon',
      "a.ts: null is no purpose",
      "an entry is an object with path, symbol and purpose, or path and purposes",
      "an entry is an object with path, symbol and purpose, or path and purposes",
    ])
  })
})
