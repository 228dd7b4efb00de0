/**
 * The state of a conversation about a text, the prompt: the end of its path, the prompt, and the version of it that the
 * model has. Each step stores what belongs to it in the forest, and returns the next state.
 */
import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import { ForestError, NotFound } from "../../forest/ForestError.ts"
import { readTail } from "../../forest/ForestService.ts"
import type { Draft, Node, Root } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { draftsAfter, notAnswered } from "../storeMessage.ts"
import * as Document from "./Document.ts"
import * as EditNotice from "./editNotice.ts"
import { rebase } from "./Merge.ts"
import { makePromptVersions, unlessBlank } from "./promptVersions.ts"

export interface PromptState {
  /** The root at which the conversation begins. */
  readonly root: NodeId
  readonly cursor: NodeId
  readonly document: Document.Document
  /** The version that can be read from the path to the cursor: a notice changes it. */
  readonly recorded: EditNotice.Recorded | undefined
}

/** The place at which a conversation is opened, and its prompt; see `ConversationManager.Options`. */
interface Opening extends Pick<Root, "owner" | "systemPrompt"> {
  readonly from?: NodeId | undefined
  readonly prompt?: string | undefined
  readonly resumes?: boolean | undefined
  readonly known?: string | undefined
}

type Stored<S> = Effect.Effect<readonly [S, ReadonlyArray<Node>], ForestError>

/** `extract` finds the prompt in a whole answer. */
export const make = (forest: Forest.Service, extract: (answer: string) => string | undefined) => {
  const { editsIn, promptOf, recordedBy, versionsIn } = makePromptVersions(extract)

  /** The text of the notices that were added here, as requests have it. */
  const shortened = new Map<NodeId, Message.Notice>()

  /** Leaves long texts in earlier notices out of requests, which end with the current one. */
  const messageOf = (node: Node): Message.Message =>
    node.source.type === "notice"
      ? (shortened.get(node.id) ?? notice(EditNotice.shorten(Message.text(node.message))))
      : node.message

  /** Returns the state at a node, or at the root of a tree, and the root of that tree. */
  const open = Effect.fnUntraced(function* ({ from, known, owner, systemPrompt, ...given }: Opening) {
    const { nodes, root } =
      from === undefined
        ? { nodes: [], root: yield* forest.root({ owner, systemPrompt }) }
        : yield* readTail(forest, from, 8, (nodes) => recordedBy(nodes) !== undefined)
    const recorded = recordedBy(nodes)
    const prompt = (given.resumes === true ? recorded?.text : undefined) ?? given.prompt ?? ""
    const document = Document.edit(Document.make(known ?? recorded?.text ?? prompt), prompt)
    const state: PromptState = { root: root.id, cursor: from ?? root.id, document, recorded }
    return { root, state }
  })

  const append = <S extends PromptState>(state: S, draft: Draft): Stored<S> =>
    Effect.map(
      // A reply is a node of its own, even if another one has the same text.
      forest.append(state.cursor, [draft], { distinct: draft.source.type === "model" }),
      (nodes) => [{ ...state, cursor: nodes.at(-1)?.id ?? state.cursor }, nodes],
    )

  /** Adds the notice of an edit, if there is one. */
  const notify = <S extends PromptState>(state: S): Stored<S> => {
    const { document, recorded } = state
    if (!Document.isEdited(document)) return Effect.succeed([state, []])
    const text = EditNotice.format(recorded, document.known, document.text)
    return Effect.map(append(state, noticeDraft(text)), ([next, nodes]) => {
      const told = notice(EditNotice.shorten(text, document.known))
      for (const { id } of nodes) shortened.set(id, told)
      return [{ ...next, document: Document.markKnown(document), recorded: EditNotice.read(recorded, text) }, nodes]
    })
  }

  /**
   * Stores the user's message after a notice of an edit. A message without an answer that is sent again is not stored
   * twice.
   */
  const storeMessage = <S extends PromptState>(
    state: S,
    text: string,
    pictures: ReadonlyArray<Block.Image> | undefined,
  ): Effect.Effect<S, ForestError> =>
    Effect.gen(function* () {
      const above = state.cursor === state.root ? [] : [yield* forest.node(state.cursor)]
      const drafts = draftsAfter(above, text, pictures)
      const message = drafts.at(-1)
      if (message === undefined) return state
      const [separated] = drafts.length > 1 ? yield* append(state, notAnswered) : [state]
      const [notified] = yield* notify(separated)
      const [asked] = yield* append(notified, message)
      return asked
    })

  /** Takes over the prompt of nodes that the path continues with. */
  const follow = <S extends PromptState>(state: S, nodes: ReadonlyArray<Node>, prompt: string | undefined): S => ({
    ...state,
    recorded: recordedBy(nodes, state.recorded),
    document: reviseIfGiven(state.document, prompt),
  })

  /** Continues after another node of the tree. The edits of the user since the paths part are applied to its prompt. */
  const moveTo = <S extends PromptState>(state: S, target: NodeId, tree: NodeId): Effect.Effect<S, ForestError> =>
    Effect.gen(function* () {
      if (target === state.cursor) return state
      const old = (yield* forest.path(state.cursor)).nodes
      const { nodes, root } = yield* forest.path(target)
      if (root.id !== tree) return yield* new ForestError({ reason: new NotFound({ id: target }) })
      const fork = nodes.findIndex(({ id }, index) => id !== old[index]?.id)
      const shared = nodes.slice(0, fork === -1 ? nodes.length : fork)
      const recorded = recordedBy(nodes)
      const { known, text } = state.document
      const edits = [...editsIn(old.slice(shared.length), recordedBy(shared)), { before: known, after: text }]
      const document =
        recorded === undefined
          ? Document.make(text)
          : Document.edit(Document.make(recorded.text), rebase(edits, recorded.text))
      return { ...state, cursor: target, document, recorded }
    })

  return { open, messageOf, append, notify, storeMessage, follow, moveTo, promptOf, versionsIn }
}

/** Revises the document. An answer without a prompt leaves it as it was. */
export const reviseIfGiven = (document: Document.Document, prompt: string | undefined): Document.Document => {
  const given = unlessBlank(prompt)
  return given === undefined ? document : Document.revise(document, given)
}

/** The last message of every request, unless the prompt is empty. */
export const currentPromptNotice = ({ text }: Document.Document): ReadonlyArray<Message.Notice> =>
  text === "" ? [] : [notice(`[current prompt: "${text}"]`)]

export const notice = (text: string): Message.Notice => ({ role: "system", content: [Block.text(text)] })

/**
 * Makes the draft of a notice. Notices are recognised by their source, never by their text: a user may write the same.
 */
const noticeDraft = (text: string): Draft => ({ message: notice(text), source: { type: "notice" } })
