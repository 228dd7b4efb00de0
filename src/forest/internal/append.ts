/** Appends messages below a node, each below the one before. */
import * as Message from "../../message/Message.ts"
import type { Draft, Node } from "../Node.ts"
import type { ChangeRecorder, IdsAndTime } from "./changeRecorder.ts"
import { validateDraft } from "./validate.ts"

/**
 * Returns the nodes of all messages but empty ones, in order. Nodes of the longest prefix that exists are reused,
 * except, with `distinct`, for the last message. Throws `Invalid` if a message could not be read again.
 */
export const append = (
  { insert, rows }: ChangeRecorder,
  { parent, root }: Pick<Node, "parent" | "root">,
  drafts: ReadonlyArray<Draft>,
  fresh: IdsAndTime,
  distinct = false,
): ReadonlyArray<Node> => {
  const nonEmpty = drafts.map(validateDraft).filter(({ message }) => !Message.isEmpty(message))
  const comparable = distinct ? nonEmpty.slice(0, -1) : nonEmpty
  const known = rows.prefix(
    parent,
    comparable.map(({ message }) => message),
  )
  const nodes = [...known]
  for (const { createdAt = fresh.now, message, source } of nonEmpty.slice(known.length)) {
    const above = nodes.at(-1)?.id ?? parent
    nodes.push(insert({ id: fresh.id(), root, parent: above, message, source, createdAt }))
  }
  return nodes
}
