/** The new text of a document, as a model asks for it: from the text it knows. Pure. */
import * as Either from "effect/Either"

/** A place, by words that stand there alone, and what is to stand there. */
export interface Edit {
  readonly find: string
  readonly replace: string
}

/** All of the edits, one after the other, or what is wrong with one of them, in words for the model. */
export const applyEdits = (known: string, edits: ReadonlyArray<Edit>): Either.Either<string, string> =>
  edits.reduce<Either.Either<string, string>>(
    (text, { find, replace }, at) =>
      Either.flatMap(text, (text) => {
        const [before, after, ...more] = text.split(normalise(known, find))
        if (before === undefined || after === undefined) {
          return Either.left(`edit ${at + 1}: the document nowhere says ${JSON.stringify(find)}`)
        }
        return more.length > 0
          ? Either.left(
              `edit ${at + 1}: ${JSON.stringify(find)} stands at ${more.length + 1} places: take in more around it`,
            )
          : Either.right(before + normalise(known, replace) + after)
      }),
    Either.right(known),
  )

/** All of the text. Whether its last line ends is not the model's to change. */
export const replaceWhole = (known: string, text: string): string => {
  const lines = normalise(known, text)
  if (known === "" || known.endsWith("\n")) return lines.endsWith("\n") ? lines : `${lines}\n`
  return lines.replace(/\n$/, "")
}

/** The last text between lines of `<document>` and `</document>`: how one gives it who has no tool for it. */
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

/** With such ends of lines as the document has, and such characters alone as can be written. */
const normalise = (known: string, text: string): string =>
  (known.includes("\r\n") ? text : text.replaceAll("\r\n", "\n")).toWellFormed().replaceAll("\0", "")
