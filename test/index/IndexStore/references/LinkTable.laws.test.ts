import { assert, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { cases } from "../../../thoroughness.ts"
import { withIndex } from "../../IndexStore.fixture.ts"
import { callers, layer, linesOf, type Project, usedBy } from "./References.fixture.ts"

const paths = ["a.ts", "b.ts", "c/index.ts", "c/d.ts", "p/__init__.py", "p/a.py", "q.py"]

const name = FastCheck.constantFrom("one", "two", "Three")

/** A statement of a file, and how it is written in a module of TypeScript and of Python. */
const statement = FastCheck.oneof(
  FastCheck.record({
    name,
    from: FastCheck.constantFrom("./a", "./b", "./c", "../a", "./d", "..", "."),
    python: FastCheck.constantFrom("p", "p.a", ".", ".a", "q"),
  }).map(({ from, name, python }) => [`import { ${name} } from "${from}"`, `from ${python} import ${name}`]),
  FastCheck.record({ from: FastCheck.constantFrom("./a", "./b", "./c", "../b", "./d") }).map(({ from }) => [
    `export * from "${from}"`,
    "from p.a import *",
  ]),
  name.map((name) => [
    `export class ${name} {\n  go() { this.go() }\n}`,
    `class ${name}:\n    def go(self):\n        self.go()`,
  ]),
  name.map((name) => [`function use${name}() {\n  new ${name}().go()\n}`, `def use${name}():\n    ${name}().go()`]),
)

const file = FastCheck.array(statement, { maxLength: 5 })

/** States of a project, one after the other. */
const states = FastCheck.array(FastCheck.dictionary(FastCheck.constantFrom(...paths), file), {
  minLength: 2,
  maxLength: 4,
}).map((all) =>
  all.map(
    (files, number): Project => ({
      "README.md": "A project.\n",
      ...Object.fromEntries(
        Object.entries(files).map(([path, statements]) => [
          path,
          // Files in memory have no time of change: their size says that they have.
          statements.map(([script, python]) => `${path.endsWith(".py") ? python : script}\n`).join("") +
            "\n".repeat(400 * number),
        ]),
      ),
    }),
  ),
)

it.effect.prop(
  "finds the same references and callers after any changes as in a new index",
  [states],
  ([states]) =>
    Effect.gen(function* () {
      const read = (root: string, files: Project) =>
        withIndex(root, files, (index) => Effect.all([linesOf(index), usedBy(index), callers(index)]))
      for (const [number, files] of states.entries()) {
        const found = yield* read("/changed", files)
        // The first one is a new index itself.
        if (number > 0) assert.deepStrictEqual(found, yield* read(`/new${number}`, files))
      }
    }).pipe(Effect.provide(layer)),
  { fastCheck: { numRuns: cases(40) } },
)

it.effect.each([
  { what: "names no symbol of a new file as the caller of what a removed one called", called: "a.ts", caller: "z.ts" },
  { what: "names no caller of a removed file as one of a new file", called: "z.ts", caller: "a.ts" },
])("$what, though it has the number of that", ({ called, caller }) =>
  Effect.gen(function* () {
    const one = "export function one() {\n  return 1\n}\n"
    const call = `import { one } from "./${called.slice(0, 1)}"\nexport function callOne() {\n  one()\n}\n`
    const remaining: Project = called === "a.ts" ? { "a.ts": one } : { "a.ts": call }
    const states: ReadonlyArray<Project> = [
      { [called]: one, [caller]: call },
      // The last number is free again.
      remaining,
      { ...remaining, "y.ts": "export function other() {\n  return 2\n}\n" },
    ]
    for (const [number, files] of states.entries()) {
      const found = yield* withIndex("/reused", files, callers)
      if (number > 0) assert.deepStrictEqual(found, yield* withIndex(`/new${number}`, files, callers))
    }
  }).pipe(Effect.provide(layer)),
)
