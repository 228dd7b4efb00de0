/**
 * Tells which functions of a part decide what happens: those that branch, that call others of the part, and by which it
 * is entered. Their sources say more than those of short and much used ones. Pure.
 */
import type { IndexEntry } from "../../index/IndexEntry.ts"

/** Names by which frameworks and other code enter an object. */
const isEntered =
  /^(?:call|__call__|handle|handle_?request|dispatch|run|execute|process|serve|invoke|perform|main|parse|get|load)$/i

const BRANCH =
  /\b(?:if|elif|elsif|else if|unless|case|when|switch|match|for|foreach|while|until|loop|rescue|except|catch|raise|throw|select)\b|\?\s|&&|\|\||\.(?:each|map|filter|find|forEach)\b/

/**
 * Returns whether a line branches, ends a function or sets what is not given: without it, what is left may be read
 * wrongly.
 */
export const decides = (line: string): boolean =>
  BRANCH.test(line) || /\b(?:return|yield|break|continue)\b|\?\?|\bor [\w"'{[]/.test(line)

/** Returns how much the source of a function says; undefined if it is a stub or its body is a single statement. */
export const weigh = (
  { exported, name, usedBy }: Pick<IndexEntry, "exported" | "name" | "usedBy">,
  source: string,
  callsInPart: number,
): number | undefined => {
  const body = bodyOf(source)
  if (body.length <= 1 || isOneCall(body)) return undefined
  const branches = body.filter((line) => BRANCH.test(line)).length
  return (
    2 * Math.log2(1 + branches) +
    Math.log2(1 + callsInPart) +
    0.5 * Math.log2(1 + usedBy) +
    (isEntered.test(name) ? 3 : 0) +
    (exported ? 0.5 : 0)
  )
}

/** A function that decides less has nothing to tell of: no branch, and few lines. */
const TRIVIAL = 2

/** Returns whether a function is a stub, a getter or the like, with which no flow should begin. */
export const isTrivial = (entry: Pick<IndexEntry, "exported" | "name" | "usedBy">, source: string): boolean =>
  bodyOf(source).length <= FEW_LINES &&
  (weigh({ ...entry, usedBy: 0, exported: false, name: "" }, source, 0) ?? 0) < TRIVIAL

const FEW_LINES = 4

/** Returns the lines of a body that do something: without comments, docstrings and lines that only close a block. */
export const bodyOf = (source: string): ReadonlyArray<string> => {
  const lines = source.split("\n").map((line) => line.trim())
  let depth = 0
  const header = lines.findIndex((line) => {
    depth += (line.match(/[([]/g)?.length ?? 0) - (line.match(/[)\]]/g)?.length ?? 0)
    return depth <= 0 && !/^(?:@|#\[)/.test(line) && line !== ""
  })
  const body: Array<string> = []
  let docstring: string | undefined
  for (const line of lines.slice(header + 1)) {
    if (docstring !== undefined) {
      if (line.includes(docstring)) docstring = undefined
      continue
    }
    const quote = body.length === 0 ? /^[rR]?("""|''')/.exec(line)?.[1] : undefined
    if (quote !== undefined) {
      if (line.indexOf(quote) === line.lastIndexOf(quote)) docstring = quote
    } else if (!isNothing.test(line)) body.push(line)
  }
  return body
}

const isNothing = /^(?:|(?:#|\/\/|\/\*|\*|--).*|end|[})\];,]+|\.\.\.|pass)$/

/** Returns whether a body is one call whose arguments have a line each. */
const isOneCall = ([first = "", ...others]: ReadonlyArray<string>): boolean =>
  /[([{]$/.test(first) && !BRANCH.test(first) && others.every((line) => /^[\w*.]+(?:\s*[=:]\s*[\w.'"]+)?,?$/.test(line))
