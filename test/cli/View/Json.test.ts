import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Queue, Ref } from "effect"
import { TurnEvent } from "../../../src/agent/TurnEvent.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as Json from "../../../src/cli/View/Json.ts"
import * as LineReader from "../../../src/cli/View/LineReader.ts"
import * as View from "../../../src/conversation/View.ts"
import * as Block from "../../../src/message/Block.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { ModelError, Overloaded } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"

describe("View/Json", () => {
  it.scoped("prints a JSON object for each event, without control sequences", () =>
    Effect.gen(function* () {
      const lines = yield* Queue.unbounded<LineReader.ReaderEvent>()
      const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
      const reader: LineReader.Service = {
        open: () =>
          Effect.succeed({
            isInteractive: false,
            lines,
            showPrompt: Effect.void,
            setDraft: () => Effect.void,
            draft: Effect.succeed(""),
          }),
      }
      const layer = Json.layer.pipe(
        Layer.provide([Layer.succeed(LineReader.LineReader, reader), Screen.layerMemory(written)]),
      )
      const {
        inputs,
        onEvent,
        show: tell,
      } = yield* Effect.flatMap(View.View, ({ open }) =>
        open({ commands: [], files: () => Effect.succeed([]), history: [] }),
      ).pipe(Effect.provide(layer))
      yield* Queue.offer(lines, LineReader.ReaderEvent.Line({ text: "hello" }))
      assert.deepStrictEqual(yield* Queue.take(inputs), View.Input.Sent({ text: "hello", line: 1 }))

      const call = Block.toolUse("c1", "file_read", { path: "a.ts" })
      const error = new ModelError({ model: "a/b", reason: new Overloaded({ message: "busy" }) })
      yield* tell(View.Entry.Asked({ text: "\u001b[2Jhello", model: "a/b", node: NodeId.make("n1") }))
      yield* onEvent(TurnEvent.PartReceived({ part: Part.Thinking({ text: "hm" }) }))
      yield* onEvent(TurnEvent.PartReceived({ part: Part.Text({ text: "He" }) }))
      yield* onEvent(TurnEvent.RetryScheduled({ attempt: 1, delay: Duration.seconds(2), error, restarted: true }))
      yield* onEvent(TurnEvent.ToolStarted({ call }))
      yield* onEvent(TurnEvent.ToolFinished({ call, result: { text: "const a", filesWritten: ["b.ts"] } }))
      const text = (yield* Ref.get(written)).map((one) => one.text).join("")
      assert.notInclude(text, "\u001b")
      const objects = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepStrictEqual(objects, [
        { type: "asked", text: "\u001b[2Jhello", model: "a/b", node: "n1" },
        { type: "thinking", text: "hm" },
        { type: "text", text: "He" },
        { type: "retry", attempt: 1, delayMs: 2000, message: error.message },
        { type: "restarted" },
        { type: "tool", id: "c1", name: "file_read", arguments: { path: "a.ts" } },
        { type: "result", id: "c1", text: "const a", isError: false, filesWritten: ["b.ts"] },
      ])
    }),
  )
})
