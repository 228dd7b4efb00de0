/** Describes the words that an answer of `vibe query` does not have, as text and as JSON. Pure. */
import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import * as Question from "../search/Question.ts"
import type { Missing } from "./Missing.ts"
import type { DisplayPath } from "./Project.ts"
import * as SymbolText from "./SymbolText.ts"

/** A line for each word; one line for all that nothing has and nothing is near to. Empty if no word is missing. */
export const lines = (missing: ReadonlyArray<Missing>, displayPath: DisplayPath): ReadonlyArray<string> => {
  const placed = missing.flatMap(({ found, word }) => {
    const quoted = `'${sanitizeLine(word)}'`
    if (found._tag === "Symbol") {
      const { endLine, path, qualifiedName, startLine } = found.entry
      return [
        `${quoted} is not above: ${sanitizeLine(`${displayPath(path)}:${startLine}-${endLine}  ${qualifiedName}`)}`,
      ]
    }
    if (found._tag === "File") {
      const others = found.count === 1 ? "" : `, and of ${plural(found.count - 1, "other file")}`
      return [`${quoted} is the name of ${sanitizeLine(displayPath(found.path))}${others}`]
    }
    if (found._tag === "Text")
      return [`${quoted} is not above: text at ${sanitizeLine(displayPath(found.path))}:${found.line}`]
    return []
  })
  const absent = (isCertain: boolean) =>
    missing.flatMap(({ found, word }) =>
      found._tag === "Nowhere" && found.isCertain === isCertain ? [describeAbsent(word, found.near, displayPath)] : [],
    )
  const [certain, others] = [absent(true).join(", "), absent(false).join(", ")]
  return [
    ...placed,
    ...(certain === "" ? [] : [`no symbol and no text has ${certain}`]),
    ...(others === ""
      ? []
      : [`no symbol has ${others}, nor has any text that was searched: not all were, for want of time`]),
  ]
}

const describeAbsent = (
  word: string,
  near: Extract<Missing["found"], { readonly _tag: "Nowhere" }>["near"],
  displayPath: DisplayPath,
): string => {
  const names = near.map(({ path, qualifiedName, startLine }) =>
    sanitizeLine(`${qualifiedName} ${displayPath(path)}:${startLine}`),
  )
  return `'${sanitizeLine(word)}'${names.length === 0 ? "" : ` (near it: ${names.join(", ")})`}`
}

/** `missing` of `--json`. */
export const toJson = (missing: ReadonlyArray<Missing>): ReadonlyArray<object> =>
  missing.map(({ found, word }) => {
    if (found._tag === "Symbol") return { word, in: "symbol", ...SymbolText.place(found.entry) }
    if (found._tag === "File") return { word, in: "file", path: found.path, files: found.count }
    if (found._tag === "Text") return { word, in: "text", path: found.path, line: found.line }
    return { word, in: null, isCertain: found.isCertain, near: found.near.map(SymbolText.place) }
  })

/** The most characters of a question that are repeated. A pasted text would bury what is said of it. */
const MAX_QUESTION = 80

/** Quotes a question in a message. */
export const quote = (question: string): string => `'${SymbolText.cut(sanitizeLine(question), MAX_QUESTION)}'`

/** Says that a question has nothing that can be found, such as only punctuation; undefined if it has a word. */
export const describeEmpty = (question: string): string | undefined =>
  Question.parse(question).terms.length > 0
    ? undefined
    : `${quote(question)} has no word to search for: say what the code does, or search for exact text with grep`
