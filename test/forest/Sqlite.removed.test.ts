import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { newFile, opened, planted, texts, verified } from "./forestFiles.ts"
import { draft } from "./forests.ts"

describe("A forest in a file that is removed while it is open", () => {
  /** A conversation that goes on from what an earlier run has kept, beside one that it does not touch. */
  const goingOn = <A, E, R>(
    use: (given: {
      readonly file: string
      readonly forest: Forest.Service
      readonly store: ForestStore.Service
      readonly last: NodeId
      readonly logged: ReadonlyArray<string>
    }) => Effect.Effect<A, E, R>,
  ) =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* opened(file, (forest) =>
        Effect.flatMap(forest.root({ owner: "other", systemPrompt: "" }), ({ id }) =>
          forest.append(id, [draft("private")]),
        ),
      )
      const { ids } = yield* planted(file, "a", "b")
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      const layer = Forest.layer.pipe(Layer.provideMerge(Sqlite.layer(file)), Layer.provide(Ids.layer))
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const store = yield* ForestStore.ForestStore
        yield* use({ file, forest, store, last: ids[1] ?? NodeId.make("x"), logged })
      }).pipe(Effect.provide(Layer.fresh(layer)), Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      return file
    })

  it.scopedLive.each<readonly [how: string, remove: (file: string) => void]>([
    ["removed", (file) => fs.rmSync(file)],
    ["removed with its folder", (file) => fs.rmSync(path.dirname(file), { recursive: true })],
    ["moved away", (file) => fs.renameSync(file, `${file}.old`)],
  ])("is made again with the conversation that goes on, and says so: %s", ([, remove]) =>
    Effect.gen(function* () {
      const file = yield* goingOn(({ file, forest, last, logged, store }) =>
        Effect.gen(function* () {
          const [third] = yield* forest.append(last, [draft("c")])
          remove(file)
          assert.lengthOf((yield* forest.path(third?.id ?? last)).nodes, 3)
          const [fourth] = yield* forest.append(third?.id ?? last, [draft("d")])
          assert.deepStrictEqual(logged, [
            "the conversations were removed while they were in use; this one is kept all the same",
          ])
          // What another process finds, while this one still has it open.
          assert.deepStrictEqual(yield* texts(file, fourth?.id ?? last), ["a", "b", "c", "d"])
          assert.deepStrictEqual((yield* store.verify).problems, [])
        }),
      )
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(
            (yield* forest.roots()).map(({ owner }) => owner),
            ["a"],
          )
          assert.lengthOf(yield* forest.search({ text: "d" }), 1)
          assert.deepStrictEqual(
            (yield* forest.history(9)).map(({ author }) => author),
            ["library", "recovered", "recovered"],
          )
        }),
      )
      const moved = `${file}.old`
      if (!fs.existsSync(moved)) return
      const found = yield* opened(moved, (forest) => forest.search({ text: "c" }))
      assert.deepStrictEqual(
        found.map(({ message }) => Message.text(message)),
        ["c"],
      )
    }),
  )

  it.scopedLive("goes on in the forest that has taken its place, with what that has", () =>
    Effect.gen(function* () {
      const file = yield* goingOn(({ file, forest, last, logged }) =>
        Effect.gen(function* () {
          const other = yield* newFile
          fs.mkdirSync(path.dirname(other))
          // As it was a moment ago.
          new DatabaseSync(file).exec(`vacuum into '${other}'`)
          yield* opened(other, (forest) =>
            Effect.flatMap(forest.root({ owner: "third", systemPrompt: "" }), ({ id }) =>
              forest.append(id, [draft("theirs")]),
            ),
          )
          yield* forest.append(last, [draft("c")])
          for (const end of ["-wal", "-shm"]) fs.rmSync(`${file}${end}`)
          fs.renameSync(other, file)
          yield* forest.edit(last, "b, otherwise")
          assert.lengthOf(logged, 1)
          assert.include(logged[0] ?? "", "replaced")
        }),
      )
      yield* opened(file, (forest) =>
        Effect.gen(function* () {
          const roots = yield* forest.roots()
          const all = yield* Effect.forEach(roots, ({ id }) => forest.subtree(id))
          assert.deepStrictEqual(
            all.map((nodes) => nodes.map(({ message }) => Message.text(message))),
            [["private"], ["a", "b", "c", ", otherwise"], ["theirs"]],
          )
          assert.deepStrictEqual((yield* verified(Sqlite.layer(file))).problems, [])
        }),
      )
    }),
  )

  it.scopedLive("fails each time while no new file can be made, and continues once it can", () =>
    goingOn(({ file, forest, last, logged }) =>
      Effect.gen(function* () {
        fs.rmSync(path.dirname(file), { recursive: true })
        fs.writeFileSync(path.dirname(file), "")
        for (const _ of [1, 2]) {
          const error = yield* Effect.flip(forest.append(last, [draft("c")]))
          assert.strictEqual(
            error.message,
            `the conversation cannot be saved: ${file} was removed while it was in use, and cannot be made again: ${file}: cannot be written`,
          )
        }
        assert.lengthOf((yield* forest.path(last)).nodes, 2)
        assert.deepStrictEqual(logged, [])
        fs.rmSync(path.dirname(file))
        const [third] = yield* forest.append(last, [draft("c")])
        assert.deepStrictEqual(yield* texts(file, third?.id ?? last), ["a", "b", "c"])
      }),
    ),
  )

  it.scopedLive("stays removed where nothing more is said", () =>
    Effect.gen(function* () {
      const file = yield* goingOn(({ file, forest, last }) =>
        Effect.gen(function* () {
          yield* forest.operation(forest.append(last, [draft("c")]).pipe(Effect.tap(() => fs.rmSync(file))))
          assert.lengthOf((yield* forest.path(last)).nodes, 2)
        }),
      )
      assert.isFalse(fs.existsSync(file))
    }),
  )
})
