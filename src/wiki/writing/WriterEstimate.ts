/** Estimates the tokens of writing a wiki before any request, from the very messages that would be sent. */
import * as Effect from "effect/Effect"
import * as RunBudget from "../../model/RunBudget.ts"
import { type Page, START, type Statement } from "../Page.ts"
import type { Flow, Part, Plan } from "../Plan.ts"
import * as Answer from "./Answer.ts"
import type * as CheckSources from "./CheckSources.ts"
import * as FlowMaterial from "./FlowMaterial.ts"
import * as Material from "./Material.ts"
import { ANSWERS, type MaterialLimits } from "./MaterialLimits.ts"
import * as NewStatements from "./NewStatements.ts"
import * as PartMaterial from "./PartMaterial.ts"
import type * as PartRequest from "./PartRequest.ts"
import * as PartTopics from "./PartTopics.ts"
import * as PlanMaterial from "./PlanMaterial.ts"
import * as PlanRequest from "./PlanRequest.ts"
import type * as Project from "./Project.ts"
import * as Reconcile from "./Reconcile.ts"
import * as SourceChoice from "./SourceChoice.ts"
import * as StartMaterial from "./StartMaterial.ts"
import * as TouchedStatements from "./TouchedStatements.ts"
import * as Writing from "./Writing.ts"

export interface Work {
  readonly pages: number
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export const nothing: Work = { pages: 0, requests: 0, inputTokens: 0, outputTokens: 0 }

const add = (one: Work, other: Work): Work => ({
  pages: one.pages + other.pages,
  requests: one.requests + other.requests,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

/**
 * The share of new statements that the first stage of their check does not decide: 13 % of 720 in the replay of
 * bench/wikiTokens.ts over four projects. In runs with capable models it was 12 %: 3 of 10 statements of 40 % of the
 * pages.
 */
const UNDECIDED_SHARE = 0.13

/**
 * The parts and flows of a plan that is not made yet: wikis that were written by hand have 13 to 15 parts and 5 flows.
 */
const PARTS = 12
const FLOWS = 5

/**
 * The statements of a page that is not written yet, and the symbols that they cite together, two each: 442 statements
 * of the 40 pages of two wikis had 1,084 citations, pointers among them.
 */
const STATEMENTS = 12
const SYMBOLS = 17

/** The share of the symbols of a page, the longest, that its statements are about: they decide more than short ones. */
const LONGER_SHARE = 0.85

const linesOf = ({ entry }: Material.Item): number => (entry === undefined ? 0 : entry.endLine - entry.startLine)

/** The statements of a check for which `ANSWERS.check` is. */
const CHECKED = 10

/** The statements of a start page that are checked: what it is, dependences, terms, entry points and how it is run. */
const START_STATEMENTS = 18

/** Asks no model. `plan` and `pages` are those of earlier runs. */
export const make: <E>(
  project: Project.Project<E>,
  limits: MaterialLimits,
  before: { readonly plan: Plan | undefined; readonly pages: ReadonlyArray<Page> },
) => Effect.Effect<Work, E> = Effect.fn("WriterEstimate.make")(function* (read, limits, before) {
  // Calls are looked up symbol by symbol, which takes seconds. Sources fill the room that they leave.
  const project = { ...read, callees: () => Effect.succeed([]), users: () => Effect.succeed([]) }
  let work = nothing
  const count = (
    question: Answer.Question<unknown>,
    pages: number,
    share = 1,
    answerTokens = question.answerTokens,
  ) => {
    work = add(work, {
      pages,
      requests: share,
      inputTokens: share * RunBudget.estimate(Answer.requestOf(question)),
      outputTokens: share * answerTokens,
    })
  }
  if (project.files.length === 0) return nothing
  const earlier =
    before.plan?.model === undefined ? undefined : Reconcile.reconcile(before.plan, project.files, project.heads)
  const isNew = earlier === undefined || earlier.isOutdated
  if (isNew) {
    count(Writing.planQuestion(PlanRequest.messageOf(yield* PlanMaterial.gather(project, limits.plan))), 0)
  }
  const plan: Plan = isNew ? { parts: guessParts(project), flows: guessFlows(project), undescribed: [] } : earlier.plan
  const pages = new Map(before.pages.map((page) => [page.name, page]))
  const due = new Set(Writing.dueOf(plan, pages, isNew ? undefined : earlier))
  const isDue = (name: string) => due.has(name)
  const question = (prepared: CheckSources.Prepared, stage: NewStatements.Stage) => {
    const answerTokens = Math.ceil((ANSWERS.check * prepared.subjects.length) / CHECKED)
    count(NewStatements.questionOf(prepared, stage), 0, 1, answerTokens)
  }
  /** Counts both stages of the check of some pages. */
  const check = Effect.fnUntraced(function* (pages: ReadonlyArray<Page>) {
    const all = pages.flatMap(NewStatements.dueOf)
    for (const prepared of yield* NewStatements.prepare(project, all, "first", limits)) question(prepared, "first")
    const step = Math.max(1, Math.round(1 / UNDECIDED_SHARE))
    const undecided = all.filter((_, at) => at % step === step - 1)
    for (const prepared of yield* NewStatements.prepare(project, undecided, "further", limits)) {
      question(prepared, "further")
    }
  })
  const guessed: Array<Page> = []
  const offers: Array<SourceChoice.Offer> = []
  const topics = yield* PartTopics.assign(project, plan.parts)
  const names = Writing.namesOf(plan).filter((name) => name !== START && isDue(name))
  for (const group of Writing.groupsOf(plan, names, limits)) {
    const inputs: Array<PartRequest.Input> = []
    for (const part of plan.parts.filter(({ name }) => group.includes(name))) {
      const gathered = yield* PartMaterial.gather(project, part, plan.parts, limits.part, topics)
      if (gathered.material.items.length === 0) continue
      inputs.push({ about: project.about, part, parts: plan.parts, flows: plan.flows, ...gathered })
      const offer = yield* SourceChoice.offerOf(project, part, gathered)
      if (!SourceChoice.isSettled(offer, { sources: gathered.chosenTokens(limits.sources) })) offers.push(offer)
      const chosen = offer.open.slice(0, SourceChoice.MAX_CHOSEN).reduce((sum, { tokens }) => sum + tokens, 0)
      work = add(work, { ...nothing, inputTokens: Math.min(gathered.chosenTokens(limits.sources), chosen) })
      guessed.push(guessPage(gathered.material.items))
    }
    const [first, ...others] = inputs
    if (first !== undefined) count(Writing.partsQuestion([first, ...others]), inputs.length)
  }
  for (const group of SourceChoice.groupsOf(offers, limits)) count(SourceChoice.questionOf(project.about, group), 0)
  for (const group of Writing.groupsOf(plan, names, limits)) {
    const flows = plan.flows.filter(({ name }) => group.includes(name))
    const [first, ...others] = yield* FlowMaterial.gatherAll(project, plan, flows, limits)
    if (first === undefined) continue
    const inputs = [first, ...others] as const
    count(Writing.flowsQuestion(inputs), inputs.length)
    guessed.push(...inputs.map(({ calls }) => guessPage(calls.map(({ item }) => item))))
  }
  yield* check(guessed)
  if (isDue(START)) {
    const input = yield* StartMaterial.gather(project, plan, new Map(), limits.start)
    count(Writing.startQuestion(input), 1)
    yield* check([guessPage(input.material.items, START_STATEMENTS)])
  }
  if (!isNew) {
    const touched = yield* TouchedStatements.findDue(
      project,
      before.pages.filter(({ name }) => !isDue(name)),
    )
    for (const question of yield* TouchedStatements.questionsFor(project, touched, limits)) count(question, 0)
    for (const page of before.pages.filter(({ name }) => !isDue(name))) {
      for (const prepared of yield* NewStatements.prepare(project, NewStatements.dueOf(page), "first", limits)) {
        count(NewStatements.questionOf(prepared, "first"), 0)
      }
    }
  }
  return {
    pages: work.pages,
    requests: Math.ceil(work.requests),
    inputTokens: Math.ceil(work.inputTokens),
    outputTokens: Math.ceil(work.outputTokens),
  }
})

/** Divides the units into as many parts as a model makes of them. The folders of a small project are fewer. */
const guessParts = <E>({ folders, units }: Project.Project<E>): ReadonlyArray<Part> => {
  const { least, most } = PlanRequest.rangeOf(units.length)
  const count = Math.max(least, Math.min(most, PARTS))
  if (folders.length >= count) return folders
  return Array.from({ length: count }, (_, at) => {
    const own = units.slice(Math.round((at * units.length) / count), Math.round(((at + 1) * units.length) / count))
    const title = own[0]?.path ?? ""
    return { name: `part-${at + 1}`, title, line: "x".repeat(LINE), files: own.flatMap(({ files }) => files) }
  })
}

/** The characters of the line of a part: at most 15 words. */
const LINE = 70

const guessFlows = <E>({ candidates }: Project.Project<E>): ReadonlyArray<Flow> =>
  candidates.slice(0, FLOWS).map(({ item }, at) => ({
    name: `flow-${at + 1}`,
    title: item.entry?.qualifiedName ?? item.path,
    start: Material.citationOf(item),
  }))

/** The characters of a statement. */
const LENGTH = 160

/** Makes a page of statements of usual length that cite symbols from all over some items. */
const guessPage = (items: ReadonlyArray<Material.Item>, most = STATEMENTS): Page => {
  const all = items.filter(({ entry }) => entry !== undefined)
  const known = all
    .toSorted((one, other) => linesOf(other) - linesOf(one))
    .slice(0, Math.ceil(all.length * LONGER_SHARE))
  const symbols = Math.min(known.length, Math.ceil((most * SYMBOLS) / STATEMENTS))
  const cited = Array.from({ length: symbols }, (_, at) => known[Math.floor((at * known.length) / symbols)]).flatMap(
    (item) => (item === undefined ? [] : [Material.citationOf(item)]),
  )
  const statements = Array.from({ length: Math.min(most, cited.length) }, (_, at): Statement => {
    const beside = cited[(most + at) % cited.length]
    return {
      text: "x".repeat(LENGTH),
      kind: "claim",
      author: "model",
      unchecked: "due",
      citations: [...cited.slice(at, at + 1), ...(beside === undefined || beside === cited[at] ? [] : [beside])],
    }
  })
  return {
    name: "x",
    kind: "part",
    title: "x",
    sections: [{ form: "list", blocks: statements.map((each) => [each] as const) }],
  }
}
