import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as Attributes from "../../src/code/Attributes.ts"
import * as Files from "../../src/code/Files.ts"
import * as Repository from "../../src/code/Repository.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import { cases } from "../thoroughness.ts"

/** The attributes of a path by the file of the root. */
const declared = (text: string, path: string) => Attributes.matcher(Attributes.parse([{ folder: "", text }]))(path)

describe("Attributes", () => {
  it.each([
    ["*.js linguist-generated", "src/a.js", { generated: true }],
    ["*.js linguist-generated=true", "src/a.js", { generated: true }],
    ["*.js -linguist-generated", "src/a.js", { generated: false }],
    ["*.js linguist-generated=false", "src/a.js", { generated: false }],
    ["*.js text eol=lf linguist-vendored diff", "a.js", { vendored: true }],
    ["/a/** linguist-documentation", "a/b/c.md", { documentation: true }],
    ["# *.js linguist-generated", "a.js", {}],
    ["!*.js linguist-generated", "a.js", {}],
    ["*.js linguist-detectable", "a.js", {}],
    ["*.js", "a.js", {}],
    ['"a b/*.js" linguist-vendored', "a b/c.js", { vendored: true }],
    ["[attr]built linguist-generated=true diff=built\nlib/* built", "lib/a.js", { generated: true }],
    ["* linguist-vendored\n*.ts -linguist-vendored linguist-generated", "a.ts", { vendored: false, generated: true }],
    ["* linguist-vendored\r\n*.ts !linguist-vendored\r\n", "a.ts", { vendored: undefined }],
  ])("%j says of %s: %o", (text, path, expected) => {
    assert.deepStrictEqual(declared(text, path), expected)
  })

  it.effect("lets the nearest file win, and reads those of all folders", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({
        "/repo/.gitattributes": "* linguist-vendored\nlib/*.ts linguist-generated\n",
        "/repo/a/.gitattributes": "/b.ts -linguist-vendored\n",
        "/repo/a/b.ts": "",
        "/repo/a/c/b.ts": "",
        "/repo/lib/a.ts": "",
      })
      const workspace = yield* Effect.provideService(Workspace.open("/repo"), Files.Files, files)
      const says = Attributes.matcher(yield* Attributes.read(workspace, (yield* Repository.walk(workspace)).files))
      assert.deepStrictEqual(says("a/b.ts"), { vendored: false })
      assert.deepStrictEqual(says("a/c/b.ts"), { vendored: true })
      assert.deepStrictEqual(says("lib/a.ts"), { vendored: true, generated: true })
    }),
  )
})

/** Whether a pattern with `linguist-generated` matches a path. */
const matches = (pattern: string, path: string) => declared(`${pattern} linguist-generated`, path).generated === true

describe("the patterns of attributes files", () => {
  it.each([
    ["*.js", "a/b.js", true],
    ["*.js", "a/b.jsx", false],
    ["b.js", "a/b.js", true],
    ["/b.js", "a/b.js", false],
    ["a/b.js", "c/a/b.js", false],
    ["a", "a/b.js", false],
    ["a/*", "a/b.js", true],
    ["a/*", "a/b/c.js", false],
    ["a/**", "a/b/c.js", true],
    ["a/**", "a", false],
    ["a/", "a/b/c.js", true],
    ["**/a.js", "a.js", true],
    ["**/a.js", "b/c/a.js", true],
    ["a/**/b.js", "a/b.js", true],
    ["a/**/b.js", "a/c/d/b.js", true],
    ["sqlite3.*", "ios/sqlite3.c", true],
    ["?.js", "a.js", true],
    ["?.js", "ab.js", false],
    ["[a-c].js", "b.js", true],
    ["[!a-c].js", "b.js", false],
    ["[^a-c].js", "d.js", true],
    ["[]].js", "].js", true],
    ["\\*.js", "*.js", true],
    ["\\*.js", "a.js", false],
    ["*.J", "a.j", false],
  ])("%s for %s: %s", (pattern, path, expected) => {
    assert.strictEqual(matches(pattern, path), expected)
  })

  const name = FastCheck.string({ unit: FastCheck.constantFrom("a", "b"), minLength: 1, maxLength: 4 })
  const part = FastCheck.string({ unit: FastCheck.constantFrom("a", "b", "*", "?"), minLength: 1, maxLength: 4 })
  const path = FastCheck.array(name, { minLength: 1, maxLength: 4 })
  const pattern = FastCheck.array(FastCheck.oneof(part, FastCheck.constant("**")), { minLength: 2, maxLength: 5 })

  it("agree with their definition", () => {
    FastCheck.assert(
      FastCheck.property(pattern, path, (pattern, path) => {
        assert.strictEqual(matches(`/${pattern.join("/")}`, path.join("/")), matchesByDefinition(pattern, path))
      }),
      { numRuns: cases(1_000) },
    )
  })

  it("take time in proportion to the path, however many stars they have", () => {
    assert.isFalse(matches(`${"*a".repeat(200)}c`, `${"a".repeat(2_000)}b`))
    assert.isFalse(matches(`${"**/a/".repeat(100)}c`, `${"a/".repeat(500)}b`))
  })
})

/** `**` is any number of folders, and something at the end; a name is matched character by character. */
const matchesByDefinition = ([first, ...rest]: ReadonlyArray<string>, names: ReadonlyArray<string>): boolean => {
  if (first === undefined) return names.length === 0
  if (first === "**" && rest.length === 0) return names.length > 0
  if (first === "**") return names.some((_, i) => matchesByDefinition(rest, names.slice(i)))
  const [name, ...others] = names
  return name !== undefined && nameMatches(first, name) && matchesByDefinition(rest, others)
}

const nameMatches = (pattern: string, name: string): boolean => {
  if (pattern === "") return name === ""
  if (pattern.startsWith("*")) {
    return Array.from({ length: name.length + 1 }, (_, i) => name.slice(i)).some((rest) =>
      nameMatches(pattern.slice(1), rest),
    )
  }
  return name !== "" && (pattern[0] === "?" || pattern[0] === name[0]) && nameMatches(pattern.slice(1), name.slice(1))
}
