/**
 * Finds declarations that a syntax error hides: tree-sitter goes on after an error, and may take the text after it for
 * the body of the function before. Most errors hide nothing, so only a line counts that begins like a declaration and
 * is none in the outline.
 */
import type { Node } from "web-tree-sitter"
import type { CodeSymbol } from "../../../Symbols.ts"

/** A declaration that is not in the outline. */
export interface Lost {
  readonly name: string
  /** The offset at which its line begins. */
  readonly start: number
  readonly errorLine: number
}

/** Names the first three of them, and counts the others. */
export const namesOf = (lost: ReadonlyArray<Lost>): string => {
  const rest = lost.length - MAX_NAMES
  const names = lost.slice(0, MAX_NAMES).map(({ name }) => name)
  return rest <= 0
    ? names.join(", ")
    : `${names.join(", ")} and ${lost.length === MAX_LOST ? "at least " : ""}${rest} more`
}

const MAX_NAMES = 3

/** More declarations than this are not looked for. */
const MAX_LOST = 100

/** Finds the declarations that syntax errors hide, at most `MAX_LOST`, in the order of the text. */
export function* find(
  root: Node,
  grammar: string,
  text: string,
  symbols: ReadonlyArray<CodeSymbol>,
): Generator<Lost, undefined> {
  const pattern = root.hasError ? patterns.get(grammar) : undefined
  if (pattern === undefined) return undefined
  const byName = Map.groupBy(symbols, ({ name }) => name)
  let left = MAX_LOST
  for (const match of text.matchAll(pattern)) {
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

const ecma =
  /^(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:(?:async[ \t]+)?function[ \t]*\*?|class|interface|enum|namespace)[ \t]+([A-Za-z_$][\w$]*)/gm

/**
 * Lines that begin a declaration, by grammar, with its name. The indentation shows declarations of the top level,
 * modifiers show members.
 */
const patterns: ReadonlyMap<string, RegExp> = new Map([
  ["typescript", ecma],
  ["tsx", ecma],
  ["javascript", ecma],
  ["python", /^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)/gm],
  ["go", /^func[ \t]+(?:\([^)\n]{0,200}\)[ \t]*)?(\w+)|^type[ \t]+(\w+)/gm],
  [
    "rust",
    /^(?:pub(?:\([^)\n]{0,100}\))?[ \t]+)?(?:(?:async|const|unsafe|extern(?:[ \t]+"[^"\n]{0,20}")?)[ \t]+){0,4}(?:fn|struct|enum|trait|mod)[ \t]+(\w+)/gm,
  ],
  [
    "java",
    /^(?:(?:public|abstract|final|sealed)[ \t]+){0,3}(?:class|interface|enum|record)[ \t]+(\w+)|^[ \t]+(?:public|private|protected)[ \t][^;={}()\n]{0,200}\b(\w+)[ \t]*\([^;={}()]{0,500}\)[^;={}()]{0,200}\{/gm,
  ],
  [
    "c-sharp",
    /^[ \t]*(?:(?:public|internal|private|protected|abstract|sealed|static|partial)[ \t]+){1,5}(?:class|interface|enum|struct|record)[ \t]+(\w+)|^[ \t]+(?:public|private|protected|internal)[ \t][^;={}()\n]{0,200}\b(\w+)[ \t]*\([^;{}()]{0,500}\)\s{0,100}\{/gm,
  ],
  [
    "cpp",
    /^(?!(?:else|return|if|for|while|switch|do)\b)[A-Za-z_][\w:<>, \t*&]{0,150}[ \t*&]([A-Za-z_]\w*)\([^;{}()]{0,300}\)\s{0,20}\{/gm,
  ],
  [
    "php",
    /^(?:(?:abstract|final|readonly)[ \t]+){0,3}(?:class|interface|trait|enum)[ \t]+(\w+)|^function[ \t]+&?(\w+)|^[ \t]+(?:(?:abstract|final|public|private|protected|static)[ \t]+){1,4}function[ \t]+&?(\w+)/gm,
  ],
  ["ruby", /^(?:class|module)[ \t]+(?:\w+::){0,9}(\w+)|^ {0,2}def[ \t]+(?:self\.)?(\w+)/gm],
  ["bash", /^(?:function[ \t]+)?([\w-]+)[ \t]*\(\)[ \t]*\{/gm],
])
