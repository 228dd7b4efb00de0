import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Style from "../../../src/base/Style.ts"
import type { Format } from "../../../src/cli/check/CheckText.ts"
import * as DiffText from "../../../src/cli/diff/DiffText.ts"
import type { Review } from "../../../src/review/Review.ts"
import * as SymbolDiff from "../../../src/review/SymbolDiff.ts"
import { lineFor, versionsOf } from "../../review/outlined.ts"

const format: Format = { style: Style.plain, columns: undefined, show: (path) => path }

/** A review of files with these texts, of which models wrote these lines. */
const reviewOf = (
  texts: Readonly<Record<string, readonly [before: string, after: string]>>,
  { others = [], purposes = "" }: { readonly others?: Review["others"]; readonly purposes?: string } = {},
) =>
  Effect.map(
    Effect.forEach(Object.entries(texts), ([path, [before, after]]) =>
      Effect.all({
        path: Effect.succeed(path),
        before: versionsOf(path, before, purposes),
        after: versionsOf(path, after, purposes),
      }),
    ),
    (files): Review => ({
      comparison: { from: "a".repeat(40), to: "b".repeat(40), title: "HEAD with main", isMerging: false },
      files: files.map(({ path }) => ({ path, class: path.startsWith("test/") ? "test" : "code" })),
      changes: SymbolDiff.compare(files),
      others,
      submodules: [],
      unmerged: [],
      purposes: [],
      purposeChanges: { new: 0, rewritten: 0, removed: 0 },
    }),
  )

const bodyOf = (review: Review, more: Partial<Format> = {}) =>
  DiffText.toText(review, { ...format, ...more })
    .split("\n")
    .slice(2)

const fn = (name: string) => `export function ${name}(path: string) {\n  // Reads.\n  return read("${name}", path)\n}\n`

describe("DiffText.toText", () => {
  it.effect("sums up, and tells files of code before tests, which it tells by names", () =>
    Effect.gen(function* () {
      const review = yield* reviewOf({
        "src/b.ts": ["", fn("b").replace("Reads", "Writes")],
        "test/a.test.ts": [fn("a"), fn("c").replace("Reads", "Takes")],
      })
      assert.deepStrictEqual(DiffText.toText(review, format).split("\n"), [
        "compared HEAD with main; symbols: 2 added, 1 removed",
        "",
        "src/b.ts",
        "  + function b  :1",
        "      export function b(path: string)",
        "",
        "test/a.test.ts",
        "  + c; - a",
      ])
    }),
  )

  it.effect("says so where no symbol has changed, and names other files", () =>
    Effect.gen(function* () {
      const review = yield* reviewOf(
        {},
        { others: [{ path: "README.md", status: "removed", before: "1", after: undefined }] },
      )
      assert.strictEqual(
        DiffText.toText(review, format),
        "compared HEAD with main; no symbol has changed\n\n1 other file: README.md (removed)",
      )
    }),
  )

  it.effect("tells what moved together in one line", () =>
    Effect.gen(function* () {
      const four = ["a", "b", "c", "d"].map(fn).join("")
      assert.deepStrictEqual(bodyOf(yield* reviewOf({ "old.ts": [four, ""], "new.ts": ["", four] })), [
        "new.ts",
        "  > from old.ts: a, b, c, d",
      ])
    }),
  )

  it.effect("shows of what has another name what a model wrote of it, as stale, and no comment that is gone", () =>
    Effect.gen(function* () {
      const purposes = yield* lineFor("a.ts", fn("a"), "a", "Reads one file.")
      const renamed = yield* reviewOf({ "a.ts": [fn("a"), fn("a").replaceAll("a(", "z(")] }, { purposes })
      assert.include(bodyOf(renamed), "      Reads one file. (stale)")
      const comment = "/** Says what is read from the disk. */\n"
      const without = yield* reviewOf({ "a.ts": [comment + fn("a"), fn("a").replace("Reads", "Takes")] })
      assert.notInclude(bodyOf(without).join("\n"), "disk")
    }),
  )

  it.effect("tells less of each symbol the more there are", () =>
    Effect.gen(function* () {
      const many = (count: number) =>
        Array.from({ length: count }, (_, n) => `/** Tells x${n} apart. */\n${fn(`f${n}`)}`)
      const told = Effect.fnUntraced(function* (count: number) {
        return bodyOf(yield* reviewOf({ "a.ts": ["", many(count).join("")] })).slice(1, 4)
      })
      assert.deepStrictEqual(yield* told(80), [
        "  + function f0  :2",
        "      export function f0(path: string)",
        "      Tells x0 apart.",
      ])
      assert.deepStrictEqual(
        yield* told(81),
        [0, 1, 2].map((n) => `  + function f${n}: Tells x${n} apart.`),
      )
      assert.deepStrictEqual(yield* told(401), ["  + f0, f1, f2, f3, f4, f5, f6, f7 and 393 more"])
    }),
  )

  it.effect("breaks lines on a terminal, and prints no control characters", () =>
    Effect.gen(function* () {
      const purposes = yield* lineFor("a.ts", fn("a"), "a", `Reads \u001b[31m${"one file after another ".repeat(20)}.`)
      const review = yield* reviewOf({ "a.ts": ["", fn("a")] }, { purposes })
      const lines = bodyOf(review, { columns: 60 })
      assert.isAbove(lines.length, 4)
      for (const line of lines) assert.isAtMost(line.length, 60)
      assert.notInclude(lines.join(""), "\u001b")
    }),
  )
})
