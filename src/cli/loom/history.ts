/** `vibe loom history`: lists the operations on the forest, newest first. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as DisplayWidth from "../../base/DisplayWidth.ts"
import { plural } from "../../base/Plural.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import type { Summary } from "../../forest/Operation.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { HistoryInput } from "./readCommands.ts"

/** The number of operations that are listed by default. */
const DEFAULT_LIMIT = 20

export const run = Effect.fn("cli.loom.history")(function* ({ json, limit, noPager }: HistoryInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const operations = yield* forest.history(Option.getOrElse(limit, () => DEFAULT_LIMIT))
  if (json) return yield* Screen.line(out, sanitizeJson({ operations: operations.map(toObject) }))
  if (operations.length === 0) return yield* Screen.line(err, "there are no operations")
  const shortId = yield* NodeName.shortNames(operations.flatMap(({ trees }) => trees))
  const width = yield* NodeFormat.lineWidth(out)
  const lines = operations.map((operation) => row(operation, shortId, out.style, width))
  yield* Pager.print(out, lines.join("\n"), { noPager })
})

/** Unknown values are null. */
const toObject = ({ author, of, ...operation }: Summary): object => ({
  ...operation,
  author: author ?? null,
  of: of ?? null,
})

/** `12  2026-11-23 01:50:00Z  loom append  append  1 node in 01jx…  undone` */
const row = (
  operation: Summary,
  shortId: (id: NodeId) => string,
  { quiet, strong }: Style,
  width: number | undefined,
): string => {
  const { at, author = "unknown", id, isUnderWay, isUndone, kinds, nodes, of, trees } = operation
  const [tree, ...others] = trees
  const kind = of === undefined ? kinds.join(", ") : `${kinds.join(", ")} of ${of}`
  const where = tree === undefined || others.length > 0 ? plural(trees.length, "tree") : shortId(tree)
  const facts = [author, kind, `${plural(nodes, "node")} in ${where}`]
  const state = [...(isUnderWay ? ["under way"] : []), ...(isUndone ? ["undone"] : [])]
  const time = NodeFormat.listTime(at, width)
  const line = sanitizeLine([...facts, ...state].join("  "))
  const most = width === undefined ? line.length : Math.max(1, width - String(id).length - time.length - 4)
  return [strong(String(id)), quiet(time), DisplayWidth.cut(line, most)].join("  ")
}
