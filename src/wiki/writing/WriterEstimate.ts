/** Estimates the tokens of writing a wiki before any request, from the very messages that would be sent. */
import * as Effect from "effect/Effect"
import * as RunBudget from "../../model/RunBudget.ts"
import { type Page, START, type Statement } from "../Page.ts"
import type { Flow, Plan } from "../Plan.ts"
import * as Answer from "./Answer.ts"
import * as Material from "./Material.ts"
import { ANSWERS, type MaterialLimits } from "./MaterialLimits.ts"
import * as NewStatements from "./NewStatements.ts"
import * as PartMaterial from "./PartMaterial.ts"
import * as PlanMaterial from "./PlanMaterial.ts"
import * as PlanRequest from "./PlanRequest.ts"
import type * as Project from "./Project.ts"
import * as Reconcile from "./Reconcile.ts"
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

/** The share of parts for which a model asks for sources: 34 of 41 in three runs. */
const NEED_SHARE = 0.8

/** The share of checks after which some statements are shown again with more of their sources, and how many of them. */
const AGAIN_SHARE = 0.4
const AGAIN_STATEMENTS = 3

/** The flows of a plan that is not made yet. */
const FLOWS = 5

/**
 * The statements of a page that is not written yet, and the symbols that they cite together: in two runs the 34 pages had
 * 10 statements, with 15 citations of 10 symbols.
 */
const STATEMENTS = 10
const SYMBOLS = 10

/** Asks no model. `plan` and `pages` are those of earlier runs. */
export const make: <E>(
  project: Project.Project<E>,
  limits: MaterialLimits,
  before: { readonly plan: Plan | undefined; readonly pages: ReadonlyArray<Page> },
) => Effect.Effect<Work, E> = Effect.fn("WriterEstimate.make")(function* (read, limits, before) {
  // Calls are looked up symbol by symbol, which takes seconds. Sources fill the room that they leave.
  const project = { ...read, callees: () => Effect.succeed([]) }
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
  const plan: Plan = isNew ? { parts: project.folders, flows: guessFlows(project), undescribed: [] } : earlier.plan
  const pages = new Map(before.pages.map((page) => [page.name, page]))
  const due = new Set(Writing.dueOf(plan, pages, isNew ? undefined : earlier))
  const isDue = (name: string) => due.has(name)
  const check = Effect.fnUntraced(function* (items: ReadonlyArray<Material.Item>) {
    const page = guessPage(items)
    const all = NewStatements.dueOf(page)
    // The answers of all requests have a verdict on each statement once.
    const answerFor = (statements: number) => Math.ceil((ANSWERS.check * statements) / Math.max(1, all.length))
    for (const prepared of yield* NewStatements.prepare(project, all, "first", limits)) {
      count(NewStatements.questionOf(prepared, "first"), 0, 1, answerFor(prepared.subjects.length))
    }
    for (const again of yield* NewStatements.prepare(project, all.slice(0, AGAIN_STATEMENTS), "further", limits)) {
      count(NewStatements.questionOf(again, "further"), 0, AGAIN_SHARE, answerFor(again.subjects.length))
    }
  })
  if (isDue(START)) {
    const input = yield* StartMaterial.gather(project, plan, new Map(), limits.start)
    count(Writing.startQuestion(input), 1)
    yield* check(input.material.items)
  }
  for (const part of plan.parts.filter(({ name }) => isDue(name))) {
    const gathered = yield* PartMaterial.gather(project, part, plan.parts, limits.part)
    if (gathered.material.items.length === 0) continue
    const question = Writing.partQuestion({ about: project.about, part, parts: plan.parts, ...gathered })
    count(question, 1)
    count(question, 0, NEED_SHARE, ANSWERS.need)
    work = add(work, { ...nothing, inputTokens: NEED_SHARE * limits.sources })
    yield* check(gathered.material.items)
  }
  for (const flow of plan.flows.filter(({ name }) => isDue(name))) {
    const input = yield* Writing.flowInput(project, plan, flow, limits)
    if (input === undefined) continue
    count(Writing.flowQuestion(input), 1)
    yield* check(input.material.items)
  }
  if (!isNew) {
    const touched = yield* TouchedStatements.find(
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

const guessFlows = <E>({ candidates }: Project.Project<E>): ReadonlyArray<Flow> =>
  candidates.slice(0, FLOWS).map(({ item }, at) => ({
    name: `flow-${at + 1}`,
    title: item.entry?.qualifiedName ?? item.path,
    start: Material.citationOf(item),
  }))

/** Makes a page of statements of usual length that cite the first of some items. */
const guessPage = (items: ReadonlyArray<Material.Item>): Page => {
  const cited = items
    .filter(({ entry }) => entry !== undefined)
    .slice(0, SYMBOLS)
    .map(Material.citationOf)
  const statements = Array.from(
    { length: Math.min(STATEMENTS, cited.length) },
    (_, at): Statement => ({
      text: "x".repeat(120),
      kind: "claim",
      author: "model",
      unchecked: "due",
      // Every other statement cites two symbols.
      citations: cited.slice(at, at + 1 + (at % 2)),
    }),
  )
  return {
    name: "x",
    kind: "part",
    title: "x",
    sections: [{ form: "list", blocks: statements.map((each) => [each] as const) }],
  }
}
