/**
 * Lists the open points of an interview: points in the files that it has written, and the last questions, which have no
 * answer yet.
 */
import * as Effect from "effect/Effect"
import type { Output } from "../code/Output.ts"
import type { ForestError } from "../forest/ForestError.ts"
import * as Message from "../message/Message.ts"
import * as OpenPoints from "./prd/OpenPoints.ts"
import type { Session } from "./Session.ts"
import * as UserMessages from "./UserMessages.ts"
import * as WrittenFile from "./WrittenFile.ts"

export interface Options {
  /** Reads a file that tools have written, as it is now, with the user's changes. */
  readonly read: Output["read"]
  /** The path to show for a file that tools have written. */
  readonly displayPath: (file: string) => string
}

/**
 * Lists the open points as text, one a line below the file that has them. Undefined if nothing is open. A file that
 * cannot be read counts as one without points.
 */
export const text = (
  session: Session,
  { displayPath, read }: Options,
): Effect.Effect<string | undefined, ForestError> =>
  Effect.gen(function* () {
    const { forest } = session
    const at = yield* session.cursor
    if (at === undefined) return undefined
    const files = yield* Effect.forEach(yield* WrittenFile.onPath(forest, at), (file) =>
      Effect.map(
        Effect.orElseSucceed(read(file), () => undefined),
        (content = "") => ({ title: displayPath(file), points: OpenPoints.inDocument(content) }),
      ),
    )
    const answer = yield* UserMessages.answer(forest, at)
    const said = answer.filter(({ message }) => message.role === "assistant")
    const questions = said.flatMap(({ message }) => OpenPoints.questionsIn(Message.text(message)))
    const groups = [...files, { title: "asked last, and not answered", points: questions }]
    const lines = groups.flatMap(({ points, title }) =>
      points.length === 0 ? [] : [`  ${title}`, ...cut(points).map((point) => `    - ${point}`)],
    )
    return lines.length === 0 ? undefined : ["Still open:", ...lines].join("\n")
  })

const cut = (points: ReadonlyArray<string>): ReadonlyArray<string> =>
  points.length <= MAX_POINTS ? points : [...points.slice(0, MAX_POINTS), `and ${points.length - MAX_POINTS} more`]

/** The most points of one file that are listed: more are read better in the file itself. */
const MAX_POINTS = 20
