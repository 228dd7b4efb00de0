/**
 * Names of nodes on the command line: an id or a prefix of one, a bookmark, or `@` for the position of this person. `^`
 * after a name means the parent, `~3` means three levels up.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { plural } from "../base/Prose.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Forest from "./Forest.ts"
import type { ForestError } from "./ForestError.ts"
import * as NodeText from "./NodeText.ts"

/** No node, root or bookmark has that name. */
export class NoSuchNode extends Schema.TaggedError<NoSuchNode>()("NoSuchNode", {
  name: Schema.String,
  /** The number of trees in the forest. */
  trees: Schema.Number,
  bookmarks: Schema.Array(Schema.String),
}) {
  override get message(): string {
    const { bookmarks, name, trees } = this
    if (trees === 0) return `there is no node '${name}': the forest is empty`
    // This is probably a mistyped `@~2`.
    const [, steps] = /^@(\d+)$/.exec(name) ?? []
    if (steps !== undefined) return `there is no node '${name}'; did you mean '@~${steps}'?`
    const titles = bookmarks.slice(0, MAX_CANDIDATES).join(", ") + (bookmarks.length > MAX_CANDIDATES ? ", …" : "")
    return `there is no node '${name}'; the forest has ${plural(trees, "tree")}${titles === "" ? "" : ` and the bookmarks ${titles}`}`
  }
}

/** Several ids have that prefix. */
export class AmbiguousName extends Schema.TaggedError<AmbiguousName>()("AmbiguousName", {
  name: Schema.String,
  /** The id, the role and the first words of each. */
  candidates: Schema.Array(Schema.String),
  /** True if there are more than those. */
  more: Schema.Boolean,
}) {
  override get message(): string {
    return `'${this.name}' may be ${this.candidates.join(", ")}${this.more ? " and others" : ""}`
  }
}

/** The most candidates or bookmarks that an error lists. */
const MAX_CANDIDATES = 5

/** Returns the id of the node or root with this name. */
export const resolve = Effect.fn("NodeName.resolve")(function* (name: string) {
  const forest = yield* Forest.Forest
  // Bookmarks come first, since a title may look like an expression.
  const bookmark = (yield* forest.bookmarks).find(({ title }) => title === name)
  if (bookmark !== undefined) return bookmark.node
  const { base, up } = parse(name)
  const id = yield* start(base, name)
  if (up === 0) return id
  const { nodes, root } = yield* forest.path(id, { last: up + 1 })
  const line = [root.id, ...nodes.map(({ id }) => id)]
  return line.at(-1 - up) ?? (yield* missing(name))
})

/** Does the same, and also finds deleted nodes and trees, by their id or a prefix of it. */
export const resolveStored = (name: string) =>
  Effect.catchTag(resolve(name), "NoSuchNode", (error) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const [id, ...others] = name === "" ? [] : yield* forest.removedIdsByPrefix(name, MAX_CANDIDATES + 1)
      if (id === undefined) return yield* error
      if (others.length === 0 || id === name) return id
      const candidates = [id, ...others].slice(0, MAX_CANDIDATES).map((id) => `${id} (deleted)`)
      return yield* new AmbiguousName({ name, candidates, more: others.length === MAX_CANDIDATES })
    }),
  )

/**
 * The node that `@` names: the position of the user in this folder, or else the end of the newest conversation. It is
 * undefined in an empty forest.
 */
export const position = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const own = yield* forest.position
  if (own !== undefined) return own
  const [leaf] = yield* forest.leaves(1)
  return leaf?.id ?? (yield* forest.roots()).at(-1)?.id
})

export interface Parsed {
  readonly base: string
  /** The number of levels up from `base`. */
  readonly up: number
}

/** Parses a name: `@^^~2` is four levels up from `@`. */
export const parse = (name: string): Parsed => {
  const [, base = name, steps = ""] = /^(.*?)((?:\^|~\d*)*)$/s.exec(name) ?? []
  const up = Array.from(steps.matchAll(/\^|~(\d*)/g), ([step, count]) =>
    step === "^" || count === "" ? 1 : Number(count),
  )
  return { base, up: up.reduce((sum, steps) => sum + steps, 0) }
}

/** Returns the shortest unambiguous prefixes of ids, of at least ten characters. */
export const shortNames = Effect.fn("NodeName.short")(function* (ids: Iterable<NodeId>) {
  const forest = yield* Forest.Forest
  const names = new Map<NodeId, string>()
  for (const id of ids) {
    let length = 10
    while (length < id.length && (yield* forest.idsByPrefix(id.slice(0, length), 2)).length > 1) length++
    names.set(id, id.slice(0, length))
  }
  return (id: NodeId): string => names.get(id) ?? id
})

const start = (base: string, name: string) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    if (base === "@") return (yield* position) ?? (yield* missing(name))
    const bookmark = (yield* forest.bookmarks).find(({ title }) => title === base)
    if (bookmark !== undefined) return bookmark.node
    const found = base === "" ? [] : yield* forest.idsByPrefix(base, MAX_CANDIDATES + 1)
    const [first, second] = found
    if (first === undefined) return yield* missing(name)
    if (second === undefined || first === base) return first
    const candidates = yield* Effect.forEach(found.slice(0, MAX_CANDIDATES), describeNode)
    return yield* new AmbiguousName({ name: base, candidates, more: found.length > MAX_CANDIDATES })
  })

const missing = (name: string): Effect.Effect<never, ForestError | NoSuchNode, Forest.Forest> =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const bookmarks = (yield* forest.bookmarks).map(({ title }) => title)
    return yield* new NoSuchNode({ name, trees: (yield* forest.roots()).length, bookmarks })
  })

const describeNode = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(id, { last: 1 })
  return `${id} (${NodeText.line(nodes.at(-1) ?? root)})`
})
