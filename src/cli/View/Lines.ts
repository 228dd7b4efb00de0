/**
 * A session in plain lines, for pipes, screen readers and terminals without cursor control. A line is a message; a line
 * `"""` begins and ends a message of several lines. Answers go to stdout, everything else to stderr.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as ContextUse from "../../agent/ContextUse.ts"
import type { Sink } from "../../agent/TurnEvent.ts"
import { sanitize, sanitizeLine } from "../../base/Sanitize.ts"
import * as Mentions from "../../conversation/Mentions.ts"
import * as View from "../../conversation/View.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Cost from "../../model/Cost.ts"
import * as LiveAnswer from "../ask/LiveAnswer.ts"
import * as TurnNotices from "../conversation/TurnNotices.ts"
import * as Screen from "../terminal/Screen.ts"
import * as LineReader from "./LineReader.ts"

export const layer: Layer.Layer<View.View, never, LineReader.LineReader | Screen.Screen> = Layer.effect(
  View.View,
  Effect.gen(function* () {
    const { err, out } = yield* Screen.Screen
    const reader = yield* LineReader.LineReader
    return View.View.of({ open: (options) => open(reader, out, err, options) })
  }),
)

const open = Effect.fnUntraced(function* (
  reader: LineReader.Service,
  out: Screen.Stream,
  err: Screen.Stream,
  { history }: View.Options,
) {
  const { setDraft: draft, isInteractive, lines, showPrompt: prompt, draft: unsent } = yield* reader.open(history)
  const inputs = yield* Queue.unbounded<View.Input>()
  yield* Effect.forkScoped(LineReader.readMessages(lines, inputs, prompt))

  const notices = TurnNotices.print(err)
  let live = LiveAnswer.make(out, notices)
  let hasAnswered = false
  const note = (text: string) => Screen.line(err, sanitize(text))
  /** Separates answers in a pipe. */
  const gap = Effect.suspend(() => (hasAnswered && !isInteractive ? out.write("\n") : Effect.void))

  const endAnswer = (text: string) =>
    Effect.gen(function* () {
      if (out.isTerminal) yield* live.end(text)
      else if (text !== "") yield* Effect.zipRight(gap, out.write(`${sanitize(text).trimEnd()}\n`))
      hasAnswered = true
    })

  const show = View.Entry.$match({
    Titled: ({ facts, title }) =>
      isInteractive ? note([err.style.strong(sanitizeLine(title)), ...facts].join("\n")) : Effect.void,
    History: ({ more, nodes }) => (isInteractive ? note(historyText(nodes, more)) : Effect.void),
    Asked: () =>
      Effect.sync(() => {
        live = LiveAnswer.make(out, notices)
      }),
    Queued: () => (isInteractive ? note("(waits for the end of the answer)") : Effect.void),
    Dequeued: () => Effect.void,
    Steered: () => (isInteractive ? note("(sent to the model now)") : Effect.void),
    Answered: ({ account, text }) =>
      Effect.zipRight(endAnswer(text), isInteractive ? note(err.style.quiet(accountText(account))) : Effect.void),
    NotPersisted: ({ text }) => endAnswer(text),
    Stopped: ({ account }) => Effect.zipRight(live.end(""), note(err.style.quiet(`stopped, ${accountText(account)}`))),
    Failed: ({ text }) => Effect.zipRight(live.end(""), note(text)),
    Cleared: () => (err.canRedraw && isInteractive ? err.write("\x1b[H\x1b[2J") : Effect.void),
    ExitHint: () => note(LineReader.exitHint),
    Noted: ({ text }) => note(text),
    Printed: ({ text }) => out.write(`${sanitize(text).trimEnd()}\n`),
  })

  const choose = ({ choices, command, title }: View.Menu) => {
    const width = String(choices.length).length
    const rows = choices.map(({ about, label }, index) =>
      sanitizeLine(`${String(index + 1).padStart(width)}  ${label}${about === undefined ? "" : `  (${about})`}`),
    )
    return Effect.as(note([sanitizeLine(title), ...rows, `${command} picks one`].join("\n")), Option.none<number>())
  }

  const onEvent: Sink = out.isTerminal ? (event) => live.onEvent(event) : notices

  return {
    isInteractive,
    hasMenu: false,
    inputs,
    show,
    promptUser: prompt,
    onEvent,
    choose,
    setDraft: draft,
    draft: unsent,
  }
})

const historyText = (nodes: ReadonlyArray<Node>, more: boolean): string =>
  [...(more ? ["(earlier messages: /tree)"] : []), ...nodes.map(nodeText)].join("\n")

const nodeText = (node: Node): string => {
  const text = NodeText.body(node)
  return node.message.role === "user"
    ? Mentions.withoutFiles(text)
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n")
    : text
}

/** `3.2 s, 1204 tokens read, 312 written, about $0.0021 so far, context 12k of 200k` */
const accountText = ({
  context,
  durationMs,
  isEstimated = false,
  sessionCost,
  usage: { inputTokens, outputTokens },
}: View.Account): string =>
  [
    Duration.format(Duration.millis(Math.round(durationMs / 100) * 100)),
    ...(inputTokens + outputTokens === 0
      ? []
      : [`${isEstimated ? "about " : ""}${inputTokens} tokens read`, `${outputTokens} written`]),
    ...(sessionCost === undefined || sessionCost === 0
      ? []
      : [`${Cost.describe(sessionCost)} so far${isEstimated ? ", estimated" : ""}`]),
    ...(context === undefined ? [] : [`context ${ContextUse.format(context)}`]),
  ].join(", ")
