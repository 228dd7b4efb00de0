import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as SearchText from "../../src/toolbox/SearchText.ts"

const context = { node: NodeId.make("n-1"), callId: "c1", model: new ModelId({ provider: "scripted", name: "test" }) }

/** The text of a search in these files, a result or an error. */
const searched = (contents: Readonly<Record<string, Files.Content>>, parameters: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const workspace = yield* Effect.provideService(Workspace.open("/repo"), Files.Files, Files.makeMemory(contents))
    const { text } = yield* SearchText.make(workspace).execute(parameters, context)
    return text
  }).pipe(Effect.catchAll((error) => Effect.succeed(`Error: ${error.message}`)))

/** What a pattern could get lost in: no line matches at its end. */
const hostile = {
  "/repo/a.txt": ["a".repeat(10_000), "a".repeat(34), "ab".repeat(5_000), "x".repeat(1_900), "(".repeat(1_900)].join(
    "!\n",
  ),
  "/repo/line.txt": new TextEncoder().encode(`${"é1 a🌱".repeat(300_000)}!`),
}

describe("search_text names files", () => {
  it.effect("on one line, whatever their names have in them", () =>
    Effect.gen(function* () {
      const text = yield* searched({ "/repo/a\n2: x\u001b[31m.ts": "found" }, { pattern: "found" })
      assert.deepStrictEqual(text.split("\n").slice(0, 2), ["a 2: x.ts", "1: found"])
    }),
  )
})

describe("search_text is not held", () => {
  it.effect.each([
    "(a+)+$",
    "(a|aa)+$",
    "(a|a?)+$",
    "([a-z]+)*$",
    "(.*a){20}$",
    "^(a?){150}a{150}$",
    "(a*)*b",
    "((a+)+)+$",
    "(.{1,22}){22}$",
    "(?i)(\\pL|\\pN|.){300}[XY]",
    "(x*)*".repeat(150),
  ])("by %j on hostile lines", (pattern) =>
    Effect.gen(function* () {
      const text = yield* searched(hostile, { pattern })
      assert.match(text, /^(?:no match for|a\.txt\n|line\.txt\n)/)
    }),
  )

  it.effect("by a pattern that matches nothing and everything", () =>
    Effect.gen(function* () {
      const text = yield* searched(hostile, { pattern: "(.*)*" })
      assert.match(text, /^a\.txt\n1: a{300}\n/)
    }),
  )

  it.effect.each([
    ["that ends too soon", "a(b"],
    ["with a look-ahead", "(?=a)b"],
    ["with a back-reference", "(a)\\1"],
    ["with a million copies", "(a{1000}){1000}"],
    ["with a repetition that runs backwards", "a{9,1}"],
    ["that ends in a backslash", "a\\"],
    ["that nests too deep", "(".repeat(1_000)],
  ])("by a pattern %s, which it names", ([, pattern]) =>
    Effect.gen(function* () {
      const text = yield* searched(hostile, { pattern })
      assert.include(text, `the pattern ${pattern} is no regular expression`)
    }),
  )

  it.effect("by a pattern that repeats too much, which it refuses", () =>
    Effect.gen(function* () {
      for (const pattern of ["(?i)(\\pL|\\pN|.){990}[XY]", "(.{1,31}){31}$", "^(a?){500}a{500}$"]) {
        assert.include(yield* searched(hostile, { pattern }), `the pattern ${pattern} repeats too much`)
      }
    }),
  )

  it.effect("by a pattern of ten thousand characters, and by none at all", () =>
    Effect.gen(function* () {
      assert.include(yield* searched(hostile, { pattern: "a".repeat(10_000) }), "at most 1000 characters")
      assert.match(yield* searched(hostile, { pattern: "" }), /^Error: /)
    }),
  )

  it.effect("by a line of megabytes, and says that it did not see all of it", () =>
    Effect.gen(function* () {
      const text = yield* searched({ "/repo/line.txt": `${"x".repeat(1_990_000)}needle` }, { pattern: "needle|^x{10}" })
      assert.deepStrictEqual(text.split("\n"), [
        "line.txt",
        `1: ${"x".repeat(300)}`,
        "(not searched: 1 line beyond its first 2000 characters)",
      ])
    }),
  )

  it.effect("longer than ten seconds, and says what it did not come to", () =>
    Effect.gen(function* () {
      let looks = 0
      const hurried = Object.create(Clock.make(), { unsafeCurrentTimeMillis: { value: () => looks++ * 100 } })
      const lines = {
        "/repo/a.txt": "first\n",
        "/repo/b.txt": "b\n".repeat(200),
        "/repo/c.txt": "c",
        "/repo/d.txt": "d",
      }
      const text = yield* Effect.withClock(searched(lines, { pattern: "first" }), hurried)
      assert.deepStrictEqual(text.split("\n"), ["a.txt", "1: first", "(not searched: 3 files for want of time)"])
    }),
  )
})

describe("search_text can be interrupted", () => {
  it.live("between two lines of one file", () =>
    Effect.gen(function* () {
      const halfway = yield* Deferred.make<void>()
      let looks = 0
      // Each look at the clock finds that another 20 ms have passed, so that the search pauses after every line.
      const clock = Object.create(Clock.make(), {
        unsafeCurrentTimeMillis: {
          value: () => {
            if (looks++ === 50) Deferred.unsafeDone(halfway, Exit.void)
            return looks * 21
          },
        },
      })
      const fiber = yield* Effect.fork(
        Effect.withClock(searched({ "/repo/a.txt": "line\n".repeat(200) }, { pattern: "x" }), clock),
      )
      yield* Deferred.await(halfway)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.isBelow(looks, 100)
    }),
  )
})

describe("search_text says what it left out", () => {
  const contents = {
    "/repo/.env": "needle",
    "/repo/.gitignore": "dist\n",
    "/repo/dist/a.js": "needle",
    "/repo/id_rsa": "needle",
    "/repo/link": { link: "a.txt" },
    "/repo/a.txt": "needle",
    "/repo/image.png": new Uint8Array([0, 1, 2]),
    "/repo/huge.txt": new TextEncoder().encode("needle".repeat(400_000)),
    "/repo/src/.env.production": "needle",
    "/repo/src/.env.example": "needle",
    "/repo/src/b.txt": "no\0needle",
    "/repo/src/late.txt": `${" \n".repeat(5_000)}needle \0 needle`,
  }

  it.effect("and never shows a line of it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* searched(contents, { pattern: "needle" })).split("\n"), [
        "a.txt",
        "1: needle",
        "src/.env.example",
        "1: needle",
        "src/late.txt",
        "5001: needle \ufffd needle",
        "(not searched: 5 entries that are ignored, private or no files; 3 files that are binary, too large or unreadable)",
      ])
    }),
  )

  it.effect("in one folder, and refuses what it is asked for by name", () =>
    Effect.gen(function* () {
      const search = (path: string) => searched(contents, { pattern: "needle", path })
      assert.include(yield* search("src"), "(not searched: 1 entry that is ignored, private or no file; 1 file that")
      assert.strictEqual(yield* search("a.txt"), "a.txt\n1: needle")
      for (const path of [".env", "id_rsa", "dist/a.js", "dist", "..", "/etc/passwd", "src/../../etc"]) {
        assert.match(yield* search(path), /^Error: .*(?:not allowed|ignore rules)$/)
      }
    }),
  )
})
