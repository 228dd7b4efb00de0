/** Finds the functions without a name, and those within a function, whose code runs only when they are called. Pure. */
import { escapePattern, lineStarts } from "../../base/Text.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import { closeOf, endOf, type Family, familyOf, mask } from "./MaskedText.ts"

/** Offsets in a text, the end not included. */
interface Range {
  readonly start: number
  readonly end: number
}

/** No text of a function is longer; one of generated code is not read. */
const MAX_LENGTH = 100_000

/**
 * Returns where the bodies of closures stand in the masked source of a function, without those within others. The body
 * of the function itself is none, nor is that of a function which its declaration wraps, as in
 * `const load = memoize((id) => …)`.
 */
export const read = (masked: string, family: Family): ReadonlyArray<Range> => {
  let isInBody = false
  return find(masked, family, (start) => {
    if (isInBody || !isDeclared(masked, start, family)) return true
    // The second arrow of `const load = (id) => (name) => …` is in the body of the first.
    isInBody = family === "ecma" && masked.startsWith("=>", start) && ownArrow.test(masked.slice(0, start))
    return false
  })
}

/** Matches what stands before the arrow of a function that is assigned: `load = async (id: string)`. */
const ownArrow = /=\s*(?:async\s*)?(?:\((?:[^()]|\([^()]*\))*\)\s*(?::[^=]*)?|[\w$]+\s*)$/

/** Returns where closures stand in an expression, with their parameters, without those within others. */
export const inExpression = (masked: string, family: Family): ReadonlyArray<Range> =>
  find(masked, family, () => true).map(({ end, opening }) => ({ start: opening, end }))

interface Closure extends Range {
  /** The offset of its first word. */
  readonly opening: number
}

const find = (masked: string, family: Family, isClosure: (start: number) => boolean): ReadonlyArray<Closure> => {
  const found: Array<Closure> = []
  let end = 0
  for (const { 0: text, index } of masked.matchAll(openings[family])) {
    if (index < end) continue
    if (!isClosure(index)) continue
    const range = family === "python" ? bodyInPython(masked, index, text) : bodyIn(masked, index, text, family)
    if (range === undefined) continue
    found.push({ ...range, opening: index })
    end = range.end
  }
  return found
}

const openings: Readonly<Record<Family, RegExp>> = {
  php: /\bfunction\s*&?\s*\(|\bfn\s*&?\s*\(/g,
  ecma: /\bfunction\b\s*\*?\s*[\w$]*\s*\(|=>/g,
  python: /\blambda\b|^[ \t]*(?:async[ \t]+)?def\b/gm,
}

/** Returns whether no bracket of a body is open before a function, so that it is the declaration, or a part of it. */
const isDeclared = (masked: string, start: number, family: Family): boolean => {
  const before = masked.slice(0, start)
  if (family === "python") return !/\S/.test(before.replaceAll(/^\s*@.*$/gm, ""))
  return before.split("{").length <= before.split("}").length && !before.includes(";")
}

const bodyIn = (masked: string, start: number, text: string, family: Family): Range | undefined => {
  if (text === "=>") {
    const at = start + 2 + (/^\s*/.exec(masked.slice(start + 2))?.[0].length ?? 0)
    return { start: at, end: masked.charAt(at) === "{" ? closeOf(masked, at) : endOf(masked, at, family) }
  }
  const after = closeOf(masked, start + text.length - 1) + 1
  if (text.startsWith("fn")) {
    const arrow = masked.indexOf("=>", after)
    return arrow === -1 ? undefined : { start: arrow + 2, end: endOf(masked, arrow + 2, family) }
  }
  const open = masked.indexOf("{", after)
  return open === -1 ? undefined : { start: open, end: closeOf(masked, open) }
}

const bodyInPython = (masked: string, start: number, text: string): Range | undefined => {
  if (text === "lambda") {
    const colon = masked.indexOf(":", start)
    return colon === -1 ? undefined : { start: colon + 1, end: endOf(masked, colon + 1, "python") }
  }
  const indent = /^[ \t]*/.exec(text)?.[0].length ?? 0
  const open = masked.indexOf("(", start)
  const body = masked.indexOf("\n", open === -1 ? start : closeOf(masked, open))
  if (body === -1) return undefined
  // The body ends before the first line that is indented no further than the word `def`.
  const rest = masked.slice(body)
  const end = new RegExp(`\\n[ \\t]{0,${indent}}\\S`).exec(rest)?.index
  return { start: body, end: end === undefined ? masked.length : body + end }
}

/**
 * Returns a test of whether all uses of a name on some lines of a function stand in its closures. Lines are counted in
 * the file. Undefined for a language whose closures are not read.
 */
export const within = (
  { startLine }: Pick<IndexEntry, "startLine">,
  source: string,
  language: string | undefined,
): ((name: string, lines: ReadonlyArray<number>) => boolean) | undefined => {
  const family = familyOf(language)
  if (family === undefined || source.length > MAX_LENGTH) return undefined
  const masked = mask(source, family)
  const closures = read(masked, family)
  if (closures.length === 0) return () => false
  const starts = lineStarts(masked)
  return (name, lines) =>
    lines.length > 0 &&
    lines.every((line) => {
      const start = starts[line - startLine]
      if (start === undefined) return false
      const text = masked.slice(start, starts[line - startLine + 1])
      const places = Array.from(
        text.matchAll(new RegExp(`\\b${escapePattern(name)}\\b`, "g")),
        ({ index }) => start + index,
      )
      // Another name may stand for it, such as that of an import. Then the whole line counts.
      const all = places.length > 0 ? places : [start + (text.length - text.trimStart().length)]
      return all.every((at) => closures.some((range) => at >= range.start && at < range.end))
    })
}
