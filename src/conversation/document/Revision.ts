/** Applies changes that a model requests to the version of the document that it has. Pure. */
import * as Either from "effect/Either"

/** Replaces `find`, which must occur exactly once. */
export interface Edit {
  readonly find: string
  readonly replace: string
}

/** Applies all of the edits in order, or fails with a message for the model about the first that does not apply. */
export const applyEdits = (known: string, edits: ReadonlyArray<Edit>): Either.Either<string, string> =>
  edits.reduce<Either.Either<string, string>>(
    (text, { find, replace }, at) =>
      Either.flatMap(text, (text) => {
        const [before, after, ...more] = text.split(normalise(known, find))
        if (before === undefined || after === undefined) {
          return Either.left(`edit ${at + 1}: the document does not contain ${JSON.stringify(find)}`)
        }
        return more.length > 0
          ? Either.left(
              `edit ${at + 1}: ${JSON.stringify(find)} occurs ${more.length + 1} times: include more of its context`,
            )
          : Either.right(before + normalise(known, replace) + after)
      }),
    Either.right(known),
  )

/** Replaces the whole text. A final line break is kept or left out as before. */
export const replaceWhole = (known: string, text: string): string => {
  const lines = normalise(known, text)
  if (known === "" || known.endsWith("\n")) return lines.endsWith("\n") ? lines : `${lines}\n`
  return lines.replace(/\n$/, "")
}

/** The last text between lines `<document>` and `</document>`, which models without tools write. */
export const findInAnswer = (answer: string): string | undefined => {
  const lines = answer.split("\n")
  let opened: number | undefined
  let last: ReadonlyArray<string> | undefined
  for (const [at, line] of lines.entries()) {
    if (opened === undefined) {
      if (/^<document>\r?$/.test(line)) opened = at
    } else if (/^<\/document>\s*$/.test(line)) {
      last = lines.slice(opened + 1, at)
      opened = undefined
    }
  }
  return last?.map((line) => `${line}\n`).join("")
}

/** Uses the line endings of the document, and leaves out characters that cannot be written. */
const normalise = (known: string, text: string): string =>
  (known.includes("\r\n") ? text : text.replaceAll("\r\n", "\n")).toWellFormed().replaceAll("\0", "")
