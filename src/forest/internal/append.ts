/** Messages under a node, each under the one before (REQUIREMENTS E-3, E-27, X-08). */
import * as Message from "../../message/Message.ts"
import type { Draft, Node } from "../Node.ts"
import type { ChangeRecorder, IdsAndTime } from "./changeRecorder.ts"
import { validateDraft } from "./validate.ts"

/**
 * The nodes of the messages that say something, in order. As long as there is a child that says the same, that is the
 * node; `distinct` makes one of its own of the last all the same. Throws `Invalid` where one of them could not be read
 * again.
 */
export const append = (
  { insert, rows }: ChangeRecorder,
  { parent, root }: Pick<Node, "parent" | "root">,
  drafts: ReadonlyArray<Draft>,
  fresh: IdsAndTime,
  distinct = false,
): ReadonlyArray<Node> => {
  const spoken = drafts.map(validateDraft).filter(({ message }) => !Message.isEmpty(message))
  const comparable = distinct ? spoken.slice(0, -1) : spoken
  const known = rows.prefix(
    parent,
    comparable.map(({ message }) => message),
  )
  const nodes = [...known]
  for (const { createdAt = fresh.now, message, source } of spoken.slice(known.length)) {
    const above = nodes.at(-1)?.id ?? parent
    nodes.push(insert({ id: fresh.id(), root, parent: above, message, source, createdAt }))
  }
  return nodes
}
