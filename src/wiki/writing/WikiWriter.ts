/**
 * Lets a model write the pages of a wiki: the plan, the parts and the flows, each held against the source, and the
 * start page from what was checked. A later run judges the statements whose symbols have changed, and writes what is
 * missing.
 */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { inParallel } from "../../base/concurrency.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as RunBudget from "../../model/RunBudget.ts"
import type { Thinking } from "../../model/Thinking.ts"
import { type Page, START, type Statement } from "../Page.ts"
import type { Plan } from "../Plan.ts"
import * as States from "../States.ts"
import * as Asking from "./Asking.ts"
import * as CheckRequest from "./CheckRequest.ts"
import * as ConstantValues from "./ConstantValues.ts"
import * as MaterialLimits from "./MaterialLimits.ts"
import * as NewStatements from "./NewStatements.ts"
import * as Pages from "./Pages.ts"
import * as PreparedPart from "./PreparedPart.ts"
import * as Project from "./Project.ts"
import * as Reconcile from "./Reconcile.ts"
import * as StartLists from "./StartLists.ts"
import * as Statements from "./Statements.ts"
import * as TouchedStatements from "./TouchedStatements.ts"
import { WriterEvent } from "./WriterEvent.ts"
import * as Writing from "./Writing.ts"

export interface Settings<E> {
  readonly model: LanguageModel.Service
  readonly thinking?: Thinking | undefined
  /** How many requests are under way at a time. */
  readonly parallel: number
  readonly project: Project.Project<E>
  /** The plan and the pages of earlier runs, with the evidence of their statements. */
  readonly plan: Plan | undefined
  readonly pages: ReadonlyArray<Page>
  /** Names of pages whose files cannot be replaced, such as one in a merge conflict. They are not asked for. */
  readonly locked?: ReadonlySet<string> | undefined
  /** Keeps a plan or a page; when it returns, that is on disk. */
  readonly onPlan: (plan: Plan) => Effect.Effect<void, E>
  readonly onPage: (page: Page) => Effect.Effect<void, E>
  /** Receives the name of a page whose part or flow does not exist any more, and that has nothing of a person. */
  readonly onRemove: (page: string) => Effect.Effect<void, E>
  readonly onEvent: (event: WriterEvent) => Effect.Effect<void>
  readonly observer?: LanguageModel.Observer | undefined
}

export interface Outcome extends Asking.Spent {
  /**
   * How the run ended:
   *
   * - `complete`: everything was asked for
   * - `budget`: the next request would have exceeded the budget of the run
   * - `failed`: the provider refused, or several answers in a row were of no use; `reason` says why
   */
  readonly outcome: "complete" | "budget" | "failed"
  readonly reason: string | undefined
  readonly plan: Plan | undefined
  /** The names of the pages that were written in this run. */
  readonly written: ReadonlyArray<string>
  /** The names of the pages that are still missing. */
  readonly missing: ReadonlyArray<string>
  readonly refused: Statements.Refused
  /** Statements of new pages that were held against the source. */
  readonly checked: CheckRequest.Sums
  readonly judged: CheckRequest.Sums
}

/**
 * Writes what is missing, in the order statements that were touched, checks that were not made, parts, flows, start
 * page. The budget buys the start page first all the same: as much as it takes is left for it.
 */
export const write: <E>(settings: Settings<E>) => Effect.Effect<Outcome, E> = Effect.fn("WikiWriter.write")(function* <
  E,
>(settings: Settings<E>) {
  const { model, onEvent, onPage, onPlan, onRemove, project } = settings
  const asking = yield* Asking.make({
    model,
    thinking: settings.thinking,
    observer: settings.observer,
    onEvent,
  })
  const limits = MaterialLimits.of(model)
  const pages = new Map(settings.pages.map((page) => [page.name, page]))
  const written: Array<string> = []
  /** Parts of which a model has nothing to say. Their pages are those without a model. */
  const unwritable = new Set<string>()
  const sums = { refused: Statements.nothingRefused, checked: CheckRequest.nothing }

  /** Keeps a page at once, so that neither an interrupt nor the end of the budget can lose it. */
  const keep = (page: Page) =>
    Effect.tap(onPage(page), () =>
      Effect.sync(() => {
        pages.set(page.name, page)
      }),
    )

  const earlier = settings.plan?.model === undefined ? undefined : settings.plan
  const reconciled = earlier && Reconcile.reconcile(earlier, project.files, project.heads)
  const isNew = reconciled === undefined || reconciled.isOutdated
  const planned = isNew ? yield* Writing.plan(asking, project, limits, String(model.id)) : reconciled.plan
  const outcomeWith = Effect.fnUntraced(function* (plan: Plan | undefined, judged: CheckRequest.Sums) {
    const end = yield* asking.end
    const outcome: Outcome = {
      ...(yield* asking.spent),
      outcome: end === undefined ? "complete" : end._tag === "Budget" ? "budget" : "failed",
      reason: end?._tag === "Failed" ? end.reason : undefined,
      plan,
      written,
      missing:
        plan === undefined
          ? []
          : Writing.namesOf(plan).filter((name) => !unwritable.has(name) && !Project.isWritten(pages.get(name))),
      ...sums,
      judged,
    }
    return outcome
  })
  if (planned === undefined) return yield* outcomeWith(settings.plan, CheckRequest.nothing)
  let plan = planned
  /** Parts that have other files now, and whose pages are not written anew yet: the plan keeps their earlier files. */
  const pending = new Map(
    isNew
      ? []
      : (earlier?.parts ?? []).filter(({ name }) => reconciled.changed.has(name)).map((part) => [part.name, part]),
  )
  const keepPlan = Effect.suspend(() =>
    onPlan({ ...plan, parts: plan.parts.map((part) => pending.get(part.name) ?? part) }),
  )
  if (isNew || reconciled.gone.length > 0) yield* keepPlan

  const names = new Set(Writing.namesOf(plan))
  for (const [name, page] of pages) {
    if (names.has(name)) continue
    const left = Pages.mapStatements(page, (statement) => (statement.author === "person" ? statement : undefined))
    if (States.statementsOf(left).length > 0) continue
    yield* onRemove(name)
    pages.delete(name)
  }

  const due = Writing.dueOf(plan, pages, isNew ? undefined : reconciled).filter(
    (name) => settings.locked?.has(name) !== true,
  )
  const touched = yield* TouchedStatements.findDue(
    project,
    Array.from(pages.values()).filter(({ name }) => !due.includes(name)),
  )
  /** Pages of an earlier run that ended before their check did. */
  const unfinished = Array.from(pages.values()).filter(
    (page) =>
      !due.includes(page.name) && settings.locked?.has(page.name) !== true && NewStatements.dueOf(page).length > 0,
  )
  yield* onEvent(WriterEvent.Planned({ pages: due.length, touched: touched.length }))

  const ended = new Map<string, CheckRequest.Sums>()
  /** Written pages with claims that are checked together with those of the next ones, and the claims that were. */
  const waiting = new Set<string>()
  const asked = new Set<Statement>()

  /** Checks some pages, and reports each of which nothing is left to be checked. Returns those that wait for others. */
  const check = Effect.fnUntraced(function* (
    names: ReadonlyArray<string>,
    stage: NewStatements.Stage,
    { isOpen = false } = {},
  ) {
    const current = () => names.flatMap((name) => pages.get(name) ?? [])
    // The start page says again what the statements of other pages say that have held.
    const others = names.includes(START) ? Array.from(pages.values()).filter(({ name }) => !names.includes(name)) : []
    const keepChecked = (page: Page, judged: CheckRequest.Sums) => {
      sums.checked = CheckRequest.add(sums.checked, judged)
      ended.set(page.name, CheckRequest.add(ended.get(page.name) ?? CheckRequest.nothing, judged))
      return keep(page)
    }
    const left = yield* NewStatements.check(asking, project, current(), stage, limits, keepChecked, {
      parts: plan.parts,
      others,
      asked,
      isOpen,
    })
    for (const page of current()) {
      const judged = ended.get(page.name)
      if (judged === undefined || NewStatements.dueOf(page).length > 0) continue
      ended.delete(page.name)
      yield* onEvent(WriterEvent.Checked({ page: page.name, ...judged }))
    }
    return left
  })

  /** Checks the pages that wait: all of them at the end, and what fills requests before that. */
  const checkWaiting = Effect.fnUntraced(function* (options: { readonly isOpen: boolean }) {
    const names = Array.from(waiting)
    waiting.clear()
    for (const name of yield* check(names, "first", options)) waiting.add(name)
  })

  /** Puts the parts and flows of the plan on a start page that is not written anew. */
  const keepLists = Effect.suspend(() => {
    const start = due.includes(START) ? undefined : pages.get(START)
    return start === undefined ? Effect.void : keep(StartLists.add(start, plan))
  })

  /** Takes a flow that has no page out of the plan, so that nothing leads to it and no later run asks for it again. */
  const leaveOut = Effect.fnUntraced(function* (name: string) {
    plan = { ...plan, flows: plan.flows.filter((flow) => flow.name !== name) }
    yield* keepPlan
    yield* keepLists
  })

  /** Writes the pages of a group, and keeps each. */
  const write = Effect.fnUntraced(function* (
    names: ReadonlyArray<string>,
    prepared?: ReadonlyMap<string, PreparedPart.PreparedPart>,
  ) {
    const drafts = yield* Writing.write(asking, project, plan, names, pages, limits, prepared)
    for (const name of names) {
      const draft = drafts.get(name)
      if (draft !== undefined) yield* keepDraft(name, draft)
    }
    yield* checkWaiting({ isOpen: !names.includes(START) })
  })

  const keepDraft = Effect.fnUntraced(function* (name: string, draft: Writing.Draft | Writing.Nothing) {
    sums.refused = Statements.addRefused(sums.refused, draft.refused)
    if (Writing.isNothing(draft)) {
      if (plan.flows.some((flow) => flow.name === name)) yield* leaveOut(name)
      else unwritable.add(name)
      return
    }
    const before = pages.get(name)
    const page = Pages.keepPersons(before, yield* ConstantValues.add(project, draft.page))
    yield* keep(page)
    written.push(name)
    if (pending.delete(name)) yield* keepPlan
    const statements = States.statementsOf(draft.page)
    yield* onEvent(
      WriterEvent.PageWritten({
        page: name,
        kind: page.kind,
        title: page.title,
        statements: statements.length,
        words: Statements.wordsOf(statements),
        refused: draft.refused,
        flaws: draft.flaws,
      }),
    )
    waiting.add(name)
  })

  if (due.includes(START)) yield* asking.reserve(START, reserveOf(limits))
  else if (reconciled !== undefined && reconciled.gone.length > 0) yield* keepLists
  const judged = yield* TouchedStatements.judge(asking, project, touched, pages, limits, keep)
  if (judged.statements > 0) yield* onEvent(WriterEvent.Judged(judged))
  if (unfinished.length > 0)
    yield* check(
      unfinished.map(({ name }) => name),
      "first",
    )

  const rest = due.filter((name) => name !== START)
  const prepared = yield* PreparedPart.prepare(asking, project, plan, rest, limits)
  const groups = Writing.groupsOf(plan, rest, limits)
  const next = yield* Ref.make(0)
  const work: Effect.Effect<void, E> = Effect.gen(function* () {
    for (;;) {
      const group = groups[yield* Ref.getAndUpdate(next, (position) => position + 1)]
      if (group === undefined || (yield* asking.end) !== undefined) return
      yield* write(group, prepared)
    }
  })
  yield* inParallel(Array.from({ length: Math.max(1, Math.min(settings.parallel, groups.length)) }, () => work))
  yield* checkWaiting({ isOpen: false })
  // The start page is written from what has held.
  yield* check([...unfinished.map(({ name }) => name), ...rest], "further")
  if (due.includes(START)) {
    yield* write([START])
    yield* check([START], "further")
  }
  return yield* outcomeWith(plan, judged)
})

/** Tokens of the README, of the form and of the task in the request for the start page, and of a check. */
const FRAME = 1_800

/** Tokens of the sources of its check, which has fewer statements than a request may have: it took 8,000 at most. */
const SOURCES = 11_000

/** Returns what the start page and its check take at most. */
const reserveOf = ({ check, start }: MaterialLimits.MaterialLimits): Asking.Reserve => ({
  inputTokens: start + Math.min(SOURCES, check) + FRAME,
  outputTokens: MaterialLimits.ANSWERS.start + Math.max(MaterialLimits.ANSWERS.check, RunBudget.MIN_ANSWER_TOKENS),
})
