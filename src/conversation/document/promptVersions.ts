/**
 * Reads the versions of the prompt on a path. The user's versions are in notices of edits, and those of models are in
 * their replies.
 */
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"
import * as EditNotice from "./editNotice.ts"
import type { Edit } from "./Merge.ts"

/** A version of the prompt, at the node that made it the current one. */
export interface Version {
  readonly node: Node
  readonly by: "user" | "model"
  readonly text: string
}

export interface PromptVersions {
  /** Returns the prompt of a complete answer only: a reply that calls tools is not the last one. */
  readonly promptOf: (node: Node) => string | undefined
  /** Returns the last version of the prompt on a path that continues with these nodes. */
  readonly recordedBy: (nodes: ReadonlyArray<Node>, before?: EditNotice.Recorded) => EditNotice.Recorded | undefined
  /** Returns the edits that the notices among `nodes` record. `before` is the version before the first of them. */
  readonly editsIn: (nodes: ReadonlyArray<Node>, before: EditNotice.Recorded | undefined) => ReadonlyArray<Edit>
  readonly versionsIn: (nodes: ReadonlyArray<Node>) => ReadonlyArray<Version>
}

/** `extract` finds the prompt in a whole answer. */
export const makePromptVersions = (extract: (answer: string) => string | undefined): PromptVersions => {
  const promptOf = ({ message, source }: Node): string | undefined =>
    source.type === "model" && source.finish === "stop" ? unlessBlank(extract(Message.text(message))) : undefined

  const recordedBy = (nodes: ReadonlyArray<Node>, before?: EditNotice.Recorded): EditNotice.Recorded | undefined =>
    nodes.reduce<EditNotice.Recorded | undefined>((recorded, node) => {
      const prompt = promptOf(node)
      if (prompt !== undefined) return { text: prompt, changed: 0 }
      return node.source.type === "notice"
        ? (EditNotice.read(recorded, Message.text(node.message)) ?? recorded)
        : recorded
    }, before)

  const editsIn = (nodes: ReadonlyArray<Node>, before: EditNotice.Recorded | undefined): ReadonlyArray<Edit> => {
    let recorded = before
    return nodes.flatMap((node) => {
      const known = recorded?.text
      recorded = recordedBy([node], recorded)
      return node.source.type === "notice" && recorded !== undefined
        ? [{ before: known ?? recorded.text, after: recorded.text }]
        : []
    })
  }

  const versionsIn = (nodes: ReadonlyArray<Node>): ReadonlyArray<Version> => {
    let recorded: EditNotice.Recorded | undefined
    return nodes.flatMap((node) => {
      const before = recorded?.text
      recorded = recordedBy([node], recorded)
      return recorded === undefined || recorded.text === before
        ? []
        : [{ node, by: node.source.type === "notice" ? "user" : "model", text: recorded.text }]
    })
  }

  return { promptOf, recordedBy, editsIn, versionsIn }
}

/** Returns undefined for a blank prompt. */
export const unlessBlank = (prompt: string | undefined): string | undefined =>
  prompt?.trim() === "" ? undefined : prompt
