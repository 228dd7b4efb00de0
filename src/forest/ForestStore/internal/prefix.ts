/** Follows messages of a conversation through the nodes that hold them already, by the digests of the messages. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Message } from "../../../message/Message.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import type { Reader } from "../../ForestStore.ts"
import { digest, isSameText } from "../../internal/messageDigest.ts"
import { isReadable, type Node } from "../../Node.ts"
import type { IdentityMap } from "./identityMap.ts"

export interface Prefix extends Pick<Reader, "prefix"> {
  /** Returns the digest of a message. That of a message that was just not found is known already. */
  readonly digestOf: (message: Message) => Buffer
  /** Called after a node was inserted, so that the same path is found again without a query. */
  readonly inserted: (number: number, parent: number, message: Message) => void
  /** Called when a step begins, and before a change of existing nodes. */
  readonly forget: () => void
}

export const make = (sql: Statements, known: IdentityMap): Prefix => {
  /** The message that was looked up last in this step. If it was not found, it is written next, with this digest. */
  let lastLookup: { readonly parent: number; readonly message: Message; readonly digest: Buffer } | undefined

  const prefix = (parent: NodeId, messages: ReadonlyArray<Message>): ReadonlyArray<Node> => {
    const found: Array<number> = []
    let above = known.numberOf(parent)
    for (const message of messages) {
      if (above === undefined) break
      const next = oldestMatch(above, message)
      if (next === undefined) break
      found.push(next)
      above = next
    }
    const nodes = known.nodes(found)
    const end = nodes.findIndex((node, at) => !isMatch(node, nodes[at - 1]?.id ?? parent, messages[at]))
    return end === -1 ? nodes : nodes.slice(0, end)
  }

  /**
   * Returns whether a node that was found by its digest has the same message, and the node found before it as its
   * parent.
   */
  const isMatch = (node: Node, parent: NodeId, message: Message | undefined): boolean =>
    isReadable(node) &&
    node.parent === parent &&
    message !== undefined &&
    (isSameText(node.message, message) || digest(node.message).equals(digest(message)))

  /** Returns the number of the oldest child with this message: mostly the one that was found the last time. */
  const oldestMatch = (parent: number, message: Message): number | undefined => {
    const followed = known.nextOnPath(parent)
    if (followed !== undefined && isSameText(followed[1].message, message)) return followed[0]
    lastLookup = { parent, message, digest: digest(message) }
    const row = sql("select id from node where parent = ? and digest = ? and not removed order by id limit 1").get(
      parent,
      lastLookup.digest,
    )
    if (row === undefined) return undefined
    const number = Number(row.id)
    known.setNextOnPath(parent, number)
    return number
  }

  return {
    prefix,
    digestOf: (message) => (message === lastLookup?.message ? lastLookup.digest : digest(message)),
    inserted: (number, parent, message) => {
      if (message === lastLookup?.message && parent === lastLookup.parent) known.setNextOnPath(parent, number)
    },
    forget: () => {
      lastLookup = undefined
    },
  }
}
