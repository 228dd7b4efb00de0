/** Composes the requests of a run: what was sent before, what has been added since, and what fits of it. */

import * as Effect from "effect/Effect"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Draft } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import type * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as History from "../../model/History.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as Limits from "../../model/Limits.ts"
import { ContextOverflow, ModelError } from "../../model/ModelError.ts"
import { declarations, type Request, type ToolChoice } from "../../model/Request.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import type { Additions, GenerateOptions } from "../GenerateOptions.ts"
import { type Sink, TurnEvent } from "../TurnEvent.ts"
import * as FitWindow from "./fitWindow.ts"
import { type Messages, ownMessage } from "./openPath.ts"

/** The state of a run before a round. */
export interface Round {
  /** The number of the round, from 1. */
  readonly number: number
  /** The node below which the next message goes. */
  readonly cursor: NodeId
  /** Messages that are stored together with the reply: a request that fails leaves no trace. */
  readonly pending: ReadonlyArray<Draft>
  /** The messages of the round before, which are sent again. */
  readonly sent: Messages
  /** The messages that follow them. They begin with a reply that has calls, followed by their results. */
  readonly added: Messages
  readonly toolChoice: ToolChoice | undefined
}

/** A round whose request is composed. */
export interface Composed extends Pick<Round, "cursor" | "pending" | "toolChoice"> {
  readonly tools: ReadonlyArray<Tool>
  readonly messages: Messages
  /** Messages that are sent after the others with this request only. */
  readonly trailing: Messages
}

interface Options {
  readonly options: GenerateOptions
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
  readonly system: string
  readonly maxToolIterations: number
  readonly report: Sink
}

interface Composer {
  /** Composes a round. It reads the latest tools, and reports what is added and what is left out. */
  readonly compose: (round: Round) => Effect.Effect<Composed, ForestError>
  /** Returns the request of a composed round, with these messages. */
  readonly requestOf: (composed: Composed, messages: Messages) => Request
}

/** Makes the composer of one run. */
export const make = ({ maxToolIterations, model, options, report, system, tools: registry }: Options): Composer => {
  const { concludes = false, maxOutputTokens, meanwhile = noAdditions, messageOf = ownMessage } = options
  const maxInput = Limits.maxInput(maxOutputTokens, model.limits)
  const outputLimit = FitWindow.outputLimit(system, maxOutputTokens, model.limits)
  const currentOffer = makeOffer(registry, system, maxInput)

  const compose = Effect.fnUntraced(function* ({ added, cursor, number, pending, sent, toolChoice }: Round) {
    const isLast = concludes && number > 1 && number === maxToolIterations
    const additions = yield* meanwhile(cursor)
    const { fitWindow, tools } = yield* currentOffer
    for (const node of additions.nodes) yield* report(TurnEvent.NodeStored({ node, kind: "input" }))
    const trailing = isLast ? [...additions.trailing, conclusion] : additions.trailing
    // The new messages can be repaired without the earlier ones: they begin with the calls of a reply, followed by
    // their results.
    const repaired = History.repair([
      ...added,
      ...additions.nodes.map((node) => messageOf(node)),
      ...pending.map(({ message }) => message),
    ])
    const { exceeded, leftOut, messages } = fitWindow(sent.concat(repaired), trailing)
    if (exceeded !== undefined) {
      const message = `the conversation comes to about ${exceeded} tokens, and ${maxInput} fit beside the reply`
      const error = new ModelError({ model: String(model.id), reason: new ContextOverflow({ message }) })
      yield* report(TurnEvent.HistoryCompacted({ leftOut, error }))
    }
    const composed: Composed = {
      cursor: additions.nodes.at(-1)?.id ?? cursor,
      pending,
      toolChoice: isLast ? "none" : toolChoice,
      tools,
      messages,
      trailing,
    }
    return composed
  })

  const requestOf: Composer["requestOf"] = ({ toolChoice, tools, trailing }, messages) => {
    const { answerSchema, minOutputTokens, temperature, thinking } = options
    const all = trailing.length === 0 ? messages : [...messages, ...trailing]
    return {
      system,
      messages: all,
      tools,
      toolChoice,
      answerSchema,
      maxOutputTokens: outputLimit(all),
      minOutputTokens,
      temperature,
      thinking,
    }
  }

  return { compose, requestOf }
}

/** The tools of a request, and how many messages fit beside their declarations. */
interface Offer {
  readonly tools: ReadonlyArray<Tool>
  readonly fitWindow: FitWindow.FitWindow
}

/** Takes over the current tools of tool servers at each evaluation, so that each request has the latest ones. */
const makeOffer = (registry: ToolRegistry.Service, system: string, maxInput: number | undefined) => {
  const offerOf = (tools: ReadonlyArray<Tool>): Offer => ({
    tools,
    fitWindow: FitWindow.make(system + declarations(tools), maxInput),
  })
  let offer = offerOf(registry.tools)
  return Effect.map(ToolRegistry.latestTools(registry), (tools) => {
    if (tools !== offer.tools) offer = offerOf(tools)
    return offer
  })
}

/** The notice in the last request of a run that `concludes`. */
const conclusion: Message.Notice = {
  role: "system",
  content: [
    Block.text("No more calls can be made. Answer with what you know by now, and say what is left open. (A notice.)"),
  ],
}

const noAdditions = (): Effect.Effect<Additions> => Effect.succeed({ nodes: [], trailing: [] })
