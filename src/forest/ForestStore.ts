/** Where roots and nodes are kept. Append-only: what was added stays as it is. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { NodeId } from "../message/NodeId.ts"
import { ForestError, Unwritable } from "./ForestError.ts"
import type { Node } from "./Node.ts"
import type { Root } from "./Root.ts"

export class ForestStore extends Context.Tag("vibe/forest/ForestStore")<ForestStore, Service>() {}

export interface Service {
  /** Fails with `Unwritable` where there is a root of this id already. */
  readonly addRoot: (root: Root) => Effect.Effect<void, ForestError>
  /** All of them or none: with `Unwritable` where the id of one is taken. */
  readonly addNodes: (nodes: ReadonlyArray<Node>) => Effect.Effect<void, ForestError>
  readonly root: (id: NodeId) => Effect.Effect<Option.Option<Root>, ForestError>
  readonly node: (id: NodeId) => Effect.Effect<Option.Option<Node>, ForestError>
  /** Oldest first. */
  readonly rootsOf: (owner: string) => Effect.Effect<ReadonlyArray<Root>, ForestError>
  /** Oldest first. */
  readonly children: (parent: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
}

export const makeMemory: Effect.Effect<Service> = Effect.sync(() => {
  const roots = new Map<NodeId, Root>()
  const nodes = new Map<NodeId, Node>()
  const children = new Map<NodeId, Array<Node>>()
  return ForestStore.of({
    addRoot: (root) =>
      Effect.suspend(() => (roots.has(root.id) ? taken(root.id) : Effect.sync(() => void roots.set(root.id, root)))),
    addNodes: (added) =>
      Effect.suspend(() => {
        const ids = added.map((node) => node.id)
        const twice = ids.find((id, index) => nodes.has(id) || ids.indexOf(id) < index)
        if (twice !== undefined) return taken(twice)
        for (const node of added) {
          nodes.set(node.id, node)
          const siblings = children.get(node.parent)
          if (siblings === undefined) children.set(node.parent, [node])
          else siblings.push(node)
        }
        return Effect.void
      }),
    root: (id) => Effect.sync(() => Option.fromNullable(roots.get(id))),
    node: (id) => Effect.sync(() => Option.fromNullable(nodes.get(id))),
    rootsOf: (owner) => Effect.sync(() => Array.from(roots.values()).filter((root) => root.owner === owner)),
    children: (parent) => Effect.sync(() => [...(children.get(parent) ?? [])]),
  })
})

export const layerMemory: Layer.Layer<ForestStore> = Layer.effect(ForestStore, makeMemory)

const taken = (id: NodeId) =>
  Effect.fail(new ForestError({ reason: new Unwritable({ cause: new Error(`the id ${id} is taken`) }) }))
