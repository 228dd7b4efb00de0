/** What is said of the words that an answer of `vibe query` does not have, as text and as JSON. Pure. */
import { sanitizeLine } from "../base/Sanitize.ts"
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
    if (found._tag === "Text") return { word, in: "text", path: found.path, line: found.line }
    return { word, in: null, isCertain: found.isCertain, near: found.near.map(SymbolText.place) }
  })
