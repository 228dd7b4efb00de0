/**
 * Finds declarations that a syntax error hides: tree-sitter goes on after an error, and may take the text after it for
 * the body of the function before. Most errors hide nothing, so only a line counts that begins like a declaration and
 * is none in the outline.
 */
import type { Node } from "web-tree-sitter"
import type { CodeSymbol } from "../../../Symbols.ts"

/** A declaration that is not in the outline. */
interface Lost {
  readonly name: string
  /** The offset at which its line begins. */
  readonly start: number
  readonly errorLine: number
}

/** Says why an outline is partial, and which declarations it is known to lack: names three, and counts the others. */
export const noteOf = (reason: string, lost: ReadonlyArray<Lost>): string => {
  const rest = lost.length - MAX_NAMES
  const names = lost.slice(0, MAX_NAMES).map(({ name }) => name)
  const more = rest <= 0 ? "" : ` and ${lost.length === MAX_LOST ? "at least " : ""}${rest} more`
  return `${reason}: the outline ${lost.length === 0 ? "may be incomplete" : `lacks ${names.join(", ")}${more}`}`
}

const MAX_NAMES = 3

/** More declarations than this are not looked for. */
const MAX_LOST = 100

/**
 * Finds the declarations that syntax errors hide, at most `MAX_LOST`, in the order of the text. `declarationLine` is
 * the one of `Rules`.
 */
export function* find(
  root: Node,
  declarationLine: RegExp | undefined,
  text: string,
  symbols: ReadonlyArray<CodeSymbol>,
): Generator<Lost, undefined> {
  if (declarationLine === undefined || !root.hasError) return undefined
  const byName = Map.groupBy(symbols, ({ name }) => name)
  let left = MAX_LOST
  for (const match of text.matchAll(declarationLine)) {
    const name = match.slice(1).find((group) => group !== undefined) ?? ""
    const offset = match.index + match[0].lastIndexOf(name)
    const isFound = byName.get(name)?.some(({ end, start }) => start <= offset && offset < end) ?? false
    const broken = isFound ? undefined : brokenAround(root, offset)
    if (broken === undefined) continue
    yield { name, start: match.index, errorLine: firstError(broken).startPosition.row + 1 }
    if (--left === 0) break
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
