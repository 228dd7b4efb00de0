import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Queue, Ref } from "effect"
import { TurnEvent } from "../../../src/agent/TurnEvent.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as LineReader from "../../../src/cli/View/LineReader.ts"
import * as Lines from "../../../src/cli/View/Lines.ts"
import * as View from "../../../src/conversation/View.ts"
import * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import { Part } from "../../../src/model/Reply.ts"

const { Entry } = View

const account: View.Account = {
  durationMs: 1_234,
  usage: { ...Usage.none, inputTokens: 1_204, outputTokens: 312 },
  cost: 0.0011,
  sessionCost: 0.0021,
}

interface Given {
  readonly isInteractive?: boolean
  readonly isTerminal?: boolean
}

/** A view with a queue of lines as its input, and its output. */
const openView = ({ isInteractive = false, isTerminal = isInteractive }: Given = {}) =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<LineReader.ReaderEvent>()
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const prompts = yield* Ref.make(0)
    const reader: LineReader.Service = {
      open: () =>
        Effect.succeed({
          isInteractive,
          lines,
          showPrompt: Ref.update(prompts, (count) => count + 1),
          setDraft: () => Effect.void,
          draft: Effect.succeed(""),
        }),
    }
    const layer = Lines.layer.pipe(
      Layer.provide([Layer.succeed(LineReader.LineReader, reader), Screen.layerMemory(written, { isTerminal })]),
    )
    const view = yield* Effect.flatMap(View.View, ({ open }) =>
      open({ commands: [], files: () => Effect.succeed([]), history: [] }),
    ).pipe(Effect.provide(layer))
    const printed = (to: Screen.Written["to"]) =>
      Effect.map(Ref.get(written), (all) => all.flatMap((one) => (one.to === to ? [one.text] : [])).join(""))
    return { view, lines, prompts, out: printed("out"), err: printed("err") }
  })

const takeInputs = (view: View.Opened, count: number) => Effect.replicateEffect(Queue.take(view.inputs), count)

const node = NodeId.make("n1")

describe("View/Lines", () => {
  it.scoped('reads each line as a message, and the lines between """ as one', () =>
    Effect.gen(function* () {
      const { lines, view } = yield* openView()
      for (const text of ["one", " ", '"""', "two", "", " three", '"""', "four", '"""', "not ended"]) {
        yield* Queue.offer(lines, LineReader.ReaderEvent.Line({ text }))
      }
      yield* Queue.offer(lines, LineReader.ReaderEvent.Interrupted())
      yield* Queue.offer(lines, LineReader.ReaderEvent.Ended())
      assert.deepStrictEqual(yield* takeInputs(view, 6), [
        View.Input.Sent({ text: "one", line: 1 }),
        View.Input.Sent({ text: "two\n\n three", line: 3 }),
        View.Input.Sent({ text: "four", line: 8 }),
        View.Input.ExitRequested(),
        View.Input.Sent({ text: "not ended", line: 9 }),
        View.Input.Closed(),
      ])
    }),
  )

  it.scoped("prints only answers to a pipe, separated by empty lines", () =>
    Effect.gen(function* () {
      const { err, out, view } = yield* openView()
      yield* view.show(Entry.Titled({ title: "vibe chat", model: "test/model", facts: [] }))
      for (const text of ["One.\n\n", "Two."]) {
        yield* view.show(Entry.Asked({ text: "?", model: "m", node }))
        yield* view.onEvent(TurnEvent.PartReceived({ part: Part.Text({ text }) }))
        yield* view.show(Entry.Answered({ text, node: undefined, account }))
      }
      assert.strictEqual(yield* out, "One.\n\nTwo.\n")
      assert.strictEqual(yield* err, "")
    }),
  )

  it.scoped("streams an answer to a user, with its account, and prompts for more", () =>
    Effect.gen(function* () {
      const { err, out, prompts, view } = yield* openView({ isInteractive: true })
      yield* view.show(Entry.Asked({ text: "?", model: "m", node }))
      yield* view.onEvent(TurnEvent.PartReceived({ part: Part.Text({ text: "Half" }) }))
      assert.strictEqual(yield* out, "Half")
      assert.strictEqual(yield* Ref.get(prompts), 0)
      yield* view.show(Entry.Answered({ text: "Half", node: undefined, account }))
      assert.strictEqual(yield* out, "Half\n")
      assert.strictEqual(yield* err, "1s 200ms, 1204 tokens read, 312 written, about $0.0021 so far\n")
      yield* view.promptUser
      assert.strictEqual(yield* Ref.get(prompts), 1)
    }),
  )

  it.scoped("shows earlier messages, numbered choices, and failures", () =>
    Effect.gen(function* () {
      const { err, view } = yield* openView({ isInteractive: true })
      const id = NodeId.make("n")
      const message = Message.user('<file path="a">\nlong\n</file>\n\nmy words')
      yield* view.show(
        Entry.History({
          nodes: [{ id, root: id, parent: id, message, source: { type: "user" }, createdAt: 0 }],
          more: true,
        }),
      )
      const picked = yield* view.choose({
        title: "Where to?",
        command: "/tree N",
        preselected: 0,
        choices: [
          { label: "here", about: "now" },
          { label: "there", about: undefined },
        ],
      })
      yield* view.show(Entry.Failed({ text: "it did not work" }))
      assert.isTrue(Option.isNone(picked))
      assert.strictEqual(
        yield* err,
        [
          "(earlier messages: /tree)",
          "> my words",
          "Where to?",
          "1  here  (now)",
          "2  there",
          "/tree N picks one",
          "it did not work",
          "",
        ].join("\n"),
      )
    }),
  )

  it.scoped("prints no control sequence, also if it arrives in parts", () =>
    Effect.gen(function* () {
      const { err, out, view } = yield* openView({ isInteractive: true })
      const evil = "\u001b]52;c;AAAA\u0007\u001b[2Jseen\u202e"
      yield* view.show(Entry.Titled({ title: evil, model: evil, facts: [evil] }))
      yield* view.show(Entry.Asked({ text: evil, model: evil, node }))
      for (const text of evil) yield* view.onEvent(TurnEvent.PartReceived({ part: Part.Text({ text }) }))
      yield* view.show(Entry.Answered({ text: evil, node: undefined, account }))
      yield* view.show(Entry.Noted({ text: evil }))
      yield* view.show(Entry.Failed({ text: evil }))
      yield* view.show(Entry.Printed({ text: evil, form: "diff" }))
      yield* view.choose({ title: evil, command: "/tree N", preselected: 0, choices: [{ label: evil, about: evil }] })
      const all = `${yield* out}${yield* err}`
      for (const command of "\u001b\u0007\u202e") assert.notInclude(all, command)
      assert.lengthOf(all.match(/seen/g) ?? [], 9)
    }),
  )
})
