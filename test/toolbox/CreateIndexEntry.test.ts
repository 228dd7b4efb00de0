import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import type { Batch } from "../../src/indexing/Batch.ts"
import * as Sqlite from "../../src/indexing/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/indexing/IndexStore.ts"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as IndexTools from "../../src/toolbox/IndexTools.ts"

const stack = `/** A pile of things. */
export class Stack {
  push(thing: string) {}
  size() {
    return 0
  }
}

export class Queue {
  size() {
    return 1
  }
}
`

const door = `export function openDoor(key: string): boolean {
  return key === "sesame"
}

export function closeDoor(): void {}
`

const repository = { "/repo/src/stack.ts": stack, "/repo/src/door.ts": door }

const layer = Layer.provideMerge(Sqlite.layerMemory, Layer.mergeAll(Files.layerMemory(repository), Scanner.layer))

const scoped = <A, E>(effect: Effect.Effect<A, E, Layer.Layer.Success<typeof layer> | Scope.Scope>) =>
  effect.pipe(Effect.scoped, Effect.provide(layer), Effect.asVoid)

/** The tool over the indexed repository, as a language model calls it. `symbols`: those of the batch, by qualified name. */
const open = (...symbols: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/repo")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const entries = yield* Effect.forEach(symbols, (symbol) => index.find(symbol))
    const batch: Batch | undefined =
      symbols.length === 0 ? undefined : { area: "src", text: "", symbols: entries.flat(), tokens: 0 }
    const tools = IndexTools.make(workspace, index, batch)
    const record = (entries: unknown) =>
      tools.execute(Block.toolUse("c1", "create_index_entry", { entries }), {
        node: NodeId.make("n-1"),
        callId: "c1",
        model: new ModelId({ provider: "scripted", name: "test" }),
      })
    const purposeOf = (symbol: string) => Effect.map(index.find(symbol), ([entry]) => entry?.purpose)
    return { index, tools, record, purposeOf }
  })

const entry = (symbol: string, purpose: string) => ({ path: "src/stack.ts", symbol, purpose })

const opens = "Lets a visitor in who knows the secret word."
const closes = "Keeps out everybody after the last visitor has gone home."

describe("create_index_entry", () => {
  it.effect("records valid entries, refuses the others with the nearest names, and says what is left", () =>
    scoped(
      Effect.gen(function* () {
        const { purposeOf, record } = yield* open()
        const entries = [
          entry("Stack", "Holds what was put down last on top."),
          entry("Stack.pus", "Adds."),
          entry("Queue", " "),
        ]
        const { text } = yield* record(entries)
        assert.deepStrictEqual(text.split("\n"), [
          "recorded 1 of 3 entries",
          "refused: Symbol 'Stack.pus' not found in src/stack.ts; nearest: Stack.push, Stack",
          "refused: src/stack.ts Queue: the purpose is empty",
          "not explained yet in src/stack.ts: Stack.push, Queue",
          "next: src/door.ts (2)",
        ])
        assert.deepInclude(yield* purposeOf("Stack"), {
          text: "Holds what was put down last on top.",
          origin: "model",
          model: "scripted/test",
          stale: false,
        })
      }),
    ),
  )

  it.effect("says when nothing is left, and does not end a run without a batch", () =>
    scoped(
      Effect.gen(function* () {
        const { record } = yield* open()
        const { endsRun, text } = yield* record([
          {
            path: "src/stack.ts",
            purposes: [
              "Stack: Holds dishes in a pile.",
              "Stack.push: Puts a dish on top.",
              "Queue: Guests who wait outside.",
            ],
          },
          { path: "src/door.ts", purposes: { openDoor: opens, closeDoor: closes } },
        ])
        assert.strictEqual(text, "recorded 5 of 5 entries\nnothing is left to explain")
        assert.isUndefined(endsRun)
      }),
    ),
  )

  it.effect("takes the numbers of a batch, and ends the run once all of it is explained", () =>
    scoped(
      Effect.gen(function* () {
        const { purposeOf, record } = yield* open("openDoor", "closeDoor", "Queue")
        const first = yield* record([{ purposes: [`1: ${opens}`, "4: Nothing.", "0: Nothing."] }])
        assert.deepStrictEqual(first.text.split("\n"), [
          "recorded 1 of 3 entries",
          "refused: 4: the numbers are 1 to 3",
          "refused: 0: the numbers are 1 to 3",
          "not explained yet here: §2 closeDoor, §3 Queue",
        ])
        assert.isFalse(first.endsRun)
        const second = yield* record([
          { purposes: { "§2": closes } },
          { symbol: "Queue", purpose: "Guests who wait outside." },
        ])
        assert.strictEqual(second.text, "recorded 2 of 2 entries")
        assert.isTrue(second.endsRun)
        assert.strictEqual((yield* purposeOf("openDoor"))?.text, opens)
        assert.strictEqual((yield* purposeOf("closeDoor"))?.text, closes)
      }),
    ),
  )

  it.effect("refuses a number that its path or name contradicts, and numbers without a batch", () =>
    scoped(
      Effect.gen(function* () {
        const { record } = yield* open("openDoor", "closeDoor")
        const { text } = yield* record([
          { path: "src/stack.ts", purposes: [`1: ${opens}`] },
          { path: "./src/door.ts", purposes: { "1 closeDoor": opens } },
          { path: "./src/door.ts", purposes: { "§2 closeDoor": closes } },
        ])
        assert.deepStrictEqual(text.split("\n"), [
          "recorded 1 of 3 entries",
          "refused: src/stack.ts 1: 1 is openDoor of src/door.ts",
          "refused: ./src/door.ts 1 closeDoor: 1 is openDoor of src/door.ts",
          "not explained yet here: §1 openDoor",
        ])
        const outside = yield* (yield* open()).record([{ path: "src/door.ts", purposes: [`1: ${opens}`] }])
        assert.include(outside.text, "refused: 1: symbols have no numbers here; write path and name")
        assert.isTrue(outside.isError)
      }),
    ),
  )

  it.effect("finds names without a path in the batch only", () =>
    scoped(
      Effect.gen(function* () {
        const { record } = yield* open("Stack.size", "Queue.size", "openDoor")
        const { text } = yield* record([
          { purposes: [`openDoor: ${opens}`, "size: How many dishes wait.", "closeDoor: Keeps visitors out."] },
        ])
        assert.deepStrictEqual(text.split("\n").slice(0, 3), [
          "recorded 1 of 3 entries",
          "refused: size: it is one of §1 Stack.size, §2 Queue.size",
          "refused: closeDoor: no symbol of the batch; write its number, or its path too",
        ])
      }),
    ),
  )

  it.effect("keeps the last of several purposes of one symbol", () =>
    scoped(
      Effect.gen(function* () {
        const { purposeOf, record } = yield* open("openDoor", "closeDoor")
        yield* record([{ purposes: ["1: Greets strangers at night.", `1: ${opens}`] }])
        assert.strictEqual((yield* purposeOf("openDoor"))?.text, opens)
      }),
    ),
  )

  it.effect("has the same name, description and schema with a batch and without one", () =>
    scoped(
      Effect.gen(function* () {
        const describeTools = ({ tools }: Effect.Effect.Success<ReturnType<typeof open>>) =>
          tools.tools.map(({ description, name, parameters }) => ({ description, name, parameters }))
        assert.deepStrictEqual(describeTools(yield* open("openDoor")), describeTools(yield* open()))
      }),
    ),
  )

  it.effect("stores a purpose without NULs and lone surrogates", () =>
    scoped(
      Effect.gen(function* () {
        const { purposeOf, record } = yield* open()
        const { text } = yield* record([entry("Stack", "Keeps\0 dishes \ud83d in a pile."), entry("Queue", "\0 ")])
        assert.include(text, "src/stack.ts Queue: the purpose is empty")
        assert.strictEqual((yield* purposeOf("Stack"))?.text, "Keeps dishes \ufffd in a pile.")
      }),
    ),
  )
})
