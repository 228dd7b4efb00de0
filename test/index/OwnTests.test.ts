import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import type { IndexEntry } from "../../src/index/IndexEntry.ts"
import { IS_OWN_TEST, isOwnTest } from "../../src/index/OwnTests.ts"
import { layer, type Project } from "./IndexStore/references/References.fixture.ts"
import { withIndex } from "./IndexStore.fixture.ts"

/** Returns the symbols that a project is built on, and those that most files use. */
const ranked = (files: Project) =>
  withIndex("/p", files, (index) =>
    Effect.map(Effect.all([index.central(100), index.landmarks(100)]), (found) => found.map(namesOf)),
  ).pipe(Effect.provide(layer))

const namesOf = (entries: ReadonlyArray<IndexEntry>) => entries.map(({ qualifiedName }) => qualifiedName)

/** A file with a module of the name that has a helper, which two tests use. */
const seed = (module: string) =>
  `pub fn plant() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod ${module} {\n    use super::*;\n    pub struct Pot(u8);\n` +
  `    pub fn fill() -> Pot {\n        Pot(plant())\n    }\n` +
  `    #[test]\n    fn one() {\n        fill();\n    }\n    #[test]\n    fn two() {\n        fill();\n    }\n}\n`

const lib = "mod seed;\npub fn grow() -> u8 {\n    seed::plant()\n}\n"

describe("IS_OWN_TEST", () => {
  it.effect.each(["tests", "test"])(
    "leaves the symbols of a module %s of Rust out of the ranks of the code",
    (module) =>
      Effect.gen(function* () {
        const [central = [], landmarks] = yield* ranked({ "src/seed.rs": seed(module), "src/lib.rs": lib })
        assert.sameMembers([...central], ["plant", "grow"])
        assert.deepStrictEqual(landmarks, ["plant"])
      }),
  )

  it.effect("keeps those of modules that only begin so", () =>
    Effect.gen(function* () {
      const [central = []] = yield* ranked({ "src/seed.rs": seed("testing"), "src/lib.rs": lib })
      assert.includeMembers([...central], ["plant", "grow", "testing.fill", "testing.Pot"])
    }),
  )
})

/** Names that are near those of tests, so that about half of the paths and symbols belong to tests. */
const near = (names: ReadonlyArray<string>, separator: string) =>
  FastCheck.array(FastCheck.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((some) => some.join(separator))
const folders = near(["src", "test", "tests", "test_a"], "/")
const file = FastCheck.constantFrom(
  "test.rs",
  "tests.rs",
  "testing.rs",
  "test_.rs",
  "test_a.rs",
  "test_a",
  "atest.rs",
  "a.rs",
  "test.py",
)
const symbol = near(["test", "tests", "testing", "latest", "one", "Tests"], ".")

describe("isOwnTest", () => {
  it.each([
    ["src/seed.rs", "tests.fill", true],
    ["src/seed.rs", "tests", true],
    ["src/seed.rs", "pots.test.fill", true],
    ["src/seed.rs", "testing.fill", false],
    ["src/seed.rs", "latest.fill", false],
    ["src/seed.py", "tests.fill", false],
    ["src/seed/tests.rs", "fill", true],
    ["src/test_util.rs", "fill", true],
    ["test_util.rs", "fill", true],
    ["src/test_util/pots.rs", "fill", false],
    ["src/latest.rs", "fill", false],
  ])("says of %s, %s: %s", (path, qualifiedName, expected) => {
    assert.strictEqual(isOwnTest({ path, qualifiedName }), expected)
  })

  it.prop("is what the condition of SQL says", [folders, file, symbol], ([folder, name, qualifiedName]) => {
    const path = `${folder}/${name}`
    for (const each of [path, name]) {
      const row = statement.get(each, qualifiedName)
      assert.strictEqual(row?.own === 1, isOwnTest({ path: each, qualifiedName }), `${each} ${qualifiedName}`)
    }
  })
})

const statement = new DatabaseSync(":memory:").prepare(
  `with file(path) as (select ?), symbol(qualified) as (select ?) select ${IS_OWN_TEST} as own from symbol s, file f`,
)
