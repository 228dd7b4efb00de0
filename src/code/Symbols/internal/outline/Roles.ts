/** The rules of a language by node type, for the look-ups of the walk. */
import type { Definition, NodeAction, Rules } from "./Rules.ts"

export interface Role {
  readonly isComment: boolean
  readonly isAside: boolean
  readonly isWrapper: boolean
  readonly isList: boolean
  readonly isClosed: boolean
  readonly definition: Definition | undefined
  readonly mark: NodeAction | undefined
}

/** Returns roles by node type; types without a role are absent. */
export const ofTypes = (rules: Rules): ReadonlyMap<string, Role> => {
  const { asides = [], closed = [], comments, definitions, lists = [], actions: marks = {}, wrappers = [] } = rules
  const types = [comments, asides, wrappers, lists, closed, Object.keys(definitions), Object.keys(marks)].flat()
  return new Map(
    types.map((type) => [
      type,
      {
        isComment: comments.includes(type),
        isAside: asides.includes(type),
        isWrapper: wrappers.includes(type) || lists.includes(type),
        isList: lists.includes(type),
        isClosed: closed.includes(type),
        definition: definitions[type],
        mark: marks[type],
      },
    ]),
  )
}

/** Returns roles by identifier, for the identifiers that have an action. */
export const ofWords = ({ identifierActions: words = {} }: Rules): ReadonlyMap<string, Role> =>
  new Map(Object.entries(words).map(([word, mark]) => [word, { ...nothing, mark }]))

const nothing: Role = {
  isComment: false,
  isAside: false,
  isWrapper: false,
  isList: false,
  isClosed: false,
  definition: undefined,
  mark: undefined,
}
