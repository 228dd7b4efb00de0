/** The forest of conversations: open a tree, append to it, read the path that led to a node. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ids from "../message/Ids.ts"
import { NodeId } from "../message/NodeId.ts"
import { ForestError, NotFound, Unreadable } from "./ForestError.ts"
import * as ForestStore from "./ForestStore.ts"
import type { Draft, Node } from "./Node.ts"
import type { Root } from "./Root.ts"

export class Forest extends Context.Tag("vibe/forest/Forest")<Forest, Service>() {}

export interface Service {
  /** The owner's tree with this system prompt, made where there is none. */
  readonly root: (tree: Pick<Root, "owner" | "systemPrompt">) => Effect.Effect<Root, ForestError>
  /** Adds messages, each under the one before, all or none. `parent` is a node or a root. */
  readonly append: (parent: NodeId, drafts: ReadonlyArray<Draft>) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** The only definition of history: the root, and the nodes from it down to `id`. */
  readonly path: (id: NodeId) => Effect.Effect<Path, ForestError>
  /** Oldest first. */
  readonly children: (id: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
}

export interface Path {
  readonly root: Root
  /** Oldest first; empty where the path is the root alone. */
  readonly nodes: ReadonlyArray<Node>
}

export const make = Effect.gen(function* () {
  const store = yield* ForestStore.ForestStore
  const ids = yield* Ids.Ids
  // One at a time, so that two callers that open the same tree get one.
  const opening = yield* Effect.makeSemaphore(1)

  const fresh = Effect.map(ids.next, NodeId.make)

  const root = Effect.fn("Forest.root")(function* ({ owner, systemPrompt }: Pick<Root, "owner" | "systemPrompt">) {
    const known = (yield* store.rootsOf(owner)).find((root) => root.systemPrompt === systemPrompt)
    if (known !== undefined) return known
    const root = { id: yield* fresh, owner, systemPrompt, createdAt: yield* Clock.currentTimeMillis }
    yield* store.addRoot(root)
    return root
  }, opening.withPermits(1))

  const treeOf = Effect.fnUntraced(function* (parent: NodeId) {
    const node = yield* store.node(parent)
    if (Option.isSome(node)) return node.value.root
    const root = yield* store.root(parent)
    return Option.isSome(root) ? root.value.id : yield* missing(parent)
  })

  const append = Effect.fnUntraced(function* (parent: NodeId, drafts: ReadonlyArray<Draft>) {
    const tree = yield* treeOf(parent)
    const createdAt = yield* Clock.currentTimeMillis
    const nodes: Array<Node> = []
    for (const { message, source } of drafts) {
      nodes.push({ id: yield* fresh, root: tree, parent: nodes.at(-1)?.id ?? parent, message, source, createdAt })
    }
    yield* store.addNodes(nodes)
    return nodes
  })

  const path = Effect.fn("Forest.path")(function* (id: NodeId) {
    yield* Effect.annotateCurrentSpan({ node: id })
    const nodes: Array<Node> = []
    const seen = new Set<NodeId>()
    for (let cursor = id; ; ) {
      if (seen.has(cursor)) return yield* endless(cursor)
      seen.add(cursor)
      const node = yield* store.node(cursor)
      if (Option.isNone(node)) {
        const root = yield* store.root(cursor)
        return Option.isSome(root) ? { root: root.value, nodes: nodes.reverse() } : yield* missing(cursor)
      }
      nodes.push(node.value)
      cursor = node.value.parent
    }
  })

  return Forest.of({ root, append, path, children: store.children })
})

export const layer: Layer.Layer<Forest, never, ForestStore.ForestStore | Ids.Ids> = Layer.effect(Forest, make)

const missing = (id: NodeId) => Effect.fail(new ForestError({ reason: new NotFound({ id }) }))

const endless = (id: NodeId) =>
  Effect.fail(new ForestError({ reason: new Unreadable({ cause: new Error(`the path of ${id} leads back to it`) }) }))
