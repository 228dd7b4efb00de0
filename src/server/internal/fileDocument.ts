/**
 * Manages a text beside a conversation that is a file: users edit it in the page and in their editors, a model with a
 * tool.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { makeCriticalSection } from "../../base/mutex.ts"
import type * as ConversationDocument from "../../conversation/document/Document.ts"
import * as ReviseDocument from "../../conversation/document/ReviseDocument.ts"
import * as Revision from "../../conversation/document/Revision.ts"
import type * as Saves from "../../conversation/document/Saves.ts"
import type { SharedText } from "../../conversation/document/SharedText.ts"
import type { TextFile } from "../../conversation/document/TextFile.ts"
import type * as ConversationManager from "../../conversation/engines/ConversationManager.ts"
import { type Document, NotKept, Outdated } from "../api/Conversations.ts"
import { type SharedDocument, toDocument } from "./sharedDocument.ts"

/** Editors write a file in several steps: it is read when no step has followed for this long. */
const SAVE_DEBOUNCE = "150 millis"

export interface Options {
  readonly file: TextFile
  readonly shared: SharedText
  readonly saves: Saves.Service
  readonly manager: ConversationManager.Service
  readonly changed: (document: Document) => Effect.Effect<void>
}

/** Notices saves until the scope closes. */
export const make = Effect.fnUntraced(function* ({ changed, file, manager, saves, shared }: Options) {
  const exclusively = makeCriticalSection()
  // It is later than all versions of an earlier run of the server, whose pages may still be open.
  const first = Math.floor((yield* Clock.currentTimeMillis) / 1000)

  const toShown = (document: ConversationDocument.Document, version: number): Document => ({
    ...toDocument(document, version),
    file: file.name,
  })
  let now = toShown(yield* manager.document, first)

  const takeOver = Effect.gen(function* () {
    const document = yield* manager.document
    const next = toShown(document, document.text === now.text ? now.version : now.version + 1)
    if (next.version === now.version && next.edited === now.edited && next.conflicts === now.conflicts) return
    now = next
    yield* changed(now)
  })
  const read = Effect.zipRight(shared.readFile, takeOver)

  const edit: SharedDocument["edit"] = (text, version) =>
    Effect.gen(function* () {
      yield* read
      if (version !== now.version) return yield* new Outdated({ document: now })
      yield* manager.updatePrompt(text, { basedOn: now.text })
      const isWritten = yield* shared.write
      yield* takeOver
      if (!isWritten)
        return yield* new NotKept({ message: `${file.name} cannot be written: your text is in this page alone.` })
      return now
    })

  yield* saves(file.path).pipe(
    Stream.debounce(SAVE_DEBOUNCE),
    Stream.runForEach(() => exclusively(read)),
    // A conversation is opened as one step, which cannot be interrupted; this has to end with the scope.
    Effect.interruptible,
    Effect.forkScoped,
  )

  const document: SharedDocument = {
    current: exclusively(Effect.map(read, () => now)),
    edit: (text, version) => exclusively(edit(text, version)),
    sync: exclusively(takeOver),
    moved: (before) => Effect.asVoid(manager.updatePrompt(before)),
    tools: [ReviseDocument.make(file, shared)],
    answered: (answer) => {
      const text = Revision.findInAnswer(answer)
      return text === undefined
        ? Effect.void
        : Effect.ignore(shared.revise((known) => Either.right(Revision.replaceWhole(known, text))))
    },
  }
  return document
})
