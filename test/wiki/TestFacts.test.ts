import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { FileClass } from "../../src/code/FileClass.ts"
import * as TestFacts from "../../src/wiki/TestFacts.ts"

const file = (path: string, of: FileClass = "test", symbols = 2) => ({
  path,
  class: of,
  symbols,
  language: undefined,
  major: symbols,
  open: 0,
  importance: 0,
  note: undefined,
  cut: undefined,
})

/** Reads the facts of some files, of which each pair in `uses` names a user and what it uses. */
const factsOf = (files: ReadonlyArray<ReturnType<typeof file>>, uses: ReadonlyArray<readonly [string, string]> = []) =>
  Effect.map(
    TestFacts.read({
      files,
      uses: uses.map(([from, to]) => ({ from, to, count: 1 })),
      textOf: (path) => Effect.succeed(`text of ${path}`),
    }),
    ({ folders, shared }) => ({ folders, shared: shared.map(({ text }) => text) }),
  )

describe("TestFacts.read", () => {
  it.effect("counts the test files of each outermost folder, and those beside the code last", () =>
    Effect.gen(function* () {
      const { folders } = yield* factsOf([
        file("src/a_test.go"),
        file("src/b_test.go"),
        file("tests/unit/a.py"),
        file("pkg/core/test/x.ts"),
        file("src/a.go", "code"),
        file("tests/data.json", "test", 0),
        file("tests/unit/__init__.py", "test", 0),
      ])
      assert.deepStrictEqual(folders, [
        "`pkg/core/test/` has 1 source file.",
        "`tests/` has 1 source file.",
        "2 test files beside the code.",
      ])
    }),
  )

  it.effect("counts the tests that are only calls with functions, and so declare no symbols", () =>
    Effect.gen(function* () {
      const names = ["run_spec.lua", "run.test.js", "run_spec.rb", "run.bats"]
      const { folders } = yield* factsOf([
        file("tests/helpers.lua"),
        ...names.map((name) => file(`tests/core/${name}`, "test", 0)),
      ])
      assert.deepStrictEqual(folders, [
        "`tests/` has 5 source files: `helpers.lua`, `core/run.bats`, `core/run.test.js`, `core/run_spec.lua`, `core/run_spec.rb`.",
      ])
    }),
  )

  it.effect("names the largest of many test files", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 9 }, (_, at) => file(`tests/test_${at}.py`, "test", at))
      const { folders } = yield* factsOf(many)
      assert.match(folders[0] ?? "", /^`tests\/` has 9 source files; the largest are `test_8\.py`, .*`test_3\.py`\.$/)
    }),
  )

  it.effect("names the files that most other tests use, and the fixtures of pytest", () =>
    Effect.gen(function* () {
      const tests = Array.from({ length: 4 }, (_, at) => `tests/test_${at}.py`)
      const { shared } = yield* factsOf(
        [...tests, "tests/utils.py", "tests/few.py", "tests/conftest.py"].map((path) => file(path)),
        [
          ...tests.map((from) => [from, "tests/utils.py"] as const),
          ...tests.slice(0, 2).map((from) => [from, "tests/few.py"] as const),
          ["src/a.py", "tests/few.py"],
        ],
      )
      assert.deepStrictEqual(shared, [
        "`tests/utils.py` is used by 4 other test files.",
        "`tests/conftest.py` has what pytest gives to the tests by name.",
      ])
    }),
  )

  it.effect("says nothing of a project without tests", () =>
    Effect.map(factsOf([file("src/a.ts", "code")]), (facts) =>
      assert.deepStrictEqual(facts, { folders: [], shared: [] }),
    ),
  )
})
