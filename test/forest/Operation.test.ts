/** Operations: what was changed together is undone and redone together, whatever keeps the forest. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import { statements } from "../../src/disk/Sqlite.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import * as Seal from "../../src/forest/ForestStore/internal/seal.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Operation from "../../src/forest/Operation.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { isThorough } from "../thoroughness.ts"
import * as Version1 from "./version1.ts"

const layerOf = <E>(store: Layer.Layer<ForestStore.ForestStore, E>) =>
  Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Ids.layerSequence))

const newFile = Effect.map(temporaryFolder, (folder) => path.join(folder, "forest.db"))

const onDisk = Layer.unwrapScoped(Effect.map(newFile, (file) => layerOf(Sqlite.layer(file))))

const draft = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const call = Block.toolUse("c1", "look", {})

const calling: Draft = {
  message: { role: "assistant", content: [call] },
  source: { type: "model", model: "test/model", finish: "tool_calls", usage: Usage.none },
}

const answering: Draft = {
  message: Message.toolResult(call, "nothing", false),
  source: { type: "tool", tool: "look" },
}

const texts = (nodes: ReadonlyArray<Node>) => nodes.map(({ message }) => Message.text(message))

const by =
  (author: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.locally(effect, Operation.author, author)

const message = <A, R>(effect: Effect.Effect<A, ForestError, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

const ids = (operations: ReadonlyArray<Operation.Summary>) => operations.map(({ id }) => id)

/** All nodes of the tree `n-0`. */
const all = Effect.flatMap(Forest.Forest, (forest) => Effect.map(forest.subtree(NodeId.make("n-0")), texts))

/** One after the other, each an operation of its own below the one before; the tree is operation 1. */
const said = (...messages: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { id } = yield* forest.root({ owner: "test", systemPrompt: "" })
    const nodes: Array<NodeId> = []
    for (const text of messages) {
      const [node] = yield* forest.append(nodes.at(-1) ?? id, [draft(text)])
      nodes.push(node?.id ?? id)
    }
    return { forest, root: id, nodes, at: (n: number) => nodes[n] ?? assert.fail(`there is no message ${n}`) }
  })

// The same code keeps them in both; other sentences below are about files.
describe.each([
  ["in memory", layerOf(Sqlite.layerMemory)],
  ...(isThorough ? ([["in a file", onDisk]] as const) : []),
] as const)("Operations, %s", (_, layer) => {
  const specify = <A, E>(sentence: string, test: Effect.Effect<A, E, Forest.Forest>) =>
    it.effect(sentence, () => Effect.provide(test, Layer.fresh(layer)))

  specify(
    "undoes and redoes all that one operation changed, in every tree",
    Effect.gen(function* () {
      const { at, forest, root } = yield* said("a", "b")
      yield* forest.operation(
        Effect.gen(function* () {
          yield* forest.append(at(1), [draft("c")])
          yield* forest.edit(at(0), "a, otherwise")
          const other = yield* forest.root({ owner: "other", systemPrompt: "" })
          yield* forest.append(other.id, [draft("elsewhere")])
        }),
      )
      const after = yield* forest.subtree(root)
      const [undone, ...others] = yield* forest.undo()
      assert.deepStrictEqual(others, [])
      assert.deepInclude(undone, { id: 4, nodes: 3, isUndone: true, kinds: ["append", "edit", "root"] })
      assert.deepStrictEqual(yield* all, ["a", "b"])
      assert.lengthOf(yield* forest.roots(), 1)

      const [redone] = yield* forest.redo()
      assert.deepInclude(redone, { id: 4, isUndone: false })
      assert.deepStrictEqual(yield* forest.subtree(root), after)
      assert.lengthOf(yield* forest.roots(), 2)
      assert.strictEqual(yield* message(forest.redo()), "there is nothing to redo")
      assert.deepStrictEqual(ids(yield* forest.undo()), [4])
    }),
  )

  specify(
    "redoes one undo after the other, the latest first",
    Effect.gen(function* () {
      const { forest } = yield* said("a", "b", "c")
      yield* Effect.replicateEffect(forest.undo(), 3)
      assert.deepStrictEqual(yield* all, [])
      assert.deepStrictEqual(ids((yield* Effect.replicateEffect(forest.redo(), 2)).flat()), [2, 3])
      assert.deepStrictEqual(yield* all, ["a", "b"])
      assert.deepStrictEqual(ids(yield* forest.undo()), [3])
      assert.deepStrictEqual(ids((yield* Effect.replicateEffect(forest.redo(), 2)).flat()), [3, 4])
      assert.deepStrictEqual(yield* all, ["a", "b", "c"])
    }),
  )

  specify(
    "redoes all that was undone, whatever the operations before the latest have done to its messages",
    Effect.gen(function* () {
      const { at, forest, root } = yield* said("ab", "c", "d")
      const changes: ReadonlyArray<Effect.Effect<unknown, ForestError>> = [
        forest.edit(at(2), "e"),
        forest.move(at(2), at(0)),
        forest.remove(at(1), "reparent"),
        forest.split(at(0), 1),
        forest.edit(at(2), "f"),
        forest.join(at(0)),
        forest.remove(at(2), "cascade"),
      ]
      const drawings = [yield* forest.subtree(root)]
      for (const change of changes) {
        yield* change
        drawings.push(yield* forest.subtree(root))
      }
      const counts = isThorough ? changes.map((_, at) => at + 1).slice(1) : [2, changes.length]
      for (const undone of counts) {
        for (const drawing of drawings.slice(0, -1).slice(-undone).reverse()) {
          yield* forest.undo()
          assert.deepStrictEqual(yield* forest.subtree(root), drawing)
        }
        for (const drawing of drawings.slice(-undone)) {
          yield* forest.redo()
          assert.deepStrictEqual(yield* forest.subtree(root), drawing)
        }
      }
    }),
  )

  specify(
    "is part of the operation around it, and an undo of none",
    Effect.gen(function* () {
      const { at, forest } = yield* said("a")
      yield* forest.operation(
        Effect.gen(function* () {
          yield* forest.append(at(0), [draft("b")])
          yield* forest.operation(forest.append(at(0), [draft("c")]))
          const begun = yield* forest.begin
          yield* begun(forest.append(at(0), [draft("d")]))
        }).pipe(Effect.scoped),
      )
      yield* forest.undo()
      assert.deepStrictEqual(yield* all, ["a"])
    }),
  )

  specify(
    "holds what fibers of it change at the same time, and nothing that others change meanwhile",
    Effect.gen(function* () {
      const { at, forest, root } = yield* said("a")
      const go = yield* Deferred.make<void>()
      const first = yield* Deferred.make<void>()
      const running = yield* forest
        .operation(
          Effect.forEach(
            ["b", "c"],
            (text) =>
              forest
                .append(at(0), [draft(text)])
                .pipe(Effect.zipRight(Deferred.succeed(first, undefined)), Effect.zipRight(Deferred.await(go))),
            { concurrency: 2 },
          ).pipe(Effect.zipRight(forest.append(at(0), [draft("d")]))),
        )
        .pipe(Effect.fork)
      yield* Deferred.await(first)
      yield* forest.append(root, [draft("x")])
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(running)
      yield* forest.undo()
      assert.deepStrictEqual(yield* all, ["a", "x"])
    }),
  )

  specify(
    "refuses an undo on which later changes depend, names their operation, and changes nothing",
    Effect.gen(function* () {
      const { at, forest, root } = yield* said("a", "b")
      const before = yield* forest.subtree(root)
      assert.strictEqual(
        yield* message(forest.undoOperation(2)),
        `Operation 2 cannot be undone: ${at(1)} stands on it (operation 3)`,
      )
      assert.strictEqual(
        yield* message(forest.undoOperation(1)),
        `Operation 1 cannot be undone: ${at(0)} stands on it (operation 2)`,
      )
      assert.deepStrictEqual(yield* forest.subtree(root), before)
      yield* forest.undoOperation(3)
      assert.deepStrictEqual(ids(yield* forest.undoOperation(2)), [2])
    }),
  )

  specify(
    "refuses what was changed or bookmarked since, unless that is undone",
    Effect.gen(function* () {
      const { at, forest } = yield* said("a")
      yield* forest.edit(at(0), "b")
      yield* forest.edit(at(0), "c")
      assert.strictEqual(
        yield* message(forest.undoOperation(2)),
        `Operation 2 cannot be undone: ${at(0)} was changed since (operation 4)`,
      )
      assert.strictEqual(
        yield* message(forest.undoOperation(3)),
        `Operation 3 cannot be undone: ${at(0)} was changed since (operation 4)`,
      )
      yield* forest.bookmark("here", at(0))
      yield* forest.undoOperation(4)
      yield* forest.undoOperation(3)
      assert.strictEqual(
        yield* message(forest.undoOperation(2)),
        'Operation 2 cannot be undone: the bookmark "here" stands on it',
      )
      yield* forest.undoOperation(5)
      yield* forest.undoOperation(2)
      assert.deepStrictEqual(yield* all, [])
    }),
  )

  specify(
    "redoes nothing over what was changed since",
    Effect.gen(function* () {
      const { at, forest } = yield* said("a")
      yield* forest.edit(at(0), "b")
      yield* forest.undo()
      yield* forest.edit(at(0), "c")
      assert.strictEqual(
        yield* message(forest.redo()),
        `Operation 3 cannot be redone: ${at(0)} was changed since (operation 5)`,
      )
      assert.deepStrictEqual(yield* all, ["c"])
      yield* forest.undo()
      yield* forest.redo()
      assert.deepStrictEqual(yield* all, ["c"])
    }),
  )

  specify(
    "redoes no deletion of what was changed since",
    Effect.gen(function* () {
      const { at, forest } = yield* said("a")
      yield* forest.remove(at(0), "cascade")
      yield* forest.undo()
      yield* forest.edit(at(0), "b")
      assert.include(yield* message(forest.redo()), "was changed since")
      assert.deepStrictEqual(yield* all, ["b"])
    }),
  )

  specify(
    "takes back the latest of one command and those below it, whoever changed something later",
    Effect.gen(function* () {
      const { forest, root } = yield* by("index")(said("a"))
      assert.strictEqual(yield* message(forest.undo(undefined, "loom")), "there is nothing to undo")
      yield* by("loom append")(forest.append(root, [draft("b")]))
      yield* by("loom edit")(forest.append(root, [draft("c")]))
      yield* by("loomed")(forest.append(root, [draft("d")]))
      yield* by("chat")(forest.append(root, [draft("e")]))
      const undone = by("loom undo")(forest.undo(undefined, "loom"))
      assert.deepStrictEqual(
        (yield* Effect.replicateEffect(undone, 2)).flatMap((each) => each.map(({ author }) => author)),
        ["loom edit", "loom append"],
      )
      assert.strictEqual(yield* message(undone), "there is nothing to undo")
      assert.deepStrictEqual(yield* all, ["a", "d", "e"])
      assert.strictEqual(yield* message(forest.redo("chat")), "there is nothing to redo")
      yield* by("loom redo")(forest.redo("loom"))
      assert.deepStrictEqual(yield* all, ["a", "b", "d", "e"])
      assert.deepStrictEqual(ids(yield* forest.undo(root)), [3])
    }),
  )

  specify(
    "passes over what is under way, and refuses it by its name, until it ends",
    Effect.gen(function* () {
      const { forest, root } = yield* said("a")
      const asked = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<void>()
      const running = yield* forest
        .operation(
          forest
            .append(root, [draft("question")])
            .pipe(
              Effect.zipRight(Deferred.succeed(asked, undefined)),
              Effect.zipRight(Deferred.await(answered)),
              Effect.zipRight(forest.append(root, [draft("answer")])),
            ),
        )
        .pipe(Effect.fork)
      yield* Deferred.await(asked)
      assert.strictEqual(yield* message(forest.undoOperation(3)), "Operation 3 cannot be undone: it is still under way")
      assert.deepStrictEqual(
        (yield* forest.history(2)).map(({ id, isUnderWay }) => [id, isUnderWay]),
        [
          [3, true],
          [2, false],
        ],
      )
      assert.deepStrictEqual(ids(yield* forest.undo(root)), [2])
      yield* Deferred.succeed(answered, undefined)
      yield* Fiber.join(running)
      assert.deepStrictEqual(ids(yield* forest.undo()), [3])
      assert.deepStrictEqual(yield* all, [])
    }),
  )

  specify(
    "is not under way where it was interrupted",
    Effect.gen(function* () {
      const { forest, root } = yield* said()
      const asked = yield* Deferred.make<void>()
      const running = yield* forest
        .operation(
          Effect.zipRight(
            forest.append(root, [draft("a")]),
            Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never),
          ),
        )
        .pipe(Effect.fork)
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(ids(yield* forest.undo()), [2])
    }),
  )

  specify(
    "leaves no call without its answer: what holds the call is undone with it, if it may be",
    Effect.gen(function* () {
      const { at, forest } = yield* said("look around")
      const [asked] = yield* by("chat")(forest.append(at(0), [calling]))
      const [result] = yield* by("loom append")(forest.append(asked?.id ?? at(0), [answering]))
      yield* by("loom append")(forest.append(result?.id ?? at(0), [draft("thanks")]))
      yield* forest.undo(undefined, "loom")
      assert.strictEqual(
        yield* message(forest.undo(undefined, "loom")),
        `Operation 4 cannot be undone alone: it answers a call of operation 3 (node ${asked?.id})`,
      )
      assert.deepStrictEqual(ids(yield* forest.undoOperation(4)), [4, 3])
      assert.deepStrictEqual(yield* all, ["look around"])
      assert.deepStrictEqual(ids(yield* forest.redo()), [4, 3])
      assert.deepStrictEqual((yield* forest.path(result?.id ?? at(0))).nodes.length, 3)
    }),
  )

  specify(
    "undoes the answers of one branch where another still has some",
    Effect.gen(function* () {
      const { at, forest } = yield* said("look around")
      const [asked] = yield* forest.append(at(0), [calling])
      yield* forest.append(asked?.id ?? at(0), [answering])
      yield* forest.append(asked?.id ?? at(0), [
        { ...answering, message: Message.toolResult(call, "something", false) },
      ])
      assert.deepStrictEqual(ids(yield* forest.undo()), [5])
    }),
  )

  specify(
    "fails with the reason for what cannot be undone",
    Effect.gen(function* () {
      const { forest } = yield* said("a")
      yield* forest.undo()
      assert.strictEqual(yield* message(forest.undoOperation(9)), "There is no operation 9")
      assert.strictEqual(yield* message(forest.undoOperation(2)), "Operation 2 cannot be undone: it is undone already")
      assert.strictEqual(yield* message(forest.undoOperation(3)), "Operation 3 cannot be undone: it is an undo")
      yield* forest.redo()
      assert.strictEqual(yield* message(forest.undoOperation(4)), "Operation 4 cannot be undone: it is a redo")
    }),
  )

  specify(
    "lists what was done, the latest first: when, by what, where, and whether it stands",
    Effect.gen(function* () {
      yield* TestClock.setTime(1000)
      const { at, forest, root } = yield* by("chat")(said("a"))
      yield* TestClock.setTime(2000)
      yield* by("loom append")(
        forest.operation(
          Effect.zipRight(
            Effect.flatMap(forest.root({ owner: "other", systemPrompt: "" }), ({ id }) =>
              forest.append(id, [draft("b")]),
            ),
            forest.append(at(0), [draft("c"), draft("d")]),
          ),
        ),
      )
      yield* by("loom undo")(forest.undo())
      const other =
        (yield* forest.history(1))[0]?.trees.find((tree) => tree !== root) ?? assert.fail("it is of two trees")
      const usual = { isUnderWay: false, of: undefined }
      assert.deepStrictEqual(yield* forest.history(9), [
        {
          ...usual,
          id: 6,
          at: 2000,
          author: "loom undo",
          kinds: ["undo"],
          trees: [root, other],
          nodes: 3,
          isUndone: false,
          of: 3,
        },
        {
          ...usual,
          id: 3,
          at: 2000,
          author: "loom append",
          kinds: ["root", "append"],
          trees: [other, root],
          nodes: 3,
          isUndone: true,
        },
        { ...usual, id: 2, at: 1000, author: "chat", kinds: ["append"], trees: [root], nodes: 1, isUndone: false },
        { ...usual, id: 1, at: 1000, author: "chat", kinds: ["root"], trees: [root], nodes: 0, isUndone: false },
      ])
      assert.deepStrictEqual(ids(yield* forest.history(2)), [6, 3])
    }),
  )
})

describe("Operations of several processes", () => {
  /** A question that a process of this number has begun to answer. */
  const begunBy = (process: number) =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* Effect.provide(said("a", "question"), layerOf(Sqlite.layer(file)))
      const database = new DatabaseSync(file)
      database.exec(`update journal set operation_id = 'theirs' where id = 3;
        insert into running values ('theirs', ${process})`)
      Seal.addEntry(statements(database))
      database.close()
      return layerOf(Sqlite.layer(file))
    })

  const undone = Effect.flatMap(Forest.Forest, (forest) => Effect.map(forest.undo(), ids))

  it.scoped("are under way as long as the process is alive", () =>
    Effect.gen(function* () {
      const refused = Effect.flatMap(Forest.Forest, (forest) => message(forest.undo()))
      const theirs = yield* begunBy(process.ppid)
      assert.strictEqual(
        yield* Effect.provide(refused, theirs),
        "Operation 2 cannot be undone: n-2 stands on it (operation 3)",
      )
    }),
  )

  it.scoped("are over where it was killed, or an earlier one had the number of this one", () =>
    Effect.gen(function* () {
      const { pid } = spawnSync(process.execPath, ["--version"])
      for (const dead of [pid, process.pid]) {
        assert.deepStrictEqual(yield* Effect.provide(undone, yield* begunBy(dead)), [3])
      }
    }),
  )
})

describe("A forest of the first format", () => {
  const written = Effect.tap(newFile, (file) =>
    Effect.sync(() => Version1.write(file, [draft("look around"), calling, answering, draft("thanks")])),
  )
  const old = Effect.map(written, (file) => layerOf(Sqlite.layer(file)))

  it.scoped("is read where it cannot be written, and stays as it is", () =>
    Effect.gen(function* () {
      const file = yield* written
      // No permission, which would not bind root: SQLite needs a file of this name to write.
      fs.mkdirSync(`${file}-shm`)
      const before = fs.readFileSync(file)
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        assert.lengthOf((yield* forest.path(NodeId.make("n-4"))).nodes, 4)
        assert.lengthOf(yield* forest.history(9), 7)
        assert.include(yield* message(forest.undoOperation(5)), "cannot be saved")
      }).pipe(Effect.provide(layerOf(Sqlite.layerReadable(file))))
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  it.scoped("is taken over without loss: each entry is an operation of its own, and its author is unknown", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { verify } = yield* ForestStore.ForestStore
        const root = NodeId.make("r")
        assert.deepStrictEqual(texts((yield* forest.path(NodeId.make("n-4"))).nodes), [
          "look around",
          "",
          "nothing",
          "thanks",
        ])
        assert.deepStrictEqual((yield* verify).problems, [])
        assert.deepStrictEqual(
          (yield* forest.history(9)).map(({ author, id, isUndone, of }) => [id, author, isUndone, of]),
          [
            [7, undefined, false, 6],
            [6, undefined, true, undefined],
            ...[5, 4, 3, 2, 1].map((id) => [id, undefined, false, undefined]),
          ],
        )
        assert.strictEqual(yield* message(forest.undo(undefined, "loom")), "there is nothing to undo")
        yield* forest.undoOperation(5)
        assert.deepStrictEqual(ids(yield* forest.undoOperation(4)), [4, 3])
        assert.deepStrictEqual(texts(yield* forest.subtree(root)), ["look around"])
        yield* forest.redo()
        yield* forest.redo()
        assert.lengthOf(yield* forest.subtree(root), 4)
        assert.deepStrictEqual((yield* verify).problems, [])
      }).pipe(Effect.provide(yield* old))
    }),
  )
})
