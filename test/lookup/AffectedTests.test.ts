import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AffectedTests from "../../src/lookup/AffectedTests.ts"
import { layer, type Project } from "../index/IndexStore/references/References.fixture.ts"
import { withIndex } from "../index/IndexStore.fixture.ts"

const find = (files: Project, ...changes: ReadonlyArray<Partial<AffectedTests.Change> & { readonly path: string }>) =>
  withIndex("/p", files, (index) =>
    AffectedTests.find(
      index,
      changes.map((change) => ({ symbols: undefined, removed: [], ...change })),
    ),
  ).pipe(Effect.provide(layer))

const project: Project = {
  "src/pack.ts": "export function pack() {\n  return 1\n}\nexport function other() {\n  return 2\n}\n",
  "src/send.ts": 'import { pack } from "./pack.ts"\nexport function send() {\n  return pack()\n}\n',
  "src/settings.json": "{}\n",
  "test/helper.ts": 'import { send } from "../src/send.ts"\nexport function prepared() {\n  return send()\n}\n',
  "test/send.test.ts": 'import { prepared } from "./helper.ts"\nfunction testSend() {\n  prepared()\n}\n',
  "test/other.test.ts": 'import { other } from "../src/pack.ts"\nfunction testOther() {\n  other()\n}\n',
  "test/text.test.ts": "function testText(given: any) {\n  given.send()\n}\n",
}

describe("tests that a change reaches", () => {
  it.effect("are found through other symbols and helpers, and not those that use something else of the file", () =>
    Effect.gen(function* () {
      const { tests, unknown } = yield* find(project, { path: "src/pack.ts", symbols: ["pack"] })
      assert.deepStrictEqual(tests, [{ path: "test/send.test.ts", distance: 3, uses: "prepared" }])
      assert.isFalse(AffectedTests.isUncertain(unknown))
    }),
  )

  it.effect("are those of all symbols if a file counts as a whole, and a test that has changed itself", () =>
    Effect.gen(function* () {
      const { tests } = yield* find(project, { path: "src/pack.ts" }, { path: "test/text.test.ts" })
      assert.deepStrictEqual(
        tests.map(({ distance, path }) => `${distance} ${path}`),
        ["1 test/other.test.ts", "3 test/send.test.ts", "0 test/text.test.ts"],
      )
    }),
  )

  it.effect("are not known for files without symbols, for names alone, and for what is gone", () =>
    Effect.gen(function* () {
      const data = yield* find(project, { path: "src/settings.json" })
      assert.deepStrictEqual([data.tests, data.unknown.filesWithoutSymbols], [[], ["src/settings.json"]])
      const named = yield* find(project, { path: "src/send.ts", symbols: ["send"] })
      assert.deepStrictEqual(named.unknown.testsWithName, [{ path: "test/text.test.ts", name: "send" }])
      const removed = yield* find(project, { path: "src/pack.ts", symbols: [], removed: ["send"] })
      assert.deepStrictEqual(removed.tests, [])
      assert.isTrue(AffectedTests.isUncertain(removed.unknown))
    }),
  )

  it.effect("go through interfaces, and stand beside the code in Rust", () =>
    Effect.gen(function* () {
      const rust = yield* find(
        {
          "Cargo.toml": '[package]\nname = "a"\n',
          "src/lib.rs":
            "pub trait Walk { fn walk(&self); }\npub struct Cat;\nimpl Walk for Cat {\n  fn walk(&self) {}\n}\nmod tests {\n  use super::*;\n  fn test(it: &dyn Walk) { it.walk(); }\n}\n",
        },
        { path: "src/lib.rs", symbols: ["Cat.walk"] },
      )
      assert.deepStrictEqual(rust.tests, [{ path: "src/lib.rs", distance: 1, uses: "Walk.walk" }])
    }),
  )

  it.effect("are not known where uses are not resolved in the language", () =>
    Effect.gen(function* () {
      const { unknown } = yield* find({ "a.pl": "sub pack {\n  1;\n}\n" }, { path: "a.pl" })
      assert.deepStrictEqual(unknown.filesNotResolved, ["a.pl"])
    }),
  )
})
