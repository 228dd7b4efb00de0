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
        Array.from({ length: 300 }, (_, n) => [
          `u${n}.ts`,
          `import { hub } from "./hub.ts"\nexport function user${n}() {\n  hub()\n}\nexport function further${n}() {\n  user${n}()\n}\n`,
        ]),
      )
      const found = yield* look({ "hub.ts": "export function hub() {}\n", ...users }, "hub", { limit: 3 })
      assert.deepStrictEqual(
        found.counts.map(({ symbols }) => symbols),
        [300, 300],
      )
      assert.deepStrictEqual(
        found.dependents.map(({ distance, symbol }) => `${distance} ${symbol}`),
        ["1 user0", "1 user1", "1 user10", "2 further0", "2 further1", "2 further10"],
      )
    }),
  )
})
