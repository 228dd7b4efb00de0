import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DependentsOptions, Index } from "../../../../src/index/IndexStore.ts"
import { withIndex } from "../../IndexStore.fixture.ts"
import { layer, type Project } from "./References.fixture.ts"

const look = (files: Project, symbol: string, options: Partial<DependentsOptions> = {}) =>
  withIndex("/p", files, (index: Index) =>
    Effect.gen(function* () {
      const [entry] = yield* index.find(symbol)
      if (entry === undefined) throw new Error(`no symbol ${symbol}`)
      return yield* index.dependents(entry, { depth: 9, withMembers: true, limit: 100, ...options })
    }),
  ).pipe(Effect.provide(layer))

/** `1 b.ts go uses run: 3`. */
const lines = ({ dependents }: Effect.Effect.Success<ReturnType<typeof look>>) =>
  dependents.map(
    ({ distance, lines, path, symbol = "-", uses }) => `${distance} ${path} ${symbol} uses ${uses}: ${lines.join(" ")}`,
  )

const chain: Project = {
  "a.ts": "export function one() {\n  return 1\n}\n",
  "b.ts": 'import { one } from "./a.ts"\nexport function two() {\n  one()\n  return one()\n}\n',
  "c.ts": 'import { two } from "./b.ts"\nexport const three = () => two()\nthree()\n',
  "test/b.test.ts": 'import { two } from "../b.ts"\nexport function testTwo() {\n  two()\n}\n',
}

describe("dependents of a symbol", () => {
  it.effect("are followed step by step, with what each uses and where, code first", () =>
    Effect.gen(function* () {
      const found = yield* look(chain, "one")
      assert.deepStrictEqual(lines(found), [
        "1 b.ts two uses one: 3 4",
        "2 c.ts three uses two: 2",
        "2 test/b.test.ts testTwo uses two: 3",
        "3 c.ts - uses three: 3",
      ])
      assert.deepStrictEqual(found.counts, [
        { distance: 1, symbols: 1, code: 1, files: 1 },
        { distance: 2, symbols: 2, code: 1, files: 2 },
        { distance: 3, symbols: 1, code: 1, files: 1 },
      ])
      assert.isTrue(found.isComplete)
    }),
  )

  it.effect("of one distance are code, then tests, then by path and line, whatever their order in the index", () =>
    Effect.gen(function* () {
      const use = (name: string) => `export function ${name}() {\n  return one()\n}\n`
      const importing = 'import { one } from "../src/one.ts"\n'
      const found = yield* look(
        {
          "__tests__/a.test.ts": importing + use("testOne"),
          "examples/b.ts": importing + use("showOne"),
          "src/one.ts": "export function one() {\n  return 1\n}\n",
          "src/z.ts": `import { one } from "./one.ts"\n${use("second")}${use("first")}`,
          "src/y.ts": `import { one } from "./one.ts"\n${use("third")}`,
        },
        "one",
      )
      assert.deepStrictEqual(
        found.dependents.map((each) => `${each.class} ${each.path} ${each.symbol}`),
        [
          "code src/y.ts third",
          "code src/z.ts second",
          "code src/z.ts first",
          "test __tests__/a.test.ts testOne",
          "example examples/b.ts showOne",
        ],
      )
    }),
  )

  it.effect("end at the depth that is asked for", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(lines(yield* look(chain, "one", { depth: 1 })), ["1 b.ts two uses one: 3 4"])
    }),
  )

  it.effect("end where symbols use each other, without the symbol itself", () =>
    Effect.gen(function* () {
      const files = {
        "a.ts":
          "export function ping() {\n  pong()\n  ping()\n}\nexport function pong() {\n  ping()\n}\nexport function end() {\n  pong()\n}\n",
      }
      assert.deepStrictEqual(lines(yield* look(files, "ping")), ["1 a.ts pong uses ping: 6", "2 a.ts end uses pong: 9"])
    }),
  )

  it.effect("of a class are also those of its methods, if that is asked for", () =>
    Effect.gen(function* () {
      const files = {
        "a.ts": "export class Box {\n  open() {}\n  shut() {\n    this.open()\n  }\n}\n",
        "b.ts":
          'import { Box } from "./a.ts"\nexport function make(): Box {\n  return new Box()\n}\nexport function use() {\n  make().open()\n}\n',
      }
      assert.deepStrictEqual(lines(yield* look(files, "Box", { depth: 1 })), [
        "1 b.ts make uses Box: 2 3",
        "1 b.ts use uses Box.open: 6",
      ])
      assert.deepStrictEqual(lines(yield* look(files, "Box", { depth: 1, withMembers: false })), [
        "1 b.ts make uses Box: 2 3",
      ])
    }),
  )

  it.effect("of a hub are all counted, and as many listed of each distance as are asked for", () =>
    Effect.gen(function* () {
      const users = Object.fromEntries(
        Array.from({ length: 100 }, (_, n) => [
          `u${n}.ts`,
          `import { hub } from "./hub.ts"\nexport function user${n}() {\n  hub()\n}\nexport function further${n}() {\n  user${n}()\n}\n`,
        ]),
      )
      const found = yield* look({ "hub.ts": "export function hub() {}\n", ...users }, "hub", { limit: 3 })
      assert.deepStrictEqual(
        found.counts.map(({ symbols }) => symbols),
        [100, 100],
      )
      assert.deepStrictEqual(
        found.dependents.map(({ distance, symbol }) => `${distance} ${symbol}`),
        ["1 user0", "1 user1", "1 user10", "2 further0", "2 further1", "2 further10"],
      )
    }),
  )

  for (const [language, files, symbol, expected] of throughBases) {
    it.effect(`go on through what a method implements or overrides, in ${language}`, () =>
      Effect.gen(function* () {
        const found = yield* look(files, symbol, { throughBases: true })
        assert.deepStrictEqual(
          found.dependents.map(
            ({ symbol: user = "-", through, uses }) =>
              `${user} uses ${uses}${through === undefined ? "" : `: ${through}`}`,
          ),
          expected,
        )
        assert.deepStrictEqual(lines(yield* look(files, symbol)), [])
      }),
    )
  }
})

const throughBases: ReadonlyArray<
  readonly [language: string, files: Project, symbol: string, expected: ReadonlyArray<string>]
> = [
  [
    "C#",
    {
      "A.cs": "namespace N;\ninterface IReport { void Build(); }\nclass Report : IReport { public void Build() {} }\n",
      "B.cs":
        "namespace N;\nclass Runner { IReport report; void Go() { report.Build(); } }\nclass Start { void Run(Runner r) { r.Go(); } }\n",
    },
    "N.Report.Build",
    ["N.Runner.Go uses N.IReport.Build: N.Report.Build", "N.Start.Run uses N.Runner.Go"],
  ],
  [
    "Java",
    {
      "p/A.java":
        "package p;\ninterface Shape { int area(); }\nclass Disc implements Shape { public int area() { return 1; } }\n",
      "p/B.java": "package p;\nclass Sum { int total(Shape s) { return s.area(); } }\n",
    },
    "Disc.area",
    ["Sum.total uses Shape.area: Disc.area"],
  ],
  [
    "TypeScript, also from a base class that calls itself",
    {
      "a.ts":
        "export abstract class Base {\n  abstract step(): void\n  loop() {\n    this.step()\n  }\n}\nexport class Own extends Base {\n  step() {}\n}\n",
    },
    "Own.step",
    ["Base.loop uses Base.step: Own.step"],
  ],
  [
    "Python",
    {
      "a.py":
        "class Base:\n    def step(self):\n        pass\n\nclass Own(Base):\n    def step(self):\n        pass\n\ndef drive(base: Base):\n    base.step()\n",
    },
    "Own.step",
    ["drive uses Base.step: Own.step"],
  ],
  [
    "Rust",
    {
      "Cargo.toml": '[package]\nname = "a"\n',
      "src/lib.rs":
        "pub trait Walk { fn walk(&self); }\npub struct Cat;\nimpl Walk for Cat {\n  fn walk(&self) {}\n}\nfn meet(other: &dyn Walk) { other.walk(); }\n",
    },
    "Cat.walk",
    ["meet uses Walk.walk: Cat.walk"],
  ],
  [
    "PHP",
    {
      "a.php":
        "<?php\ninterface Shape { function area(); }\nclass Disc implements Shape { function area() {} }\nfunction total(Shape $s) { $s->area(); }\n",
    },
    "Disc.area",
    ["total uses Shape.area: Disc.area"],
  ],
  [
    "Ruby, also of a module that a class includes",
    {
      "a.rb":
        "module Walk\n  def step; end\n  def walk; step; end\nend\nclass Cat\n  include Walk\n  def step; end\nend\nclass Dog\n  def step; end\nend\n",
    },
    "Cat.step",
    ["Walk.walk uses Walk.step: Cat.step"],
  ],
  [
    "Go, by all methods of an interface and the numbers of their parameters",
    {
      "go.mod": "module m\n",
      "a.go":
        "package a\n\ntype Writer interface {\n\twrite(p []byte) int\n\tshut()\n}\n\ntype Other interface {\n\twrite(p, q int)\n}\n\ntype file struct{}\n\nfunc (f *file) write(p []byte) int { return 0 }\n",
      "b.go":
        "package a\n\nfunc (f *file) shut() {}\n\nfunc run(w Writer) { w.write(nil) }\n\nfunc other(o Other) { o.write(1, 2) }\n",
    },
    "file.write",
    ["run uses Writer.write: file.write"],
  ],
]
