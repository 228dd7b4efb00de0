/**
 * The rules of a language: what the node types of its grammar mean. There is a file for each language in `languages/`,
 * listed in `rulesByGrammar`.
 */
import type { Kind } from "../../../Symbols.ts"
import type { SyntaxNode } from "./SyntaxNode.ts"

export interface Rules {
  /** Leaf nodes that are identifiers. */
  readonly identifiers: ReadonlyArray<string>
  readonly comments: ReadonlyArray<string>
  /** Decorators, attributes, initialiser lists: left out of signatures, and allowed between a doc comment and its symbol. */
  readonly asides?: ReadonlyArray<string>
  /** Nodes around one definition that belong to it: `export …`, `template <…> …`. */
  readonly wrappers?: ReadonlyArray<string>
  /** Wrappers of one or more definitions, which belong to a definition only where it is the only one: `const a = 1, b = 2`. */
  readonly lists?: ReadonlyArray<string>
  /** Nodes with contents that define no symbols: blocks, object literals, anonymous functions. */
  readonly closed?: ReadonlyArray<string>
  readonly definitions: Readonly<Record<string, Definition>>
  /** Actions for node types wherever they stand: imports, `public:`. */
  readonly actions?: Readonly<Record<string, NodeAction>>
  /** Actions for identifiers wherever they stand: `require`, `private`. */
  readonly identifierActions?: Readonly<Record<string, NodeAction>>
  /** Whether the definition itself makes the symbol visible to other files. Its containers must be exported as well. */
  readonly exported: (node: SyntaxNode, position: Position) => boolean
  /** Whether a name is private by convention: `_a`, `#a`. */
  readonly isPrivate?: (name: string, kind: Kind) => boolean
  /** Whether a comment can be the doc comment of the symbol after it. */
  readonly isDoc?: (comment: string) => boolean
  /** From a doc comment without its marks to plain text. */
  readonly plain?: (doc: string) => string
}

export interface Definition {
  /**
   * The kind of the symbol. `scope`: no symbol, but its members belong to the path of the container. `closed`: no symbol,
   * and its contents define none. `undefined`: no symbol, and its contents are walked as usual.
   */
  readonly kind: Kind | Special | ((node: SyntaxNode, position: Position) => Kind | Special | undefined)
  /** Default: the field `name`. Without a name, members belong to the container. */
  readonly names?: (node: SyntaxNode, position: Position) => ReadonlyArray<string>
  /** A container besides the enclosing nodes, with dots: the receiver of a method in Go. */
  readonly owner?: (node: SyntaxNode) => string | undefined
  /** The node at which its signature ends and its members begin. Default: the field `body`. */
  readonly body?: (node: SyntaxNode) => SyntaxNode | null | undefined
  /** The last node of its signature, where that does not end at the body. */
  readonly header?: (node: SyntaxNode) => SyntaxNode | null | undefined
  /** Its documentation, where that is not the comment above it: a docstring. */
  readonly doc?: (node: SyntaxNode) => string | undefined
  /** Its members are private by default. */
  readonly hides?: (node: SyntaxNode, position: Position) => boolean
  /** It has no body and contains the rest of the enclosing node: `namespace A;`. */
  readonly holdsRest?: (node: SyntaxNode) => boolean
  /** The symbols in its body belong to its container: a function around a module. */
  readonly isTransparent?: (node: SyntaxNode) => boolean
  /** An overload: signatures of the same name may follow, and an implementation. */
  readonly isOverload?: true
  /** A forward declaration: the file may define the symbol later. */
  readonly isForward?: (node: SyntaxNode, position: Position) => boolean
}

export type Special = "scope" | "closed"

export type NodeAction = (node: SyntaxNode, position: Position) => void

/** The position of the walk, for rules. */
export interface Position {
  readonly path: string
  readonly text: string
  readonly scope: Scope
  /** Whether nodes can define symbols here: not within a function. */
  readonly isOpen: boolean
  /** The innermost wrapper of that type around the node. */
  readonly wrapper: (type: string) => SyntaxNode | undefined
  /** Module specifiers that the file imports, as written. */
  readonly imports: Array<string>
}

/** A container of symbols. */
export interface Scope {
  /** `scope` for a container that is no symbol, `undefined` for the file. */
  readonly kind: Kind | "scope" | undefined
  /** Symbols from here on are private. */
  hides: boolean
  /** Whether names are exported, where that is declared apart from their definitions: `export { a }`, `private :a`. */
  readonly declaredExports: Map<string, boolean>
  /** All exported names, where the file has such a list: `__all__`. */
  exportList: Set<string> | undefined
}

/** Text of a field; `undefined` where it is absent. */
export const textOf = (node: SyntaxNode, field: string): string | undefined => node.childForFieldName(field)?.text

/** Whether it has a direct child of that type, keywords included. */
export const has = (node: SyntaxNode, type: string): boolean => node.children.some((child) => child.type === type)

/** The text of a string literal; `undefined` for anything else. */
export const unquote = (text: string | undefined): string | undefined =>
  text !== undefined && /^(["'`]).*\1$/s.test(text) ? text.slice(1, -1) : undefined

/** White space collapsed, so that the text is on one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** An action that adds the module specifier that `read` finds in a node. */
export const imports =
  (read: (node: SyntaxNode) => string | undefined): NodeAction =>
  (node, { imports }) => {
    const path = read(node)
    if (path !== undefined && path !== "") imports.push(path)
  }

/**
 * Adds the string literal after an identifier: `require("a")`. It reads the text and not the tree, because finding the
 * parent of a node takes time in its depth.
 */
export const addNextLiteral: NodeAction = (node, { imports, text }) => {
  const start = node.startIndex
  const literal = /\w+\s*(?:\(\s*)?(["'`])([^"'`\n]+)\1/y
  literal.lastIndex = start
  // `a.require("b")` imports nothing, but `...require("b")` does.
  const isMember = text[start - 1] === "." && text[start - 2] !== "."
  const path = isMember ? undefined : literal.exec(text)?.[2]
  if (path !== undefined) imports.push(path)
}

/** The kind of a function: `method` within a type. */
export const functionOrMethod = (_: SyntaxNode, { scope }: Position): Kind =>
  scope.kind === undefined || scope.kind === "module" ? "function" : "method"
