/**
 * Shows a check the references that are counted between two parts, with lines at which what is cited uses the other
 * one, for statements that say how parts depend on each other. The bodies of two symbols often do not decide these.
 */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { quote } from "../../index/ProjectMap.ts"
import type { Page, Statement } from "../Page.ts"
import * as Places from "../Places.ts"
import * as States from "../States.ts"
import type * as CheckRequest from "./CheckRequest.ts"
import * as Dependence from "./Dependence.ts"
import * as Material from "./Material.ts"
import * as Project from "./Project.ts"
import { TITLES } from "./StartRequest.ts"

export interface CountedUses {
  readonly sources: ReadonlyArray<CheckRequest.Source & { readonly key: string }>
  /** The labels of the sources of each statement. */
  readonly labelsOf: ReadonlyMap<Statement, ReadonlyArray<string>>
}

export const none: CountedUses = { sources: [], labelsOf: new Map() }

/** The tokens of all counts of a page with their lines. */
const MAX_TOKENS = 500

/** The most lines that are shown for a pair of parts, in each direction. */
const MAX_LINES = 2

/** The most characters of a line. */
const MAX_LINE = 120

/** Gathers the counts for those of the due statements of some pages that are about dependences between parts. */
export const gather: <E>(
  project: Project.Project<E>,
  arrows: Dependence.Arrows,
  pages: ReadonlyArray<Page>,
  due: ReadonlyArray<Statement>,
) => Effect.Effect<CountedUses, E> = Effect.fnUntraced(function* (project, arrows, pages, due) {
  const isDue = new Set(due)
  const about = pages.flatMap((page) => {
    const listed = new Set(
      page.sections.filter(({ title }) => title === TITLES.depends).flatMap(({ blocks }) => blocks.flat()),
    )
    const own = page.kind === "part" ? page.name : undefined
    return States.statementsOf(page).filter(
      (statement) =>
        isDue.has(statement) && (listed.has(statement) || Dependence.read(arrows, statement, own).length > 0),
    )
  })
  const sources = new Map<string, CountedUses["sources"][number]>()
  const labelsOf = new Map<Statement, ReadonlyArray<string>>()
  let left = MAX_TOKENS * pages.length
  for (const statement of about) {
    const labels: Array<string> = []
    for (const pair of Dependence.pairsOf(arrows, statement)) {
      const name = `${pair.from}\0${pair.to}`
      const known = sources.get(name)
      if (known !== undefined) {
        labels.push(known.key)
        continue
      }
      const lines = yield* linesOf(project, arrows, statement, pair)
      const cost = lines.reduce((sum, line) => sum + Material.sizeOf(line), FRAME)
      if (cost > left) continue
      left -= cost
      const key = `U${sources.size + 1}`
      sources.set(name, { key, label: `${key} References between the two parts`, lines })
      labels.push(key)
    }
    if (labels.length > 0) labelsOf.set(statement, labels)
  }
  return { sources: Array.from(sources.values()), labelsOf }
})

/** Tokens of the label of a source. */
const FRAME = 12

/** Writes both counts of a pair, and the first lines at which a cited symbol uses the other part. */
const linesOf = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  arrows: Dependence.Arrows,
  statement: Statement,
  pair: Dependence.Dependence,
) {
  const titles = new Map(arrows.parts.map(({ name, title }) => [name, sanitizeLine(title)]))
  const partOf = Places.finderOf(arrows.parts)
  const lines: Array<string> = []
  for (const { from, to } of [pair, { from: pair.to, to: pair.from }]) {
    const count = Dependence.countOf(arrows, { from, to })
    const said = count > 0 ? String(count) : arrows.uncertain.has(from) ? "unknown, not all are resolved" : "none"
    lines.push(`${titles.get(from)} uses ${titles.get(to)}: ${said}`)
    if (count === 0) continue
    let shown = 0
    for (const citation of statement.citations) {
      if (partOf(citation)?.name !== from || shown >= MAX_LINES) continue
      const item = Project.find(project, yield* project.symbolsIn(citation.path), citation)
      const text = item && (yield* project.sourceOf(item))
      if (item === undefined || text === undefined) continue
      for (const use of yield* project.callees(item)) {
        const line = text.split("\n")[use.line - (item.entry?.startLine ?? 1)]?.trim()
        if (partOf(Places.targetOf(use.item))?.name !== to || line === undefined || line === "" || shown >= MAX_LINES)
          continue
        shown += 1
        lines.push(`  ${use.line} ${Material.cut(sanitizeLine(line), MAX_LINE)}`)
      }
    }
  }
  return quote(lines.join("\n"))
})
