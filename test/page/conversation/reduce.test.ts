import { assert, describe, it } from "vitest"
import { NodeId } from "../../../src/message/NodeId.ts"
import { findCutOff, hasArrived, isBranch, joinDeltas, reduce, toItems } from "../../../src/page/conversation/reduce.ts"
import type { Answer, Message, State } from "../../../src/server/api/Conversations.ts"
import type { Event } from "../../../src/server/api/Events.ts"

const id = (name: string) => NodeId.make(name)

const message = (name: string, parent: string, change: Partial<Message> = {}): Message => ({
  id: id(name),
  parent: id(parent),
  kind: "assistant",
  text: name,
  calls: [],
  results: [],
  at: 0,
  siblings: [id(name)],
  ...change,
})

const answer = (name: string, change: Partial<Answer> = {}): Answer => ({
  id: name,
  after: id("question"),
  model: "a/model",
  state: "running",
  text: "",
  startedAt: 0,
  ...change,
})

const state: State = {
  summary: { id: id("root"), title: "", changed: 0, messages: 1, running: false },
  messages: [message("question", "root", { kind: "user" })],
  earlier: 0,
  leaf: id("question"),
  children: [],
  document: { text: "", version: 3, edited: false, conflicts: 0 },
  answers: [],
  waiting: [],
  context: { used: 1, window: 100 },
  model: "a/model",
  hasTools: false,
}

const told = (message: Message): Event => ({ type: "message", conversation: "root", message })
const begun = (answer: Answer): Event => ({ type: "answer", conversation: "root", answer })
const delta = (at: number, text: string): Event => ({ type: "delta", conversation: "root", answer: "one", at, text })

const reduceAll = (events: ReadonlyArray<Event>, from = state) =>
  events.reduce<State>((state, event) => reduce(state, event) ?? assert.fail("asks for the state"), from)

describe("reduce", () => {
  it("follows an answer, which grows, is stored once, and is no answer in the making then", () => {
    const stored = message("answer", "question", { tokens: { input: 7, output: 5 } })
    const { answers, context, leaf, messages } = reduceAll([
      begun(answer("one")),
      delta(0, "Hel"),
      delta(3, "lo"),
      // It overlaps what is there, and adds a piece.
      delta(2, "llo!"),
      told(stored),
      told(stored),
      begun(answer("one", { state: "done", message: id("answer") })),
    ])
    assert.deepStrictEqual([leaf, messages.length, answers.length, context?.used], [id("answer"), 2, 0, 12])
    assert.strictEqual(reduceAll([begun(answer("one")), delta(0, "Hel"), delta(2, "llo!")]).answers[0]?.text, "Hello!")
  })

  it("asks for the state where a piece is missing", () => {
    assert.isUndefined(reduce(reduceAll([begun(answer("one"))]), delta(4, "text")))
  })

  it("leaves the choice to the user where several answers are written", () => {
    const { children, leaf } = reduceAll([
      begun(answer("one")),
      begun(answer("two")),
      told(message("first", "question")),
    ])
    assert.deepStrictEqual([leaf, children], [id("question"), [id("first")]])
  })

  it("keeps an answer that has failed, until it is asked for again", () => {
    const failed = answer("one", { state: "failed", error: "refused" })
    assert.deepStrictEqual(reduceAll([begun(answer("one")), begun(failed)]).answers, [failed])
  })

  it("counts versions of a message that are made elsewhere", () => {
    const other = message("other", "root", { kind: "user", siblings: [id("question"), id("other")] })
    assert.deepStrictEqual(reduceAll([told(other)]).messages[0]?.siblings, [id("question"), id("other")])
    assert.isTrue(isBranch(state, told(other)))
    assert.isFalse(isBranch(state, told(message("next", "question", { kind: "user" }))))
  })

  it("leaves out old news of the document, and events of other conversations", () => {
    const old: Event = {
      type: "document",
      conversation: "root",
      document: { ...state.document, version: 2, text: "old" },
    }
    assert.strictEqual(reduce(state, old), state)
    assert.strictEqual(reduce(state, { ...told(message("answer", "question")), conversation: "other" } as Event), state)
  })
})

describe("joinDeltas", () => {
  it("joins pieces that follow each other", () => {
    assert.deepStrictEqual(joinDeltas([delta(0, "a"), delta(1, "b"), delta(4, "c")]), [delta(0, "ab"), delta(4, "c")])
  })
})

describe("toItems", () => {
  it("gives an answer the time from its first request on, with its tools, also where it was requested again", () => {
    const question = message("question", "root", { kind: "user", at: 1000 })
    const siblings = [id("first"), id("calls")]
    const calls = message("calls", "question", { at: 9000, took: 2500, siblings })
    const end = message("end", "calls", { at: 12_000, took: 3000 })
    assert.strictEqual(toItems([question, calls]).at(-1)?.time, 2500)
    assert.strictEqual(toItems([question, calls, end]).at(-1)?.time, 5500)
  })

  it("has a message that an edit has divided as one: it ends at its last part, and an edit begins at its first", () => {
    const siblings = [id("old"), id("end")]
    const begin = message("begin", "root", { kind: "user", text: "Write a ", siblings })
    const end = message("end", "begin", { kind: "user", text: "poem", continues: true })
    const items = toItems([begin, end, message("answer", "end", { cost: 1 })])
    assert.deepStrictEqual(
      items.map(({ cost, isUnanswered, message, place }) => ({ cost, isUnanswered, place, text: message.text })),
      [
        { cost: undefined, isUnanswered: false, place: 1, text: "Write a poem" },
        { cost: 1, isUnanswered: false, place: 2, text: "answer" },
      ],
    )
    const { id: last, parent, siblings: versions } = items[0]?.message ?? assert.fail()
    assert.deepStrictEqual([last, parent, versions], [end.id, begin.parent, siblings])
    // The text was shortened to the beginning, of which all versions go on.
    assert.deepStrictEqual(toItems([begin])[0]?.message.siblings, [...siblings, begin.id])
    // The beginning was not read yet.
    assert.deepStrictEqual(
      toItems([end]).map(({ message }) => message.text),
      ["poem"],
    )
  })

  it("gives no time to an answer without a duration that was requested again, since it is not known", () => {
    const siblings = [id("first"), id("again")]
    const times = ["first", "again"].map((name) => {
      const question = message("question", "root", { kind: "user", at: 1000 })
      return toItems([question, message(name, "question", { at: 5000, siblings })]).at(-1)?.time
    })
    assert.deepStrictEqual(times, [4000, undefined])
  })

  it("marks the cost of an answer as an estimate where a part of it is one", () => {
    const items = toItems([
      message("question", "root", { kind: "user", at: 1000 }),
      message("calls", "question", { cost: 1, calls: [{ id: "c", tool: "read", arguments: "{}" }] }),
      message("results", "calls", { kind: "tool" }),
      message("answer", "results", { cost: 2, estimated: true }),
    ])
    assert.deepStrictEqual(
      items.map(({ cost, isEstimated }) => [cost, isEstimated]),
      [
        [undefined, false],
        [undefined, false],
        [3, true],
      ],
    )
  })

  it("puts the results of tools beside their calls, and costs at the end of an answer", () => {
    const items = toItems([
      message("question", "root", { kind: "user", at: 1000 }),
      message("calls", "question", { cost: 1, at: 2000, calls: [{ id: "c", tool: "read", arguments: "{}" }] }),
      message("results", "calls", { kind: "tool", results: [{ call: "c", text: "content", failed: false }] }),
      message("answer", "results", { cost: 2, at: 4000 }),
    ])
    assert.deepStrictEqual(
      items.map(({ cost, isFirst, isLast, message, place, results, time }) => [
        message.id,
        place,
        isFirst,
        isLast,
        results.length,
        cost,
        time,
      ]),
      [
        ["question", 0, true, true, 0, undefined, undefined],
        ["calls", 1, true, false, 1, undefined, undefined],
        ["answer", 3, false, true, 0, 3, 3000],
      ],
    )
  })
})

describe("isUnanswered of an item", () => {
  it("marks a message that another one follows, whatever vibe told the model between, and no other", () => {
    const user = { kind: "user" } as const
    const messages = [
      message("a", "root", user),
      message("b", "a", user),
      message("n", "b", { kind: "notice" }),
      message("c", "n", user),
      message("answer", "c"),
      message("d", "answer", user),
    ]
    const marked = toItems(messages).flatMap(({ isUnanswered, message }) => (isUnanswered ? [message.id] : []))
    assert.deepStrictEqual(marked, ["a", "b"])
  })
})

describe("hasArrived", () => {
  const sent = { text: "go on", parent: "b", key: "a key" }
  const before = [
    message("a", "root", { kind: "user", text: "go on" }),
    message("b", "a", { kind: "assistant", text: "An answer" }),
  ]

  it("finds a message by its parent and text, also where vibe has told the model something before it", () => {
    assert.isTrue(hasArrived(sent, [...before, message("c", "b", { kind: "user", text: "go on" })]))
    const told = message("n", "b", { kind: "notice", text: "The document was edited" })
    assert.isTrue(hasArrived(sent, [...before, told, message("c", "n", { kind: "user", text: "go on" })]))
    const more = message("m", "n", { kind: "notice", text: "The message above was not answered" })
    const arrived = message("c", "m", { kind: "user", text: "go on" })
    for (const parent of ["b", "n", "m"].map(id)) {
      assert.isTrue(hasArrived({ ...sent, parent }, [...before, told, more, arrived]))
    }
    assert.isFalse(hasArrived({ ...sent, parent: id("a") }, [...before, told, more, arrived]))
  })

  it("takes no message for it that has the same text elsewhere, or another text", () => {
    assert.isFalse(hasArrived(sent, before))
    assert.isFalse(hasArrived(sent, [...before, message("c", "b", { kind: "user", text: "go on, please" })]))
    assert.isFalse(hasArrived(sent, [...before, message("c", "b", { kind: "assistant", text: "go on" })]))
  })

  it("does not take the message that is edited for its new version", () => {
    const [first] = before
    const version = { ...sent, parent: "root" }
    assert.isFalse(hasArrived(version, before, first))
    assert.isTrue(hasArrived(version, [message("d", "root", { kind: "user", text: "go on" })], first))
  })

  it("tells messages with pictures from those without", () => {
    const shown = message("a", "root", { kind: "user", text: "look", pictures: ["image/png, 1 kB"] })
    const look = { parent: id("root"), text: "look" }
    assert.isFalse(hasArrived(look, [shown]))
    assert.isTrue(hasArrived({ ...look, pictures: ["the id of a picture"] }, [shown]))
  })
})

describe("findCutOff", () => {
  const before = { ...state, answers: [answer("a", { text: "half of it", activity: "writes" })] }
  const next = { ...state, answers: [] }

  it("finds an answer at the end that the server no longer has, with what has arrived of it", () => {
    const [cut, ...others] = findCutOff(before, next)
    assert.deepStrictEqual([cut?.state, cut?.text, others.length], ["failed", "half of it", 0])
    const afterTools = { ...next, leaf: id("result") }
    assert.lengthOf(findCutOff({ ...before, answers: [answer("a", { message: id("result") })] }, afterTools), 1)
  })

  it("finds none that is in progress, was stored, has failed, or is elsewhere", () => {
    assert.deepStrictEqual(findCutOff(before, { ...next, answers: before.answers }), [])
    assert.deepStrictEqual(findCutOff(before, { ...next, children: [id("stored")] }), [])
    assert.deepStrictEqual(findCutOff(before, { ...next, leaf: id("stored") }), [])
    assert.deepStrictEqual(findCutOff({ ...before, answers: [answer("a", { state: "failed" })] }, next), [])
  })
})
