import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Option, Queue, TestClock } from "effect"
import * as Style from "../../../src/base/Style.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import { run } from "../../../src/cli/watch/run.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as Watcher from "../../../src/code/Watcher.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as Sqlite from "../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { symbols } from "../../index/IndexStore.fixture.ts"

const plant = (name: string) => `export function ${name}() {\n}\n`

/** `vibe watch` in a folder with `a.ts`, with a watcher that the test controls. */
const watching = Effect.fnUntraced(function* (json: boolean) {
  const root = yield* temporaryFolder
  const write = (file: string, text: string) => fs.writeFileSync(path.join(root, file), text)
  write("a.ts", plant("plantOak"))
  const { layer, notes } = Watcher.makeMemory(root)
  const lines = yield* Queue.unbounded<string>()
  const stream: Screen.Stream = {
    write: (text) => Queue.offer(lines, text.trimEnd()),
    isTerminal: false,
    canRedraw: false,
    columns: Effect.succeed(80),
    style: Style.plain,
  }
  const code = Layer.provideMerge(Layer.provide(Sqlite.layer, symbols), NodeFiles.layer)
  const fiber = yield* Effect.gen(function* () {
    const store = yield* IndexStore.IndexStore
    yield* Effect.scoped(Effect.flatMap(store.open(yield* Workspace.open(root)), (index) => index.refresh))
    return yield* run({ json, path: Option.some(root), poll: false })
  }).pipe(
    Effect.provide(Layer.mergeAll(code, layer, Layer.succeed(Screen.Screen, { out: stream, err: stream }))),
    Effect.forkScoped,
  )
  /** The next line, however long that takes by the clock. */
  const next: Effect.Effect<string> = Effect.suspend(() =>
    Effect.flatMap(Queue.size(lines), (size) =>
      size > 0 ? Queue.take(lines) : Effect.zipRight(TestClock.adjust("50 millis"), next),
    ),
  )
  return { fiber, next, notes, root, write }
})

describe("vibe watch", () => {
  it.scoped("prints a line for each refresh that finds changes", () =>
    Effect.gen(function* () {
      const { next, notes, root, write } = yield* watching(false)
      assert.strictEqual(yield* next, `Bringing the index of ${root} up to date...`)
      assert.strictEqual(yield* next, "Watching 1 file with 1 symbol. Ctrl-C ends it.")
      notes.change("a.ts")
      yield* TestClock.adjust("1 second")
      write("a.ts", plant("plantElm"))
      notes.change("a.ts")
      assert.match(yield* next, /a\.ts: 1 symbol added, 1 removed$/)
      write("b.ts", plant("plantAsh"))
      notes.anything()
      assert.strictEqual(yield* next, "1 file new or changed")
    }),
  )

  it.scoped("prints an object for each refresh, the first when it is up to date", () =>
    Effect.gen(function* () {
      const { next, notes, root, write } = yield* watching(true)
      const first: unknown = JSON.parse(yield* next)
      assert.deepInclude(first, { root, files: 1, symbols: 1, changes: null })
      write("b.ts", plant("plantAsh"))
      notes.change("b.ts")
      const second: unknown = JSON.parse(yield* next)
      assert.deepInclude(second, {
        files: 2,
        parsed: 1,
        changes: [{ path: "b.ts", change: "added", added: ["plantAsh"], changed: [], removed: [] }],
      })
    }),
  )

  it.scoped("says why it polls, once", () =>
    Effect.gen(function* () {
      const { next, notes, write } = yield* watching(false)
      yield* next
      yield* next
      notes.poll("TooManyFolders")
      assert.include(yield* next, "sudo sysctl fs.inotify.max_user_watches=")
      write("a.ts", plant("plantFir"))
      assert.strictEqual(yield* next, "1 file new or changed")
    }),
  )

  it.scoped("ends where the folder is moved or removed", () =>
    Effect.gen(function* () {
      const { fiber, next, notes, root } = yield* watching(false)
      yield* next
      yield* next
      fs.renameSync(root, `${root}-moved`)
      notes.rootGone()
      yield* TestClock.adjust("1 second")
      const exit = yield* Fiber.await(fiber)
      fs.rmSync(`${root}-moved`, { recursive: true })
      assert.include(String(Exit.isFailure(exit) ? exit.cause : exit), `${root}: was moved or removed`)
    }),
  )
})
