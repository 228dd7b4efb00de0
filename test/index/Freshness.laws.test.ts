/** With a watch of the real file system: whatever happens to the files, the index has it when a question is answered. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, FastCheck, Layer } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as NodeWatcher from "../../src/code/Watcher/Node.ts"
import * as Watcher from "../../src/code/Watcher.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Freshness from "../../src/index/Freshness.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { cases } from "../thoroughness.ts"
import { symbols } from "./IndexStore.fixture.ts"

const { constantFrom } = FastCheck

const file = constantFrom("a.ts", "b.ts", "src/a.ts", "src/b.ts", "src/deep/c.ts", "lib/d.ts", "lib/deep/c.ts")
const folder = constantFrom("src", "lib", "src/deep", "lib/deep", "other")
const any = FastCheck.oneof(file, folder)
const name = constantFrom("oak", "elm", "ash")
const rules = constantFrom("", "lib/\n", "*.ts\n!a.ts\n", "src/*\n!src/deep\n", "deep\n")

/** Something that happens to a folder, and fails where it cannot; `number` makes no two texts the same. */
type Operation = (root: string, number: number) => void

const text = (one: string, other: string, number: number): string =>
  `import { ${other} } from "./b.ts"\nexport function ${one}() {\n  return ${other}(${number})\n}\n${"\n".repeat(number)}`

const write = (target: string, content: string): void => {
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.writeFileSync(target, content)
}

const operation: FastCheck.Arbitrary<Operation> = FastCheck.oneof(
  FastCheck.tuple(file, name, name).map(
    ([at, one, other]): Operation =>
      (root, number) =>
        write(path.join(root, at), text(one, other, number)),
  ),
  // As editors save: a new file is renamed over the old one.
  FastCheck.tuple(file, name).map(
    ([at, one]): Operation =>
      (root, number) => {
        write(path.join(root, `${at}.tmp`), text(one, one, number))
        fs.renameSync(path.join(root, `${at}.tmp`), path.join(root, at))
      },
  ),
  FastCheck.tuple(any, any).map(
    ([from, to]): Operation =>
      (root) =>
        fs.renameSync(path.join(root, from), path.join(root, to)),
  ),
  any.map(
    (at): Operation =>
      (root) =>
        fs.rmSync(path.join(root, at), { recursive: true }),
  ),
  folder.map(
    (at): Operation =>
      (root) =>
        fs.mkdirSync(path.join(root, at), { recursive: true }),
  ),
  FastCheck.tuple(any, any).map(
    ([to, at]): Operation =>
      (root) =>
        fs.symlinkSync(path.join(root, to), path.join(root, at)),
  ),
  FastCheck.tuple(constantFrom(".gitignore", "src/.gitignore", ".vibeignore"), rules).map(
    ([at, rules]): Operation =>
      (root, number) =>
        write(path.join(root, at), rules + "#".repeat(number)),
  ),
  constantFrom("*.ts linguist-generated\n", "lib/** linguist-vendored\n").map(
    (rules): Operation =>
      (root, number) =>
        write(path.join(root, ".gitattributes"), rules + "#".repeat(number)),
  ),
)

/** What happens between two questions, for several questions. */
const story = FastCheck.array(FastCheck.array(operation, { maxLength: 6 }), { minLength: 1, maxLength: 5 })

const contents = (index: IndexStore.Index) =>
  Effect.flatMap(index.files, (files) =>
    Effect.forEach(files, (file) =>
      Effect.map(index.symbolsIn(file.path), (symbols) => ({
        ...file,
        symbols: symbols.map(({ hash, qualifiedName, startLine, usedBy }) => [qualifiedName, startLine, hash, usedBy]),
      })),
    ),
  )

const onDisk = Layer.provide(Sqlite.layer, symbols)
const inMemory = Layer.fresh(Layer.provide(Sqlite.layerMemory, symbols))

const newIndex = (root: string) =>
  Effect.gen(function* () {
    const index = yield* (yield* IndexStore.IndexStore).open(yield* Workspace.open(root))
    yield* index.refresh
    return yield* contents(index)
  }).pipe(Effect.scoped, Effect.provide(inMemory))

it.effect.prop(
  "has the same files and symbols after any changes as a new index",
  [story],
  ([story]) =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const workspace = yield* Workspace.open(root)
      const index = yield* (yield* IndexStore.IndexStore).open(workspace)
      const watch = yield* (yield* Watcher.Watcher).watch(workspace)
      const freshness = yield* Freshness.make(index, { watch })
      let number = 0
      for (const operations of [[], ...story]) {
        for (const operation of operations) {
          number += 1
          try {
            operation(root, number)
          } catch {
            // The path is not there, or is something else by now.
          }
        }
        const state = yield* freshness.refresh
        assert.strictEqual(state._tag, "Current")
        assert.deepStrictEqual(yield* contents(index), yield* newIndex(root))
      }
    }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(onDisk, NodeFiles.layer, NodeWatcher.layer))),
  { fastCheck: { numRuns: cases(40) } },
)
