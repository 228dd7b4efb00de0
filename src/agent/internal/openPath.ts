/** Reads the path that a run answers, and completes it so that a provider accepts it. */

import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import { readTail } from "../../forest/ForestService.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Draft, Node } from "../../forest/Node.ts"
import type * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as History from "../../model/History.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { declarations } from "../../model/Request.ts"
import type { GenerateOptions } from "../GenerateOptions.ts"
import * as Summary from "../Summary.ts"
import type { Sink } from "../TurnEvent.ts"
import * as MakeRoom from "./makeRoom.ts"
import * as StoreNodes from "./storeNodes.ts"

export type Messages = ReadonlyArray<Message.Message>

export interface OpenPath {
  readonly system: string
  readonly state: State
}

interface State {
  /** The node below which the next message goes. */
  readonly cursor: NodeId
  /** The messages of the path that are sent. */
  readonly messages: Messages
  /** The user's message, stored together with the reply: a request that fails leaves no trace. */
  readonly pending: ReadonlyArray<Draft>
}

export const ownMessage = ({ message }: Node): Message.Message => message

/**
 * Reads the path to answer. Calls at its end that a crash or an abort left without a result get one first. `isRefused`
 * says that the provider has refused the path as too long.
 */
export const make = (forest: Forest.Service, append: StoreNodes.Append, defaultModel: LanguageModel.Service) => {
  const makeRoom = MakeRoom.make(forest)
  return Effect.fnUntraced(function* (parent: NodeId, options: GenerateOptions, report: Sink, isRefused = false) {
    const { maxOutputTokens, messageOf = ownMessage, model = defaultModel, text, tools, window } = options
    const path = yield* readPath(forest, parent, window)
    const system = path.root.systemPrompt
    const missing = History.findUnanswered(path.nodes.map(({ message }) => message)).map((call) =>
      StoreNodes.resultDraft(call, undefined),
    )
    const added = missing.length === 0 ? [] : yield* append(parent, missing, () => "repair", report)
    const nodes = Summary.visible([...path.nodes, ...added.map(({ node }) => node)])
    const cursor = added.at(-1)?.node.id ?? parent
    const room =
      options.summarizes === true
        ? yield* makeRoom({
            nodes,
            cursor,
            model,
            messageOf,
            fixed: system + declarations(tools?.tools ?? []),
            maxOutputTokens,
            isRefused,
            report,
          })
        : { nodes, cursor }
    const state: State = {
      cursor: room.cursor,
      messages: Summary.takeWindow(
        MessageParts.joinAll(room.nodes).map((node) => messageOf(node)),
        window,
      ),
      pending: text === undefined ? [] : [StoreNodes.userDraft(text)],
    }
    return { system, state, hasMadeRoom: room.cursor !== cursor }
  })
}

/**
 * Reads the part of the path that is sent, and the part that the check for open calls needs: back to the last message
 * of user or model.
 */
const readPath = (
  forest: Forest.Service,
  parent: NodeId,
  window: number | undefined,
): Effect.Effect<Forest.Path, ForestError> =>
  window === undefined
    ? readTail(forest, parent, TAIL, Summary.hasWhole)
    : // One more than the window: fewer nodes mean that the whole path was read.
      readTail(forest, parent, window + 1, (nodes) => {
        const messages = MessageParts.messagesOf(nodes)
        return (
          Summary.countSaidMessages(messages) >= window &&
          messages.some(({ role }) => role === "assistant" || role === "user")
        )
      })

/**
 * The number of nodes of a path that are read at first if all nodes after its last summary are sent: as many as most
 * conversations have.
 */
const TAIL = 200
