/** Handles requests about the forest. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Forest from "../forest/Forest.ts"
import type { Node } from "../forest/Node.ts"
import * as NodeText from "../forest/NodeText.ts"
import type { Root } from "../forest/Root.ts"
import { Api } from "./Api.ts"
import type { Row } from "./api/Forest.ts"
import { toFailure } from "./Failures.ts"

/** The most rows at once. */
const MAX_ROWS = 200

export const layer = HttpApiBuilder.group(Api, "forest", (handlers) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const rowOf = (place: Node | Root) =>
      Effect.map(
        forest.children(place.id),
        (children): Row => ({
          id: place.id,
          parent: "parent" in place ? place.parent : place.id,
          kind: NodeText.isRoot(place) ? "root" : kindOf(place),
          text: NodeText.firstWords(place),
          at: place.createdAt,
          children: children.length,
          bookmarks: [],
        }),
      )
    return handlers.handle("children", ({ urlParams: { of, offset = 0 } }) =>
      Effect.gen(function* () {
        const all = of === undefined ? (yield* forest.roots()).toReversed() : yield* forest.children(of)
        const rows = yield* Effect.forEach(all.slice(offset, offset + MAX_ROWS), rowOf)
        return { rows, total: all.length }
      }).pipe(Effect.mapError(toFailure)),
    )
  }),
)

const kindOf = ({ source }: Node): Row["kind"] => (source.type === "model" ? "assistant" : source.type)
