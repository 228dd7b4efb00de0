/** Runs the commands of `vibe loom` that list trees and show one. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import * as Graph from "../../forest/Graph.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import type * as NodeText from "../../forest/NodeText.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { ListInput } from "./options.ts"
import { DEFAULT_MESSAGES, type ShowInput, type TreeInput } from "./readCommands.ts"
import * as TreeSummary from "./TreeSummary.ts"

/** `vibe loom roots`: lists the trees. */
export const roots = Effect.fn("cli.loom.roots")(function* ({ json, noPager }: ListInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const roots = yield* forest.roots()
  const summaryOf = yield* TreeSummary.load
  if (json) {
    const objects = roots.map((root) => ({ ...NodeFormat.toObject(root, () => []), ...summaryOf(root) }))
    return yield* Screen.line(out, sanitizeJson({ roots: objects }))
  }
  if (roots.length === 0) return yield* Screen.line(err, "there are no conversations")
  const labels = yield* NodeFormat.loadLabels(roots)
  const now = yield* Clock.currentTimeMillis
  const width = yield* NodeFormat.lineWidth(out)
  const lines = roots.map((root) => TreeSummary.row(root, summaryOf(root), labels, out.style, { now, width }))
  yield* Pager.print(out, lines.join("\n"), { noPager })
})

/** `vibe loom tree`: draws a node and its descendants. */
export const tree = Effect.fn("cli.loom.tree")(function* ({ node, ...options }: TreeInput) {
  const forest = yield* Forest.Forest
  const top = Option.isSome(node)
    ? yield* NodeFormat.findPlace(node.value)
    : (yield* forest.path(yield* NodeName.resolve("@"), { last: 0 })).root
  yield* printTree({ top, ...options }, Graph.outline)
})

interface Tree extends Pick<TreeInput, "json" | "limit" | "noPager" | "depth"> {
  readonly top: NodeText.Place
}

/** Prints the newest messages of a tree, drawn or as a JSON object. */
export const printTree = Effect.fn("cli.loom.printTree")(function* (
  { depth, json, limit, noPager, top }: Tree,
  layout: (top: NodeText.Place, nodes: ReadonlyArray<Node>) => ReadonlyArray<Graph.Row>,
) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const levels = { depth: Option.getOrUndefined(depth) }
  const { count, nodes } =
    json && Option.isNone(limit)
      ? yield* Effect.map(forest.subtree(top.id, levels), (nodes) => ({
          nodes: nodes.filter(({ id }) => id !== top.id),
          count: 0,
        }))
      : yield* forest.newestBelow(
          top.id,
          Option.getOrElse(limit, () => DEFAULT_MESSAGES),
          levels,
        )
  const more = Math.max(0, count - nodes.length)
  if (json) {
    const { titles } = yield* NodeFormat.loadLabels([])
    const toObject = (place: NodeText.Place) => NodeFormat.toObject(place, titles)
    return yield* Screen.line(out, sanitizeJson({ top: toObject(top), nodes: nodes.map(toObject), more }))
  }
  const labels = yield* NodeFormat.loadLabels([top, ...nodes])
  const width = yield* NodeFormat.lineWidth(out)
  const shown = new Set([top.id, ...nodes.map(({ id }) => id)])
  /** Returns whether nodes between this one and the top are left out. */
  const isApart = ({ parent }: Node) => !shown.has(parent)
  const messages = new Map(MessageParts.group(nodes).map((parts) => [MessageParts.join(parts).id, parts]))
  const joined = Array.from(messages.values(), MessageParts.join)
  const attached = joined.map((node) => (isApart(node) ? { ...node, parent: top.id } : node))
  const apart = new Set(joined.filter(isApart).map(({ id }) => id))
  const lines = layout(top, attached).map(({ lines, place }) =>
    place === undefined
      ? lines
      : NodeFormat.row(messages.get(place.id) ?? [place], labels, out.style, {
          width,
          lines: apart.has(place.id) ? `${lines}… ` : lines,
        }),
  )
  yield* Pager.print(out, lines.join("\n"), { noPager })
  if (more > 0) {
    yield* Screen.notice(err, `${plural(more, "older message")} not drawn; --limit ${count} draws all of them`)
  }
})

/** `vibe loom show`: prints one message in full, with its metadata. */
export const show = Effect.fn("cli.loom.show")(function* ({ json, node, noPager }: ShowInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const place = yield* NodeFormat.findPlace(node)
  const children = yield* MessageParts.children(forest, place.id)
  const labels = yield* NodeFormat.loadLabels(children)
  if (json) {
    const object = { node: NodeFormat.toObject(place, labels.titles), children: children.map(({ id }) => id) }
    return yield* Screen.line(out, sanitizeJson(object))
  }
  yield* Pager.print(out, NodeFormat.details(place, children, labels), { noPager })
})
