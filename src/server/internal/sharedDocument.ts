/** Manages the text beside a conversation: its versions and their storage. Changes are made one at a time. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeCriticalSection } from "../../base/mutex.ts"
import * as ConversationDocument from "../../conversation/document/Document.ts"
import type * as ConversationManager from "../../conversation/engines/ConversationManager.ts"
import type { DiskError } from "../../disk/DiskError.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Tool } from "../../tool/Tool.ts"
import { type Document, type NotKept, Outdated } from "../api/Conversations.ts"
import type * as DraftStore from "../DraftStore.ts"

export interface SharedDocument {
  readonly current: Effect.Effect<Document, DiskError>
  /** Stores the user's text. Fails with `Outdated` if it was made from another version than the current one. */
  readonly edit: (text: string, version: number) => Effect.Effect<Document, DiskError | NotKept | Outdated>
  /** Takes over the text of the manager, after a change by a model or a move to another branch. */
  readonly sync: Effect.Effect<void>
  /** Called with the earlier text when the conversation has moved to another branch. */
  readonly moved: (before: string) => Effect.Effect<void>
  /** The tools by which models change the text. */
  readonly tools: ReadonlyArray<Tool>
  /** Called with a complete answer, which may contain the new text if the model calls no tools. */
  readonly answered: (answer: string) => Effect.Effect<void>
}

export interface Options {
  readonly conversation: NodeId
  readonly manager: ConversationManager.Service
  readonly drafts: DraftStore.Service
  readonly changed: (document: Document) => Effect.Effect<void>
}

/** Converts a text of a manager to the form that pages receive. */
export const toDocument = (document: ConversationDocument.Document, version: number): Document => ({
  text: document.text,
  version,
  edited: ConversationDocument.isEdited(document),
  conflicts: ConversationDocument.conflicts(document).length,
})

/** Starts with the stored text, into which the changes that a model has made since are merged. */
export const make = Effect.fnUntraced(function* ({ changed, conversation, drafts, manager }: Options) {
  const exclusively = makeCriticalSection()

  /** The version that is in the store: another server on the same forest may have stored a later one. */
  let stored = 0
  let now: Document = { text: "", version: 0, edited: false, conflicts: 0 }

  const isSame = (one: Document, other: Document) =>
    one.version === other.version && one.edited === other.edited && one.conflicts === other.conflicts

  /** Sends pages the text of the manager. */
  const show = (document: ConversationDocument.Document, version: number) =>
    Effect.suspend(() => {
      const next = toDocument(document, version)
      if (isSame(next, now)) return Effect.void
      now = next
      return changed(next)
    })

  /** Merges what another server has stored. */
  const takeStored = Effect.gen(function* () {
    const row = Option.getOrUndefined(yield* drafts.draft(conversation))
    if (row === undefined || row.version === stored) return
    const before = now.text
    stored = row.version
    const document = yield* manager.updatePrompt(row.text, { basedOn: before })
    yield* show(document, Math.max(row.version, now.version + 1))
  })

  /**
   * Stores the manager's text as the next version. Pages receive it even if it cannot be stored, since a model wrote
   * it.
   */
  const takeOver = Effect.gen(function* () {
    const document = yield* manager.document
    if (document.text === now.text) return yield* show(document, now.version)
    const version = Math.max(now.version, stored) + 1
    const isStored = yield* Effect.orElseSucceed(
      drafts.save(conversation, { text: document.text, known: document.known, version }, stored),
      () => false,
    )
    if (isStored) stored = version
    yield* show(document, version)
  })

  const current = Effect.gen(function* () {
    yield* takeStored
    yield* takeOver
    return now
  })

  const edit: SharedDocument["edit"] = (text, version) =>
    Effect.gen(function* () {
      const before = yield* current
      if (version !== before.version) return yield* new Outdated({ document: before })
      if (text === before.text) return before
      const { known } = yield* manager.document
      const next = Math.max(before.version, stored) + 1
      if (!(yield* drafts.save(conversation, { text, known, version: next }, stored))) {
        return yield* new Outdated({ document: yield* current })
      }
      stored = next
      // If a model has changed the text since, it is merged, which makes one more version.
      const document = yield* manager.updatePrompt(text, { basedOn: before.text })
      if (document.text === text) yield* show(document, next)
      else {
        now = { ...now, text, version: next }
        yield* takeOver
      }
      return now
    })

  const first = Option.getOrUndefined(yield* drafts.draft(conversation))
  const initial = yield* manager.document
  if (first === undefined) now = toDocument(initial, initial.text === "" ? 0 : 1)
  else {
    stored = first.version
    // A path without any version of the text has nothing to merge with.
    const base = initial.known === "" ? {} : { basedOn: first.known }
    const document = yield* manager.updatePrompt(first.text, base)
    now = toDocument(document, document.text === first.text ? first.version : first.version + 1)
  }

  const shared: SharedDocument = {
    current: exclusively(current),
    edit: (text, version) => exclusively(edit(text, version)),
    sync: exclusively(takeOver),
    // The manager has moved the user's edits already, and takes the text from an answer itself.
    moved: () => Effect.void,
    tools: [],
    answered: () => Effect.void,
  }
  return shared
})
