/** Writes one page after the other: gathers the material of each, asks, and makes the page of the answer. */
import * as Effect from "effect/Effect"
import { type Page, type Section, START, type Statement } from "../Page.ts"
import type { Flow, Part, Plan } from "../Plan.ts"
import * as StatementText from "../StatementText.ts"
import * as States from "../States.ts"
import type { Asking } from "./Asking.ts"
import * as Deciding from "./Deciding.ts"
import * as Dependence from "./Dependence.ts"
import * as FlowRequest from "./FlowRequest.ts"
import * as Material from "./Material.ts"
import { ANSWERS, type MaterialLimits } from "./MaterialLimits.ts"
import * as Pages from "./Pages.ts"
import * as PartMaterial from "./PartMaterial.ts"
import * as PartRequest from "./PartRequest.ts"
import * as PartTopics from "./PartTopics.ts"
import * as PlanMaterial from "./PlanMaterial.ts"
import * as PlanRequest from "./PlanRequest.ts"
import * as Project from "./Project.ts"
import * as Prompt from "./Prompt.ts"
import type * as Reconcile from "./Reconcile.ts"
import * as SourceChoice from "./SourceChoice.ts"
import * as Sources from "./Sources.ts"
import * as SourceText from "./SourceText.ts"
import * as StartMaterial from "./StartMaterial.ts"
import * as StartRequest from "./StartRequest.ts"
import * as Statements from "./Statements.ts"
import * as ToldFlows from "./ToldFlows.ts"

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
 * Asks for a plan, and once more with the flaws of the first. If both are of no use, the parts are those of the folders.
 * Undefined if there was no answer at all.
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
  prepared?: ReadonlyMap<string, PreparedPart>,
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
  prepared: ReadonlyMap<string, PreparedPart>,
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
  return drafts(page && [START, { page: withLists(page, plan, input.heads), refused, flaws }])
})

const drafts = (...all: ReadonlyArray<readonly [string, Unheld | Nothing] | undefined>): Drafts =>
  new Map(all.flatMap((each) => (each === undefined ? [] : [each])))

export const partsQuestion = (inputs: readonly [PartRequest.Input, ...ReadonlyArray<PartRequest.Input>]) => ({
  form: PartRequest.form,
  system: Prompt.SYSTEM,
  message: PartRequest.messageOf(inputs),
  answerTokens: Math.ceil(inputs.reduce((sum, { room }) => sum + ANSWERS.part * room, 0)),
})

/** The material of a part, and the symbols whose sources are shown beside it. */
export interface PreparedPart {
  readonly gathered: PartMaterial.Gathered
  readonly chosen: ReadonlyArray<Material.Item>
  /** The symbols that the model could choose; some of them are shown if there is room left. */
  readonly open: ReadonlyArray<Material.Item>
}

/**
 * Gathers the material of some parts, and asks which sources their pages need if there is not room for all: for several
 * parts in one request.
 */
export const prepareParts: <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  names: ReadonlyArray<string>,
  limits: MaterialLimits,
) => Effect.Effect<ReadonlyMap<string, PreparedPart>, E> = Effect.fnUntraced(
  function* (asking, project, plan, names, limits) {
    const prepared = new Map<string, PreparedPart>()
    const offers: Array<SourceChoice.Offer> = []
    const topics = names.length === 0 ? new Map() : yield* PartTopics.assign(project, plan.parts)
    let before = 0
    for (const [at, part] of plan.parts.filter(({ name }) => names.includes(name)).entries()) {
      // Numbers begin anew in each group of pages.
      if (at % limits.together === 0) before = 0
      const gathered = yield* PartMaterial.gather(project, part, plan.parts, limits.part, topics, before)
      before = Material.lastOf(gathered.material)
      const offer = yield* SourceChoice.offerOf(project, part, gathered)
      const chosen = SourceChoice.chosenOf([offer]).get(part.name) ?? []
      prepared.set(part.name, { gathered, chosen, open: offer.open.map(({ item }) => item) })
      if (!SourceChoice.isSettled(offer, { sources: gathered.chosenTokens(limits.sources) })) offers.push(offer)
    }
    for (const group of SourceChoice.groupsOf(offers, limits)) {
      const numbers = yield* asking.ask(SourceChoice.questionOf(project.about, group), {
        purpose: "source",
        page: undefined,
      })
      for (const [name, chosen] of SourceChoice.chosenOf(group, numbers)) {
        const known = prepared.get(name)
        if (known !== undefined) prepared.set(name, { ...known, chosen })
      }
    }
    return prepared
  },
)

const partPages = Effect.fnUntraced(function* <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  parts: ReadonlyArray<Part>,
  limits: MaterialLimits,
  prepared: ReadonlyMap<string, PreparedPart>,
) {
  const found: Array<readonly [string, Nothing]> = []
  const gathered: Array<PartRequest.Input> = []
  for (const part of parts) {
    const own = prepared.get(part.name)
    if (own === undefined) continue
    if (own.gathered.material.items.length === 0) found.push([part.name, nothing])
    else gathered.push(yield* partInput(project, plan, part, limits, own))
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

/** Adds the sources of a part to its material, those that a model has chosen before others. */
const partInput = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  plan: Plan,
  part: Part,
  limits: MaterialLimits,
  { chosen, gathered, open }: PreparedPart,
) {
  const ranked = yield* PartMaterial.rankSources(project, gathered, chosen, open)
  const tokens = gathered.chosenTokens(limits.sources) + Sources.sizeOf(gathered.shown)
  const sources = yield* sourcesWithin(project, ranked, tokens)
  const input: PartRequest.Input = {
    about: project.about,
    part,
    parts: plan.parts,
    flows: plan.flows,
    ...gathered,
    files: gathered.filesWith(sources),
  }
  return input
})

export const flowsQuestion = (inputs: readonly [FlowRequest.Input, ...ReadonlyArray<FlowRequest.Input>]) => ({
  form: FlowRequest.form,
  system: Prompt.SYSTEM,
  message: FlowRequest.messageOf(inputs),
  answerTokens: ANSWERS.flow * inputs.length,
})

/** Returns the calls that a flow tells of itself, beside the other flows of the plan; undefined if it has none. */
const ownCalls = Effect.fnUntraced(function* <E>(project: Project.Project<E>, { flows }: Plan, flow: Flow) {
  const all = yield* Effect.forEach(flows.includes(flow) ? flows : [...flows, flow], (each) =>
    Effect.gen(function* () {
      const start = Project.find(project, yield* project.symbolsIn(each.start.path), each.start)
      return { flow: each, calls: start === undefined ? [] : yield* project.callsFrom(start) }
    }),
  )
  return ToldFlows.divide(all.filter(({ calls }) => calls.length > 0)).find((own) => own.flow === flow)
})

/**
 * Gathers the material of a flow, whose numbers count on from those of the flows `before` it. Undefined if its start is
 * gone, nothing is known to be called from it, or other flows tell all of it.
 */
export const flowInput = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  plan: Plan,
  flow: Flow,
  limits: MaterialLimits,
  before: Material.Material = Material.empty,
) {
  const told = yield* ownCalls(project, plan, flow)
  const start = told?.calls[0]?.item
  if (told === undefined || start === undefined) return undefined
  const calls = withinTokens(told.calls, limits.flow)
  const items = calls.map(({ item }) => item)
  if (Material.of(items).items.length < 2) return undefined
  const material = Material.add(before, items)
  // The start decides the order of everything else, so it is shown as a whole even if little room is left for others.
  const own = yield* sourcesWithin(project, [start], START_SHARE * limits.sources, Number.POSITIVE_INFINITY)
  const left = Math.max(limits.sources - Sources.sizeOf(own), OTHERS_SHARE * limits.sources)
  const telling = (yield* mostTelling(project, calls)).slice(0, MAX_SOURCES - 1)
  const others = yield* sourcesWithin(project, telling, left)
  const input: FlowRequest.Input = {
    about: project.about,
    flow,
    parts: plan.parts,
    material,
    calls,
    others: told.others,
    sources: new Map([...own, ...others]),
  }
  return input
})

/** Gathers the material of some flows, so that a symbol of several has one number. */
export const flowInputs = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  plan: Plan,
  flows: ReadonlyArray<Flow>,
  limits: MaterialLimits,
) {
  const inputs: Array<FlowRequest.Input> = []
  for (const flow of flows) {
    const input = yield* flowInput(project, plan, flow, limits, inputs.at(-1)?.material)
    if (input !== undefined) inputs.push(input)
  }
  const material = inputs.at(-1)?.material ?? Material.empty
  return inputs.map((input) => ({ ...input, material }))
})

const flowPages = Effect.fnUntraced(function* <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  flows: ReadonlyArray<Flow>,
  limits: MaterialLimits,
) {
  const [first, ...others] = yield* flowInputs(project, plan, flows, limits)
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

/**
 * Sorts the functions of a flow: those that decide, and that call others on it, say in which order and when. Near ones
 * say more than far ones.
 */
const mostTelling = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  calls: ReadonlyArray<FlowRequest.Call>,
) {
  const found = new Map<string, { readonly item: Material.Item; readonly weight: number }>()
  const start = calls[0] && Material.keyOf(calls[0].item)
  for (const [at, { depth, item }] of calls.entries()) {
    // A start that calls itself is shown as the start.
    if (item.entry === undefined || Material.keyOf(item) === start) continue
    if (item.entry.kind !== "function" && item.entry.kind !== "method") continue
    const isCaller = (calls[at + 1]?.depth ?? 0) > depth
    const decides = Deciding.weigh(item.entry, (yield* project.sourceOf(item)) ?? "", 0) ?? 0
    const weight = (decides + (isCaller ? CALLER : 0)) / (2 + depth)
    const known = found.get(Material.keyOf(item))
    if (known === undefined || known.weight < weight) found.set(Material.keyOf(item), { item, weight })
  }
  return Array.from(found.values())
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ item }) => item)
})

/** How much more a function says that calls others on the flow. */
const CALLER = 4

/** The most of the tokens for sources that the start of a flow takes, and the least that are left for the others. */
const START_SHARE = 1.5
const OTHERS_SHARE = 0.4

/** The most functions of a flow whose source is shown. */
const MAX_SOURCES = 8

/**
 * Keeps the calls that fit, in the order of the walk, each with its caller: first those that lead to most code and are
 * near to the start. What a program is for often lies behind a call that follows many of preparation.
 */
const withinTokens = (calls: ReadonlyArray<FlowRequest.Call>, maxTokens: number): ReadonlyArray<FlowRequest.Call> => {
  const callers = callersOf(calls)
  const weights = calls.map(({ item }) =>
    item.entry === undefined ? 0 : item.entry.endLine - item.entry.startLine + 1,
  )
  // The calls below one come after it, so each has all of its own when its caller is counted.
  for (let at = calls.length - 1; at > 0; at--) {
    const caller = callers[at]
    if (caller !== undefined) weights[caller] = (weights[caller] ?? 0) + (weights[at] ?? 0)
  }
  const byWeight = Array.from(calls.keys()).sort(
    (one, other) =>
      (weights[other] ?? 0) / (1 + (calls[other]?.depth ?? 0)) - (weights[one] ?? 0) / (1 + (calls[one]?.depth ?? 0)) ||
      one - other,
  )
  const kept = new Set<number>()
  let left = maxTokens
  // One more is kept in each round, since it makes room for those that it calls.
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const at of byWeight) {
      const caller = callers[at]
      const size = sizeOfCall(calls[at])
      if (kept.has(at) || size > left || (caller !== undefined && !kept.has(caller))) continue
      kept.add(at)
      left -= size
      isChanged = true
      break
    }
  }
  return calls.filter((_, at) => kept.has(at))
}

/** Returns the position of the caller of each call; undefined for the start. */
const callersOf = (calls: ReadonlyArray<FlowRequest.Call>): ReadonlyArray<number | undefined> => {
  const path: Array<number> = []
  return calls.map(({ depth }, at) => {
    path.length = depth
    path.push(at)
    return path[depth - 1]
  })
}

const sizeOfCall = (call: FlowRequest.Call | undefined): number =>
  call === undefined
    ? 0
    : Material.sizeOf(
        `${"  ".repeat(call.depth)}line 0000: ${call.item.entry?.qualifiedName} ${call.item.entry === undefined ? "" : Material.aboutOf(call.item.entry)} {part}`,
      )

/** The most lines of a source, so that one long function does not take the room of the others. */
const MAX_LINES = 220

/** A source that does not fit is cut if there is room for this share of it, and for so many tokens. */
const CUT_SHARE = 0.45
const MOST_SHARE = 0.6
const MIN_SOURCE = 220

/** Tokens of the quotation marks around a source. */
const FRAME = 12

/**
 * Writes the sources of some symbols, the first ones first. They are whole if they fit, since half of a function often
 * lacks what it decides, or cut if there is room for most of them, and else left out. What is left of the room goes to
 * their comments.
 */
const sourcesWithin = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  items: ReadonlyArray<Material.Item>,
  maxTokens: number,
  maxLines = MAX_LINES,
) {
  const known = (yield* Effect.forEach(items, (item) =>
    Effect.map(project.sourceOf(item), (text) => ({ item, text })),
  )).flatMap(({ item, text }) =>
    text === undefined ? [] : [{ item, text, code: SourceText.sizeOfCode(text) + FRAME, key: Material.keyOf(item) }],
  )
  const rooms = new Map<string, number>()
  let left = maxTokens
  // Two that decide most are both shown if most of each fits.
  const [first, second] = known.map(({ code }) => code)
  const kept = first === undefined || second === undefined ? 0 : MOST_SHARE * second
  const isShared = first !== undefined && first + kept <= maxTokens + (1 - MOST_SHARE) * first
  for (const [at, { code, key }] of known.entries()) {
    const room = Math.floor(at === 0 && isShared ? Math.min(code, left - kept) : Math.min(code, left))
    if (room < code && at > 0 && (room < MIN_SOURCE || room < CUT_SHARE * code)) continue
    rooms.set(key, room)
    left -= room
  }
  const sources = new Map<string, Sources.Source>()
  for (const { item, key, text } of known) {
    const room = rooms.get(key)
    if (room === undefined) continue
    const lines = SourceText.write(text, { maxLines, maxTokens: room + left - FRAME })
    const source = { item, text, lines }
    left -= Math.max(0, Sources.sizeOf(new Map([[key, source]])) - room)
    sources.set(key, source)
  }
  return sources
})

/** The titles of the lists that the program writes on the start page. */
const LISTS = { parts: StartRequest.TITLES.parts, flows: "Flows" }

/**
 * Puts the lists of parts and flows on the start page, as pointers. A line that a person wrote about a page replaces
 * that of the plan. `heads` has the symbols that are cited for each part.
 */
export const withLists = (
  page: Page,
  { flows, model, parts }: Plan,
  heads: ReadonlyMap<string, ReadonlyArray<Material.Item>> = new Map(),
): Page => {
  const before = States.statementsOf(page)
  const isLinked = (name: string, { text }: Statement) => text.includes(`(${name}.md)`)
  const pointer = (
    name: string,
    title: string,
    line: string,
    cited: Statement["citations"],
  ): ReadonlyArray<Statement> => {
    const old = before.find((statement) => isLinked(name, statement))
    if (old?.author === "person") return []
    const citations = cited.length > 0 ? cited : (old?.citations ?? [])
    const text = `${StatementText.linkToPage(title, name)}${line === "" ? "" : `: ${line}`}`
    return [{ text, kind: "pointer", author: "model", ...(model !== undefined && { model }), citations }]
  }
  const list = (title: string, statements: ReadonlyArray<Statement>): Section => ({
    title,
    form: "list",
    blocks: statements.map((statement) => [statement] as const),
  })
  const listed = Pages.withSections(page, [
    list(
      LISTS.parts,
      parts.flatMap(({ line, name, title }) =>
        pointer(name, title, line, (heads.get(name) ?? []).map(Material.citationOf)),
      ),
    ),
    list(
      LISTS.flows,
      flows.flatMap(({ name, start, title }) => pointer(name, title, "", [start])),
    ),
  ])
  return {
    ...listed,
    sections: listed.sections.filter(({ blocks, title }) => title === undefined || blocks.length > 0),
  }
}
