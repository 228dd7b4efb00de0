/**
 * Holds the statements of new pages against the source of the symbols that they cite, in two stages: one for the pages
 * as they are written, and then one for what is not decided on all of them.
 */
import * as Effect from "effect/Effect"
import type { Page, Statement } from "../Page.ts"
import type { Part } from "../Plan.ts"
import * as States from "../States.ts"
import type { Asking } from "./Asking.ts"
import * as CheckRequest from "./CheckRequest.ts"
import * as CheckSources from "./CheckSources.ts"
import * as CountedUses from "./CountedUses.ts"
import * as Dependence from "./Dependence.ts"
import * as Material from "./Material.ts"
import { ANSWERS, type MaterialLimits } from "./MaterialLimits.ts"
import * as Pages from "./Pages.ts"
import * as Project from "./Project.ts"

/**
 * The first stage shows sources up to a length, and of longer ones the lines that claims speak of. The further one
 * shows the rest more of them.
 */
export type Stage = "first" | "further"

/** A long source is shown as much as to a writer that asks for it, so that the check sees what the writer saw. */
const firstRoom = ({ check, sources }: MaterialLimits): CheckSources.Room => ({
  tokens: check,
  each: sources / 2,
  whole: 0.6 * sources,
  document: 420,
  held: 260,
  beside: 200,
  type: 345,
  comment: 80,
  missing: 0,
})

/**
 * A claim is shown a second time to see more, so its sources are shown whole if they fit into a request at all, and
 * with functions that it speaks of beside them.
 */
const furtherRoom = ({ again }: MaterialLimits): CheckSources.Room => ({
  tokens: again,
  each: again / 5.5,
  whole: again / 5.5,
  document: again / 20,
  held: Number.POSITIVE_INFINITY,
  beside: again / 20,
  type: again / 10,
  comment: 150,
  missing: 2,
})

/**
 * Lists the claims of a page that are still to be held against the source. Pointers say nothing that it could decide.
 */
export const dueOf = (page: Page): ReadonlyArray<Statement> =>
  States.statementsOf(page).filter(
    ({ author, kind, unchecked }) => author === "model" && kind === "claim" && unchecked === "due",
  )

/** Reads the sources of the requests of a stage: as many requests as it takes to show no source with fewer lines. */
export const prepare: <E>(
  project: Project.Project<E>,
  claims: ReadonlyArray<Statement>,
  stage: Stage,
  limits: MaterialLimits,
  uses?: CountedUses.CountedUses,
  held?: CheckSources.Held,
) => Effect.Effect<ReadonlyArray<CheckSources.Prepared>, E> = Effect.fnUntraced(function* (
  project,
  claims,
  stage,
  limits,
  uses = CountedUses.none,
  held = new Map(),
) {
  const room = stage === "first" ? firstRoom(limits) : furtherRoom(limits)
  const requests: Array<CheckSources.Prepared> = []
  for (let left = claims; left.length > 0; ) {
    const prepared = yield* CheckSources.prepare(project, left, room, uses, held)
    if (prepared.subjects.length > 0) requests.push(prepared)
    left = prepared.left
  }
  return requests
})

export const questionOf = ({ sources, subjects }: CheckSources.Prepared, stage: Stage) => ({
  form: CheckRequest.form,
  system: CheckRequest.SYSTEM,
  message: (stage === "first" ? CheckRequest.messageOf : CheckRequest.againMessageOf)(subjects, sources),
  answerTokens: ANSWERS.check,
})

/** Facts that a check uses beside the claims. */
export interface Known {
  /**
   * The parts of the plan: claims about dependences between them are also held against the counts of their references.
   */
  readonly parts?: ReadonlyArray<Part> | undefined
  /** Pages whose claims that have held count for what they cite. */
  readonly others?: ReadonlyArray<Page> | undefined
  /** Claims that the first stage has asked about, to which it adds: the further one asks about them again. */
  readonly asked?: Set<Statement> | undefined
  /** True if more pages follow: claims that do not fill a request of the first stage wait for theirs. */
  readonly isOpen?: boolean | undefined
}

/**
 * Holds the due claims of some pages against the source, in as few requests as their sources fit into, and keeps each
 * page that changes. What the first stage does not decide stays due for the further one, which shows more of the
 * sources. A statement that this does not decide is dropped if all that it cites was shown whole, since its sources do
 * not support it then, and is marked otherwise. Claims without an answer stay due, for the next run. Returns the names
 * of the pages with claims that wait for those of further pages.
 */
export const check: <E>(
  asking: Asking,
  project: Project.Project<E>,
  pages: ReadonlyArray<Page>,
  stage: Stage,
  limits: MaterialLimits,
  keep: (page: Page, sums: CheckRequest.Sums) => Effect.Effect<void, E>,
  known?: Known,
) => Effect.Effect<ReadonlyArray<string>, E> = Effect.fnUntraced(function* (
  asking,
  project,
  pages,
  stage,
  limits,
  keep,
  { asked = new Set(), isOpen = false, others = [], parts = [] } = {},
) {
  const current = new Map(pages.map((page) => [page.name, page]))
  const claims = pages.flatMap(dueOf).filter((claim) => stage === "further" || !asked.has(claim))
  const held = yield* heldOf(project, others)
  const uses = yield* CountedUses.gather(project, Dependence.count(project.uses, parts), pages, claims)
  const prepared = yield* prepare(project, claims, stage, limits, uses, held)
  // All but the last one are as full as they can be.
  const requests = isOpen ? prepared.slice(0, -1) : prepared

  const settle = Effect.fnUntraced(function* (results: ReadonlyMap<Statement, Statement | undefined>) {
    for (const page of Array.from(current.values())) {
      const own = dueOf(page).filter((statement) => results.has(statement))
      if (own.length === 0) continue
      const changed = Pages.mapStatements(page, (each) => (results.has(each) ? results.get(each) : each))
      current.set(page.name, changed)
      const ends = own.map((statement) => ({ statement, end: results.get(statement) }))
      yield* keep(changed, {
        statements: own.length,
        corrected: ends.filter(({ end, statement }) => end !== undefined && end.text !== statement.text).length,
        dropped: ends.filter(({ end }) => end === undefined).length,
        undecided: ends.filter(({ end }) => end?.unchecked !== undefined).length,
      })
    }
  })

  for (const request of requests) {
    const own = new Set(request.subjects.map(({ statement }) => statement))
    for (const statement of own) asked.add(statement)
    const concerned = pages.filter((page) => dueOf(page).some((statement) => own.has(statement)))
    const page = concerned.length === 1 ? concerned[0]?.name : undefined
    const verdicts = yield* asking.ask(questionOf(request, stage), { purpose: "check", page })
    if (verdicts !== undefined) yield* settle(resultsOf(request, stage, verdicts))
  }
  if (stage === "first") {
    const waiting = new Set(isOpen ? prepared.at(-1)?.subjects.map(({ statement }) => statement) : [])
    return pages.filter((page) => dueOf(page).some((claim) => waiting.has(claim))).map(({ name }) => name)
  }
  const sent = new Set(requests.flatMap(({ subjects }) => subjects.map(({ statement }) => statement)))
  // The deciding source of these is gone.
  yield* settle(new Map(claims.filter((claim) => !sent.has(claim)).map((claim) => [claim, toUndecided(claim)])))
  return []
})

const toUndecided = (statement: Statement): Statement => ({ ...statement, unchecked: "undecided" })

/**
 * Returns what becomes of the statements of a request; none for those that the first stage did not decide wholly. The
 * further one corrects what is wrong in them, and drops those of which its sources, all shown whole, bear out nothing.
 */
const resultsOf = (
  { subjects }: CheckSources.Prepared,
  stage: Stage,
  verdicts: CheckRequest.Verdicts,
): ReadonlyMap<Statement, Statement | undefined> => {
  const judged = CheckRequest.apply(
    subjects.map(({ statement }) => statement),
    verdicts,
  )
  return new Map(
    subjects.flatMap(({ isWhole, statement }, at) => {
      const isUnseen = verdicts.unseen.has(at + 1)
      const isPartly = verdicts.corrected.has(at + 1)
      const result = judged.statements[at]
      if (!judged.undecided.has(at) && !(isPartly && isUnseen)) return [[statement, result] as const]
      if (stage === "first") return []
      return [[statement, isWhole && isUnseen && !isPartly ? undefined : toUndecided(result ?? statement)] as const]
    }),
  )
}

/** Gathers the claims of some pages that have held, by the symbols that they cite. */
const heldOf = Effect.fnUntraced(function* <E>(project: Project.Project<E>, pages: ReadonlyArray<Page>) {
  const held = new Map<string, Array<string>>()
  for (const { author, citations, kind, text, unchecked } of pages.flatMap(States.statementsOf)) {
    if (author !== "model" || kind !== "claim" || unchecked !== undefined) continue
    for (const citation of citations) {
      const item = Project.find(project, yield* project.symbolsIn(citation.path), citation)
      // A source that has changed since is another one.
      if (item?.entry === undefined || item.entry.hash !== citation.hash) continue
      const own = held.get(Material.keyOf(item)) ?? []
      own.push(text)
      held.set(Material.keyOf(item), own)
    }
  }
  return held
})
