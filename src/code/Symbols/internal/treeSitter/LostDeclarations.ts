/**
 * Finds declarations that a syntax error hides: tree-sitter goes on after an error, and may take the text after it for
 * the body of the function before. Most errors hide nothing, so only a line counts that begins like a declaration and
 * is none in the outline.
 */
import type { Node } from "web-tree-sitter"
import type { CodeSymbol } from "../../../Symbols.ts"

/** Returns the line of the syntax error that hides a declaration, 1-based; `undefined` if none is found. */
export const lineOfError = (
  root: Node,
  declarationLine: RegExp | undefined,
  text: string,
  symbols: ReadonlyArray<CodeSymbol>,
): number | undefined => firstOf(root, declarationLine, text, symbols)?.errorLine

/** A declaration that is not in the outline. */
export interface Lost {
  /** The offset at which its line begins. */
  readonly start: number
  readonly errorLine: number
}

/** Finds the first declaration that a syntax error hides. `declarationLine` is the one of `Rules`. */
export const firstOf = (
  root: Node,
  declarationLine: RegExp | undefined,
  text: string,
  symbols: ReadonlyArray<CodeSymbol>,
): Lost | undefined => {
  if (declarationLine === undefined || !root.hasError) return undefined
  const byName = Map.groupBy(symbols, ({ name }) => name)
  for (const match of text.matchAll(declarationLine)) {
    const name = match.slice(1).find((group) => group !== undefined) ?? ""
    const offset = match.index + match[0].lastIndexOf(name)
    const isFound = byName.get(name)?.some(({ end, start }) => start <= offset && offset < end) ?? false
    const broken = isFound ? undefined : brokenAround(root, offset)
    if (broken !== undefined) return { start: match.index, errorLine: firstError(broken).startPosition.row + 1 }
  }
  return undefined
}

/**
 * Returns the outermost node below the root that has an error and holds the offset; `undefined` if there is none, and
 * in comments and strings.
 */
const brokenAround = (root: Node, offset: number): Node | undefined => {
  let broken = root.isError ? root : undefined
  for (let node = root.descendantForIndex(offset); node !== null && node.id !== root.id; node = node.parent) {
    if (/comment|string|heredoc|template|text/.test(node.type)) return undefined
    if (node.isError || node.hasError) broken = node
  }
  return broken
}

const firstError = (node: Node): Node => {
  const next =
    node.isError || node.isMissing ? undefined : node.children.find((child) => child?.hasError || child?.isMissing)
  return next ? firstError(next) : node
}
