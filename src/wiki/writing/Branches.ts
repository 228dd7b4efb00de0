/**
 * Reads from the lines of a source which conditions stand around one of them, by indentation and by the directives of a
 * preprocessor. The line of an `else` says nothing alone, so it comes with the line of its `if`. Pure.
 */
import * as Language from "../../code/Language.ts"

/** The most lines that are looked at above a line. */
const MAX_LINES = 4_000

/** Opens a chain of branches, or continues one, behind the bracket that closes the branch before. */
const branch =
  /^(?:\}\s*)?(?:(?<first>if|unless|elif|elsif|elseif|else if|try|begin)\b|(?<next>else|except|catch|rescue)\b)/

/** Returns the positions of the lines that open the blocks around a line, from the inside to the outside. */
export const enclosing = (lines: ReadonlyArray<string>, at: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let indent = indentOf(lines[at] ?? "")
  for (let above = at - 1; above >= Math.max(0, at - MAX_LINES) && indent > 0; above--) {
    const text = lines[above] ?? ""
    if (text.trim() === "" || indentOf(text) >= indent) continue
    indent = indentOf(text)
    found.push(above, ...headsOf(lines, above))
  }
  return found
}

/**
 * Returns the positions of the branches before one that is only taken if these are not, such as the `if` of an `else`.
 */
const headsOf = (lines: ReadonlyArray<string>, at: number): ReadonlyArray<number> => {
  const own = lines[at] ?? ""
  const indent = indentOf(own)
  const isNext = (text: string) => {
    const { first = "", next } = branch.exec(text.trim())?.groups ?? {}
    return next !== undefined || /^(?:elif|elsif|elseif|else if)$/.test(first)
  }
  if (!isNext(own)) return []
  const found: Array<number> = []
  for (let above = at - 1; above >= Math.max(0, at - MAX_LINES); above--) {
    const text = lines[above] ?? ""
    if (text.trim() === "" || indentOf(text) > indent) continue
    if (indentOf(text) < indent) return found
    if (/^[})\]]*;?$/.test(text.trim())) continue
    if (!branch.test(text.trim())) return found
    found.push(above)
    if (!isNext(text)) return found
  }
  return found
}

const indentOf = (text: string): number => text.length - text.trimStart().length

/** The most conditions of a symbol, and the most characters of one. */
const MAX_CONDITIONS = 3
const MAX_CONDITION = 100

/**
 * Returns a function that finds the conditions under which a symbol of a file is declared, by its first line, from the
 * outside to the inside: `if WIN`, `else of: if WIN`, `except ImportError of: try`, `#else of: #ifdef _WIN32`,
 * `cfg(unix)`. Empty for most symbols. The directives of the file are found once.
 */
export const conditionsIn = (
  path: string,
  lines: ReadonlyArray<string>,
): ((startLine: number) => ReadonlyArray<string>) => {
  const language = Language.of(path)?.id ?? ""
  const directives = hasDirectives.has(language)
    ? Array.from(lines.keys()).filter((at) => directive.test(lines[at] ?? ""))
    : []
  return (startLine) => conditionsAt(language, lines, startLine - 1, directives)
}

const conditionsAt = (
  language: string,
  lines: ReadonlyArray<string>,
  at: number,
  directives: ReadonlyArray<number>,
): ReadonlyArray<string> => {
  const opening = enclosing(lines, at)
  const blocks = opening.flatMap((position): ReadonlyArray<string> => {
    const text = lines[position] ?? ""
    // A block that is tried says nothing alone.
    if (!branch.test(text.trim()) || /^(?:try|begin)\b/.test(text.trim())) return []
    if (opening.some((other) => headsOf(lines, other).includes(position))) return []
    return [
      withHeads(
        text,
        headsOf(lines, position).map((head) => lines[head] ?? ""),
      ),
    ]
  })
  const attributes = language === "rust" ? attributesOf(lines, at) : []
  return [...directivesAround(lines, at, directives), ...blocks.toReversed(), ...attributes].slice(-MAX_CONDITIONS)
}

/** Writes the conditions of a symbol behind its name; nothing without one. */
export const note = (conditions: ReadonlyArray<string> | undefined): string =>
  conditions === undefined || conditions.length === 0 ? "" : ` (declared only in: ${conditions.join("; ")})`

const withHeads = (text: string, heads: ReadonlyArray<string>): string =>
  [bare(text), ...(heads.length === 0 ? [] : [`of: ${heads.map(bare).toReversed().join(", ")}`])].join(" ")

/** Returns a line without the brackets and the colon of its block, shortened. */
const bare = (text: string): string => {
  const whole = text
    .trim()
    .replace(/^\}\s*/, "")
    .replace(/\s*[{:]\s*(?:(?:#|\/\/).*)?$/, "")
  return whole.length <= MAX_CONDITION ? whole : `${whole.slice(0, MAX_CONDITION).toWellFormed()}…`
}

const hasDirectives: ReadonlySet<string> = new Set(["c", "cpp", "objective-c", "csharp", "swift"])

const directive = /^\s*#\s*(if|ifdef|ifndef|elif|elseif|else|endif)\b/

/** Returns the directives that are open at a line, from the outside to the inside. */
const directivesAround = (
  lines: ReadonlyArray<string>,
  at: number,
  directives: ReadonlyArray<number>,
): ReadonlyArray<string> => {
  const open: Array<Array<number>> = []
  for (const position of directives) {
    if (position >= at) break
    const [, name] = directive.exec(lines[position] ?? "") ?? []
    if (name === undefined) continue
    if (name === "endif") open.pop()
    else if (name.startsWith("if")) open.push([position])
    else open.at(-1)?.push(position)
  }
  return open.flatMap((chain): ReadonlyArray<string> => {
    const last = chain.at(-1) ?? 0
    if (isGuard(lines, chain)) return []
    return [
      withHeads(
        lines[last] ?? "",
        chain
          .slice(0, -1)
          .map((head) => lines[head] ?? "")
          .toReversed(),
      ),
    ]
  })
}

/** The guard of a header holds for all of it: `#ifndef A_H` with `#define A_H` below it. */
const isGuard = (lines: ReadonlyArray<string>, [first = 0, ...others]: ReadonlyArray<number>): boolean => {
  const [, name] = /^\s*#\s*ifndef\s+(\w+)|^\s*#\s*if\s+!\s*defined\s*\(?\s*(\w+)/.exec(lines[first] ?? "") ?? []
  const next = lines.slice(first + 1, first + 4).join("\n")
  return others.length === 0 && name !== undefined && new RegExp(`#\\s*define\\s+${name}\\b`).test(next)
}

/** Returns the conditions in the attributes above an item of Rust. */
const attributesOf = (lines: ReadonlyArray<string>, at: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let above = at - 1; above >= 0 && /^\s*(?:#\[|\/\/)/.test(lines[above] ?? ""); above--) {
    const [, condition] = /^\s*#\[(cfg\(.+\))\]\s*$/.exec(lines[above] ?? "") ?? []
    if (condition !== undefined) found.unshift(bare(condition))
  }
  return found
}
