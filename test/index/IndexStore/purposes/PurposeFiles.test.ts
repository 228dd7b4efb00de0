/** Purposes in shards, in a folder with a small limit. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, TestClock } from "effect"
import * as Sqlite from "../../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../../src/index/IndexStore.ts"
import * as Purposes from "../../../../src/index/Purposes.ts"
import { temporaryFolder } from "../../../disk/TemporaryFolder.ts"
import { copied } from "../../copied.ts"
import { record, symbols, withIndex, workspace } from "../../IndexStore.fixture.ts"

const onDisk = Layer.provide(Sqlite.layer, symbols)

const folders = ["app", "lib", "web"]

const names = folders.flatMap((folder) => Array.from({ length: 8 }, (_, n) => `${folder}${n}`))

/** Each function in a file of its own, eight in a folder. */
const files = Object.fromEntries(
  names.map((name) => [`${name.slice(0, 3)}/${name}.ts`, `export function ${name}() {\n  return 1\n}\n`]),
)

const small = Effect.locally(Sqlite.shardLimits, { single: 1_500, shard: 1_600 })

const recordAll = (index: IndexStore.Index) =>
  Effect.forEach(names, (name) => record(index, name, `What ${name} does.`))

const vibe = (root: string) => path.join(root, ".vibe")

const textOf = (root: string, name: string) => fs.readFileSync(path.join(vibe(root), name), "utf8")

const shardsIn = (root: string) => fs.readdirSync(path.join(vibe(root), "purposes")).sort()

const purposesOf = (index: IndexStore.Index) =>
  Effect.forEach(names, (name) => Effect.map(index.find(name), ([entry]) => entry?.purpose?.text))

const expected = names.map((name) => `What ${name} does.`)

/** A folder with all purposes in one file, as an earlier version has written them. */
const inOneFile = Effect.tap(
  temporaryFolder,
  copied((root) => Effect.provide(withIndex(root, files, recordAll), onDisk)),
)

const explore = (root: string) => small(withIndex(root, files, purposesOf))

/** As commands read that explore nothing. */
const readExisting = (root: string) =>
  small(
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* IndexStore.IndexStore
        return yield* purposesOf((yield* store.openExisting(yield* workspace(root, files))).index)
      }),
    ),
  )

const warnings: Array<unknown> = []
const recordingWarnings = Logger.replace(
  Logger.defaultLogger,
  Logger.make(({ message }) => void warnings.push(...[message].flat())),
)

describe("PurposeFiles", () => {
  it.scoped("goes over to a file for each folder with the next exploration, and has the same purposes", () =>
    Effect.gen(function* () {
      const root = yield* inOneFile
      const before = textOf(root, "purposes.jsonl")
      assert.deepStrictEqual(yield* readExisting(root), expected)
      assert.strictEqual(textOf(root, "purposes.jsonl"), before)
      assert.deepStrictEqual(yield* explore(root), expected)
      assert.deepStrictEqual(shardsIn(root), ["app.jsonl", "lib.jsonl", "web.jsonl"])
      assert.strictEqual(textOf(root, "purposes.jsonl"), "")
      assert.strictEqual(
        shardsIn(root)
          .map((name) => textOf(root, `purposes/${name}`))
          .join(""),
        before,
      )
      fs.rmSync(path.join(vibe(root), "index.db"))
      assert.deepStrictEqual(yield* readExisting(root), expected)
      assert.deepStrictEqual(warnings, [
        "purposes.jsonl has become large, and its lines are in the files of .vibe/purposes now: commit both; where 'vibe merge-driver --install' was run, run it again",
      ])
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped("notices a change of a shard while the index stays open, however it is dated", () =>
    Effect.gen(function* () {
      const root = yield* inOneFile
      yield* explore(root)
      // Far from the times of the files, so that these are relied on.
      yield* TestClock.setTime(Number.MAX_SAFE_INTEGER)
      const shard = path.join(vibe(root), "purposes/web.jsonl")
      const change = (from: string, to: string) => {
        const { mtime } = fs.statSync(shard)
        fs.writeFileSync(shard, textOf(root, "purposes/web.jsonl").replace(from, to))
        fs.utimesSync(shard, mtime, mtime)
      }
      yield* small(
        withIndex(root, files, (index) =>
          Effect.gen(function* () {
            const purposeOf = Effect.zipRight(
              index.refresh,
              Effect.map(index.find("web1"), ([e]) => e?.purpose?.text),
            )
            assert.strictEqual(yield* purposeOf, "What web1 does.")
            change("What web1 does.", "What web1 says.")
            assert.strictEqual(yield* purposeOf, "What web1 says.")
            change("What web1 says.", "What web1 asks.")
            assert.strictEqual(yield* purposeOf, "What web1 asks.")
          }),
        ),
      )
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped("rewrites one file for a purpose that has changed", () =>
    Effect.gen(function* () {
      const root = yield* inOneFile
      yield* explore(root)
      const inodeOf = (name: string) => fs.statSync(path.join(vibe(root), "purposes", name)).ino
      const before = shardsIn(root).map(inodeOf)
      yield* small(withIndex(root, files, (index) => record(index, "lib3", "Something else.")))
      const isSame = shardsIn(root).map((name, at) => inodeOf(name) === before[at])
      assert.deepStrictEqual(isSame, [true, false, true])
      assert.include(textOf(root, "purposes/lib.jsonl"), "Something else.")
      assert.strictEqual((yield* readExisting(root))[names.indexOf("lib3")], "Something else.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped.each(["app.jsonl", "lib.jsonl", "web.jsonl"])(
    "loses no purpose where %s cannot be written, and ends what was begun later",
    (name) =>
      Effect.gen(function* () {
        const root = yield* inOneFile
        const obstacle = path.join(vibe(root), "purposes", `${name}.${process.pid}.tmp`)
        fs.mkdirSync(obstacle, { recursive: true })
        yield* Effect.exit(explore(root))
        const there = [
          "purposes.jsonl",
          ...shardsIn(root)
            .filter((name) => name.endsWith(".jsonl"))
            .map((name) => `purposes/${name}`),
        ]
        const kept = there.flatMap((file) => Purposes.parse(textOf(root, file)).lines.map(({ line }) => line.purpose))
        assert.sameMembers([...new Set(kept)], expected)
        fs.rmdirSync(obstacle)
        assert.deepStrictEqual(yield* explore(root), expected)
        assert.strictEqual(textOf(root, "purposes.jsonl"), "")
      }).pipe(Effect.provide(onDisk), Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none))),
  )

  it.scoped(
    "reads what a merge has left in purposes.jsonl beside the shards, and moves it with the next exploration",
    () =>
      Effect.gen(function* () {
        const root = yield* inOneFile
        const [line = ""] = textOf(root, "purposes.jsonl").split("\n")
        yield* explore(root)
        const newer = line.replace("What app0 does.", "What a branch says.").replace('"n-1"', '"n-2"')
        fs.writeFileSync(path.join(vibe(root), "purposes.jsonl"), `${newer}\n`)
        const merged = ["What a branch says.", ...expected.slice(1)]
        assert.deepStrictEqual(yield* readExisting(root), merged)
        assert.strictEqual(textOf(root, "purposes.jsonl"), `${newer}\n`)
        assert.deepStrictEqual(yield* explore(root), merged)
        assert.strictEqual(textOf(root, "purposes.jsonl"), "")
        assert.isFalse(textOf(root, "purposes/app.jsonl").includes("What app0 does."))
      }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("keeps all lines of files that this checkout leaves out, however many versions they have", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const versions = Array.from({ length: 5 }, (_, n) =>
        JSON.stringify({
          path: "away/gone.ts",
          symbol: "gone",
          kind: "function",
          hash: `h${n}`,
          purpose: `Version ${n}.`,
          model: "test/one",
          node: `n${n}`,
        }),
      )
      fs.mkdirSync(vibe(root))
      fs.writeFileSync(path.join(vibe(root), "purposes.jsonl"), `${versions.join("\n")}\n`)
      yield* withIndex(root, files, (index) => record(index, "app0", "Something."))
      assert.includeMembers(textOf(root, "purposes.jsonl").split("\n"), versions)
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("refuses a link in place of the folder of the shards", () =>
    Effect.gen(function* () {
      const root = yield* inOneFile
      fs.symlinkSync(yield* temporaryFolder, path.join(vibe(root), "purposes"))
      const error = yield* Effect.flip(explore(root))
      assert.include(error.message, `${path.join(vibe(root), "purposes")}: `)
    }).pipe(Effect.provide(onDisk), Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none))),
  )
})
