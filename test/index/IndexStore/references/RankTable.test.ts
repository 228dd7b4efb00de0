import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, Ref } from "effect"
import * as Symbols from "../../../../src/code/Symbols.ts"
import { statements } from "../../../../src/disk/Sqlite.ts"
import * as Metadata from "../../../../src/index/IndexStore/internal/Metadata.ts"
import * as RankTable from "../../../../src/index/IndexStore/internal/references/RankTable.ts"
import * as Queries from "../../../../src/index/IndexStore/internal/structure/Queries.ts"
import * as Sqlite from "../../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../../src/index/IndexStore.ts"
import * as RunProgress from "../../../../src/index/RunProgress.ts"
import { temporaryFolder } from "../../../disk/TemporaryFolder.ts"
import { cases } from "../../../thoroughness.ts"
import { symbols, withIndex, workspace } from "../../IndexStore.fixture.ts"
import { layer, type Project } from "./References.fixture.ts"

const centralIn = (index: IndexStore.Index) =>
  Effect.forEach([".", "src", "test", "src/a.ts"], (path) =>
    Effect.forEach([100, 3], (limit) =>
      Effect.map(index.central(limit, path), (all) => all.map(({ path, qualifiedName }) => `${path} ${qualifiedName}`)),
    ),
  )

const paths = ["src/a.ts", "src/b.ts", "src/deep/c.ts", "test/a.ts", "test/d.ts", "examples/e.ts"]

/** A function that calls some others, each once. */
const definition = FastCheck.record({
  name: FastCheck.constantFrom("one", "two", "Three", "main"),
  calls: FastCheck.subarray(paths),
})

const file = FastCheck.uniqueArray(definition, { selector: ({ name }) => name, maxLength: 4 })

const attributes = FastCheck.constantFrom("", "src/deep/** linguist-generated\n", "test/** -linguist-vendored\n")

const states = FastCheck.array(
  FastCheck.record({ files: FastCheck.dictionary(FastCheck.constantFrom(...paths), file), attributes }),
  { minLength: 2, maxLength: 4 },
).map((all) =>
  all.map(
    ({ attributes, files }, number): Project => ({
      ".gitattributes": attributes,
      ...Object.fromEntries(
        Object.entries(files).map(([path, definitions]) => [
          path,
          // Files in memory have no time of change: their size says that they have.
          textOf(path, definitions) + "\n".repeat(1_000 * number),
        ]),
      ),
    }),
  ),
)

const textOf = (
  path: string,
  definitions: ReadonlyArray<{ readonly name: string; readonly calls: ReadonlyArray<string> }>,
): string => {
  const up = "../".repeat(path.split("/").length - 1)
  const imports = paths.map((each, position) => `import * as m${position} from "${up}${each}"\n`).join("")
  const functions = definitions.map(({ calls, name }) => {
    const body = calls.map((each) => `  m${paths.indexOf(each)}.${name}()\n`).join("")
    return `export function ${name}() {\n${body}}\n`
  })
  return imports + functions.join("")
}

describe("a stored ranking", () => {
  it.effect.prop(
    "is that of a new index after any changes, asked for once and again",
    [states],
    ([states]) =>
      Effect.gen(function* () {
        for (const [number, files] of states.entries()) {
          const expected = yield* withIndex(`/new${number}`, files, centralIn)
          const again = withIndex("/changed", files, centralIn)
          assert.deepStrictEqual([yield* again, yield* again], [expected, expected])
        }
      }).pipe(Effect.provide(layer)),
    { fastCheck: { numRuns: cases(40) } },
  )

  it.effect("puts symbols of equal rank in one order, whichever file was read first", () =>
    Effect.gen(function* () {
      const [a, b, c] = ["src/a.ts", "src/b.ts", "src/deep/c.ts"]
      const files = {
        [a]: textOf(a, [
          { name: "one", calls: [c] },
          { name: "two", calls: [] },
          { name: "main", calls: [b, c] },
        ]),
        [b]: textOf(b, [{ name: "main", calls: [] }]),
        [c]: textOf(c, [
          { name: "one", calls: [] },
          { name: "main", calls: [a, b] },
          { name: "Three", calls: [] },
        ]),
      }
      const expected = yield* withIndex("/new", files, centralIn)
      yield* withIndex("/changed", { [b]: `${files[b]}\n` }, centralIn)
      assert.deepStrictEqual(yield* withIndex("/changed", files, centralIn), expected)
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("is read until something changes, and is not replaced by one that was computed before a change", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const files = { "src/a.ts": "export function one() {\n}\n" }
      const layer = Layer.provide(Sqlite.layer, symbols)
      const expected = yield* withIndex(root, files, centralIn).pipe(Effect.provide(layer))
      const database = new DatabaseSync(path.join(root, ".vibe", "index.db"))
      const sql = statements(database)
      const stored = RankTable.read(sql, undefined)
      assert.strictEqual(stored.isStored, true)
      assert.deepStrictEqual(
        Queries.central(sql, 100).entries.map(({ path, qualifiedName }) => `${path} ${qualifiedName}`),
        expected[0]?.[0],
      )
      Metadata.raiseRevision(sql)
      const computed = RankTable.read(sql, undefined)
      assert.deepStrictEqual(computed, { ...stored, revision: stored.revision + 1, isStored: false })
      for (const ranking of [computed, stored]) Array.from(RankTable.store(sql, ranking))
      assert.deepStrictEqual(RankTable.read(sql, undefined), { ...computed, isStored: true })
      database.close()
    }),
  )

  it.effect("is announced before it is computed, and not when it is read", () =>
    Effect.gen(function* () {
      const announced = yield* Ref.make(0)
      const count = (index: IndexStore.Index) =>
        Effect.zipRight(index.central(1), Ref.get(announced)).pipe(
          Effect.locally(
            RunProgress.beforeRanking,
            Ref.update(announced, (times) => times + 1),
          ),
        )
      const files = { "a.ts": "export function one() {\n}\n" }
      assert.strictEqual(yield* withIndex("/p", files, count), 1)
      assert.strictEqual(yield* withIndex("/p", files, count), 1)
      assert.strictEqual(yield* withIndex("/p", { ...files, "b.ts": "" }, count), 2)
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )

  it.effect("is not that of before after a refresh that was interrupted", () =>
    Effect.gen(function* () {
      const files = (body: string): Project =>
        // A refresh writes 128 files at a time.
        Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`a${n}.ts`, `export function f${n}() {${body}}\n`]))
      const central = (index: IndexStore.Index) =>
        Effect.map(index.central(1_000), (all) => all.map(({ name, signature }) => `${name} ${signature}`))
      const before = yield* withIndex("/p", { ...files("\n"), "z.ts": "" }, central)
      const after = { ...files("\n\n"), "z.ts": "export function interrupt() {}\n" }
      assert.strictEqual((yield* Effect.exit(withIndex("/p", after, central)))._tag, "Failure")
      const store = yield* IndexStore.IndexStore
      const found = Effect.flatMap(Effect.flatMap(workspace("/p", after), store.open), central)
      assert.sameMembers([...(yield* Effect.scoped(found))], [...before])
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, interrupting))),
  )
})

/** A parser that is interrupted at a text that says so, once a refresh has had the time to write other files. */
const interrupting = Layer.effect(
  Symbols.Symbols,
  Effect.map(Symbols.Symbols, ({ outline }) => ({
    outline: (path, text) =>
      text.includes("interrupt")
        ? Effect.zipRight(Effect.repeatN(Effect.yieldNow({ priority: 1 }), 3_000), Effect.interrupt)
        : outline(path, text),
  })),
).pipe(Layer.provide(symbols))
