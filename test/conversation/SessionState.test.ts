import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as SessionState from "../../src/conversation/SessionState.ts"
import { NodeId } from "../../src/message/NodeId.ts"

type State = SessionState.State<string>
type Event = SessionState.Event<string, string>
type Action = SessionState.Action<string, string>

const ready: Event = { _tag: "Ready" }
const sent = (text: string, isImmediate = false): Event => ({ _tag: "Sent", text, isImmediate })
const started: Event = { _tag: "TurnStarted", turn: "turn" }
const ended: Event = { _tag: "TurnEnded", outcome: "outcome" }
const stop: Event = { _tag: "StopRequested" }
const exit: Event = { _tag: "ExitRequested" }
const closed: Event = { _tag: "InputClosed" }
const message = (text: string, at?: NodeId): SessionState.QueuedMessage => ({ text, at, hasFiles: false })

/** The state after all events, and the actions of the last of them. */
const play = (...events: ReadonlyArray<Event>): { readonly state: State; readonly actions: ReadonlyArray<Action> } => {
  let state: State = SessionState.initial(undefined)
  let actions: ReadonlyArray<Action> = []
  for (const event of events) [state, actions] = SessionState.transition(state, event)
  return { state, actions }
}

const tags = (actions: ReadonlyArray<Action>) => actions.map(({ _tag }) => _tag)

describe("SessionState, idle", () => {
  it("prompts the user and waits where nothing is queued", () => {
    assert.deepStrictEqual(tags(play(ready).actions), ["PromptUser", "AwaitEvent"])
  })

  it("handles the first message, then what was sent, one at a time", () => {
    const [first, actions] = SessionState.transition(SessionState.initial("first"), ready)
    assert.deepStrictEqual(actions, [{ _tag: "Handle", message: message("first") }])
    const [second] = SessionState.transition(first, sent("second"))
    assert.deepStrictEqual(SessionState.transition(second, ready)[1], [{ _tag: "Handle", message: message("second") }])
  })

  it("handles prepended messages before those that are queued", () => {
    const { actions } = play(sent("later"), { _tag: "Prepended", messages: [message("sooner")] }, ready)
    assert.deepStrictEqual(actions, [{ _tag: "Handle", message: message("sooner") }])
  })

  it("drops a blank message", () => {
    assert.deepStrictEqual(play(sent(" \n")).state.queue, [])
  })

  it("exits at the end of the input, once the queue is empty", () => {
    assert.deepStrictEqual(tags(play(sent("last"), closed, ready).actions), ["Handle"])
    assert.deepStrictEqual(play(closed, ready).state.phase, { _tag: "Exiting", turn: undefined })
  })

  it("shows how to leave at the first request, and aborts at the second", () => {
    assert.deepStrictEqual(tags(play(exit).actions), ["ShowExitHint"])
    assert.deepStrictEqual(tags(play(exit, exit).actions), ["Abort"])
  })

  it.each([
    ["a message", sent("hello")],
    ["a blank message", sent("")],
    ["a request to stop", stop],
  ])("takes two requests to leave with %s between them for a first one each", (_, between) => {
    assert.deepStrictEqual(tags(play(exit, between, exit).actions), ["ShowExitHint"])
  })
})

describe("SessionState, answering", () => {
  it("waits for the next event, also at the end of the input", () => {
    assert.deepStrictEqual(tags(play(started, ready).actions), ["AwaitEvent"])
    assert.deepStrictEqual(tags(play(started, closed, ready).actions), ["AwaitEvent"])
  })

  it("queues what is sent, shows it, and handles it after the answer", () => {
    assert.deepStrictEqual(play(started, sent("next")).actions, [{ _tag: "ShowQueued", text: "next" }])
    assert.deepStrictEqual(tags(play(started, sent("next"), ended, ready).actions), ["Handle"])
  })

  it("runs an immediate command without queueing it", () => {
    const { actions, state } = play(started, sent("/help", true))
    assert.deepStrictEqual(actions, [{ _tag: "RunCommand", text: "/help" }])
    assert.deepStrictEqual(state.queue, [])
  })

  it("interrupts the turn when the user stops it, and finishes it as stopped once it has ended", () => {
    const stopped = play(started, stop)
    assert.deepStrictEqual(stopped.actions, [{ _tag: "InterruptTurn", turn: "turn" }])
    assert.strictEqual(stopped.state.phase._tag, "Stopping")
    const finished = play(started, stop, ended)
    assert.deepStrictEqual(finished.actions, [
      { _tag: "FinishTurn", turn: "turn", outcome: "outcome", wasStopped: true },
    ])
    assert.strictEqual(finished.state.phase._tag, "Idle")
  })

  it("gives back what waits when the user stops the turn, and keeps what is sent after that", () => {
    const stopped = play(started, sent("/save here"), sent("one"), sent("/undo"), stop)
    const waited = [message("one"), message("/undo")].map((each) => ({ ...each, isShown: true }))
    assert.deepStrictEqual(stopped.actions, [
      { _tag: "GiveBack", messages: waited },
      { _tag: "InterruptTurn", turn: "turn" },
    ])
    assert.deepStrictEqual(
      stopped.state.queue.map(({ text }) => text),
      ["/save here"],
      "a command before them runs",
    )
    const after = play(started, sent("one"), stop, sent("two"), ended, ready)
    assert.deepStrictEqual(after.actions, [{ _tag: "Handle", message: { ...message("two"), isShown: true } }])
  })

  it("goes on with what waits when the user requests to leave once, or it was prepended", () => {
    assert.lengthOf(play(started, sent("one"), exit).state.queue, 1)
    assert.lengthOf(play(started, { _tag: "Prepended", messages: [message("one")] }, stop).state.queue, 1)
  })

  it("finishes a turn that ends by itself as not stopped", () => {
    assert.deepStrictEqual(play(started, ended).actions, [
      { _tag: "FinishTurn", turn: "turn", outcome: "outcome", wasStopped: false },
    ])
  })

  it("stops the turn at the first request to leave, and aborts at the second, with the turn still to interrupt", () => {
    assert.deepStrictEqual(tags(play(started, exit).actions), ["InterruptTurn"])
    const { actions, state } = play(started, exit, exit)
    assert.deepStrictEqual(tags(actions), ["Abort"])
    assert.strictEqual(SessionState.turnOf(state), "turn")
  })

  it("exits with the turn still to interrupt when a command ends the session", () => {
    const { state } = play(started, { _tag: "Finished" })
    assert.deepStrictEqual(state.phase, { _tag: "Exiting", turn: "turn" })
  })

  it("gives the model what is queued up to a command, or to a message for another position", () => {
    const { state } = play(started, sent("one"), sent("two"), sent("/undo"), sent("three"))
    const [taken, rest] = SessionState.takeForModel(state)
    assert.deepStrictEqual(
      [taken.map(({ text }) => text), rest.queue.map(({ text }) => text)],
      [
        ["one", "two"],
        ["/undo", "three"],
      ],
    )
    const elsewhere = { ...state, queue: [message("one", NodeId.make("n"))] }
    assert.deepStrictEqual(SessionState.takeForModel(elsewhere), [[], elsewhere])
  })
})

describe("SessionState", () => {
  const event = FastCheck.constantFrom(ready, sent("x"), sent(""), started, ended, stop, exit, closed)

  it("does nothing after it has exited, whatever happens", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(event), (events) => {
        const exited = play({ _tag: "Finished" })
        assert.deepStrictEqual(play({ _tag: "Finished" }, ...events).state, exited.state)
      }),
    )
  })

  it("loses no message: each is handled, given back or still queued, in order", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(event), (events) => {
        let state: State = SessionState.initial(undefined)
        const accepted: Array<string> = []
        const handled: Array<string> = []
        const givenBack: Array<string> = []
        events.forEach((event, number) => {
          const named = event._tag === "Sent" && event.text === "x" ? sent(`x${number}`) : event
          if (named._tag === "Sent" && named.text !== "" && state.phase._tag !== "Exiting") accepted.push(named.text)
          const [next, actions] = SessionState.transition(state, named)
          for (const action of actions) {
            if (action._tag === "Handle") handled.push(action.message.text)
            if (action._tag === "GiveBack") givenBack.push(...action.messages.map(({ text }) => text))
          }
          state = next
        })
        const others = accepted.filter((text) => !givenBack.includes(text))
        assert.deepStrictEqual([...handled, ...state.queue.map(({ text }) => text)], others)
        assert.deepStrictEqual(
          givenBack,
          accepted.filter((text) => givenBack.includes(text)),
        )
      }),
    )
  })
})
