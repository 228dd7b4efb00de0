/** The rules of a language, laid out by the numbers its grammar gives to node types. */
import type { Language } from "web-tree-sitter"
import type { Definition, Mark, Rules } from "./Rules.ts"

export interface Table {
  readonly rules: Rules
  /** Node types that are names, and those that mean something else. */
  readonly identifiers: Array<string>
  readonly types: Array<string>
  /** By type id; none for types without a meaning, and for keywords that share a name with a type. */
  readonly roles: ReadonlyArray<Role | undefined>
  readonly words: ReadonlyMap<string, Mark>
}

export interface Role {
  readonly type: string
  readonly isIdentifier: boolean
  readonly isComment: boolean
  readonly isAside: boolean
  readonly isWrapper: boolean
  readonly isList: boolean
  readonly isClosed: boolean
  readonly definition: Definition | undefined
  readonly mark: Mark | undefined
}

export const make = (rules: Rules, language: Language): Table => {
  const { asides = [], closed = [], comments, definitions, identifiers, lists = [], marks = {}, wrappers = [] } = rules
  const others = new Set([
    ...comments,
    ...asides,
    ...wrappers,
    ...lists,
    ...closed,
    ...Object.keys(definitions),
    ...Object.keys(marks),
  ])
  const roles = language.types.map((type, id): Role | undefined =>
    (others.has(type) || identifiers.includes(type)) && language.nodeTypeIsNamed(id)
      ? {
          type,
          isIdentifier: identifiers.includes(type),
          isComment: comments.includes(type),
          isAside: asides.includes(type),
          isWrapper: wrappers.includes(type) || lists.includes(type),
          isList: lists.includes(type),
          isClosed: closed.includes(type),
          definition: definitions[type],
          mark: marks[type],
        }
      : undefined,
  )
  return {
    rules,
    identifiers: [...identifiers],
    types: [...others],
    roles,
    words: new Map(Object.entries(rules.words ?? {})),
  }
}
