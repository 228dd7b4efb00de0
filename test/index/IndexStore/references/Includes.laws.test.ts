import { assert, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { cases } from "../../../thoroughness.ts"
import { withIndex } from "../../IndexStore.fixture.ts"
import { layer, linesOf, type Project, usedBy } from "./References.fixture.ts"

const paths = ["a.h", "b.h", "x/a.h", "a.c", "x/b.c", "c.cc"]

const name = FastCheck.constantFrom("one", "two", "three")

const statement = FastCheck.oneof(
  FastCheck.constantFrom("a.h", "b.h", "x/a.h", "../b.h").map((path) => `#include "${path}"`),
  name.map((name) => `int ${name}(void);`),
  FastCheck.tuple(name, name).map(([name, other]) => `int ${name}(void) { return ${other}(); }`),
  FastCheck.tuple(name, name).map(([name, other]) => `static int ${name}(void) { return ${other}(); }`),
  name.map((name) => `typedef struct ${name} ${name}_t;`),
  name.map((name) => `struct ${name} { int ${name}; };`),
  name.map((name) => `int use_${name}(${name}_t *a, struct ${name} *b) { return a->${name} + b->${name}; }`),
)

const plain = { "a.h": "int one(int a);\n", "a.c": '#include "a.h"\nint go(void) { return one(1); }\n' }

it.effect.each([
  { what: "becomes static", before: "int one(int a) { return a; }\n", after: "static int one(int a) { return a; }\n" },
  {
    what: "is no longer static",
    before: "static int one(int a) { return a; }\n",
    after: "int one(int a) { return a; }\n",
  },
  {
    what: "has other parameters",
    before: "int one(int a) { return a; }\n",
    after: "int one(int a, int b) { return a; }\n",
  },
])("finds the same references after a function $what", ({ after, before }) =>
  Effect.gen(function* () {
    for (const path of ["b.c", "b.cc"]) {
      const states: ReadonlyArray<Project> = [before, `${after}\n`].map((text) => ({ ...plain, [path]: text }))
      for (const [number, files] of states.entries()) {
        const found = yield* withIndex(`/changed${path}`, files, linesOf)
        // The first one is a new index itself.
        if (number > 0) assert.deepStrictEqual(found, yield* withIndex(`/new${path}`, files, linesOf))
      }
    }
  }).pipe(Effect.provide(layer)),
)

/** States of a project, one after the other. */
const states = FastCheck.array(
  FastCheck.dictionary(FastCheck.constantFrom(...paths), FastCheck.array(statement, { maxLength: 5 })),
  { minLength: 2, maxLength: 4 },
).map((all) =>
  all.map(
    (files, number): Project => ({
      "README.md": "A project.\n",
      ...Object.fromEntries(
        Object.entries(files).map(([path, statements]) => [
          path,
          // Files in memory have no time of change: their size says that they have.
          statements.map((line) => `${line}\n`).join("") + "\n".repeat(400 * number),
        ]),
      ),
    }),
  ),
)

it.effect.prop(
  "finds the same references of C after any changes as in a new index",
  [states],
  ([states]) =>
    Effect.gen(function* () {
      const read = (root: string, files: Project) =>
        withIndex(root, files, (index) => Effect.all([linesOf(index), usedBy(index)]))
      for (const [number, files] of states.entries()) {
        const found = yield* read("/changed", files)
        if (number > 0) assert.deepStrictEqual(found, yield* read(`/new${number}`, files))
      }
    }).pipe(Effect.provide(layer)),
  { fastCheck: { numRuns: cases(40) } },
)
