/**
 * Holds the statements of a new page against the source of the symbols that they cite. A first request has those whose
 * sources fit, and further ones the others, and what the first did not decide, with more room.
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

export interface Checked {
  readonly page: Page
  /** How many statements were sent. */
  readonly statements: number
  readonly corrected: number
  readonly dropped: number
  /** Statements that were not decided. They stay, and are marked as not checked. */
  readonly undecided: number
}

/** The most tokens of a source in the first request. */
const MAX_TOKENS = 600

const firstRoom = ({ check }: MaterialLimits): CheckSources.Room => ({
  tokens: check,
  each: MAX_TOKENS,
  whole: MAX_TOKENS,
  document: 420,
  held: 260,
})

/** A claim is shown a second time to see more, so its sources are shown whole if they fit into a request at all. */
const againRoom = ({ again, check }: MaterialLimits): CheckSources.Room => ({
  tokens: again,
  each: check,
  whole: (2 / 3) * again,
  document: check / 2,
  held: Number.POSITIVE_INFINITY,
})

/** Lists the claims of a page that are still to be held against the source. Pointers say nothing that it could decide. */
export const dueOf = (page: Page): ReadonlyArray<Statement> =>
  States.statementsOf(page).filter(
    ({ author, kind, unchecked }) => author === "model" && kind === "claim" && unchecked === "due",
  )

/** Reads the sources of the first request for a page. */
export const prepare = <E>(
  project: Project.Project<E>,
  page: Page,
  limits: MaterialLimits,
): Effect.Effect<CheckSources.Prepared, E> =>
  CheckSources.prepare(project, dueOf(page), firstRoom(limits), CountedUses.none)

/**
 * Reads the sources of each further request, for claims that the first had no room for or did not decide: as many
 * requests as it takes to show no source with fewer lines than before.
 */
export const prepareRest: <E>(
  project: Project.Project<E>,
  claims: ReadonlyArray<Statement>,
  limits: MaterialLimits,
  uses?: CountedUses.CountedUses,
  held?: CheckSources.Held,
) => Effect.Effect<ReadonlyArray<CheckSources.Prepared>, E> = Effect.fnUntraced(function* (
  project,
  claims,
  limits,
  uses = CountedUses.none,
  held = new Map(),
) {
  const requests: Array<CheckSources.Prepared> = []
  for (let left = claims; left.length > 0; ) {
    const prepared = yield* CheckSources.prepare(project, left, againRoom(limits), uses, held)
    if (prepared.subjects.length > 0) requests.push(prepared)
    left = prepared.left
  }
  return requests
})

export const questionOf = ({ sources, subjects }: CheckSources.Prepared) =>
  question(CheckRequest.messageOf(subjects, sources))

const question = (message: string) => ({
  form: CheckRequest.form,
  system: CheckRequest.SYSTEM,
  message,
  answerTokens: ANSWERS.check,
})

/**
 * Returns the page as the source corrects it; undefined if there was nothing to check, or no answer, so that its claims
 * stay due. `parts` are those of the plan: claims about dependences between them are also held against the counts of
 * their references. `others` are pages whose claims that have held count for what they cite. An undecided claim is
 * dropped if all that it cites was shown whole, since its sources do not support it then. Otherwise it is marked.
 */
export const check: <E>(
  asking: Asking,
  project: Project.Project<E>,
  page: Page,
  limits: MaterialLimits,
  parts?: ReadonlyArray<Part>,
  others?: ReadonlyArray<Page>,
) => Effect.Effect<Checked | undefined, E> = Effect.fnUntraced(function* (
  asking,
  project,
  page,
  limits,
  parts = [],
  others = [],
) {
  const due = dueOf(page)
  const held = yield* heldOf(project, others)
  const uses = yield* CountedUses.gather(project, Dependence.count(project.uses, parts), page, due)
  const about = { purpose: "check", page: page.name } as const
  const results = new Map<Statement, Statement | undefined>()
  let corrected = 0
  const settle = ({ subjects }: CheckSources.Prepared, verdicts: CheckRequest.Verdicts) => {
    const judged = CheckRequest.apply(
      subjects.map(({ statement }) => statement),
      verdicts,
    )
    corrected += judged.corrected
    for (const [at, { statement }] of subjects.entries()) {
      if (!judged.undecided.has(at)) results.set(statement, judged.statements[at])
    }
  }
  const first = yield* CheckSources.prepare(project, due, firstRoom(limits), uses, held)
  if (first.subjects.length > 0) {
    const verdicts = yield* asking.ask(questionOf(first), about)
    if (verdicts === undefined) return undefined
    settle(first, verdicts)
  }
  const rest = due.filter((statement) => !results.has(statement))
  let isAnswered = true
  for (const again of yield* prepareRest(project, rest, limits, uses, held)) {
    const message = CheckRequest.againMessageOf(again.subjects, again.sources)
    const verdicts = yield* asking.ask(question(message), about)
    if (verdicts === undefined) {
      isAnswered = false
      break
    }
    settle(again, verdicts)
    for (const [at, { isWhole, statement }] of again.subjects.entries()) {
      if (isWhole && verdicts.unseen.has(at + 1)) results.set(statement, undefined)
    }
  }
  const left = due.filter((statement) => !results.has(statement))
  // If a further answer is missing, the next run asks for these.
  if (isAnswered) for (const statement of left) results.set(statement, { ...statement, unchecked: "undecided" })
  if (results.size === 0) return undefined
  const checked: Checked = {
    page: Pages.mapStatements(page, (statement) => (results.has(statement) ? results.get(statement) : statement)),
    statements: due.length,
    corrected,
    dropped: Array.from(results.values()).filter((statement) => statement === undefined).length,
    undecided: left.length,
  }
  return checked
})

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
