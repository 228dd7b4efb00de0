import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Repository from "../../src/code/Repository.ts"
import * as Selection from "../../src/code/Selection.ts"
import * as Workspace from "../../src/code/Workspace.ts"

const contents = {
  "/repo/.git/HEAD": "",
  "/repo/.gitignore": "dist/\n*.log\n",
  "/repo/.vibeignore": "old\n",
  "/repo/.env": "",
  "/repo/dist/api.js": "",
  "/repo/dist/api.js.map": "",
  "/repo/dist/lib/a.js": "",
  "/repo/dist/.env": "",
  "/repo/node_modules/a/index.js": "",
  "/repo/old/a.ts": "",
  "/repo/src/a.gen.ts": "",
  "/repo/src/a.log": "",
  "/repo/src/a.ts": "",
}

const open = (selection?: Partial<Selection.Selection>) =>
  Effect.provideService(
    Workspace.open("/repo", selection && { ...Selection.none, ...selection }),
    Files.Files,
    Files.makeMemory(contents),
  )

/** What a walk finds, but ignore files. */
const found = (selection?: Partial<Selection.Selection>) =>
  open(selection).pipe(
    Effect.flatMap(Repository.walk),
    Effect.map(({ files }) => files.map(({ path }) => path).filter((path) => !path.endsWith("ignore"))),
  )

describe("Selection", () => {
  it.effect.each([
    [{}, ["src/a.gen.ts", "src/a.ts"]],
    [{ exclude: ["*.gen.ts"] }, ["src/a.ts"]],
    [{ exclude: ["src"] }, []],
    [{ exclude: ["/a.ts"] }, ["src/a.gen.ts", "src/a.ts"]],
    [{ exclude: ["src/*", "!src/a.ts"] }, ["src/a.ts"]],
    [{ include: ["old"] }, ["old/a.ts", "src/a.gen.ts", "src/a.ts"]],
    [{ include: ["*.log"] }, ["src/a.gen.ts", "src/a.log", "src/a.ts"]],
    [{ include: ["dist/api.js"] }, ["dist/api.js", "src/a.gen.ts", "src/a.ts"]],
    [{ include: ["/dist/lib/"] }, ["dist/lib/a.js", "src/a.gen.ts", "src/a.ts"]],
    [{ include: ["dist/**/a.js"] }, ["dist/lib/a.js", "src/a.gen.ts", "src/a.ts"]],
    [{ include: ["d*t/lib/a.js"] }, ["dist/lib/a.js", "src/a.gen.ts", "src/a.ts"]],
    [{ include: ["dist"], exclude: ["*.map"] }, ["dist/api.js", "dist/lib/a.js", "src/a.gen.ts", "src/a.ts"]],
    // For a name alone ignored folders are not searched.
    [{ include: ["api.js"] }, ["src/a.gen.ts", "src/a.ts"]],
    [{ include: ["node_modules", ".env", "dist/.env", ".git"] }, ["src/a.gen.ts", "src/a.ts"]],
  ] as const)("of %o", ([selection, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found(selection), [...expected])
    }),
  )

  it.effect("holds for paths that are asked for, too", () =>
    Effect.gen(function* () {
      const { list, read, select } = yield* open({ include: ["dist/lib"], exclude: ["src"] })
      assert.strictEqual((yield* read("dist/lib/a.js")).path, "dist/lib/a.js")
      assert.strictEqual((yield* Effect.flip(read("dist/api.js"))).reason._tag, "Ignored")
      assert.strictEqual((yield* Effect.flip(read("src/a.ts"))).reason._tag, "Ignored")
      assert.strictEqual((yield* Effect.flip(list("src"))).reason._tag, "Ignored")
      assert.strictEqual((yield* select(Selection.none).read("src/a.ts")).path, "src/a.ts")
    }),
  )

  it("leaves out what is excluded, whatever is included", () => {
    const name = FastCheck.constantFrom("a", "b", "c")
    const pattern = FastCheck.array(FastCheck.oneof(name, FastCheck.constantFrom("*", "**", "")), {
      minLength: 1,
      maxLength: 3,
    }).map((parts) => parts.join("/"))
    const patterns = FastCheck.array(pattern, { maxLength: 3 })
    const path = FastCheck.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"))
    FastCheck.assert(
      FastCheck.property(patterns, patterns, path, FastCheck.boolean(), (exclude, include, path, isIgnored) => {
        const hides = Selection.compile({ exclude, include })
        const hidesWithout = Selection.compile({ exclude, include: [] })
        if (hidesWithout(path, "file", false)) assert.isTrue(hides(path, "file", isIgnored))
        else assert.isFalse(hides(path, "file", false))
      }),
    )
  })
})

describe("patterns that are typed", () => {
  it("may have the separators of Windows there, and escapes", () => {
    const typed = ["src\\gen\\*.ts", "libs\\**", "a\\[1\\].ts", "\\!important", "src/a b"]
    assert.deepStrictEqual(Selection.toPatterns(typed, "win32"), [
      "src/gen/*.ts",
      "libs/**",
      "a\\[1\\].ts",
      "\\!important",
      "src/a b",
    ])
    assert.deepStrictEqual(Selection.toPatterns(typed, "linux"), typed)
  })
})
