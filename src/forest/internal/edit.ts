/** Edits and splits nodes. Pure except for the rows that it changes. */
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Usage from "../../message/Usage.ts"
import { BadPosition, BlankText, ForestError, NotText } from "../ForestError.ts"
import { isReadable, type Node, repliesIn, type Source } from "../Node.ts"
import { append } from "./append.ts"
import type { ChangeRecorder, IdsAndTime } from "./changeRecorder.ts"
import { validateText } from "./validate.ts"

export interface Halves {
  readonly left: Node
  /** The half that keeps the id and the children. */
  readonly right: Node
}

/**
 * Replaces the text of a node, and returns the node at which the path now ends with `text`. A leaf without bookmarks is
 * changed in place. Otherwise the node stays, and the new text branches off where the two texts begin to differ. The
 * bookmarks of `bookmarksOf` move to the new node.
 */
export const edit = (
  recorder: ChangeRecorder,
  node: Node,
  text: string,
  fresh: IdsAndTime,
  { bookmarksOf = node.id }: { readonly bookmarksOf?: NodeId | undefined } = {},
): Node => {
  validateText(text)
  const before = textOf(node, "edit")
  if (text.trim() === "") throw new ForestError({ reason: new BlankText() })
  if (text === before) return node
  const marked = recorder.rows.bookmarks().filter((bookmark) => bookmark.node === bookmarksOf)
  const children = recorder.rows.children(node.id)
  if (marked.length === 0 && children.length === 0) {
    const replaces = repliesIn(node.source)
    const source: Source = replaces.length === 0 ? { type: "user" } : { type: "user", replaces }
    return recorder.change(node, { ...withText(node, text), source })
  }
  const edited = editByBranching(recorder, node, children, before, text, fresh)
  for (const bookmark of marked) recorder.mark(bookmark, { ...bookmark, node: edited.id, updatedAt: fresh.now })
  return edited
}

/** Splits a node at `position`, in UTF-16 units. */
export const split = (recorder: ChangeRecorder, node: Node, position: number, fresh: IdsAndTime): Halves => {
  const text = textOf(node, "split")
  if (!canSplitAt(text, position)) {
    throw new ForestError({
      reason: new BadPosition({
        id: node.id,
        position,
        length: text.length,
        ...(isWithin(text, position) && { isWithinCharacter: true }),
      }),
    })
  }
  return splitNode(recorder, node, text, position, fresh)
}

const editByBranching = (
  recorder: ChangeRecorder,
  node: Node,
  children: ReadonlyArray<Node>,
  before: string,
  text: string,
  fresh: IdsAndTime,
): Node => {
  const isOfSameSpeaker = ({ message }: Node) => message.role === node.message.role
  const common = commonLength(before, text)
  const beside = (parent: NodeId, rest: string) => appendText(recorder, node, parent, rest, fresh)
  if (common === before.length && text.slice(common).trim() !== "") {
    // If a message of the same speaker follows, a mark would make the node read as the beginning of that message.
    const isMarked = node.splitFrom !== undefined || children.some(isOfSameSpeaker)
    const end = beside(node.id, text.slice(common))
    // The mark names the node and not the end, which may be purged, or may not be on a path that is copied, while
    // another end stays.
    if (!isMarked) recorder.change(node, { ...node, splitFrom: node.id })
    return end
  }
  if (!canSplitAt(before, common)) return beside(node.parent, text)
  if (common === text.length) return splitNode(recorder, node, before, common, fresh).left
  if (text.slice(common).trim() === "") return beside(node.parent, text)
  return beside(splitNode(recorder, node, before, common, fresh).left.id, text.slice(common))
}

const splitNode = (recorder: ChangeRecorder, node: Node, text: string, position: number, fresh: IdsAndTime): Halves => {
  const left = recorder.insert({
    ...withText(node, text.slice(0, position)),
    id: fresh.id(),
    splitFrom: node.id,
    source: withoutUsage(node.source),
  })
  const right = recorder.change(node, { ...withText(node, text.slice(position)), parent: left.id })
  return { left, right }
}

/** Removes the usage, since the usage of a reply is counted once: on the half that keeps the id. */
const withoutUsage = (source: Source): Source => {
  switch (source.type) {
    case "model":
      return { ...source, usage: Usage.none }
    case "user":
      return { type: "user" }
    default:
      return source
  }
}

const appendText = (recorder: ChangeRecorder, node: Node, parent: NodeId, text: string, fresh: IdsAndTime): Node => {
  const { message } = withText(node, text)
  const [last = node] = append(recorder, { root: node.root, parent }, [{ message, source: { type: "user" } }], fresh)
  return last
}

const withText = (node: Node, text: string): Node => {
  const { message } = node
  // The new text has no `meta`, since a signature of the provider belongs to the text as it was.
  return message.role === "user" || message.role === "assistant"
    ? { ...node, message: { role: message.role, content: [Block.text(text)] } }
    : node
}

/** Returns the text of a node, and throws `NotText` for a message that is more than text. */
export const textOf = ({ id, message, source }: Node, operation: NotText["operation"]): string => {
  const toNotText = (holds: NotText["holds"]) => new ForestError({ reason: new NotText({ id, operation, holds }) })
  if (!isReadable({ source })) throw toNotText("nothing that can be read")
  if (message.role === "tool") throw toNotText("a tool result")
  if (message.role === "system") throw toNotText("a notice")
  if (Message.toolUses(message).length > 0) throw toNotText("tool calls")
  if (message.content.some((block) => block.type === "image")) throw toNotText("a picture")
  if (!message.content.every(Block.isText)) throw toNotText("thinking")
  return Message.text(message)
}

/** Returns whether both sides have text, and no surrogate pair is cut in two. */
const canSplitAt = (text: string, position: number): boolean =>
  Number.isInteger(position) &&
  position > 0 &&
  !isWithin(text, position) &&
  text.slice(0, position).trim() !== "" &&
  text.slice(position).trim() !== ""

const commonLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return isWithin(one, length) || isWithin(other, length) ? length - 1 : length
}

/** Returns whether the position is inside a surrogate pair. */
const isWithin = (text: string, position: number): boolean =>
  /[\ud800-\udbff]/.test(text[position - 1] ?? "") && /[\udc00-\udfff]/.test(text[position] ?? "")
