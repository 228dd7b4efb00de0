/**
 * How people name nodes: by an id or its beginning, by a bookmark, or as `@`, the end of the newest conversation; and
 * from there up, `^` for a parent and `~3` for three.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { NodeId } from "../message/NodeId.ts"
import { plural } from "../message/Plural.ts"
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
    // The likeliest mistake for `@~2`.
    const [, steps] = /^@(\d+)$/.exec(name) ?? []
    if (steps !== undefined) return `there is no node '${name}'; did you mean '@~${steps}'?`
    const titles = bookmarks.slice(0, MOST).join(", ") + (bookmarks.length > MOST ? ", …" : "")
    return `there is no node '${name}'; the forest has ${plural(trees, "tree")}${titles === "" ? "" : ` and the bookmarks ${titles}`}`
  }
}

/** Several ids begin like that. */
export class AmbiguousName extends Schema.TaggedError<AmbiguousName>()("AmbiguousName", {
  name: Schema.String,
  /** Id, role, first words. */
  candidates: Schema.Array(Schema.String),
  /** Whether there are still more. */
  more: Schema.Boolean,
}) {
  override get message(): string {
    return `'${this.name}' may be ${this.candidates.join(", ")}${this.more ? " and others" : ""}`
  }
}

/** How many candidates or bookmarks an error lists. */
const MOST = 5

/** Of a node, or of a root. */
export const resolve = Effect.fn("NodeName.resolve")(function* (name: string) {
  const forest = yield* Forest.Forest
  // A title may look like anything.
  const bookmark = (yield* forest.bookmarks).find(({ title }) => title === name)
  if (bookmark !== undefined) return bookmark.node
  const { base, up } = parse(name)
  const id = yield* start(base, name)
  if (up === 0) return id
  const { nodes, root } = yield* forest.path(id)
  const line = [root.id, ...nodes.map(({ id }) => id)]
  return line.at(-1 - up) ?? (yield* missing(name))
})

/** The same, though it was deleted: then by its id or the beginning of that. */
export const resolveStored = (name: string) =>
  Effect.catchTag(resolve(name), "NoSuchNode", (error) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const [id, ...others] = name === "" ? [] : yield* forest.removed(name, MOST + 1)
      if (id === undefined) return yield* error
      if (others.length === 0 || id === name) return id
      const candidates = [id, ...others].slice(0, MOST).map((id) => `${id} (deleted)`)
      return yield* new AmbiguousName({ name, candidates, more: others.length === MOST })
    }),
  )

export interface Parsed {
  readonly base: string
  /** How many parents up from there. */
  readonly up: number
}

/** `@^^~2` is four up from `@`. */
export const parse = (name: string): Parsed => {
  const [, base = name, steps = ""] = /^(.*?)((?:\^|~\d*)*)$/s.exec(name) ?? []
  const up = Array.from(steps.matchAll(/\^|~(\d*)/g), ([step, count]) =>
    step === "^" || count === "" ? 1 : Number(count),
  )
  return { base, up: up.reduce((sum, steps) => sum + steps, 0) }
}

/** The shortest beginnings that name them, of ten characters or more. */
export const short = Effect.fn("NodeName.short")(function* (ids: Iterable<NodeId>) {
  const forest = yield* Forest.Forest
  const names = new Map<NodeId, string>()
  for (const id of ids) {
    let length = 10
    while (length < id.length && (yield* forest.beginning(id.slice(0, length), 2)).length > 1) length++
    names.set(id, id.slice(0, length))
  }
  return (id: NodeId): string => names.get(id) ?? id
})

const start = (base: string, name: string) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    if (base === "@") {
      const [leaf] = yield* forest.leaves(1)
      return leaf?.id ?? (yield* forest.roots()).at(-1)?.id ?? (yield* missing(name))
    }
    const bookmark = (yield* forest.bookmarks).find(({ title }) => title === base)
    if (bookmark !== undefined) return bookmark.node
    const found = base === "" ? [] : yield* forest.beginning(base, MOST + 1)
    const [first, second] = found
    if (first === undefined) return yield* missing(name)
    if (second === undefined || first === base) return first
    const candidates = yield* Effect.forEach(found.slice(0, MOST), described)
    return yield* new AmbiguousName({ name: base, candidates, more: found.length > MOST })
  })

const missing = (name: string): Effect.Effect<never, ForestError | NoSuchNode, Forest.Forest> =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const bookmarks = (yield* forest.bookmarks).map(({ title }) => title)
    return yield* new NoSuchNode({ name, trees: (yield* forest.roots()).length, bookmarks })
  })

const described = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(id)
  return `${id} (${NodeText.line(nodes.at(-1) ?? root)})`
})
