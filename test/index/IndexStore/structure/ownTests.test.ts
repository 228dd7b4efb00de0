import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { IndexEntry } from "../../../../src/index/IndexEntry.ts"
import { withIndex } from "../../IndexStore.fixture.ts"
import { layer, type Project } from "../references/References.fixture.ts"

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
