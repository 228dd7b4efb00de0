import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import { findSymbols, splitLines } from "../../src/lookup/findSymbols.ts"
import * as Show from "../../src/lookup/Show.ts"
import { withIndex, workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const files = {
  "src/oak.ts": "export function plant() {\n  return 1\n}\n\nexport function water() {\n  return plant()\n}\n",
  "src/deep/elm.ts": "export class Elm {\n  grow() {\n    return 2\n  }\n}\n",
  "lib/index.ts": "export function first() {}\n",
  "src/index.ts": "export function second() {}\n",
  "src/prune.ts": "export default () => 3\n",
  "src/graft/index.ts": "export default class {}\n",
}

const withProject = <A, E>(run: (project: Parameters<typeof Show.describe>[0]) => Effect.Effect<A, E>) =>
  withIndex("/p", files, (index) =>
    Effect.gen(function* () {
      return yield* run({ index, workspace: yield* workspace("/p", files), displayPath: (path: string) => path })
    }),
  ).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)))

const namesOf = (project: Parameters<typeof Show.describe>[0], typed: string) =>
  Effect.map(findSymbols(project, typed), ({ named, outline }) =>
    [...named, ...outline].map(({ qualifiedName }) => qualifiedName),
  )

describe("splitLines", () => {
  it.each<readonly [typed: string, file: string, first: number, last: number | undefined]>([
    ["src/a.ts:10", "src/a.ts", 10, undefined],
    ["src/a.ts:10-20", "src/a.ts", 10, 20],
    ["src/a.ts:10:5", "src/a.ts", 10, undefined],
    ["src/a.ts:10:5:", "src/a.ts", 10, undefined],
    ["src/a.ts:10:", "src/a.ts", 10, undefined],
    ["src/a.ts(10,5)", "src/a.ts", 10, undefined],
    ["src/a.ts(10)", "src/a.ts", 10, undefined],
    ["src/a.ts#L10", "src/a.ts", 10, undefined],
    ["src/a.ts#L10-L20", "src/a.ts", 10, 20],
    ["src/a.ts#L10C5-L20C7", "src/a.ts", 10, 20],
    ["C:\\src\\a.ts:10:5", "C:\\src\\a.ts", 10, undefined],
    ["src/a#b (1).ts:10", "src/a#b (1).ts", 10, undefined],
  ])("of %j is %j, %j, %j", (typed, file, first, last) =>
    assert.deepStrictEqual(splitLines(typed), { file, first, last }),
  )

  it.each(["src/a.ts", "src/a.ts:plant", "plant()", "A::b", "A#b", "C:\\src\\a.ts", "10", ":10:5:x", "src/a.ts#Line"])(
    "of %j are none",
    (typed) => assert.isUndefined(splitLines(typed).file),
  )

  it.each([":1", "1:", "#L1", "(1", "a".repeat(10)])("of a long text of %j costs little", (words) => {
    assert.isUndefined(splitLines(`${words.repeat(100_000)}?`).file)
  })
})

describe("findSymbols", () => {
  it.effect.each([
    "src/oak.ts:6",
    "src/oak.ts:6:3",
    "src/oak.ts(6,3)",
    "src/oak.ts#L6",
    "oak.ts:6",
    "oak.ts:6:3",
    "oak.ts#L5-L7",
    "oak.ts:water",
  ])("finds the symbol at %j, also for a model", (typed) =>
    withProject((project) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* namesOf(project, typed), ["water"])
        assert.match(yield* Show.describe(project, typed, 500), /src\/oak\.ts:5-7 {2}function water/)
      }),
    ),
  )

  it.effect("takes the end of a path if there is only one such file", () =>
    withProject((project) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* namesOf(project, "elm.ts"), ["Elm", "Elm.grow"])
        assert.deepStrictEqual(yield* namesOf(project, "deep/elm.ts:3"), ["Elm.grow"])
        for (const typed of ["index.ts", "m.ts", "index.ts:1", "elm.ts.ts"]) {
          const { message } = yield* Effect.flip(findSymbols(project, typed))
          assert.match(message, /^no file (?:index|m|elm\.ts)\.ts in the index/)
        }
      }),
    ),
  )

  it.effect("names the file without the lines if there is none", () =>
    withProject((project) =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(findSymbols(project, "src/oka.ts:6:3"))
        assert.strictEqual(message, "no file src/oka.ts in the index; near it: src/oak.ts")
      }),
    ),
  )

  it.effect("takes a default export without a name by that of its file, or of its folder for an index", () =>
    withProject((project) =>
      Effect.gen(function* () {
        const pathsOf = (typed: string) =>
          Effect.map(findSymbols(project, typed), ({ named }) => named.map(({ path }) => path))
        assert.deepStrictEqual(yield* pathsOf("prune"), ["src/prune.ts"])
        assert.deepStrictEqual(yield* pathsOf("graft"), ["src/graft/index.ts"])
        assert.strictEqual((yield* Effect.flip(pathsOf("oak")))._tag, "NoSuchSymbol")
      }),
    ),
  )
})
