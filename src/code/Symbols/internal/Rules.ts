/**
 * What the walk has to know of a language: tables from the node types of its grammar to their meaning. One small file
 * a language, listed in `Grammars`.
 */
import type { Kind } from "../../Symbols.ts"
import type { Node } from "./Syntax.ts"

export interface Rules {
  /** Leaves that are names. */
  readonly identifiers: ReadonlyArray<string>
  readonly comments: ReadonlyArray<string>
  /** Decorators, attributes, initialiser lists: no part of a signature, and allowed between a symbol and its doc. */
  readonly asides?: ReadonlyArray<string>
  /** What stands around one definition and belongs to it: `export …`, `template <…> …`. */
  readonly wrappers?: ReadonlyArray<string>
  /** Wrappers that may hold several definitions and belong to one only where it is alone: `const a = 1, b = 2`. */
  readonly lists?: ReadonlyArray<string>
  /** What hides all that is inside: blocks, object literals, anonymous functions. */
  readonly closed?: ReadonlyArray<string>
  readonly definitions: Readonly<Record<string, Definition>>
  /** Node types to act upon wherever they stand: imports, `public:`. */
  readonly marks?: Readonly<Record<string, Mark>>
  /** Identifiers to act upon wherever they stand: `require`, `private`. */
  readonly words?: Readonly<Record<string, Mark>>
  /** Whether others may use it, as far as the definition itself says; what it stands in is asked as well. */
  readonly exported: (node: Node, place: Place) => boolean
  /** Whether a name keeps what it names from others by its look. */
  readonly isPrivate?: (name: string, kind: Kind) => boolean
  /** Whether a comment may be the doc of what follows it. */
  readonly isDoc?: (comment: string) => boolean
  /** A doc comment, its marks removed, as plain text. */
  readonly plain?: (doc: string) => string
}

export interface Definition {
  /**
   * What it is. `scope`: no symbol itself, but its members belong to `path`. `closed`: no symbol, and hides what is
   * inside. None: no symbol, and what is inside counts as ever.
   */
  readonly kind: Kind | Special | ((node: Node, place: Place) => Kind | Special | undefined)
  /** The field `name` where absent. None at all makes members belong to what stands around. */
  readonly names?: (node: Node, place: Place) => ReadonlyArray<string>
  /** What it belongs to beyond what it stands in, with dots: the receiver of a method in Go. */
  readonly owner?: (node: Node) => string | undefined
  /** Where its signature ends and its members begin; the field `body` where absent. */
  readonly body?: (node: Node) => Node | null | undefined
  /** Where its signature ends, if not at the body. */
  readonly header?: (node: Node) => Node | null | undefined
  /** Where the doc is not the comment above it. */
  readonly doc?: (node: Node) => string | undefined
  /** Its members are private until something says otherwise. */
  readonly hides?: (node: Node, place: Place) => boolean
  /** It has no body and holds the rest of what it stands in: `namespace A;`. */
  readonly holdsRest?: (node: Node) => boolean
  /** A function that others see into: what its body defines belongs to what stands around it. */
  readonly isTransparent?: (node: Node) => boolean
  /** It is a signature of a function that may have more of them and a body. */
  readonly isOverload?: true
  /** It announces what may be defined later in the file. */
  readonly isForward?: (node: Node, place: Place) => boolean
}

export type Special = "scope" | "closed"

export type Mark = (node: Node, place: Place) => void

/** Where the walk is. */
export interface Place {
  readonly path: string
  readonly text: string
  readonly scope: Scope
  /** Symbols count here: it is not inside a function. */
  readonly isOpen: boolean
  /** The wrapper of that type around the node. */
  readonly wrapper: (type: string) => Node | undefined
  /** What the file imports, as written. */
  readonly imports: Array<string>
}

/** What symbols stand in. */
export interface Scope {
  /** `scope` for what is no symbol itself, none for the file. */
  readonly kind: Kind | "scope" | undefined
  /** What follows is private. */
  hides: boolean
  /** What was said of names apart from their definitions: `export { a }`, `private :a`. */
  readonly said: Map<string, boolean>
  /** The only names that are exported, where there is such a list. */
  only: Set<string> | undefined
}

/** Text of a field; none where it is absent. */
export const textOf = (node: Node, field: string): string | undefined => node.childForFieldName(field)?.text

/** Whether it has a direct child of that type, keywords included. */
export const has = (node: Node, type: string): boolean => node.children.some((child) => child.type === type)

/** A string literal's text; none for anything else. */
export const unquoted = (text: string | undefined): string | undefined =>
  text !== undefined && /^(["'`]).*\1$/s.test(text) ? text.slice(1, -1) : undefined

/** On one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Adds what a node says it imports. */
export const imports =
  (read: (node: Node) => string | undefined): Mark =>
  (node, { imports }) => {
    const path = read(node)
    if (path !== undefined && path !== "") imports.push(path)
  }

/**
 * Adds the literal that follows a word: `require("a")`. It reads the text, since a node's parent takes the longer to
 * find the deeper the node stands.
 */
export const importsNext: Mark = (node, { imports, text }) => {
  const start = node.startIndex
  const literal = /\w+\s*(?:\(\s*)?(["'`])([^"'`\n]+)\1/y
  literal.lastIndex = start
  const path = text[start - 1] === "." ? undefined : literal.exec(text)?.[2]
  if (path !== undefined) imports.push(path)
}

/** Functions that are methods where they stand in a type. */
export const functionOrMethod = (_: Node, { scope }: Place): Kind =>
  scope.kind === undefined || scope.kind === "module" ? "function" : "method"
