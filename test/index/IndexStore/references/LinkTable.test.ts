/**
 * Changes of a project after which references of files that were not changed are others: each by itself, so that none
 * depends on chance as in the laws.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { withIndex } from "../../IndexStore.fixture.ts"
import { callers, layer, linesOf, type Project, usedBy } from "./References.fixture.ts"

interface Change {
  readonly what: string
  /** The files that all states have. */
  readonly always: Project
  /** The further files of each state. */
  readonly states: ReadonlyArray<Project>
  /** References that the states have, by the numbers of the states that have them. */
  readonly references: Readonly<Record<string, ReadonlyArray<number>>>
}

const one = "export function one() {\n  return 1\n}\n"
const useOf = (specifier: string) => `import { one } from "${specifier}"\nexport function use() {\n  one()\n}\n`
const paths = (target: string) => JSON.stringify({ compilerOptions: { paths: { "@lib/*": [target] } } })

const changes: ReadonlyArray<Change> = [
  {
    what: "a tsconfig.json maps a specifier, maps it elsewhere, and is removed",
    always: { "src/use.ts": useOf("@lib/one"), "first/one.ts": one, "second/one.ts": one },
    states: [{}, { "tsconfig.json": paths("./first/*") }, { "tsconfig.json": paths("./second/*") }, {}],
    references: {
      "src/use.ts use -> first/one.ts one: 3": [1],
      "src/use.ts use -> second/one.ts one: 3": [2],
    },
  },
  {
    what: "a package gets a name, gets another, and is removed",
    always: { "app/use.ts": useOf("kit"), "package.json": '{ "workspaces": ["*"] }' },
    states: [
      { "kit/index.ts": one },
      { "kit/index.ts": one, "kit/package.json": '{ "name": "kit", "main": "./index.ts" }' },
      { "kit/index.ts": one, "kit/package.json": '{ "name": "kat", "main": "./index.ts" }' },
      { "kit/index.ts": one, "kit/package.json": '{ "name": "kit", "main": "./index.ts" }' },
      { "kit/package.json": '{ "name": "kit", "main": "./index.ts" }' },
    ],
    references: { "app/use.ts use -> kit/index.ts one: 3": [1, 3] },
  },
  {
    what: "a package gets and loses the file that its name or a path in it means",
    always: {
      "app/use.ts": useOf("@shop/kit"),
      "app/deep.ts": useOf("@shop/kit/parts/screw"),
      "package.json": '{ "workspaces": ["packages/*"] }',
      "packages/kit/package.json": '{ "name": "@shop/kit", "main": "./start.ts" }',
    },
    states: [
      {},
      { "packages/kit/start.ts": one },
      { "packages/kit/start.ts": one, "packages/kit/parts/screw.ts": one },
      { "packages/kit/parts/screw.ts": one },
    ],
    references: {
      "app/use.ts use -> packages/kit/start.ts one: 3": [1, 2],
      "app/deep.ts use -> packages/kit/parts/screw.ts one: 3": [2, 3],
    },
  },
  {
    what: "go.mod names the module of a folder, or another one",
    always: {
      "kit/kit.go": "package kit\n\nfunc One() {}\n",
      "main.go": 'package main\n\nimport "shop/kit"\n\nfunc use() {\n\tkit.One()\n}\n',
    },
    states: [{}, { "go.mod": "module shop\n" }, { "go.mod": "module store\n" }],
    references: { "main.go use -> kit/kit.go One: 6": [1] },
  },
  {
    what: "a file is exported through another, which exports it no more, or names it otherwise",
    always: { "use.ts": useOf("./all"), "one.ts": one },
    states: [
      { "all.ts": "export {}\n" },
      { "all.ts": 'export * from "./one"\n' },
      { "all.ts": 'export { one as other } from "./one"\n' },
      { "all.ts": 'export { one } from "./one"\n' },
      {},
    ],
    references: { "use.ts use -> one.ts one: 3": [1, 3] },
  },
  {
    what: "a file or a folder with an index takes the place of the other",
    always: { "use.ts": useOf("./kit"), "deep/use.ts": useOf("..") },
    states: [
      { "kit.ts": one },
      { "kit/index.ts": one },
      { "kit/index.ts": one, "index.ts": 'export * from "./kit"\n' },
      { "kit.ts": one, "kit/index.ts": one, "index.ts": one },
    ],
    references: {
      "use.ts use -> kit.ts one: 3": [0, 3],
      "use.ts use -> kit/index.ts one: 3": [1, 2],
      "deep/use.ts use -> kit/index.ts one: 3": [2],
      "deep/use.ts use -> index.ts one: 3": [3],
    },
  },
  {
    what: "a Python package gets a module, and its name where it has none",
    always: { "use.py": "import kit\nfrom kit import one\n\ndef use():\n    one.go()\n    kit.two.go()\n" },
    states: [
      { "kit/__init__.py": "" },
      { "kit/__init__.py": "", "kit/one.py": "def go():\n    pass\n" },
      { "kit/__init__.py": "from . import two\n", "kit/two.py": "def go():\n    pass\n" },
      { "kit/one.py": "def go():\n    pass\n" },
    ],
    references: {
      "use.py use -> kit/one.py go: 5": [1, 3],
      "use.py use -> kit/two.py go: 6": [2],
    },
  },
  {
    what: "a type of C# is declared in another namespace, and one that all files import",
    always: { "Use.cs": "namespace App;\nclass Use { Box box; void Run() { box.Go(); } }\n" },
    states: [
      { "Box.cs": "namespace App;\nclass Box { public void Go() {} }\n" },
      { "Box.cs": "namespace Kit;\nclass Box { public void Go() {} }\n" },
      { "Box.cs": "namespace Kit;\nclass Box { public void Go() {} }\n", "All.cs": "global using Kit;\n" },
      { "Box.cs": "namespace Kit;\nclass Box { public void Go() {} }\n", "All.cs": "global using Other;\n" },
    ],
    references: {
      "Use.cs App.Use.Run -> Box.cs App.Box.Go: 2": [0],
      "Use.cs App.Use.Run -> Box.cs Kit.Box.Go: 2": [2],
    },
  },
  {
    what: "a type of Kotlin moves to another package, an extension comes, and a function becomes private",
    always: { "Use.kt": "package app\n\nimport kit.*\n\nfun use(box: Box) {\n    box.lift()\n    go()\n}\n" },
    states: [
      { "Box.kt": "package app\n\nclass Box\nfun go() {}\n" },
      {
        "Box.kt": "package kit\n\nclass Box\nfun go() {}\n",
        "Lift.kt": "package app\n\nimport kit.Box\n\nfun Box.lift() {}\n",
      },
      { "Box.kt": "package kit\n\nclass Box\nprivate fun go() {}\n", "Lift.kt": "package app\n" },
      { "Box.kt": "package other\n\nclass Box\n" },
    ],
    references: {
      "Use.kt use -> Box.kt Box: 5": [0, 1, 2],
      "Use.kt use -> Box.kt go: 7": [0, 1],
      "Use.kt use -> Lift.kt Box.lift: 6": [1],
    },
  },
  {
    what: "a type of C# gets the member that an extension method has been found for, and loses it",
    always: {
      "Use.cs": "namespace App;\nclass Use { void Run(Box box, Library some) { box.Go(); some.Go(); } }\n",
      "Lifts.cs": "namespace App;\nstatic class Lifts { public static void Go(this object one) {} }\n",
    },
    states: [
      { "Box.cs": "namespace App;\nclass Box { }\n" },
      { "Box.cs": "namespace App;\nclass Box { public void Go() {} }\n" },
      { "Box.cs": "namespace App;\nclass Box { public void Gone() {} }\n" },
      { "Box.cs": "namespace App;\nclass Box { }\n", "Other.cs": "namespace App;\nclass Other { int Go; }\n" },
    ],
    references: {},
  },
  {
    what: "a file of C# has an extension method and a member of its name, then one of them, then none",
    always: {
      "Use.cs": "namespace App;\nclass Use { void Run(Box box, Library some) { box.Go(); some.Go(); } }\n",
      "Box.cs": "namespace App;\nclass Box { }\n",
    },
    states: [
      {
        "Lifts.cs":
          "namespace App;\nstatic class Lifts { public static void Go(this object one) {} }\nclass Own { void Go() {} }\n",
      },
      {
        "Lifts.cs": "namespace App;\nstatic class Lifts { public static void Go(this object one) {} }\nclass Own { }\n",
      },
      { "Lifts.cs": "namespace App;\nstatic class Lifts { }\nclass Own { void Go() {} }\n" },
      { "Lifts.cs": "namespace App;\nstatic class Lifts { public static void Go(this Box box) {} }\nclass Own { }\n" },
      {},
    ],
    references: {},
  },
  {
    what: "a class of Scala gets a companion and moves, and extensions and members of its name appear",
    always: {
      "Use.scala":
        "package app\n\nimport kit._\n\nobject Use {\n  def use(box: Box) = {\n    Box(1).lift\n    box.lift\n    go(1)\n  }\n}\n",
    },
    states: [
      { "Box.scala": "package app\n\ncase class Box(size: Int)\n" },
      {
        "Box.scala": "package app\n\ncase class Box(size: Int)\nobject Box\n",
        "kit/package.scala":
          "package object kit {\n  implicit class Lift(box: app.Box) { def lift = 1 }\n  def go(n: Int) = n\n}\n",
      },
      {
        "Box.scala": "package kit\n\ncase class Box(size: Int) { def lift = 1 }\n",
        "kit/package.scala": "package object kit {\n  def go = 1\n}\n",
      },
      { "Box.scala": "package other\n\ncase class Box(lift: Int)\n" },
    ],
    references: {
      "Use.scala Use.use -> Box.scala Box: 6 7": [0, 2],
      "Use.scala Use.use -> Box.scala Box: 7": [1],
      "Use.scala Use.use -> Box.scala Box.lift: 7 8": [2],
      "Use.scala Use.use -> kit/package.scala kit.Lift.lift: 7 8": [1],
      "Use.scala Use.use -> kit/package.scala kit.go: 9": [1, 2],
    },
  },
  {
    what: "a member of Scala has the name of an extension that a value of an unknown type may have",
    always: { "Use.scala": "package kit\n\nobject Use {\n  def use(box: Any) = box.hoist\n}\n" },
    states: [
      { "Lift.scala": "package kit\n\nobject Lift {\n  implicit class Ops[A](a: A) { def hoist = 1 }\n}\n" },
      {
        "Lift.scala": "package kit\n\nobject Lift {\n  implicit class Ops[A](a: A) { def hoist = 1 }\n}\n",
        "Own.scala": "package kit\n\nclass Own {\n  def hoist = 1\n}\n",
      },
      {
        "Lift.scala": "package kit\n\nobject Lift {\n  implicit class Ops[A](a: A) { def hoist = 1 }\n}\n",
        "Own.scala": "package kit\n\ncase class Own(hoist: Int)\n",
      },
      { "Lift.scala": "package kit\n\nobject Lift {\n  class Ops[A](a: A) { def hoist = 1 }\n}\n" },
    ],
    references: { "Use.scala Use.use -> Lift.scala Lift.Ops.hoist: 4": [0] },
  },
  {
    what: "a class of Java moves to another package",
    always: { "app/Use.java": "package app;\nimport kit.*;\nclass Use { void run(Box box) { box.go(); } }\n" },
    states: [
      { "kit/Box.java": "package kit;\npublic class Box { public void go() {} }\n" },
      { "kit/Box.java": "package other;\npublic class Box { public void go() {} }\n" },
      { "app/Box.java": "package app;\npublic class Box { public void go() {} }\n" },
    ],
    references: {},
  },
]

describe("LinkTable.update", () => {
  it.effect.each(changes)("finds what a new index does after $what", ({ always, references, states, what }) =>
    Effect.gen(function* () {
      const read = (root: string, files: Project) =>
        withIndex(root, files, (index) => Effect.all([linesOf(index), usedBy(index), callers(index)]))
      const found = new Map(Object.keys(references).map((line) => [line, [] as number[]]))
      for (const [number, further] of states.entries()) {
        // Files in memory have no time of change: their size says that they have. Files of all states stay unchanged.
        const changed = Object.entries(further).map(([path, text]) => [path, text + "\n".repeat(number)])
        const files: Project = { "README.md": "A project.\n", ...always, ...Object.fromEntries(changed) }
        const [lines, ...others] = yield* read(`/${what}`, files)
        // The first one is a new index itself.
        if (number > 0) {
          assert.deepStrictEqual([lines, ...others], yield* read(`/${what}/${number}`, files), `state ${number}`)
        }
        for (const [line, numbers] of found) if (lines.includes(line)) numbers.push(number)
      }
      assert.deepStrictEqual(Object.fromEntries(found), references)
    }).pipe(Effect.provide(layer)),
  )
})
