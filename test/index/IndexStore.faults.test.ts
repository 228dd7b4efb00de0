/** Faults of an index, and of the files that it describes, while it is open. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as Files from "../../src/code/Files.ts"
import { contentHash } from "../../src/code/SymbolHashes.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { openIndex, purposeOf, record, symbols, withIndex } from "./IndexStore.fixture.ts"

const onDisk = Layer.provide(Sqlite.layer, symbols)

const append = "export function append(node) {\n  return store.add(node)\n}\n"
const path_ = "export function path(id) {\n  return walk(id)\n}\n"
const files = { "src/Forest.ts": append, "src/Tree.ts": path_ }

const warnings: Array<unknown> = []
const recordingWarnings = Logger.replace(
  Logger.defaultLogger,
  Logger.make(({ message }) => void warnings.push(...[message].flat())),
)

const remove = (root: string) => Effect.sync(() => fs.rmSync(path.join(root, ".vibe"), { recursive: true }))

const purposesIn = (root: string): ReadonlyArray<string> =>
  fs
    .readFileSync(path.join(root, ".vibe/purposes.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).purpose)

describe("IndexStore (disk), when it is removed while it is open", () => {
  it.scoped("makes it again with all recorded purposes and a warning", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      warnings.length = 0
      yield* withIndex(root, files, (index) =>
        Effect.gen(function* () {
          yield* record(index, "append", "Adds a node.")
          yield* remove(root)
          yield* record(index, "path", "Walks up.")
          yield* remove(root)
          yield* record(index, "path", "Walks to the root.")
          assert.lengthOf(yield* index.files, 2)
          assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
          yield* remove(root)
        }),
      )
      assert.deepStrictEqual(purposesIn(root), ["Adds a node.", "Walks to the root."])
      assert.deepStrictEqual(warnings, Array(3).fill("the index was removed and is made again"))
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped("records its purposes in the index that another process has made in its place", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const mine = yield* openIndex(root, files)
      yield* record(mine, "append", "Adds a node.")
      yield* remove(root)
      const theirs = yield* openIndex(root, files)
      yield* record(theirs, "path", "Walks to the root.")
      yield* mine.ensureRecorded
      assert.strictEqual(yield* purposeOf(theirs, "append"), "Adds a node.")
      assert.strictEqual(yield* purposeOf(mine, "path"), "Walks to the root.")
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped("fails where the root was removed, and does not make it again", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* withIndex(root, files, (index) =>
        Effect.gen(function* () {
          yield* record(index, "append", "Adds a node.")
          yield* index.ensureRecorded
          fs.rmSync(root, { recursive: true })
          const error = yield* Effect.flip(index.ensureRecorded)
          assert.strictEqual(error.message, `${root}/.vibe: the index cannot be written`)
          assert.strictEqual((yield* Effect.flip(record(index, "append", "Adds."))).message, error.message)
        }),
      )
      assert.isFalse(fs.existsSync(root))
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )
})

describe("IndexStore, when a file changes while it is read", () => {
  it.scoped("indexes the text that was parsed, and the later one in the next refresh", () =>
    Effect.gen(function* () {
      const texts = [append, `\n\n${append.replace("add", "insert")}`, `\n${append}`] as const
      const moments = texts.map((text) => Files.makeMemory({ "/r/a.ts": text }))
      let reads = 0
      const first = Files.makeMemory({ "/r/a.ts": append })
      // The file changes between each listing and reading.
      const changing: Files.Service = {
        ...first,
        list: (path) => (moments[reads] ?? first).list(path),
        readReal: (path, most) =>
          path === "/r/a.ts" ? (moments[++reads] ?? first).readReal(path, most) : first.readReal(path, most),
      }
      const workspace = yield* Effect.provideService(Workspace.open("/r"), Files.Files, changing)
      const index = yield* (yield* IndexStore.IndexStore).open(workspace)
      for (const text of texts.slice(1)) {
        yield* index.refresh
        const source = text.trim()
        assert.deepStrictEqual(
          (yield* index.symbolsIn("a.ts")).map(({ hash, startLine }) => ({ hash, startLine })),
          [
            {
              hash: contentHash("function", "append", source),
              startLine: text.split("\n").indexOf(append.split("\n")[0] ?? "") + 1,
            },
          ],
        )
      }
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )
})
