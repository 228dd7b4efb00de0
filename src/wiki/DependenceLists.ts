/** The lists of which part uses which, and of the parts from top to bottom, on the start page without a model. Pure. */
import { join, readableTitle, statement } from "./internal/ProjectStatements.ts"
import * as Layers from "./Layers.ts"
import type { Statement } from "./Page.ts"
import type { Edge, Facts } from "./ProjectFacts.ts"
import * as StatementText from "./StatementText.ts"

/** The most parts that a part is said to use, and those that are said once for all. */
const MAX_TARGETS = 4
const MAX_COMMON = 2

/** Says for each part which others it uses. */
export const dependencies = (
  edges: ReadonlyArray<Edge>,
  parts: ReadonlyArray<string>,
  hasReferences: boolean,
): ReadonlyArray<Statement> => {
  // Titles of parts are listed above, and too long to be said again and again.
  const linkTo = (name: string) => StatementText.linkToPage(name, name)
  if (parts.length < 2) return []
  if (edges.length === 0) {
    return [
      statement(
        hasReferences
          ? "No use of one part by another was resolved."
          : "No reference in this project was resolved, so it is not known which part uses which.",
        "pointer",
      ),
    ]
  }
  // A part that nearly all use says nothing about one of them.
  const users = Map.groupBy(edges, ({ to }) => to)
  const isCommon = (name: string) =>
    parts.length > 4 && (name === "helpers" || (users.get(name)?.length ?? 0) > 0.7 * (parts.length - 1))
  const common = parts
    .filter((name) => users.has(name) && isCommon(name))
    .toSorted((one, other) => (users.get(other)?.length ?? 0) - (users.get(one)?.length ?? 0))
    .slice(0, MAX_COMMON)
  return [
    ...(common.length === 0 ? [] : [statement(`Most parts use ${join(common.map(linkTo))}.`, "pointer")]),
    ...parts.flatMap((from) => {
      const targets = edges.filter((edge) => edge.from === from && !common.includes(edge.to)).slice(0, MAX_TARGETS)
      return targets.length === 0
        ? []
        : [statement(`${linkTo(from)} uses ${join(targets.map(({ to }) => linkTo(to)))}.`, "pointer")]
    }),
  ]
}

/** The most parts above it that are named of a part, and the share of the uses between the two from which one is. */
const MAX_UPWARD = 2
const UPWARD_SHARE = 0.25

/** If a larger share of the parts use much above them, there is no order to tell of. */
const MAX_MUDDLED = 1 / 3

/**
 * Writes a line for each layer of parts, with what these use much though it stands above.
 * A project of two parts has none.
 */
export const layerStatements = ({ edges, parts }: Facts): ReadonlyArray<Statement> => {
  const { layers, upward } = Layers.of(
    parts.map(({ part }) => part.name),
    edges,
  )
  const titles = new Map(parts.map(({ part }) => [part.name, part.title]))
  const linkTo = (name: string) => StatementText.linkToPage(readableTitle(titles.get(name) ?? name, name), name)
  const downward = ({ from, to }: Edge) => edges.find((edge) => edge.from === to && edge.to === from)?.count ?? 0
  const much = Map.groupBy(
    upward.filter((edge) => edge.count >= UPWARD_SHARE * downward(edge)),
    ({ from }) => from,
  )
  const count = layers.flat().length
  if (count < 3 || much.size > MAX_MUDDLED * count) return []
  return layers.map((names) => {
    const lines = names.map((name) => {
      const above = (much.get(name) ?? []).slice(0, MAX_UPWARD)
      return above.length === 0
        ? linkTo(name)
        : `${linkTo(name)} (which also uses ${join(above.map(({ to }) => linkTo(to)))})`
    })
    return statement(join(lines), "pointer")
  })
}
