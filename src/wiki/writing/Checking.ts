/**
 * Holds the statements of a new page against the source of the symbols that they cite. A first request has those whose
 * sources fit, and a second one the others, and what the first did not decide, with more room.
 */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Page, Statement } from "../Page.ts"
import type { Part } from "../Plan.ts"
import * as States from "../States.ts"
import type { Asking } from "./Asking.ts"
import * as BuildCondition from "./BuildCondition.ts"
import * as CheckRequest from "./CheckRequest.ts"
import * as CountedUses from "./CountedUses.ts"
import * as Dependence from "./Dependence.ts"
import * as Material from "./Material.ts"
import { ANSWERS, type MaterialLimits } from "./MaterialLimits.ts"
import * as Pages from "./Pages.ts"
import * as Project from "./Project.ts"
import * as SourceText from "./SourceText.ts"

export interface Checked {
  readonly page: Page
  /** How many statements were sent. */
  readonly statements: number
  readonly corrected: number
  readonly dropped: number
  /** Statements that were not decided. They stay, and are marked as not checked. */
  readonly undecided: number
}

/** How much a request may show. */
interface Room {
  /** The tokens of all sources. */
  readonly tokens: number
  /** The most tokens of one source, so that one large function leaves room for others. */
  readonly each: number
  /**
   * True if statements whose sources do not fit are left to the next request. If all were sent, each source would have
   * a few lines, which decide nothing.
   */
  readonly leavesRest: boolean
}

const MAX_TOKENS = 600

const firstRoom = ({ check }: MaterialLimits): Room => ({ tokens: check, each: MAX_TOKENS, leavesRest: true })

/** The second request is the last one. */
const secondRoom = ({ check }: MaterialLimits): Room => ({
  tokens: 2 * check,
  each: Number.POSITIVE_INFINITY,
  leavesRest: false,
})

export interface Prepared {
  readonly subjects: ReadonlyArray<CheckRequest.Subject>
  readonly sources: ReadonlyArray<CheckRequest.Source>
}

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
): Effect.Effect<Prepared, E> => prepareClaims(project, dueOf(page), firstRoom(limits), CountedUses.none)

/** Reads the sources of the second request, for claims that the first had no room for or did not decide. */
export const prepareRest = <E>(
  project: Project.Project<E>,
  claims: ReadonlyArray<Statement>,
  limits: MaterialLimits,
  uses: CountedUses.CountedUses = CountedUses.none,
): Effect.Effect<Prepared, E> => prepareClaims(project, claims, secondRoom(limits), uses)

/** Reads the sources of claims, as many as there is room for. A claim whose deciding source does not fit is left out. */
const prepareClaims: <E>(
  project: Project.Project<E>,
  claims: ReadonlyArray<Statement>,
  room: Room,
  uses: CountedUses.CountedUses,
) => Effect.Effect<Prepared, E> = Effect.fnUntraced(function* (project, claims, room, uses) {
  const cited = new Map<Statement, ReadonlyArray<Material.Item>>()
  for (const statement of claims) {
    const own: Array<Material.Item> = []
    for (const citation of statement.citations) {
      const item = Project.find(project, yield* project.symbolsIn(citation.path), citation)
      if (item === undefined) continue
      own.push(item)
    }
    cited.set(statement, own)
  }
  const all = new Map(
    Array.from(cited.values(), (own) => own.map((item) => [Material.keyOf(item), item] as const)).flat(),
  )
  const found = new Map<string, Source>()
  for (const [key, item] of all) {
    const text = yield* project.sourceOf(item)
    if (text !== undefined) found.set(key, { key, item, text, size: Math.min(room.each, sizeOf(text) + FRAME) })
  }
  const shownIn = aroundOf(Array.from(found.values()))
  const sourcesOf = (statement: Statement): ReadonlyArray<Source> =>
    (cited.get(statement) ?? []).flatMap((item) => {
      const source = found.get(Material.keyOf(item))
      return source === undefined ? [] : [shownIn.get(source) ?? source]
    })
  const sent = room.leavesRest ? fitting(claims, sourcesOf, room.tokens) : claims
  // The deciding source of each statement comes first, then the others.
  const texts = Array.from(new Set([0, 1, 2, 3].flatMap((rank) => sent.flatMap((each) => sourcesOf(each)[rank] ?? []))))
  const shares = share(
    texts.map(({ size }) => size),
    room.tokens,
  )
  const labels = new Map<string, string>()
  const cut = new Set<string>()
  const sources: Array<CheckRequest.Source> = []
  let left = room.tokens
  for (const [at, source] of texts.entries()) {
    const { item, key, text } = source
    const label = `S${sources.length + 1}`
    const place = item.path + BuildCondition.note(yield* project.conditionOf(item.path))
    const name = `${label} ${sanitizeLine(item.entry?.qualifiedName ?? "the file")} in ${sanitizeLine(place)}`
    const said = sent.filter((statement) => sourcesOf(statement).includes(source)).map(({ text }) => text)
    const lines = SourceText.writeFor(text, item.entry, said, Math.max(0, (shares[at] ?? 0) - FRAME / 2))
    const cost = [name, ...lines].reduce((sum, line) => sum + Material.sizeOf(line), 0)
    if (lines.length === 0 || cost > left) continue
    left -= cost
    labels.set(key, label)
    if (SourceText.isCut(lines)) cut.add(key)
    sources.push({ label: name, lines })
  }
  const labelOf = (source: Source | undefined) => (source === undefined ? undefined : labels.get(source.key))
  const subjects = sent.flatMap((statement): ReadonlyArray<CheckRequest.Subject> => {
    const own = sourcesOf(statement)
    if (labelOf(own[0]) === undefined) return []
    const isWhole =
      own.length === cited.get(statement)?.length &&
      own.every((source) => labelOf(source) !== undefined && !cut.has(source.key))
    const counted = uses.labelsOf.get(statement) ?? []
    const labels = Array.from(new Set([...own.flatMap((source) => labelOf(source) ?? []), ...counted]))
    return [{ statement, sources: labels, isWhole }]
  })
  const named = new Set(subjects.flatMap(({ sources }) => sources))
  return { subjects, sources: [...sources, ...uses.sources.filter(({ key }) => named.has(key))] }
})

interface Source {
  readonly key: string
  readonly item: Material.Item
  readonly text: string
  /** The tokens that it takes at most. */
  readonly size: number
}

/** The most tokens of a source that is shown in place of one within it. */
const MAX_AROUND = 300

/** Returns the source around each that stands within another one, such as a field of a type: it is not shown twice. */
const aroundOf = (sources: ReadonlyArray<Source>): ReadonlyMap<Source, Source> => {
  const isAround = (one: Source, other: Source): boolean => {
    const [outer, inner] = [one.item.entry, other.item.entry]
    return (
      one !== other &&
      one.size <= MAX_AROUND &&
      outer !== undefined &&
      inner !== undefined &&
      one.item.path === other.item.path &&
      outer.startLine <= inner.startLine &&
      outer.endLine >= inner.endLine &&
      outer.endLine - outer.startLine > inner.endLine - inner.startLine
    )
  }
  return new Map(
    sources.flatMap((source) => {
      const [around] = sources
        .filter((other) => isAround(other, source))
        .toSorted((one, other) => other.size - one.size)
      return around === undefined ? [] : [[source, around] as const]
    }),
  )
}

/** Returns the statements whose sources fit, those first that take the least room beside the others; at least one. */
const fitting = (
  claims: ReadonlyArray<Statement>,
  sourcesOf: (statement: Statement) => ReadonlyArray<Source>,
  tokens: number,
): ReadonlyArray<Statement> => {
  const chosen = new Set<Statement>()
  const shown = new Set<Source>()
  let left = tokens
  const costOf = (statement: Statement): number =>
    Array.from(new Set(sourcesOf(statement))).reduce((sum, each) => sum + (shown.has(each) ? 0 : each.size), 0)
  for (;;) {
    const [next] = claims
      .filter((statement) => !chosen.has(statement))
      .map((statement) => ({ statement, cost: costOf(statement) }))
      .toSorted((one, other) => one.cost - other.cost)
    if (next === undefined || (next.cost > left && chosen.size > 0)) break
    chosen.add(next.statement)
    left -= next.cost
    for (const source of sourcesOf(next.statement)) shown.add(source)
  }
  return claims.filter((statement) => chosen.has(statement))
}

/** Tokens of the name of a source and its quotation marks. */
const FRAME = 30

/** Each line has its number. */
const sizeOf = (text: string): number => Math.ceil(1.1 * Material.sizeOf(text)) + 3 * text.split("\n").length

/** Divides tokens among sources: each gets what it needs, or else as much as the largest share allows. */
const share = (sizes: ReadonlyArray<number>, tokens: number): ReadonlyArray<number> => {
  const order = sizes.map((size, at) => ({ size, at })).toSorted((one, other) => one.size - other.size)
  const shares = sizes.map(() => 0)
  let left = tokens
  for (const [rank, { at, size }] of order.entries()) {
    const fair = Math.floor(left / (order.length - rank))
    shares[at] = Math.min(size, fair)
    left -= shares[at]
  }
  return shares
}

export const questionOf = ({ sources, subjects }: Prepared) => question(CheckRequest.messageOf(subjects, sources))

const question = (message: string) => ({
  form: CheckRequest.form,
  system: CheckRequest.SYSTEM,
  message,
  answerTokens: ANSWERS.check,
})

/**
 * Returns the page as the source corrects it; undefined if there was nothing to check, or no answer, so that its claims
 * stay due. `parts` are those of the plan: claims about dependences between them are also held against the counts of
 * their references. A claim that stays undecided is dropped if all that it cites was shown, since that does not say what it
 * says. Otherwise it is marked.
 */
export const check: <E>(
  asking: Asking,
  project: Project.Project<E>,
  page: Page,
  limits: MaterialLimits,
  parts?: ReadonlyArray<Part>,
) => Effect.Effect<Checked | undefined, E> = Effect.fnUntraced(function* (asking, project, page, limits, parts = []) {
  const due = dueOf(page)
  const uses = yield* CountedUses.gather(project, Dependence.count(project.uses, parts), page, due)
  const about = { purpose: "check", page: page.name } as const
  const results = new Map<Statement, Statement | undefined>()
  let corrected = 0
  const settle = ({ subjects }: Prepared, verdicts: CheckRequest.Verdicts) => {
    const judged = CheckRequest.apply(
      subjects.map(({ statement }) => statement),
      verdicts,
    )
    corrected += judged.corrected
    for (const [at, { statement }] of subjects.entries()) {
      if (!judged.undecided.has(at)) results.set(statement, judged.statements[at])
    }
  }
  const first = yield* prepareClaims(project, due, firstRoom(limits), uses)
  if (first.subjects.length > 0) {
    const verdicts = yield* asking.ask(questionOf(first), about)
    if (verdicts === undefined) return undefined
    settle(first, verdicts)
  }
  const rest = due.filter((statement) => !results.has(statement))
  const second = yield* prepareRest(project, rest, limits, uses)
  const isAnswered = yield* Effect.gen(function* () {
    if (second.subjects.length === 0) return true
    const message = CheckRequest.againMessageOf(second.subjects, second.sources)
    const verdicts = yield* asking.ask(question(message), about)
    if (verdicts === undefined) return false
    settle(second, verdicts)
    for (const [at, { isWhole, statement }] of second.subjects.entries()) {
      if (isWhole && verdicts.unseen.has(at + 1)) results.set(statement, undefined)
    }
    return true
  })
  const left = due.filter((statement) => !results.has(statement))
  // If there was no second answer, the next run asks for these.
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
