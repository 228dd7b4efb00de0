/** Makes a summary of the older messages of a path, as a node at its end. */
import * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Usage from "../message/Usage.ts"
import * as Cost from "../model/Cost.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { maxInput } from "../model/Limits.ts"
import { Empty, ModelError } from "../model/ModelError.ts"
import * as Spending from "./Spending.ts"
import * as Summary from "./Summary.ts"
import { type Sink, TurnEvent } from "./TurnEvent.ts"

export interface Options {
  readonly model: LanguageModel.Service
  /** A wish of the user for the summary: something to keep in mind. */
  readonly focus?: string | undefined
}

interface Made {
  readonly text: string
  readonly spending: Spending.Spending
}

/** The most tokens of the reply: some 1,000 words. */
const MAX_OUTPUT = 2000

/** The share of a window that one request for a summary takes, since the estimate of tokens may be too low. */
const SHARE = 0.7

/** The tokens that are assumed for an unknown window, since even small models have them. */
const SMALL_WINDOW = 8192

/**
 * Asks the model for a summary. If the transcript does not fit into one request, it sends several, each with the
 * summary so far.
 */
export const ask = Effect.fn("loom.summarize")(function* (covered: ReadonlyArray<Node>, { focus, model }: Options) {
  const room = (maxInput(MAX_OUTPUT, model.limits) ?? SMALL_WINDOW - MAX_OUTPUT) * SHARE - MAX_OUTPUT
  const wish = focus === undefined || focus.trim() === "" ? "" : `\n\nThe user asks to keep in mind above all: ${focus}`
  let made: Made = { text: "", spending: Spending.zero }
  for (const part of Summary.parts(Summary.transcript(covered), Math.max(500, room))) {
    const before = made.text === "" ? "" : `<summary so far>\n${made.text}\n</summary so far>\n\n`
    const reply = yield* model.generate(
      {
        system: Summary.PROMPT + wish,
        messages: [Message.user(`${before}<transcript>\n${part}\n</transcript>`)],
        tools: [],
        maxOutputTokens: Math.min(MAX_OUTPUT, model.limits?.output ?? MAX_OUTPUT),
      },
      { part: undefined, retry: () => Effect.void, replaced: () => Effect.void },
    )
    const text = Message.text({ role: "assistant", content: reply.blocks }).trim()
    const spending = Spending.add(made.spending, { usage: reply.usage, cost: Cost.ofReply(model, reply) })
    if (text === "") {
      return yield* new ModelError({ model: String(model.id), reason: new Empty() })
    }
    made = { text, spending }
  }
  return made
})

interface Storing {
  /** The summary. Undefined if the covered nodes are left out. */
  readonly made: Made | undefined
  readonly model: LanguageModel.Service
  /** The reason that there is no summary. */
  readonly problem: string | undefined
  readonly report: Sink
}

/** Stores the summary below `cursor`, as one step with its events. */
export const storeAndReport = (
  forest: Forest.Service,
  cursor: NodeId,
  { covered, kept }: Summary.Division,
  { made, model, problem, report }: Storing,
): Effect.Effect<Node, ForestError> =>
  Effect.gen(function* () {
    const messages = Summary.countSaid(covered)
    const usage = made?.spending.usage ?? Usage.none
    const source = {
      type: "summary",
      upTo: covered.at(-1)?.id ?? cursor,
      keeps: kept.length,
      messages,
      ...(made !== undefined && { model: String(model.id) }),
      usage,
    } as const
    const message = Summary.messageOf(messages, made?.text)
    const [node] = yield* forest.append(cursor, [{ message, source }], { distinct: true })
    if (node === undefined) return yield* Effect.dieMessage("the forest has stored no node for a summary")
    yield* report(TurnEvent.NodeStored({ node, kind: "summary" }))
    const cost = made === undefined ? 0 : made.spending.cost
    yield* report(
      TurnEvent.HistorySummarized({ node, messages, tokens: Summary.tokensOf([node]), usage, cost, problem }),
    )
    return node
  }).pipe(Effect.uninterruptible)
