import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../../../src/code/Files.ts"
import * as Output from "../../../src/code/Output.ts"
import * as Saving from "../../../src/conversation/prd/Saving.ts"

const isOurs = (_: string, there: string): Saving.ContentKind =>
  there === "new" ? "same" : there === "old" ? "ours" : "foreign"

/** Keeps `new` among these files of a folder `/here/out`. */
const kept = (files: Readonly<Record<string, Files.Content>>, mayAdd = true) =>
  Effect.gen(function* () {
    const there = Object.entries(files).map(([name, content]) => [`/here/out/${name}`, content])
    const memory = Files.makeMemory({ "/here/x": "", ...Object.fromEntries(there) })
    const output = yield* Effect.provideService(Output.open("/here", "out"), Files.Files, memory)
    const names = Saving.numberedNames("a.md")
    const result = yield* Effect.either(Saving.save({ output, names, text: "new", classify: isOurs, mayAdd }))
    return { result, read: (name: string) => output.read(`out/${name}`) }
  })

describe("Saving", () => {
  it("numbers a name before its ending", () => {
    assert.deepStrictEqual(Saving.numberedNames("a.b.md").slice(0, 3), ["a.b.md", "a.b-2.md", "a.b-3.md"])
    assert.deepStrictEqual(Saving.numberedNames("a").slice(0, 2), ["a", "a-2"])
  })

  it("explains which files are in the way", () => {
    assert.strictEqual(Saving.skippedText([]), "")
    assert.strictEqual(Saving.skippedText(["a"]), ", since a holds something else, and stays as it is")
    assert.strictEqual(Saving.skippedText(["a", "b", "c"]), ", since a to c hold something else, and stay as they are")
  })

  it.effect.each([
    ["a new file", {}, { path: "out/a.md", how: "made", before: undefined, passed: [] }],
    ["its own", { "a.md": "old" }, { path: "out/a.md", how: "replaced", before: "old", passed: [] }],
    ["the same", { "a.md": "new" }, { path: "out/a.md", how: "unchanged", before: undefined, passed: [] }],
    [
      "its own beside another's",
      { "a.md": "no", "a-2.md": "old" },
      { path: "out/a-2.md", how: "replaced", before: "old", passed: ["out/a.md"] },
    ],
    [
      "a new one beside a picture",
      { "a.md": new Uint8Array([0]) },
      { path: "out/a-2.md", how: "made", before: undefined, passed: ["out/a.md"] },
    ],
    [
      "a new one beside a folder",
      { "a.md/b": "" },
      { path: "out/a-2.md", how: "made", before: undefined, passed: ["out/a.md"] },
    ],
    [
      "a new one beside a link",
      { "a.md": { link: "/etc/passwd" } },
      { path: "out/a-2.md", how: "made", before: undefined, passed: ["out/a.md"] },
    ],
  ] as const)("takes %s", ([, files, expected]) =>
    Effect.gen(function* () {
      const { read, result } = yield* kept(files)
      assert.deepStrictEqual(result._tag === "Right" ? result.right : undefined, expected)
      assert.strictEqual(yield* read(expected.path.slice(4)), "new")
    }),
  )

  it.effect("adds no file beside another where that is not allowed", () =>
    Effect.gen(function* () {
      const { read, result } = yield* kept({ "a.md": "no" }, false)
      assert.strictEqual(result._tag === "Right" ? result.right.how : undefined, "left")
      assert.isUndefined(yield* read("a-2.md"))
      const { result: own } = yield* kept({ "a.md": "old" }, false)
      assert.strictEqual(own._tag === "Right" ? own.right.how : undefined, "replaced")
    }),
  )

  it.effect("replaces its own file beside another where no file may be added", () =>
    Effect.gen(function* () {
      const { read, result } = yield* kept({ "a.md": "no", "a-2.md": "old" }, false)
      assert.strictEqual(result._tag === "Right" ? result.right.how : undefined, "replaced")
      assert.deepStrictEqual([yield* read("a.md"), yield* read("a-2.md")], ["no", "new"])
    }),
  )

  it.effect("restores what was written there meanwhile, and takes the next name", () =>
    Effect.gen(function* () {
      const memory = Files.makeMemory({ "/here/out/x": "" })
      const output = yield* Effect.provideService(Output.open("/here", "out"), Files.Files, memory)
      let isLate = false
      const raced: Output.Output = {
        ...output,
        read: (path) =>
          Effect.tap(output.read(path), () => {
            if (isLate) return Effect.void
            isLate = true
            return output.write(path, "theirs")
          }),
      }
      const names = Saving.numberedNames("a.md")
      const { path } = yield* Saving.save({ output: raced, names, text: "new", classify: isOurs })
      assert.strictEqual(path, "out/a-2.md")
      assert.strictEqual(yield* output.read("out/a.md"), "theirs")
      assert.strictEqual(yield* output.read("out/a-2.md"), "new")
    }),
  )

  it.effect("does not take a folder that is refused for files in the way", () =>
    Effect.gen(function* () {
      const memory = Files.makeMemory({ "/here/out": { link: "/elsewhere" }, "/elsewhere/x": "" })
      const output = yield* Effect.provideService(Output.open("/here", "out"), Files.Files, memory)
      const names = Saving.numberedNames("a.md")
      const error = yield* Effect.flip(Saving.save({ output, names, text: "new", classify: isOurs }))
      assert.strictEqual(error.message, "out/a.md: outside the workspace or not allowed")
    }),
  )

  it.effect("gives up where all names are taken", () =>
    Effect.gen(function* () {
      const { result } = yield* kept(Object.fromEntries(Saving.numberedNames("a.md").map((name) => [name, "no"])))
      assert.strictEqual(result._tag === "Left" ? result.left.message : "", "there are too many files like out/a.md")
    }),
  )
})
