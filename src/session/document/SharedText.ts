/**
 * Keeps a file and the text of a conversation the same. The user edits the file, the model the text; each change is merged
 * with concurrent changes of the other, and on conflicts the user's lines win. Operations run one at a time.
 */

import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ConversationManager from "../../chat/ConversationManager.ts"
import * as Merge from "../../chat/Merge.ts"
import type { FileError } from "../../code/FileError.ts"
import { plural } from "../../message/Plural.ts"
import * as Unified from "../../toolbox/Unified.ts"
import * as View from "../View.ts"
import type { Snapshot, TextFile } from "./TextFile.ts"

export interface SharedText {
  /** As it stands. */
  readonly text: Effect.Effect<string>
  /** The text when the session began. */
  readonly initial: string
  /**
   * Lets a conversation have it from now on, which is made with the text as it stands, and with what the model knows of
   * it where another had it before.
   */
  readonly attach: <E>(
    open: (text: string, known: string | undefined) => Effect.Effect<ConversationManager.Service, E>,
  ) => Effect.Effect<ConversationManager.Service, E>
  /** Merges what the user has saved. */
  readonly readFile: Effect.Effect<void>
  /** The model's change of the text it knows, shown and written. Fails in words for the model. */
  readonly revise: (change: (known: string) => Either.Either<string, string>) => Effect.Effect<Outcome, string>
  /** Puts the text into the file, which is made where it is not there. Says whether it is in it. */
  readonly write: Effect.Effect<boolean>
  /** Decides the last conflict; says whether there was one. `theirs`: for the model's lines. */
  readonly resolveConflict: (winner: "mine" | "theirs") => Effect.Effect<boolean>
}

export interface Outcome {
  /** The text is another than before. */
  readonly isChanged: boolean
  /** Places that both changed, where the user's lines were kept. */
  readonly conflicts: number
  readonly isWritten: boolean
}

interface State {
  manager: ConversationManager.Service | undefined
  /** The file as it was read or written last; none as long as there is none. */
  seen: Option.Option<Snapshot>
  /** It was there, and is not. */
  isGone: boolean
  /** Why it cannot be read, as shown to the user. */
  trouble: string | undefined
  /** What the text would be, had the model's lines won. */
  lost: { readonly over: string; readonly text: string } | undefined
}

/** An editor that saves may have the file away for a moment. */
const MOMENT = "50 millis"

/** A program that writes the file all the time is not waited for longer. */
const TRIES = 20

/** Fails where the file cannot be read. `tell` shows changes and conflicts. */
export const make = Effect.fn("SharedText.make")(function* (file: TextFile, tell: View.Opened["show"]) {
  const first = yield* file.read
  const begun = Option.match(first, { onNone: () => "", onSome: ({ text }) => text })
  const now: State = { manager: undefined, seen: first, isGone: false, trouble: undefined, lost: undefined }
  const alone = (yield* Effect.makeSemaphore(1)).withPermits(1)
  // What has begun to change comes to its end: an answer that is stopped leaves no half of it.
  const locked = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => alone(Effect.uninterruptible(effect))

  const note = (text: string) => tell(View.Entry.Noted({ text }))
  const show = (before: string, after: string) => {
    const text = Unified.between({ name: file.name, text: before }, { name: file.name, text: after })
    return text === undefined ? Effect.void : tell(View.Entry.Printed({ text, form: "diff" }))
  }

  /** The conversation's; that of the file where nobody talks yet. */
  const text = Effect.suspend(() => now.manager?.getCurrentPrompt() ?? Effect.succeed(seenText()))
  const seenText = () => Option.match(now.seen, { onNone: () => "", onSome: ({ text }) => text })

  /** The person's text, from now on. */
  const set = (text: string) => now.manager?.updatePrompt(text) ?? Effect.void

  /** Tells of lines that both changed, if there are any. */
  const judged = (regions: ReadonlyArray<Merge.Region>, stands: string) =>
    Effect.suspend(() => {
      const { length } = Merge.conflicts(regions)
      if (length === 0) return Effect.succeed(0)
      const wanted = Merge.resolved(regions, "model")
      now.lost = { over: stands, text: wanted }
      return note(`You and the model both changed ${plural(length, "place")} of ${file.name}: your lines stand.`).pipe(
        Effect.zipRight(show(stands, wanted)),
        Effect.zipRight(
          note("That is what the model wanted: /theirs takes its lines, /mine keeps yours, or tell the model"),
        ),
        Effect.as(length),
      )
    })

  const found: Effect.Effect<Option.Option<Snapshot>, FileError> = Effect.suspend(() =>
    Option.isNone(now.seen) || now.isGone
      ? file.read
      : Effect.filterOrElse(file.read, Option.isSome, () => Effect.zipRight(Effect.sleep(MOMENT), file.read)),
  )

  /** Takes in what is in the file. Says whether it can be read, or could be made. */
  const absorbed = Effect.gen(function* () {
    const read = yield* Effect.either(found)
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
    // What could not be written yet is merged with what the person has written since.
    const regions = current === before ? [] : Merge.merge({ base: before, user: fresh.text, model: current })
    const merged = current === before ? fresh.text : Merge.resolved(regions)
    yield* set(merged)
    yield* note(`You saved ${file.name}: the model will be told`)
    yield* judged(regions, merged)
    return true
  })

  /** Writes the text, over nothing else than what has been taken in. */
  const put = (makesAnew: boolean, tries = TRIES): Effect.Effect<boolean> =>
    Effect.gen(function* () {
      if (!(yield* absorbed)) return false
      const current = yield* text
      if (now.isGone && !makesAnew) {
        yield* note(`${file.name} is not made again by itself: /write makes it, with what the model changed`)
        return false
      }
      if (!now.isGone && current === seenText() && (Option.isSome(now.seen) || !makesAnew)) return true
      const written = yield* Effect.either(file.write(current, now.isGone ? Option.none() : now.seen))
      if (written._tag === "Right") {
        now.seen = Option.some(written.right)
        now.isGone = false
        return true
      }
      const { message, reason } = written.left
      if (reason._tag === "Changed" && tries > 1) return yield* put(makesAnew, tries - 1)
      yield* note(`${message}. What the model changed is kept here and in the conversation; /write tries again`)
      return false
    })

  const revise: SharedText["revise"] = (change) =>
    locked(
      Effect.gen(function* () {
        yield* absorbed
        const { manager } = now
        if (manager === undefined) return yield* Effect.fail("there is no conversation")
        const before = yield* manager.document
        const next = yield* change(before.known)
        if (next.trim() === "") return yield* Effect.fail("a document of nothing is not taken")
        const after = yield* manager.revisePrompt(next)
        yield* show(before.text, after.text)
        const conflicts = yield* judged(after.merged, after.text)
        return { isChanged: before.text !== after.text, conflicts, isWritten: yield* put(false) }
      }),
    )

  const decide: SharedText["resolveConflict"] = (winner) =>
    locked(
      Effect.gen(function* () {
        yield* absorbed
        const { lost } = now
        now.lost = undefined
        if (lost === undefined || winner === "mine") return lost !== undefined
        const current = yield* text
        // Where the person has gone on since, their lines stand.
        const taken = Merge.resolved(Merge.merge({ base: lost.over, user: current, model: lost.text }))
        yield* set(taken)
        yield* show(current, taken)
        yield* put(false)
        return true
      }),
    )

  const shared: SharedText = {
    text,
    initial: begun,
    attach: (open) =>
      locked(
        Effect.gen(function* () {
          const before = now.manager === undefined ? undefined : yield* now.manager.document
          const manager = yield* open(yield* text, before?.known)
          now.manager = manager
          return manager
        }),
      ),
    readFile: Effect.asVoid(locked(absorbed)),
    revise,
    write: locked(put(true)),
    resolveConflict: decide,
  }
  return shared
})
