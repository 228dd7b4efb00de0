/** Summarises the older turns of a path that is too long for its model. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import type { Message } from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Tokens from "../../message/Tokens.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as Limits from "../../model/Limits.ts"
import { ContextOverflow, ModelError, Unsupported } from "../../model/ModelError.ts"
import * as Summarize from "../Summarize.ts"
import * as Summary from "../Summary.ts"
import { type Sink, TurnEvent } from "../TurnEvent.ts"

interface Options {
  /** The visible nodes of the path, up to the message to answer. */
  readonly nodes: ReadonlyArray<Node>
  /** The end of the path. */
  readonly cursor: NodeId
  readonly model: LanguageModel.Service
  readonly messageOf: (node: Node) => Message
  /** The parts of a request other than its messages. */
  readonly fixed: string
  readonly maxOutputTokens: number | undefined
  /** True if the provider has refused the path, whatever the estimate says. */
  readonly isRefused: boolean
  readonly report: Sink
}

interface Room {
  readonly nodes: ReadonlyArray<Node>
  readonly cursor: NodeId
}

/** The share of the window above which a request is summarised first: a turn with tools needs the rest. */
const FULL = 0.8

/** The share of the window that the last turns keep, word for word. So a summary lasts for half of the window. */
const KEPT = 0.25

/**
 * The factor for a request that is certainly too long, since an estimate may be too high by half. Such a message is not
 * sent, and nothing is summarised for it, since it would not fit even then.
 */
const CERTAINLY = 0.6

/**
 * Returns the path as it is if it has room, or if there is nothing before its last turn. Fails with `ContextOverflow`
 * if the message to answer does not fit alone.
 */
export const make =
  (forest: Forest.Service) =>
  (options: Options): Effect.Effect<Room, ForestError | ModelError> =>
    Effect.gen(function* () {
      const { cursor, fixed, isRefused, maxOutputTokens, messageOf, model, nodes } = options
      const most = Limits.maxInput(maxOutputTokens, model.limits)
      if (most === undefined && !isRefused) return { nodes, cursor }
      const sent = nodes.map((node) => ({ ...node, message: messageOf(node) }))
      const size = Tokens.estimate(fixed, MessageParts.messagesOf(sent))
      if (!isRefused && most !== undefined && size <= most * FULL) return { nodes, cursor }
      if (most !== undefined) yield* refuseHuge(options, sent, most)
      // A path that a provider refuses is longer than its window, and mostly by a turn.
      const division = Summary.divide(sent, KEPT * Math.min(size, most ?? size))
      if (division === undefined) return { nodes, cursor }
      const count = division.covered.length
      const own = { covered: division.covered, kept: nodes.slice(count) }
      const fits = !isRefused && most !== undefined && size <= most
      return yield* summarize(forest, options, own, fits)
    })

/** Fails if the last message of the user, which nothing can shorten, is too long by itself. */
const refuseHuge = ({ fixed, model }: Options, sent: ReadonlyArray<Node>, most: number) => {
  const last = sent.findLast(({ message }) => message.role === "user")
  const size = last === undefined ? 0 : Tokens.estimate(fixed, [last.message])
  if (size * CERTAINLY <= most) return Effect.void
  const message = `your message alone comes to about ${size} tokens, and ${most} fit beside the reply; divide it, or name a file that a tool can read in parts`
  return new ModelError({ model: String(model.id), reason: new ContextOverflow({ message }) })
}

/** Summarises a path. `fits` says that it can be sent without a summary for now. */
const summarize = (forest: Forest.Service, options: Options, division: Summary.Division, fits: boolean) =>
  Effect.gen(function* () {
    const { cursor, model, report } = options
    const known = (yield* forest.children(cursor)).find(
      (node): node is Summary.Summary =>
        Summary.isSummary(node) && node.source.model !== undefined && node.source.upTo === division.covered.at(-1)?.id,
    )
    if (known !== undefined) {
      yield* report(TurnEvent.NodeStored({ node: known, kind: "summary" }))
      return { nodes: [known, ...division.kept], cursor: known.id }
    }
    const asked = yield* Effect.either(
      model.followsInstructions === false
        ? new ModelError({ model: String(model.id), reason: new Unsupported({ message: "it writes no summaries" }) })
        : Effect.zipRight(
            report(TurnEvent.SummaryRequested({ messages: Summary.countSaid(division.covered) })),
            Summarize.ask(division.covered, { model }),
          ),
    )
    if (Either.isLeft(asked) && !isHopeless(asked.left)) {
      // The next turn tries again.
      if (fits) return { nodes: options.nodes, cursor }
      return yield* asked.left
    }
    const made = Either.getOrUndefined(asked)
    const problem = Either.isLeft(asked) ? asked.left.reason.message : undefined
    const node = yield* Summarize.storeAndReport(forest, cursor, division, { made, model, problem, report })
    return { nodes: [node, ...division.kept], cursor: node.id }
  })

/** Returns true if the same request would fail again, though the conversation can go on with other requests. */
const isHopeless = ({ reason }: ModelError): boolean => {
  switch (reason._tag) {
    case "ContextOverflow":
    case "InvalidRequest":
    case "Blocked":
    case "Unusable":
    case "Empty":
    case "Unsupported":
    case "OutputLimit":
    // Sending the shorter conversation costs less than a summary.
    case "BudgetReached":
      return true
    default:
      return false
  }
}
