/**
 * Keeps a file and the text of a conversation the same. The user edits the file, the model edits the text. Each change
 * is merged with concurrent changes of the other, and on conflicts the user's lines win. Operations run one at a time.
 */

import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import { makeMutex } from "../../base/mutex.ts"
import { plural } from "../../base/Prose.ts"
import * as unifiedDiff from "../../base/unifiedDiff.ts"
import type { FileError } from "../../code/FileError.ts"
import type * as ConversationManager from "../engines/ConversationManager.ts"
import * as View from "../View.ts"
import * as Merge from "./Merge.ts"
import type { Snapshot, TextFile } from "./TextFile.ts"

export interface SharedText {
  /** The current text. */
  readonly text: Effect.Effect<string>
  /** The text when the session began. */
  readonly initial: string
  /**
   * Attaches a conversation. It is opened with the current text. If another conversation was attached before, it is
   * also given the version that the model has.
   */
  readonly attach: <E>(
    open: (text: string, known: string | undefined) => Effect.Effect<ConversationManager.Service, E>,
  ) => Effect.Effect<ConversationManager.Service, E>
  /** Merges the text that the user has saved. */
  readonly readFile: Effect.Effect<void>
  /** Applies a change to the model's version, shows it, and writes the file. Fails with a message for the model. */
  readonly revise: (change: (known: string) => Either.Either<string, string>) => Effect.Effect<Outcome, string>
  /** Writes the text to the file, and creates the file if it does not exist. Returns whether the file has the text. */
  readonly write: Effect.Effect<boolean>
  /** Resolves the last conflict, and returns whether there was one. `theirs` takes the model's lines. */
  readonly resolveConflict: (winner: "mine" | "theirs") => Effect.Effect<boolean>
}

export interface Outcome {
  /** True if the text has changed. */
  readonly isChanged: boolean
  /** Places that both changed; the user's lines were kept there. */
  readonly conflicts: number
  readonly isWritten: boolean
}

interface State {
  manager: ConversationManager.Service | undefined
  /** The file as last read or written. None while it does not exist. */
  seen: Option.Option<Snapshot>
  /** True if the file existed and was deleted. */
  isGone: boolean
  /** The message that was shown about a file that cannot be read. */
  trouble: string | undefined
  /** The text with the model's lines in the last conflict, and the text that was kept instead. */
  lost: { readonly over: string; readonly text: string } | undefined
}

/** Editors replace a file when they save, so it may be missing for a moment. */
const RENAME_DELAY = "50 millis"

/** The most attempts to write while another program keeps writing the file. */
const MAX_ATTEMPTS = 20

/** Fails if the file cannot be read. `showEntry` shows changes and conflicts. */
export const make = Effect.fn("SharedText.make")(function* (file: TextFile, showEntry: View.Opened["show"]) {
  const first = yield* file.read
  const initial = Option.match(first, { onNone: () => "", onSome: ({ text }) => text })
  const now: State = { manager: undefined, seen: first, isGone: false, trouble: undefined, lost: undefined }
  const exclusively = makeMutex()
  // A change is complete or not made at all, even if the answer is stopped in the middle of it.
  const runExclusively = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    exclusively(Effect.uninterruptible(effect))

  const note = (text: string) => showEntry(View.Entry.Noted({ text }))
  const show = (before: string, after: string) => {
    const text = unifiedDiff.unifiedDiff({ name: file.name, text: before }, { name: file.name, text: after })
    return text === undefined ? Effect.void : showEntry(View.Entry.Printed({ text, form: "diff" }))
  }

  /** The text of the conversation, or of the file if no conversation is attached yet. */
  const text = Effect.suspend(() => now.manager?.getCurrentPrompt() ?? Effect.succeed(seenText()))
  const seenText = () => Option.match(now.seen, { onNone: () => "", onSome: ({ text }) => text })

  /** Sets the text as an edit of the user. */
  const setText = (text: string) => now.manager?.updatePrompt(text) ?? Effect.void

  /** Shows lines that both changed, and returns the number of conflicts. */
  const reportConflicts = (regions: ReadonlyArray<Merge.Region>, stands: string) =>
    Effect.suspend(() => {
      const { length } = Merge.conflicts(regions)
      if (length === 0) return Effect.succeed(0)
      const wanted = Merge.resolve(regions, "model")
      now.lost = { over: stands, text: wanted }
      return note(`You and the model both changed ${plural(length, "place")} of ${file.name}: your lines stand.`).pipe(
        Effect.zipRight(show(stands, wanted)),
        Effect.zipRight(
          note(
            "This is the model's version: /theirs takes its lines, /mine keeps yours, or ask the model for a change",
          ),
        ),
        Effect.as(length),
      )
    })

  const readSettled: Effect.Effect<Option.Option<Snapshot>, FileError> = Effect.suspend(() =>
    Option.isNone(now.seen) || now.isGone
      ? file.read
      : Effect.filterOrElse(file.read, Option.isSome, () => Effect.zipRight(Effect.sleep(RENAME_DELAY), file.read)),
  )

  /** Merges the content of the file into the text. Returns whether the file can be written. */
  const mergeFile = Effect.gen(function* () {
    const read = yield* Effect.either(readSettled)
    if (read._tag === "Left") {
      const { message } = read.left
      if (message !== now.trouble) yield* note(`${message}; the text as it stands is kept here`)
      now.trouble = message
      return false
    }
    now.trouble = undefined
    const fresh = Option.getOrUndefined(read.right)
    if (fresh === undefined) {
      if (Option.isSome(now.seen) && !now.isGone) {
        now.isGone = true
        yield* note(`${file.name} is gone; its text is kept here, and /write makes it again`)
      }
      return true
    }
    const before = seenText()
    const current = yield* text
    now.isGone = false
    now.seen = Option.some(fresh)
    if (fresh.text === before) return true
    // Changes that could not be written yet are merged with the user's.
    const regions = current === before ? [] : Merge.merge({ base: before, user: fresh.text, model: current })
    const merged = current === before ? fresh.text : Merge.resolve(regions)
    yield* setText(merged)
    yield* note(`You saved ${file.name}: the model will see the changes`)
    yield* reportConflicts(regions, merged)
    return true
  })

  /** Writes the text, and replaces only content that has been merged. */
  const writeFile = (mayCreate: boolean, attempts = MAX_ATTEMPTS): Effect.Effect<boolean> =>
    Effect.gen(function* () {
      if (!(yield* mergeFile)) return false
      const current = yield* text
      if (now.isGone && !mayCreate) {
        yield* note(`${file.name} is not made again by itself: /write makes it, with what the model changed`)
        return false
      }
      if (!now.isGone && current === seenText() && (Option.isSome(now.seen) || !mayCreate)) return true
      const written = yield* Effect.either(file.write(current, now.isGone ? Option.none() : now.seen))
      if (written._tag === "Right") {
        now.seen = Option.some(written.right)
        now.isGone = false
        return true
      }
      const { message, reason } = written.left
      if (reason._tag === "Changed" && attempts > 1) return yield* writeFile(mayCreate, attempts - 1)
      yield* note(`${message}. What the model changed is kept here and in the conversation; /write tries again`)
      return false
    })

  const revise: SharedText["revise"] = (change) =>
    runExclusively(
      Effect.gen(function* () {
        yield* mergeFile
        const { manager } = now
        if (manager === undefined) return yield* Effect.fail("there is no conversation")
        const before = yield* manager.document
        const next = yield* change(before.known)
        if (next.trim() === "") return yield* Effect.fail("the document must not be empty")
        const after = yield* manager.revisePrompt(next)
        yield* show(before.text, after.text)
        const conflicts = yield* reportConflicts(after.merged, after.text)
        return { isChanged: before.text !== after.text, conflicts, isWritten: yield* writeFile(false) }
      }),
    )

  const resolveConflict: SharedText["resolveConflict"] = (winner) =>
    runExclusively(
      Effect.gen(function* () {
        yield* mergeFile
        const { lost } = now
        now.lost = undefined
        if (lost === undefined || winner === "mine") return lost !== undefined
        const current = yield* text
        // The user's edits since the conflict are kept.
        const taken = Merge.resolve(Merge.merge({ base: lost.over, user: current, model: lost.text }))
        yield* setText(taken)
        yield* show(current, taken)
        yield* writeFile(false)
        return true
      }),
    )

  const shared: SharedText = {
    text,
    initial,
    attach: (open) =>
      runExclusively(
        Effect.gen(function* () {
          const before = now.manager === undefined ? undefined : yield* now.manager.document
          const manager = yield* open(yield* text, before?.known)
          now.manager = manager
          return manager
        }),
      ),
    readFile: Effect.asVoid(runExclusively(mergeFile)),
    revise,
    write: runExclusively(writeFile(true)),
    resolveConflict,
  }
  return shared
})
