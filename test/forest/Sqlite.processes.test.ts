import { spawn } from "node:child_process"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { isThorough } from "../thoroughness.ts"
import { newFile, opened, planted, reasonOf, verified } from "./forestFiles.ts"
import { draft } from "./forests.ts"

/** How often each of two processes writes. */
const TIMES = isThorough ? 120 : 40

/** A process that appends, and the ids that it prints. */
const writer = (file: string, name: string, times: number) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    const child = spawn(process.execPath, [
      "--disable-warning=ExperimentalWarning",
      path.join(import.meta.dirname, "Sqlite.writer.ts"),
      file,
      name,
      String(times),
    ])
    let said = ""
    let wrong = ""
    child.stdout.on("data", (chunk) => {
      said += chunk
    })
    child.stderr.on("data", (chunk) => {
      wrong += chunk
    })
    child.on("close", () =>
      resume(
        wrong === "" ? Effect.succeed(said.split("\n").slice(0, -1)) : Effect.dieMessage(`the writer failed: ${wrong}`),
      ),
    )
  })

describe("A forest in a file, with several processes", () => {
  it.scopedLive(
    "loses nothing of what two write at once, and makes one tree of the one that both want",
    () =>
      Effect.gen(function* () {
        const file = yield* newFile
        const said = yield* Effect.all([writer(file, "one", TIMES), writer(file, "two", TIMES)], {
          concurrency: "unbounded",
        })
        yield* opened(file, (forest) =>
          Effect.gen(function* () {
            const roots = yield* forest.roots()
            assert.lengthOf(roots, 1)
            const nodes = new Set((yield* forest.subtree(roots[0]?.id ?? NodeId.make("x"))).map(({ id }): string => id))
            for (const id of said.flat()) assert.isTrue(nodes.has(id))
          }),
        )
      }),
    240_000,
  )

  it.scopedLive("sees what another has changed", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const { ids } = yield* planted(file, "a", "b")
      const [a = NodeId.make("x"), b = NodeId.make("x")] = ids
      yield* opened(file, (mine) =>
        opened(file, (theirs) =>
          Effect.gen(function* () {
            const read = Effect.map(mine.path(b), ({ nodes }) => nodes.map(({ message }) => Message.text(message)))
            assert.deepStrictEqual(yield* read, ["a", "b"])
            yield* theirs.edit(b, "c")
            assert.deepStrictEqual(yield* read, ["a", "c"])
            yield* theirs.remove(a, "reparent")
            assert.deepStrictEqual(yield* read, ["c"])
            yield* theirs.undo()
            assert.deepStrictEqual(yield* read, ["a", "c"])
            yield* theirs.remove(a, "cascade")
            assert.strictEqual(yield* reasonOf(mine.path(b)), "NotFound")
          }),
        ),
      )
    }),
  )

  it.scopedLive("adds to the conversation of which another has split the first message", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const { ids } = yield* planted(file, "the question")
      const [question = NodeId.make("x")] = ids
      const [{ left }, answer] = yield* opened(file, (mine) =>
        opened(file, (theirs) =>
          Effect.gen(function* () {
            const [more] = yield* mine.append(question, [draft("more")])
            const halves = yield* theirs.split(question, 4)
            const [last] = yield* mine.append(more?.id ?? question, [draft("and more")])
            return [halves, last?.id ?? question] as const
          }),
        ),
      )
      const found = yield* opened(file, (forest) => forest.conversation(answer))
      assert.deepInclude(Option.getOrUndefined(found), { root: left.id, title: "the question", leaf: answer })
      assert.deepStrictEqual((yield* verified(Sqlite.layer(file))).problems, [])
    }),
  )
})
