/** Finds the comments at the top of source files that describe a project. Pure. */
import { firstSentence } from "../../base/ProjectDocuments.ts"

/**
 * Returns the files that describe their folder, the best first: `index.ts`, `__init__.py`, `mod.rs`, or one with the
 * folder's name.
 */
export const mainFiles = (paths: ReadonlyArray<string>, folder: string): ReadonlyArray<string> => {
  const name = folder.split("/").at(-2) ?? ""
  const stems = ["index", "__init__", "mod", "lib", "doc", "main", "__main__", "app", name.toLowerCase()]
  const rank = (path: string) => stems.indexOf((path.split("/").at(-1) ?? "").replace(/\.\w+$/, "").toLowerCase())
  return paths
    .filter((path) => rank(path) !== -1 && /\.\w+$/.test(path))
    .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

/** Returns the first sentence of the comment at the top of a source file, unless the comment is a licence. */
export const topComment = (source: string): string | undefined => {
  const text = source.replace(/^#!.*\n/, "").replace(/^(?:\s|['"]use strict['"];?)+/, "")
  const blocks = [
    text.match(/^[rRuU]?("""|''')([\s\S]*?)\1/)?.[2],
    text.match(/^\/\*[*!]?([\s\S]*?)\*\//)?.[1]?.replaceAll(/^\s*\*+ ?/gm, ""),
    text.match(/^(?:\/\/.*(?:\n|$))+/)?.[0].replaceAll(/^\/\/+!? ?/gm, ""),
    text.match(/^(?:#(?!\s*(?:include|define|if|pragma)\b).*(?:\n|$))+/)?.[0].replaceAll(/^#+ ?/gm, ""),
  ]
  const comment = blocks.find((block) => block !== undefined)
  if (comment === undefined || /copyright|licen[cs]e|eslint|coding:|@(?:flow|jsx)\b/i.test(comment)) return undefined
  return firstSentence(comment.replaceAll(/^[ \t]+/gm, "").replace(/\n\s*@[\s\S]*$/, ""))
}
