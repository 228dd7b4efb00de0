/**
 * Blanks the comments and strings of a source, so that what is left can be searched for calls and assignments. Pure.
 */

/** The languages whose calls through variables, and whose functions without a name, are read. */
export type Family = "php" | "ecma" | "python"

/** Returns how a language, by its id, writes variables and functions; undefined if that is not read. */
export const familyOf = (language: string | undefined): Family | undefined => {
  switch (language) {
    case "php":
      return "php"
    case "typescript":
    case "javascript":
      return "ecma"
    case "python":
      return "python"
    default:
      return undefined
  }
}

/** Comments and strings. A template of JavaScript is a string with the expressions in it. */
const literals: Readonly<Record<Family, RegExp>> = {
  php: /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|#(?!\[)[^\n]*|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/g,
  ecma: /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g,
  python: /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*/g,
}

/** Returns a text of the same length, with the same lines, in which comments and the text of strings are spaces. */
export const mask = (text: string, family: Family): string =>
  text.replace(literals[family], (found) => found.replaceAll(/[^\n]/g, " "))

/** Returns the offset of the bracket that closes the one at `open`, or the end of the text. O(length). */
export const closeOf = (masked: string, open: number): number => {
  let depth = 0
  for (let at = open; at < masked.length; at++) {
    const char = masked.charAt(at)
    if (char === "(" || char === "[" || char === "{") depth++
    else if ((char === ")" || char === "]" || char === "}") && --depth === 0) return at
  }
  return masked.length
}

/**
 * Returns the offset at which an expression that begins at `start` ends: at a comma or a semicolon, or before a bracket
 * that closes what is around it. In languages whose lines end statements, it ends with the line, unless a bracket is
 * open or the next line goes on.
 */
export const endOf = (masked: string, start: number, family: Family): number => {
  for (let at = start; at < masked.length; at++) {
    const char = masked.charAt(at)
    if (char === "(" || char === "[" || char === "{") at = closeOf(masked, at)
    else if (/[)\]};,]/.test(char)) return at
    else if (char === "\n" && family !== "php" && masked.slice(start, at).trim() !== "" && !goesOn(masked, at))
      return at
  }
  return masked.length
}

const goesOn = (masked: string, at: number): boolean =>
  /[=?:&|+,.(\\]\s*$/.test(masked.slice(Math.max(0, at - 20), at)) ||
  /^\s*(?:\?|:|&&|\|\||\.)/.test(masked.slice(at, at + 60))

/** Splits what stands between brackets at its commas. Returns offsets, the end not included. */
export const splitList = (masked: string, open: number): ReadonlyArray<readonly [start: number, end: number]> => {
  const close = closeOf(masked, open)
  const found: Array<readonly [number, number]> = []
  let start = open + 1
  for (let at = start; at < close; at++) {
    const char = masked.charAt(at)
    if (char === "(" || char === "[" || char === "{") at = closeOf(masked, at)
    else if (char === ",") {
      found.push([start, at])
      start = at + 1
    }
  }
  if (masked.slice(start, close).trim() !== "") found.push([start, close])
  return found
}
