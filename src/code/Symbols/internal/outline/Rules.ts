/**
 * The rules of a language, which give the node types of its grammar their meaning. Each language has a file of them,
 * listed in `languages/table`.
 */
import type { Kind } from "../../../Symbols.ts"
import type { SyntaxNode } from "./SyntaxNode.ts"

export interface Rules {
  /** Leaf nodes that are identifiers. */
  readonly identifiers: ReadonlyArray<string>
  readonly comments: ReadonlyArray<string>
  /**
   * Decorators, attributes and initialiser lists, which are left out of signatures and allowed between a doc comment
   * and its symbol.
   */
  readonly asides?: ReadonlyArray<string>
  /** Nodes around one definition that belong to it: `export …`, `template <…> …`. */
  readonly wrappers?: ReadonlyArray<string>
  /**
   * Wrappers of one or more definitions, which belong to a definition only if it is the only one: `const a = 1, b = 2`.
   */
  readonly lists?: ReadonlyArray<string>
  /** Nodes with contents that define no symbols: blocks, object literals, anonymous functions. */
  readonly closed?: ReadonlyArray<string>
  readonly definitions: Readonly<Record<string, Definition>>
  /**
   * Matches lines that begin a declaration, with its name as a group: the indentation shows declarations of the top
   * level, modifiers show members. Without it no declaration is missed behind a syntax error. Global, by lines.
   */
  readonly declarationLine?: RegExp
  /** Actions for node types in any place: imports, `public:`. */
  readonly actions?: Readonly<Record<string, NodeAction>>
  /** Actions for identifiers in any place: `require`, `private`. */
  readonly identifierActions?: Readonly<Record<string, NodeAction>>
  /**
   * Returns whether the definition itself makes the symbol visible to other files. Its containers must be exported as
   * well.
   */
  readonly exported: (node: SyntaxNode, position: Position) => boolean
  /** Returns whether a name is private by convention: `_a`, `#a`. */
  readonly isPrivate?: (name: string, kind: Kind) => boolean
  /** Returns whether a comment can be the doc comment of the symbol after it. */
  readonly isDoc?: (comment: string) => boolean
  /** Returns whether a blank line may stand between a comment and its symbol, as the tools of the language allow. */
  readonly isDetachable?: (comment: string) => boolean
  /** Turns a doc comment without its marks into plain text. */
  readonly plain?: (doc: string) => string
}

export interface Definition {
  /**
   * The kind of the symbol. `scope` is no symbol, but its members belong to the path of the container. `closed` is no
   * symbol, and its contents define none. `undefined` is no symbol, and its contents are walked as usual.
   */
  readonly kind: Kind | Special | ((node: SyntaxNode, position: Position) => Kind | Special | undefined)
  /** The names of the symbol, by default the field `name`. If there is no name, members belong to the container. */
  readonly names?: (node: SyntaxNode, position: Position) => ReadonlyArray<string>
  /** A container besides the enclosing nodes, with dots: the receiver of a method in Go. */
  readonly owner?: (node: SyntaxNode, position: Position) => string | undefined
  /** The offset at which its declaration begins, if that is before the node: that of a call around it. */
  readonly start?: (node: SyntaxNode, position: Position) => number | undefined
  /** The node at which its signature ends and its members begin. Default: the field `body`. */
  readonly body?: (node: SyntaxNode) => SyntaxNode | null | undefined
  /**
   * The parameters in its header that declare fields: of the type, if it is one (`record A(int b)`), or of the type
   * around a constructor (`constructor(private b: B)`).
   */
  readonly fields?: (node: SyntaxNode) => ReadonlyArray<Parameter>
  /** Words that precede the signatures of its members: the trait that they implement. */
  readonly lead?: (node: SyntaxNode) => string | undefined
  /** The last node of its signature, if that does not end at the body. */
  readonly header?: (node: SyntaxNode) => SyntaxNode | null | undefined
  /** Its documentation, if that is not the comment above it: a docstring. */
  readonly doc?: (node: SyntaxNode) => string | undefined
  /** Returns whether its members are private by default. */
  readonly hides?: (node: SyntaxNode, position: Position) => boolean
  /** Returns whether it has no body and contains the rest of the enclosing node: `namespace A;`. */
  readonly holdsRest?: (node: SyntaxNode) => boolean
  /**
   * Returns the kind as whose members those of its body are read, if it is a value with members: the object in
   * `const a = { b() {} }`.
   */
  readonly members?: (node: SyntaxNode) => Kind | undefined
  /** Returns whether the symbols in its body belong to its container: a function around a module. */
  readonly isTransparent?: (node: SyntaxNode) => boolean
  /** True for an overload: signatures of the same name may follow, and an implementation. */
  readonly isOverload?: true
  /** Returns whether it is a forward declaration: the file may define the symbol later. */
  readonly isForward?: (node: SyntaxNode, position: Position) => boolean
}

/** A parameter that declares a field, with the name of the field. */
export interface Parameter {
  readonly node: SyntaxNode
  readonly name: string
}

type Special = "scope" | "closed"

export type NodeAction = (node: SyntaxNode, position: Position) => void

/** The position of the walk, for rules. */
export interface Position {
  readonly path: string
  readonly text: string
  readonly scope: Scope
  /** True if nodes can define symbols here, which they cannot within a function. */
  readonly isOpen: boolean
  /** Returns the innermost wrapper of that type around the node. */
  readonly wrapper: (type: string) => SyntaxNode | undefined
  /** Module specifiers that the file imports, as written. */
  readonly imports: Array<string>
}

/** A container of symbols. */
export interface Scope {
  /** `scope` for a container that is no symbol, `undefined` for the file. */
  readonly kind: Kind | "scope" | undefined
  /** True if symbols from here on are private. */
  hides: boolean
  /**
   * Names that are exported (true) or not (false) by a declaration apart from their definition: `export { a }`,
   * `private :a`.
   */
  readonly declaredExports: Map<string, boolean>
  /** All exported names, if the file has such a list: `__all__`. */
  exportList: Set<string> | undefined
}

/** Returns whether a comment is marked as documentation: a block `/** …`, or a line `/// …`. */
export const isMarkedDoc = (comment: string): boolean => /^(?:\/\*\*(?!\/)|\/\/\/(?!\/))/.test(comment)

/** Returns the text of a field; `undefined` if it is absent. */
export const textOf = (node: SyntaxNode, field: string): string | undefined => node.childForFieldName(field)?.text

/** Returns whether it has a direct child of that type, keywords included. */
export const has = (node: SyntaxNode, type: string): boolean => node.children.some((child) => child.type === type)

/** Returns the text of a string literal; `undefined` for anything else. */
export const unquote = (text: string | undefined): string | undefined =>
  text !== undefined && /^(["'`]).*\1$/s.test(text) ? text.slice(1, -1) : undefined

/** Collapses white space, so that the text is on one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Makes an action that adds the module specifier that `read` finds in a node. */
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

/** Returns the kind of a function: `method` within a type. */
export const functionOrMethod = (_: SyntaxNode, { scope }: Position): Kind =>
  scope.kind === undefined || scope.kind === "module" ? "function" : "method"
