/**
 * Blanks calls of macros around items of Rust: `cfg_rt! { pub fn spawn() {} }`. The grammar has only tokens in a call,
 * so the functions and types in it are no items. Without the name of the macro and its brackets they are.
 */
import type { Node } from "web-tree-sitter"
import { isStopped, type Retry } from "../../Symbols/internal/treeSitter/Grammar.ts"
import type { Outline } from "../../Symbols.ts"

/** The parts of a text that stand for one call: what comes before its content, and the bracket that closes it. */
interface Call {
  readonly start: number
  readonly content: number
  readonly close: number
  readonly end: number
}

/**
 * Returns the text without the calls of macros around items, and as long as the text; undefined if it has none. The
 * content of a call in `broken` (by its offset) stays as it is.
 */
const blank = (root: Node, text: string, broken: ReadonlySet<number> = new Set()): string | undefined => {
  const calls = callsIn(root, text).filter(({ start }) => !broken.has(start))
  if (calls.length === 0) return undefined
  const pieces: Array<string> = []
  let from = 0
  for (const { close, content, end, start } of calls) {
    pieces.push(text.slice(from, start), spaces(text.slice(start, content)), text.slice(content, close))
    pieces.push(spaces(text.slice(close, end)))
    from = end
  }
  return pieces.join("") + text.slice(from)
}

/**
 * Finds the calls whose content turned out to be no items once the text was read without the calls. Returns offsets.
 */
const brokenIn = (root: Node, text: string, without: Node): ReadonlySet<number> =>
  new Set(
    callsIn(root, text)
      .filter(({ close, content }) => hasErrorIn(without, content, close))
      .map(({ start }) => start),
  )

const callsIn = (root: Node, text: string): ReadonlyArray<Call> =>
  root.descendantsOfType("macro_invocation").flatMap((node) => {
    const isItem = node.parent?.type === "source_file" || node.parent?.type === "declaration_list"
    const statement = node.parent?.type === "expression_statement" ? node.parent : undefined
    const isAtTop = isItem || (statement !== undefined && statement.parent?.type === "source_file")
    const tokens = node.children.find((child) => child?.type === "token_tree")
    if (!isAtTop || !tokens) return []
    const content = tokens.startIndex + 1
    const close = tokens.endIndex - 1
    if (!hasItem.test(text.slice(content, close))) return []
    return [{ start: node.startIndex, content, close, end: (statement ?? node).endIndex }]
  })

/** Matches an item at the beginning of a line or of the content. */
const hasItem =
  /(?:^|[\n;}])[ \t]*(?:pub(?:\([^()\n]{0,100}\))?[ \t]+)?(?:(?:async|unsafe|const|extern|default)[ \t]+){0,3}(?:fn|struct|enum|union|trait|impl|mod|static|const|type|\w+!)\b|(?:^|[\n;}])[ \t]*\w+!/

const hasErrorIn = (node: Node, start: number, end: number): boolean => {
  const open: Array<Node> = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!next.hasError && !next.isMissing) continue
    if (next.endIndex < start || next.startIndex > end) continue
    if ((next.isError || next.isMissing) && next.startIndex >= start && next.startIndex <= end) return true
    open.push(...next.children.filter((child) => child !== null))
  }
  return false
}

const spaces = (text: string): string => text.replace(/[^\n]/g, " ")

/** Reads the items of Rust in calls of macros, which may be nested. */
export const withItemMacros: Retry = (first, read) => {
  let best = first
  for (let depth = 0; depth < MAX_NESTED_MACROS; depth++) {
    const text = blank(best.tree.rootNode, best.text)
    const whole = text === undefined ? undefined : read(text)
    if (whole === undefined) break
    const broken = brokenIn(best.tree.rootNode, best.text, whole.tree.rootNode)
    const sound = broken.size === 0 ? undefined : blank(best.tree.rootNode, best.text, broken)
    const next = [whole, ...(sound === undefined ? [] : [read(sound)])].find(
      (attempt) => attempt !== undefined && hasAll(attempt.outline, best.outline),
    )
    if (next === undefined) break
    best = next
  }
  if (best === first) return first
  // The names of the macros are gone from the text, but the file still uses them.
  return { ...best, outline: { ...best.outline, identifiers: mostOf(first.outline, best.outline) } }
}

const MAX_NESTED_MACROS = 3

/** Returns whether an outline is whole, and has more symbols than another and all of those. */
const hasAll = (outline: Outline, other: Outline): boolean => {
  if (isStopped(outline) || outline.symbols.length <= other.symbols.length) return false
  const starts = new Set(outline.symbols.map(({ start }) => start))
  return other.symbols.every(({ start }) => starts.has(start))
}

const mostOf = (one: Outline, other: Outline): Outline["identifiers"] => {
  const counts = new Map(other.identifiers)
  for (const [name, count] of one.identifiers) counts.set(name, Math.max(count, counts.get(name) ?? 0))
  return counts
}
