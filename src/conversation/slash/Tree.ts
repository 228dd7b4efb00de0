/** `/tree`: goes to any node of the conversation. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Summary from "../../agent/Summary.ts"
import * as Forest from "../../forest/Forest.ts"
import * as Graph from "../../forest/Graph.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Mentions from "../Mentions.ts"
import { historyEntry } from "../Resume.ts"
import type { Session } from "../Session.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"
import { noMessage, pickChoice } from "./SlashCommand.ts"

export const tree: SlashCommand = {
  name: "tree",
  argument: "[N or NODE]",
  summary: "Go anywhere in this conversation",
  run: (session, words) =>
    Effect.gen(function* () {
      const at = yield* session.cursor
      const { nodes, path } = at === undefined ? nowhere : yield* nodesAround(session.forest, at)
      if (nodes.length === 0) return yield* noMessage
      const rows = drawRows(nodes)
      const here = rows.findLastIndex(({ node }) => path.has(node.id))
      const picked = yield* pickChoice(session, words, {
        title: "Where to?",
        command: "/tree N",
        preselected: Math.max(0, here),
        choices: rows.map(({ label }, row) => ({ label, about: row === here ? "you are here" : undefined })),
      })
      if (Option.isSome(picked)) {
        const row = rows[picked.value]
        if (row !== undefined) yield* goTo(session, row.node)
      } else if (words !== "") {
        const id = yield* Effect.provideService(NodeName.resolve(words), Forest.Forest, session.forest)
        yield* goTo(session, MessageParts.join(yield* MessageParts.read(session.forest, id)))
      }
      return "continue" as const
    }),
}

/**
 * Goes to an answer, to continue after it, or to a message of the user, to send another version of it. The message must
 * be whole.
 */
export const goTo = Effect.fnUntraced(function* ({ forest, moveTo: move, view }: Session, node: Node) {
  const isOwn = node.message.role === "user"
  const to = isOwn ? node.parent : node.id
  yield* move(to)
  yield* view.show(
    View.Entry.Noted({
      text: isOwn ? "back before this message; edit it and send it again" : "the conversation continues here:",
    }),
  )
  yield* view.show(yield* historyEntry(forest, to, 2))
  if (isOwn && node.message.content.some(({ type }) => type === "image"))
    yield* view.show(View.Entry.Noted({ text: "its pictures are not in the draft: mention or paste them again" }))
  if (isOwn) yield* view.setDraft(Mentions.withoutFiles(Message.text(node.message)))
})

/** Limits of the nodes that are read and shown around the position: a tree may have a million nodes. */
const MAX_ANCESTORS = 300
const MAX_NODES = 2000

interface Around {
  /** The nodes below the topmost one that is read; parents come before their children. */
  readonly nodes: ReadonlyArray<Node>
  /** The nodes on the path to the position. */
  readonly path: ReadonlySet<NodeId>
}

const nowhere: Around = { nodes: [], path: new Set() }

const nodesAround = Effect.fnUntraced(function* (forest: Forest.Service, at: NodeId) {
  const { nodes } = yield* forest.path(at, { last: MAX_ANCESTORS })
  const conversation = Option.getOrUndefined(yield* forest.conversation(at))
  if (conversation === undefined) return nowhere
  const [first] = nodes
  const isAll = first === undefined || nodes.length < MAX_ANCESTORS
  // The message at the top is whole, too.
  const top = isAll ? conversation.root : (yield* MessageParts.read(forest, first.id))[0].id
  const below = yield* forest.subtree(top, { depth: 2 * MAX_ANCESTORS })
  const around: Around = { nodes: below.slice(0, MAX_NODES), path: new Set(nodes.map(({ id }) => id)) }
  return around
})

interface Row {
  readonly label: string
  readonly node: Node
}

/** Draws whole messages of the user, final answers, and summaries of them. Tool calls between them are left out. */
const drawRows = (nodes: ReadonlyArray<Node>): ReadonlyArray<Row> => {
  const shown = new Map<NodeId, Node>()
  /** The nearest ancestor that is shown. */
  const above = new Map<NodeId, NodeId>()
  const [first] = nodes
  if (first === undefined) return []
  const top = first.parent
  for (const node of MessageParts.joinAll(nodes)) {
    const parent = above.get(node.parent) ?? top
    if (isShown(node)) shown.set(node.id, { ...node, parent })
    above.set(node.id, isShown(node) ? node.id : parent)
  }
  const root = { id: top, owner: "", systemPrompt: "", createdAt: 0 }
  return Graph.outline(root, [...shown.values()]).flatMap(({ lines, place }) =>
    place === undefined || NodeText.isRoot(place)
      ? []
      : [{ label: `${lines}${NodeText.line(plain(place))}`, node: place }],
  )
}

const isShown = (node: Node): boolean => Summary.isSummary(node) || Summary.isSaid(node.message)

const plain = (node: Node): Node =>
  node.message.role === "user"
    ? { ...node, message: Message.user(Mentions.withoutFiles(Message.text(node.message))) }
    : node
