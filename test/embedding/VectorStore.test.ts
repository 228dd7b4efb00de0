import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { quantize } from "../../src/embedding/Int8Matrix.ts"
import * as VectorStore from "../../src/embedding/VectorStore.ts"
import * as VectorRoot from "../utils/VectorRoot.ts"

const toSymbol = (name: string) => ({ qualifiedName: name, hash: `hash of ${name}` })

const toVector = (name: string, vector: ReadonlyArray<number>): VectorStore.NewVector => ({
  key: `key of ${name}`,
  vector: quantize(Float32Array.from(vector)),
  symbols: [toSymbol(name)],
})

const own = { embedder: "test/model/3/1", dimensions: 3 }

/** In one scope: the database, and what is written in one transaction. */
const opened = Effect.gen(function* () {
  const root = yield* VectorRoot.make
  const database = yield* VectorStore.open(root)
  const sql = Sqlite.statements(database)
  return {
    root,
    sql,
    write: <A>(body: () => Sqlite.Steps<A>) => Sqlite.transactionInSteps(root, database, body),
    namesNear: (vector: ReadonlyArray<number>, limit: number) => {
      const near = VectorStore.read(sql)?.nearest(quantize(Float32Array.from(vector)), limit) ?? []
      return VectorStore.symbolsAt(sql, near).map(({ qualifiedName, similarity }) => [
        qualifiedName,
        Math.round(similarity * 100) / 100,
      ])
    },
  }
})

describe("VectorStore", () => {
  it.scoped("finds the nearest symbols of all that were added, in several parts", () =>
    Effect.gen(function* () {
      const { namesNear, sql, write } = yield* opened
      assert.isUndefined(VectorStore.read(sql))
      yield* write(() => VectorStore.add(sql, own, [toVector("x", [1, 0, 0]), toVector("y", [0, 2, 0])]))
      yield* write(() => VectorStore.add(sql, own, [toVector("xy", [3, 3, 0]), toVector("z", [0, 0, -1])]))
      assert.deepStrictEqual(namesNear([5, 1, 0], 2), [
        ["x", 0.98],
        ["xy", 0.83],
      ])
      assert.deepStrictEqual(namesNear([0, 0, 1], 10), [
        ["x", 0],
        ["y", 0],
        ["xy", 0],
        ["z", -1],
      ])
    }),
  )

  it.scoped("returns all symbols that have the text of a vector", () =>
    Effect.gen(function* () {
      const { namesNear, sql, write } = yield* opened
      const symbols = [toSymbol("one"), toSymbol("other")]
      yield* write(() => VectorStore.add(sql, own, [{ ...toVector("one", [1, 0, 0]), symbols }]))
      assert.deepStrictEqual(namesNear([1, 0, 0], 1), [
        ["one", 1],
        ["other", 1],
      ])
    }),
  )

  it.scoped("keeps the nearest of many, also where their number is far beyond the limit", () =>
    Effect.gen(function* () {
      const { namesNear, sql, write } = yield* opened
      const many = Array.from({ length: 500 }, (_, n) => toVector(`n${n}`, [1, n / 100, 0]))
      yield* write(() => VectorStore.add(sql, own, many))
      assert.deepStrictEqual(
        namesNear([0, 1, 0], 3).map(([name]) => name),
        ["n499", "n498", "n497"],
      )
    }),
  )

  it.scoped("drops the vectors of another embedder, and of other dimensions, when some are added", () =>
    Effect.gen(function* () {
      const { namesNear, sql, write } = yield* opened
      yield* write(() => VectorStore.add(sql, own, [toVector("x", [1, 0, 0])]))
      yield* write(() => VectorStore.add(sql, { ...own, embedder: "other" }, [toVector("y", [0, 1, 0])]))
      assert.deepStrictEqual(VectorStore.owner(sql), { embedder: "other", dimensions: 3 })
      assert.deepStrictEqual(namesNear([1, 1, 0], 9), [["y", 0.71]])
      assert.deepStrictEqual(Array.from(VectorStore.findKeys(sql, ["key of x", "key of y"])), ["key of y"])
      yield* write(() => VectorStore.add(sql, { embedder: "other", dimensions: 2 }, [toVector("z", [0, 1])]))
      assert.deepStrictEqual(namesNear([0, 1], 9), [["z", 1]])
    }),
  )

  it.scoped("finds only the symbols that were linked last, and keeps the vectors of others", () =>
    Effect.gen(function* () {
      const { namesNear, sql, write } = yield* opened
      yield* write(() => VectorStore.add(sql, own, [toVector("x", [1, 0, 0]), toVector("y", [0, 1, 0])]))
      const renamed = { ...toSymbol("renamed"), key: "key of x" }
      yield* write(() => VectorStore.link(sql, [renamed, { ...toSymbol("new"), key: "unknown" }]))
      assert.deepStrictEqual(namesNear([1, 1, 0], 9), [["renamed", 0.71]])
      assert.strictEqual(VectorStore.count(sql), 2)
    }),
  )

  it.scoped("removes vectors without a symbol once they are more than the others, and finds the others as before", () =>
    Effect.gen(function* () {
      const { namesNear, sql, write } = yield* opened
      const add = (names: ReadonlyArray<string>) =>
        write(() =>
          VectorStore.add(
            sql,
            own,
            names.map((name, n) => toVector(name, [1, n, 2])),
          ),
        )
      const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
      yield* add(names("a", 1_000))
      yield* add(names("b", 600))
      const kept = names("b", 600).map((name) => ({ ...toSymbol(name), key: `key of ${name}` }))
      yield* write(() => VectorStore.link(sql, kept))
      assert.strictEqual(yield* write(() => VectorStore.prune(sql)), 0)
      const before = namesNear([1, 100, 2], 5)
      yield* add(names("c", 1))
      yield* write(() => VectorStore.link(sql, kept))
      assert.strictEqual(yield* write(() => VectorStore.prune(sql)), 1_001)
      assert.strictEqual(VectorStore.count(sql), 600)
      assert.deepStrictEqual(namesNear([1, 100, 2], 5).slice(0, 2), before.slice(0, 2))
      yield* add(["d"])
      assert.deepStrictEqual(namesNear([1, 0, 2], 2), [
        ["b0", 1],
        ["d", 1],
      ])
    }),
  )

  it.scoped("makes a damaged file again, and refuses a link in its place", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      fs.writeFileSync(VectorStore.fileIn(root), "no database at all, but long enough to be taken for one".repeat(100))
      assert.isTrue((yield* Effect.either(VectorStore.openToRead(root)))._tag === "Left")
      const sql = Sqlite.statements(yield* VectorStore.open(root))
      assert.strictEqual(VectorStore.count(sql), 0)
      const other = yield* VectorRoot.make
      const target = path.join(other, "target")
      fs.symlinkSync(target, VectorStore.fileIn(other))
      const error = yield* Effect.flip(VectorStore.open(other))
      assert.strictEqual(error.reason._tag, "NotAFile")
      assert.isFalse(fs.existsSync(target))
    }),
  )

  it.scoped("takes no numbers of the file on trust that say how much memory is needed", () =>
    Effect.gen(function* () {
      const { sql, write } = yield* opened
      yield* write(() => VectorStore.add(sql, own, [toVector("x", [1, 0, 0])]))
      for (const dimensions of ["4", "8000", "1000000000", "-3", "many"]) {
        sql("update setting set value = ? where key = 'dimensions'").run(dimensions)
        assert.isUndefined(VectorStore.read(sql), dimensions)
      }
    }),
  )

  it.scoped("opens nothing to read where there is no file, and makes none", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* Effect.flip(VectorStore.openToRead(root))
      assert.isFalse(fs.existsSync(VectorStore.fileIn(root)))
    }),
  )
})
