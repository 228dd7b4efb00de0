import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Style from "../../../src/base/Style.ts"
import * as CheckText from "../../../src/cli/check/CheckText.ts"
import * as DiffText from "../../../src/cli/diff/DiffText.ts"
import type { Finding } from "../../../src/review/Findings.ts"
import type { Review } from "../../../src/review/Review.ts"
import * as SymbolDiff from "../../../src/review/SymbolDiff.ts"
import { versionsOf } from "../../review/outlined.ts"

const review: Review = {
  comparison: {
    from: "a".repeat(40),
    to: "working tree",
    title: "the working tree with main (aaaaaaa)",
    isMerging: false,
  },
  files: [{ path: "src/a.ts", class: "code" }],
  changes: [],
  others: [],
  submodules: [],
  unmerged: [],
  purposes: [],
  purposeChanges: { new: 0, rewritten: 0, removed: 0 },
}

const finding: Finding = {
  rule: "stale-purpose",
  level: "warning",
  path: "src/a.ts",
  line: 3,
  symbol: undefined,
  message: "the body of function sum has changed since its purpose was written: Adds \u001b[31mtwo numbers.",
  purpose: undefined,
}

const format: CheckText.Format = { style: Style.plain, columns: undefined, show: (path) => `../${path}` }

describe("CheckText.toText", () => {
  it("is a line where nothing is found", () => {
    assert.strictEqual(
      CheckText.toText(review, [], format),
      "no findings; compared the working tree with main (aaaaaaa): 0 changed symbols in 1 file",
    )
  })

  it.effect("prints no character that hides or reorders text, whatever of a repository has it, as vibe diff", () =>
    Effect.gen(function* () {
      const odd = (text: string) => `${text}\u202e\u2066\u001b[31m\u200b`
      const path = odd("src/a.ts")
      const file = { status: "changed", before: "1", after: "2" } as const
      const source = (body: string) =>
        `/** Reads ${odd("it")}. */\nexport function read(${odd("a")} = "${odd(body)}") {}\n`
      const hostile: Review = {
        ...review,
        comparison: { ...review.comparison, title: odd("HEAD with main") },
        files: [{ path, class: "code" }],
        changes: [
          ...SymbolDiff.compare([
            { path, before: yield* versionsOf(path, source("1")), after: yield* versionsOf(path, source("2")) },
          ]),
          ...SymbolDiff.compare([
            { path: odd("old.ts"), before: yield* versionsOf(path, "a = 1\nb = 2\nc = 3\nd = 4\n"), after: [] },
            { path, before: [], after: yield* versionsOf(path, "a = 1\nb = 2\nc = 3\nd = 4\n") },
          ]),
        ],
        others: [{ path: odd("README.md"), ...file }],
        submodules: [{ path: odd("lib"), ...file }],
        unmerged: [odd("b.ts")],
      }
      const findings = [{ ...finding, path, message: odd("the body") }]
      for (const text of [CheckText.toText(hostile, findings, format), DiffText.toText(hostile, format)]) {
        assert.include(text, "main")
        for (const character of ["\u202e", "\u2066", "\u001b", "\u200b"]) assert.notInclude(text, character)
      }
    }),
  )

  it("says that symbols of submodules are not compared, as vibe diff", () => {
    const file = { status: "changed", before: "1", after: "2" } as const
    const changed: Review = {
      ...review,
      submodules: [
        { path: "lib", ...file },
        { path: "new", ...file, status: "added" },
      ],
    }
    const line =
      "../lib (submodule), ../new (submodule, added) have changed, and their symbols are not compared; run this there"
    assert.include(CheckText.toText(changed, [], format), line)
    assert.include(DiffText.toText(changed, format), line)
  })

  it.effect("counts the symbols that vibe diff prints: not a class of which only a member has changed", () =>
    Effect.gen(function* () {
      const store = (body: string) => `export class Store {\n  read() {\n    return ${body}\n  }\n}\n`
      const path = "src/a.ts"
      const changes = SymbolDiff.compare([
        { path, before: yield* versionsOf(path, store("1")), after: yield* versionsOf(path, store("2")) },
      ])
      assert.lengthOf(changes, 2)
      const changed = { ...review, changes }
      assert.include(CheckText.toText(changed, [], format), "1 changed symbol in 1 file")
      assert.include(DiffText.toText(changed, format), "symbols: 1 changed")
    }),
  )

  it("has the place, the rule and the message of each, a sum, and what to do, without control characters", () => {
    const others: ReadonlyArray<Finding> = [
      { ...finding, rule: "missing-purpose", message: "function sum is new and has no purpose" },
      { ...finding, rule: "unsorted-purposes", path: ".vibe/purposes.jsonl", message: "2 lines out of order" },
    ]
    assert.deepStrictEqual(CheckText.toText(review, [finding, ...others], format).split("\n"), [
      "../src/a.ts:3  stale-purpose",
      "  the body of function sum has changed since its purpose was written: Adds two numbers.",
      "../src/a.ts:3  missing-purpose",
      "  function sum is new and has no purpose",
      "../.vibe/purposes.jsonl:3  unsorted-purposes",
      "  2 lines out of order",
      "",
      "1 stale purpose, 1 new symbol without a purpose, 1 flaw of purposes.jsonl; compared the working tree with main (aaaaaaa): 0 changed symbols in 1 file",
      "'vibe index' explains what is stale or new; 'vibe check --fix' repairs purposes.jsonl",
    ])
  })

  it("says what a model says of each touched statement", () => {
    const touched: Finding = { ...finding, rule: "touched-statement", level: "note", message: "it says: A" }
    const text = CheckText.toText(
      review,
      [
        { ...touched, verdict: "holds" },
        { ...touched, rule: "untrue-statement", verdict: "untrue", correction: "It is \u001b[31mB." },
        { ...touched, verdict: "unjudged" },
      ],
      format,
    )
    assert.include(text, "  The model says: it holds\n")
    assert.include(text, "  The model corrects it: It is B.\n")
    assert.include(text, "  The model could not judge it\n")
    assert.include(
      text,
      "1 untrue statement of the wiki, 1 statement of the wiki that the model found true, 1 statement of the wiki to look at again;",
    )
  })

  it("breaks lines on a terminal", () => {
    const lines = CheckText.toText(review, [finding], { ...format, columns: 40 }).split("\n")
    for (const line of lines) assert.isAtMost(line.length, 40)
  })
})

describe("CheckText.notices", () => {
  const show = (path: string) => path

  it("names files with conflicts, a few of many", () => {
    const unmerged = Array.from({ length: 7 }, (_, n) => `f${n}.ts`)
    assert.deepStrictEqual(CheckText.notices({ ...review, unmerged }, show), [
      "files with merge conflicts are left out: f0.ts, f1.ts, f2.ts, f3.ts, f4.ts and 2 more",
    ])
  })

  it("says that what a merge brings counts, where all is resolved and not committed", () => {
    const comparison = { ...review.comparison, isMerging: true }
    assert.deepStrictEqual(CheckText.notices({ ...review, comparison }, show), [
      "a merge is in progress, and what it brings counts as changed",
    ])
    assert.deepStrictEqual(CheckText.notices(review, show), [])
  })
})
