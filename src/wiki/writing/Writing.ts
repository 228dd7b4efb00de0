/** Writes one page after the other: gathers the material of each, asks, and makes the page of the answer. */
import * as Effect from "effect/Effect"
import { type Page, START } from "../Page.ts"
import type { Flow, Part, Plan } from "../Plan.ts"
import * as States from "../States.ts"
import type { Asking } from "./Asking.ts"
import * as Dependence from "./Dependence.ts"
import * as FlowMaterial from "./FlowMaterial.ts"
import * as FlowRequest from "./FlowRequest.ts"
import * as Material from "./Material.ts"
import { ANSWERS, type MaterialLimits } from "./MaterialLimits.ts"
import * as Pages from "./Pages.ts"
import * as PartRequest from "./PartRequest.ts"
import * as PlanMaterial from "./PlanMaterial.ts"
import * as PlanRequest from "./PlanRequest.ts"
import * as PreparedPart from "./PreparedPart.ts"
import * as Project from "./Project.ts"
import * as Prompt from "./Prompt.ts"
import type * as Reconcile from "./Reconcile.ts"
import * as StartLists from "./StartLists.ts"
import * as StartMaterial from "./StartMaterial.ts"
import * as StartRequest from "./StartRequest.ts"
import * as Statements from "./Statements.ts"

export interface Draft {
  readonly page: Page
  readonly refused: Statements.Refused
  /** Says why statements about dependences between parts were left out. */
  readonly flaws: ReadonlyArray<string>
}

/** Lists the names of the pages of a plan in the order in which they are written. */
export const namesOf = ({ flows, parts }: Plan): ReadonlyArray<string> => [
  ...parts.map(({ name }) => name),
  ...flows.map(({ name }) => name),
  START,
]

/**
 * Says that a model has nothing to write: nothing is called from the start of a flow, or the model found no more steps,
 * or the files of a part declare nothing.
 */
export interface Nothing {
  readonly isNothing: true
  readonly refused: Statements.Refused
}

const nothing: Nothing = { isNothing: true, refused: Statements.nothingRefused }

export const isNothing = (draft: object): draft is Nothing => "isNothing" in draft

/**
 * Lists the names of the pages that are to be written: those that nobody has written, and those of the parts to or from
 * which files came or went. All are due if the plan is new, so that `reconciled` is undefined.
 */
export const dueOf = (
  plan: Plan,
  pages: ReadonlyMap<string, Page>,
  reconciled: Reconcile.Reconciled | undefined,
): ReadonlyArray<string> =>
  namesOf(plan).filter(
    (name) => reconciled === undefined || !Project.isWritten(pages.get(name)) || reconciled.changed.has(name),
  )

/**
 * Asks for a plan, and once more with the flaws of the first. If both are of no use, the parts are those of the
 * folders. Undefined if there was no answer at all.
 */
export const plan: <E>(
  asking: Asking,
  project: Project.Project<E>,
  limits: MaterialLimits,
  model: string,
) => Effect.Effect<Plan | undefined, E> = Effect.fnUntraced(function* (asking, project, limits, model) {
  const input = yield* PlanMaterial.gather(project, limits.plan)
  const ask = (flaws: ReadonlyArray<string>) =>
    asking.ask(planQuestion(PlanRequest.messageOf(input, flaws)), { purpose: "plan", page: undefined })
  const first = yield* ask([])
  const flaws = first === undefined ? [] : PlanRequest.flawsOf(first, input.units)
  const second = first !== undefined && flaws.length > 0 ? yield* ask(flaws) : undefined
  const drafts = [second, first].flatMap((draft) => draft ?? [])
  const [best] = drafts.toSorted(
    (one, other) => PlanRequest.flawsOf(one, input.units).length - PlanRequest.flawsOf(other, input.units).length,
  )
  if (best === undefined) return undefined
  const made = PlanRequest.toPlan(best, input) ?? {
    parts: project.folders,
    flows: PlanRequest.flowsOf(best, input.candidates),
    undescribed: [],
  }
  return { ...made, model }
})

export const planQuestion = (message: string) => ({
  form: PlanRequest.form,
  system: Prompt.SYSTEM,
  message,
  answerTokens: ANSWERS.plan,
})

/**
 * Divides the names of pages other than the start page into groups that are asked for together: neighbouring parts, or
 * flows.
 */
export const groupsOf = (
  plan: Plan,
  names: ReadonlyArray<string>,
  { together }: Pick<MaterialLimits, "together">,
): ReadonlyArray<ReadonlyArray<string>> => {
  const isPart = (name: string) => plan.parts.some((part) => part.name === name)
  return [names.filter(isPart), names.filter((name) => !isPart(name))].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / together) }, (_, at) =>
      some.slice(at * together, (at + 1) * together),
    ),
  )
}

/**
 * Writes the pages of a group, the start page from what `pages` say of the parts. A page that an answer lacks is asked
 * for alone. Those without an answer of use are missing in the result.
 */
export const write: <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  names: ReadonlyArray<string>,
  pages: ReadonlyMap<string, Page>,
  limits: MaterialLimits,
  prepared?: ReadonlyMap<string, PreparedPart.PreparedPart>,
) => Effect.Effect<ReadonlyMap<string, Draft | Nothing>, E> = Effect.fnUntraced(function* (
  asking,
  project,
  plan,
  names,
  pages,
  limits,
  prepared = new Map(),
) {
  const found = new Map(yield* draftsOf(asking, project, plan, names, pages, limits, prepared))
  for (const name of names.length > 1 ? names.filter((each) => !found.has(each)) : []) {
    for (const [own, draft] of yield* draftsOf(asking, project, plan, [name], pages, limits, prepared)) {
      found.set(own, draft)
    }
  }
  const arrows = Dependence.count(project.uses, plan.parts)
  return new Map(
    Array.from(found).flatMap(([name, draft]) => {
      const held = isNothing(draft) ? draft : withoutFlaws(arrows, draft)
      return held === undefined ? [] : [[name, held] as const]
    }),
  )
})

/** Leaves out statements about dependences that the references do not show; undefined if nothing is left. */
const withoutFlaws = (arrows: Dependence.Arrows, draft: Unheld): Draft | undefined => {
  const flaws: Array<string> = []
  const page = Pages.mapStatements(draft.page, (statement) => {
    if (statement.author !== "model" || statement.kind !== "claim") return statement
    const flaw = Dependence.flawOf(arrows, draft.page, statement)
    if (flaw === undefined) return statement
    flaws.push(flaw)
    return undefined
  })
  const refused = Statements.addRefused(draft.refused, { statements: flaws.length, numbers: 0 })
  const held: Draft = { page, refused, flaws: [...(draft.flaws ?? []), ...flaws] }
  return flaws.length === 0 || States.statementsOf(page).some(({ kind }) => kind === "claim") ? held : undefined
}

interface Unheld extends Pick<Draft, "page" | "refused"> {
  readonly flaws?: Draft["flaws"]
}

type Drafts = ReadonlyMap<string, Unheld | Nothing>

const draftsOf = <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  names: ReadonlyArray<string>,
  pages: ReadonlyMap<string, Page>,
  limits: MaterialLimits,
  prepared: ReadonlyMap<string, PreparedPart.PreparedPart>,
): Effect.Effect<Drafts, E> => {
  if (names.includes(START)) return startPage(asking, project, plan, pages, limits)
  const parts = plan.parts.filter(({ name }) => names.includes(name))
  const flows = plan.flows.filter(({ name }) => names.includes(name))
  return parts.length > 0
    ? partPages(asking, project, plan, parts, limits, prepared)
    : flowPages(asking, project, plan, flows, limits)
}

/** Returns the name of the page that a request is about, if it is about a single one. */
const onlyName = (inputs: ReadonlyArray<{ readonly name: string }>): string | undefined =>
  inputs.length === 1 ? inputs[0]?.name : undefined

export const startQuestion = (input: StartRequest.Input) => ({
  form: StartRequest.form,
  system: Prompt.SYSTEM,
  message: StartRequest.messageOf(input),
  answerTokens: ANSWERS.start,
})

const startPage = Effect.fnUntraced(function* <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  pages: ReadonlyMap<string, Page>,
  limits: MaterialLimits,
) {
  const input = yield* StartMaterial.gather(project, plan, pages, limits.start)
  const draft = yield* asking.ask(startQuestion(input), { purpose: "page", page: START })
  if (draft === undefined) return drafts()
  const { flaws, page, refused } = StartRequest.toPage(input, draft, asking.model)
  return drafts(page && [START, { page: StartLists.add(page, plan, input.heads), refused, flaws }])
})

const drafts = (...all: ReadonlyArray<readonly [string, Unheld | Nothing] | undefined>): Drafts =>
  new Map(all.flatMap((each) => (each === undefined ? [] : [each])))

export const partsQuestion = (inputs: readonly [PartRequest.Input, ...ReadonlyArray<PartRequest.Input>]) => ({
  form: PartRequest.form,
  system: Prompt.SYSTEM,
  message: PartRequest.messageOf(inputs),
  answerTokens: Math.ceil(inputs.reduce((sum, { room }) => sum + ANSWERS.part * room, 0)),
})

const partPages = Effect.fnUntraced(function* <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  parts: ReadonlyArray<Part>,
  limits: MaterialLimits,
  prepared: ReadonlyMap<string, PreparedPart.PreparedPart>,
) {
  const found: Array<readonly [string, Nothing]> = []
  const gathered: Array<PartRequest.Input> = []
  for (const part of parts) {
    const own = prepared.get(part.name)
    if (own === undefined) continue
    if (own.gathered.material.items.length === 0) found.push([part.name, nothing])
    else gathered.push(yield* PreparedPart.toInput(project, plan, part, limits, own))
  }
  const [first, ...others] = gathered
  if (first === undefined) return drafts(...found)
  const inputs = [first, ...others] as const
  const page = onlyName(inputs.map(({ part }) => part))
  const answer = yield* asking.ask(partsQuestion(inputs), { purpose: "page", page, isDivisible: inputs.length > 1 })
  // A page may cite what the request shows of another part, such as the caller that starts its own.
  const material = Material.join(inputs.map((input) => input.material))
  return drafts(
    ...found,
    ...inputs.map((input, at) => {
      const draft = answer?.get(at + 1)
      if (draft === undefined) return undefined
      const { page, refused } = PartRequest.toPage({ ...input, material }, draft, asking.model)
      return page && ([input.part.name, { page, refused }] as const)
    }),
  )
})

export const flowsQuestion = (inputs: readonly [FlowRequest.Input, ...ReadonlyArray<FlowRequest.Input>]) => ({
  form: FlowRequest.form,
  system: Prompt.SYSTEM,
  message: FlowRequest.messageOf(inputs),
  answerTokens: ANSWERS.flow * inputs.length,
})

const flowPages = Effect.fnUntraced(function* <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  flows: ReadonlyArray<Flow>,
  limits: MaterialLimits,
) {
  const [first, ...others] = yield* FlowMaterial.gatherAll(project, plan, flows, limits)
  const inputs = first === undefined ? [] : [first, ...others]
  const found = flows
    .filter((flow) => !inputs.some((input) => input.flow === flow))
    .map(({ name }) => [name, nothing] as const)
  if (first === undefined) return drafts(...found)
  const page = onlyName(inputs.map(({ flow }) => flow))
  const answer = yield* asking.ask(flowsQuestion([first, ...others]), {
    purpose: "page",
    page,
    isDivisible: others.length > 0,
  })
  return drafts(
    ...found,
    ...inputs.map((input, at) => {
      const draft = answer?.get(at + 1)
      if (draft === undefined) return undefined
      const { page, refused } = FlowRequest.toPage(input, draft, asking.model)
      return [input.flow.name, page === undefined ? { ...nothing, refused } : { page, refused }] as const
    }),
  )
})
