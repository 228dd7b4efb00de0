/** What the requests of a wiki are made of, read from the index of a small project. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Material from "../../../src/wiki/writing/Material.ts"
import * as Project from "../../../src/wiki/writing/Project.ts"
import * as StartMaterial from "../../../src/wiki/writing/StartMaterial.ts"
import * as StartRequest from "../../../src/wiki/writing/StartRequest.ts"
import { open } from "./Wiki.fixture.ts"

const files = {
  "compat.py": `import sys

if sys.platform == "win32":

    def open_console(name: str) -> str:
        return name

else:

    def open_console(name: str) -> str:
        """Opens a terminal."""
        return name
`,
  "router.py": `class Router:
    def serve(self) -> str:
        return "x"
`,
  "app.py": `from compat import open_console
from router import Router


def first(router: Router) -> None:
    other: Router | None = None
    if isinstance(router, Router):
        open_console("x")


def second() -> None:
    router: Router
    open_console("x")
    router = Router()
`,
}

const overloaded = `from typing import overload


@overload
def load(name: str) -> str: ...


@overload
def load(name: None) -> None: ...


def load(name):
    return None if name is None else name.strip()
`

describe("readProject", () => {
  it.scoped("has the function with a body in place of its overloads, also where one of these is cited", () =>
    Effect.gen(function* () {
      const { project } = yield* open({ "load.py": overloaded })
      const items = yield* project.symbolsIn("load.py")
      assert.deepStrictEqual(
        items.map(({ entry, ordinal }) => [entry?.startLine, ordinal]),
        [[12, 2]],
      )
      for (const ordinal of [0, 1, 2]) {
        assert.strictEqual(Project.find(project, items, { path: "load.py", symbol: "load", ordinal }), items[0])
      }
    }),
  )

  it.scoped("has all functions of one name if several have a body", () =>
    Effect.gen(function* () {
      const { project } = yield* open(files)
      const items = yield* project.symbolsIn("compat.py")
      assert.lengthOf(items, 2)
      assert.isUndefined(Project.find(project, items, { path: "compat.py", symbol: "open_console", ordinal: 2 }))
    }),
  )

  it.scoped("shows under which condition a symbol is declared, in its line and above its source", () =>
    Effect.gen(function* () {
      const { project } = yield* open(files)
      const items = yield* project.symbolsIn("compat.py")
      const material = Material.of(items)
      assert.deepStrictEqual(
        items.map((item) => Material.lineOf(material, item)),
        [
          '[1] open_console (declared only in: if sys.platform == "win32") (name: str) -> str',
          '[2] open_console (declared only in: else of: if sys.platform == "win32") # Opens a terminal.',
        ],
      )
      assert.include(
        items.map((item) => Material.sourceTitle(material, item)),
        '[2] open_console (declared only in: else of: if sys.platform == "win32") in compat.py:',
      )
      const start = (yield* project.symbolsIn("app.py")).find(({ entry }) => entry?.name === "second")
      const calls = yield* project.callsFrom(start ?? assert.fail())
      assert.deepStrictEqual(
        calls.map(({ item, line }) => [item.entry?.name, line, item.conditions?.length]),
        [
          ["second", undefined, undefined],
          ["open_console", 13, 1],
          ["Router", 14, undefined],
        ],
      )
    }),
  )

  it.scoped("counts the lines of functions that stand below the table that they are members of", () =>
    Effect.gen(function* () {
      const body = Array.from({ length: 20 }, (_, at) => `  print(${at})`).join("\n")
      const { project } = yield* open({
        "loader.lua": `local M = {}\n\nfunction M.load(a)\n${body}\nend\n\nfunction M.stop()\n${body}\nend\n\nreturn M\n`,
        "router.py": files["router.py"],
      })
      assert.strictEqual(yield* project.linesOf("loader.lua"), 45)
      // The lines of a method are those of its class.
      assert.strictEqual(yield* project.linesOf("router.py"), 3)
    }),
  )

  it.scoped("tells a class that is only named as a type, and gives the line at which one is made", () =>
    Effect.gen(function* () {
      const { project } = yield* open(files)
      const usesOf = Effect.fnUntraced(function* (name: string) {
        const item = (yield* project.symbolsIn("app.py")).find(({ entry }) => entry?.name === name) ?? assert.fail()
        return (yield* project.callees(item)).flatMap(({ isType, item, line }) =>
          item.entry?.name === "Router" ? [[isType, line]] : [],
        )
      })
      assert.deepStrictEqual(yield* usesOf("first"), [[true, 5]])
      assert.deepStrictEqual(yield* usesOf("second"), [[false, 14]])
    }),
  )

  it.scoped("finds the helpers that most files of the tests use, and shows them to the start page with a number", () =>
    Effect.gen(function* () {
      const test = (name: string) =>
        `from tests.helpers import run, rarely\n\n\ndef test_${name}():\n    assert run("${name}") == 0\n`
      const { project } = yield* open({
        ...files,
        "tests/helpers.py":
          'def run(name):\n    """Runs a program without a terminal."""\n    return _quiet(name)\n\n\ndef _quiet(name):\n    return 0\n\n\ndef rarely():\n    return 1\n',
        "tests/test_one.py": test("one"),
        "tests/test_two.py": test("two"),
        "tests/test_three.py": test("three"),
      })
      const helpers = yield* project.testHelpers
      assert.deepStrictEqual(
        helpers.map(({ entry }) => entry?.name),
        ["run"],
      )
      const plan = { parts: project.folders, flows: [], undescribed: [] }
      const input = yield* StartMaterial.gather(project, plan, new Map(), 2_000)
      const message = StartRequest.messageOf(input)
      const number = /\[(\d+)\] run # Runs a program without a terminal\. in tests\/helpers\.py/.exec(message)?.[1]
      assert.strictEqual(input.material.items[Number(number) - 1]?.path, "tests/helpers.py")
    }),
  )
})
