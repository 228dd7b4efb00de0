/** The text beside a conversation: its versions, and their storage. Changes are made one at a time. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ConversationManager from "../../chat/ConversationManager.ts"
import * as Text from "../../chat/Document.ts"
import type { DiskError } from "../../disk/DiskError.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Tool } from "../../tool/Tool.ts"
import { type Document, type NotKept, Outdated } from "../api/Conversations.ts"
import type * as DraftStore from "../DraftStore.ts"
import { makeCriticalSection } from "./criticalSection.ts"

export interface SharedDocument {
  readonly current: Effect.Effect<Document, DiskError>
  /** Stores the user's text. Fails with `Outdated` where it was made from another version than the current one. */
  readonly edit: (text: string, version: number) => Effect.Effect<Document, DiskError | NotKept | Outdated>
  /** Takes over what has become of the text in the manager: the change of a model, or another branch. */
  readonly sync: Effect.Effect<void>
  /** Called once the conversation has moved to another branch, with the text before. */
  readonly moved: (before: string) => Effect.Effect<void>
  /** By which models change the text. */
  readonly tools: ReadonlyArray<Tool>
  /** Called with a complete answer, which may have the text for those models that call no tools. */
  readonly answered: (answer: string) => Effect.Effect<void>
}

export interface Options {
  readonly conversation: NodeId
  readonly manager: ConversationManager.Service
  readonly drafts: DraftStore.Service
  readonly changed: (document: Document) => Effect.Effect<void>
}

/** A text of a manager as pages see it. */
export const toDocument = (document: Text.Document, version: number): Document => ({
  text: document.text,
  version,
  edited: Text.isEdited(document),
  conflicts: Text.conflicts(document).length,
})

/** Begins with the text that was stored, with what a model has changed since merged into it. */
export const make = Effect.fnUntraced(function* ({ changed, conversation, drafts, manager }: Options) {
  const whole = makeCriticalSection()

  /** The version that is in the store: another server on the same forest may have stored a later one. */
  let stored = 0
  let now: Document = { text: "", version: 0, edited: false, conflicts: 0 }

  const isSame = (one: Document, other: Document) =>
    one.version === other.version && one.edited === other.edited && one.conflicts === other.conflicts

  /** Shows pages what the manager has. */
  const show = (document: Text.Document, version: number) =>
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

  /** The manager's text as the next version, stored. Where it cannot be stored, pages have it all the same: a model's. */
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
      // A model may have changed the text since: then it is merged, which is one more version.
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
    // Of a path without any version of the text nothing can be merged.
    const base = initial.known === "" ? {} : { basedOn: first.known }
    const document = yield* manager.updatePrompt(first.text, base)
    now = toDocument(document, document.text === first.text ? first.version : first.version + 1)
  }

  const shared: SharedDocument = {
    current: whole(current),
    edit: (text, version) => whole(edit(text, version)),
    sync: whole(takeOver),
    // The manager has moved the user's edits, and takes the text from an answer itself.
    moved: () => Effect.void,
    tools: [],
    answered: () => Effect.void,
  }
  return shared
})
