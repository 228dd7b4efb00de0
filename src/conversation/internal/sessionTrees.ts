/**
 * The trees of sessions. The first tree of a session has the owner `session:ID`. Each time the session is cleared or
 * removed it begins another, `session#2:ID` and so on; a tree after `clear` is marked: `session#2 cleared:ID`. The tree
 * with the highest number is the current one. An id cannot take the place of a number, since it comes after the first
 * colon.
 */
import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { NodeId } from "../../message/NodeId.ts"

export interface SessionTrees {
  /**
   * Returns the current tree, and creates one if the session has none. `last` is its newest message; `isCleared` says
   * that it began with an empty prompt.
   */
  readonly current: (sessionId: string) => Effect.Effect<Current, ForestError>
  /** Returns the root of a new tree, or of the current one if that is empty and began in the same way. */
  readonly begin: (sessionId: string, isCleared: boolean) => Effect.Effect<NodeId, ForestError>
  /** Begins a new tree if the current one has messages, and returns whether it had any. Creates none otherwise. */
  readonly leave: (sessionId: string) => Effect.Effect<boolean, ForestError>
}

interface Current {
  readonly owner: string
  readonly root: NodeId
  readonly last: NodeId | undefined
  readonly isCleared: boolean
}

/** Reads all roots of the forest once, at the first use. */
export const make = (forest: Forest.Service, systemPrompt: string): SessionTrees => {
  let numbers: Map<string, Tree> | undefined

  const newestByRoots = Effect.suspend(() =>
    numbers === undefined
      ? Effect.map(forest.roots(), (roots) => {
          const found = new Map<string, Tree>()
          for (const { owner } of roots) {
            const { sessionId, tree } = parseOwner(owner) ?? {}
            if (sessionId === undefined || tree === undefined) continue
            if (tree.number > (found.get(sessionId)?.number ?? 1)) found.set(sessionId, tree)
          }
          numbers = found
          return found
        })
      : Effect.succeed(numbers),
  )

  /** Finds the newest tree, since another process may have begun further trees. */
  const newest = (sessionId: string) =>
    Effect.gen(function* () {
      const known = yield* newestByRoots
      let tree = known.get(sessionId) ?? FIRST
      for (let next = tree; ; tree = next) {
        const number = tree.number + 1
        const candidates = [
          { number, isCleared: true },
          { number, isCleared: false },
        ]
        const found = yield* Effect.findFirst(candidates, (candidate) => hasTree(ownerOf(sessionId, candidate)))
        if (found._tag === "None") break
        next = found.value
        known.set(sessionId, next)
      }
      return tree
    })

  const hasTree = (owner: string) => Effect.map(forest.roots(owner), (roots) => roots.length > 0)

  const open = (sessionId: string, tree: Tree) =>
    Effect.gen(function* () {
      const owner = ownerOf(sessionId, tree)
      // A session keeps the system prompt that it began with.
      const begun = (yield* forest.roots(owner)).at(-1)
      const { id: root } = begun ?? (yield* forest.root({ owner, systemPrompt, key: OWN }))
      const [last] = yield* forest.leaves(1, root)
      return { owner, root, last: last?.id, isCleared: tree.isCleared }
    })

  const current: SessionTrees["current"] = (sessionId) =>
    Effect.flatMap(newest(sessionId), (tree) => open(sessionId, tree))

  const beginAfter = (sessionId: string, tree: Tree) =>
    Effect.map(open(sessionId, tree), ({ root }) => {
      numbers?.set(sessionId, tree)
      return root
    })

  return {
    current,
    begin: (sessionId, isCleared) =>
      Effect.gen(function* () {
        const tree = yield* newest(sessionId)
        const { last, root } = yield* open(sessionId, tree)
        if (last === undefined && tree.isCleared === isCleared) return root
        return yield* beginAfter(sessionId, { number: tree.number + 1, isCleared })
      }),
    leave: (sessionId) =>
      Effect.gen(function* () {
        const tree = yield* newest(sessionId)
        if (!(yield* hasTree(ownerOf(sessionId, tree)))) return false
        const { last } = yield* open(sessionId, tree)
        const next = { number: tree.number + 1, isCleared: false }
        if (last !== undefined || tree.isCleared) yield* beginAfter(sessionId, next)
        return last !== undefined
      }),
  }
}

/** A key that says that the tree is of one conversation, so that it has a title in lists. */
const OWN = "session"

interface Tree {
  readonly number: number
  readonly isCleared: boolean
}

const FIRST: Tree = { number: 1, isCleared: false }

const ownerOf = (sessionId: string, { isCleared, number }: Tree): string =>
  number === 1 ? `session:${sessionId}` : `session#${number}${isCleared ? " cleared" : ""}:${sessionId}`

const parseOwner = (owner: string): { readonly sessionId: string; readonly tree: Tree } | undefined => {
  const [, number, cleared = "", sessionId] = OWNER.exec(owner) ?? []
  return sessionId === undefined
    ? undefined
    : { sessionId, tree: { number: Number(number), isCleared: cleared !== "" } }
}

const OWNER = /^session#(\d+)( cleared)?:(.*)$/s
