/**
 * Judges the statements of earlier runs whose symbols have changed since: still true, corrected, or not true any more.
 */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Citation, Page, Statement } from "../Page.ts"
import * as States from "../States.ts"
import type { Asking } from "./Asking.ts"
import * as ChangeText from "./ChangeText.ts"
import * as CheckRequest from "./CheckRequest.ts"
import * as Material from "./Material.ts"
import { ANSWERS, type MaterialLimits } from "./MaterialLimits.ts"
import * as MovedLines from "./MovedLines.ts"
import * as Pages from "./Pages.ts"
import * as Project from "./Project.ts"
import * as SourceText from "./SourceText.ts"

/** A statement with what its citations mean now. */
export interface Touched {
  readonly page: string
  readonly statement: Statement
  readonly citations: ReadonlyArray<{
    readonly citation: Citation
    /** Undefined if the symbol is gone. */
    readonly item: Material.Item | undefined
    readonly isChanged: boolean
  }>
  /** Symbols of the same files that have lines now that were in a cited one, and that the statement speaks of. */
  readonly successors: ReadonlyArray<Material.Item>
}

/**
 * Finds the statements that a run judges. A claim whose check is still to be made is held against the present source by
 * that. One of a person is judged again only after its source has changed again.
 */
export const findDue = <E>(
  project: Project.Project<E>,
  pages: ReadonlyArray<Page>,
): Effect.Effect<ReadonlyArray<Touched>, E> =>
  Effect.map(
    find(project, pages, ({ author, unchecked }) => author !== "project" && unchecked !== "due"),
    (touched) =>
      touched.filter(
        ({ citations, statement }) =>
          statement.author !== "person" ||
          (citations.some(({ isChanged }) => isChanged) && citations.every(({ item }) => item !== undefined)),
      ),
  )

/**
 * Finds the statements with a symbol that has another source now. A pointer is concerned only if its symbol is gone.
 */
export const find: <E>(
  project: Project.Project<E>,
  pages: ReadonlyArray<Page>,
  isIncluded: (statement: Statement, page: Page) => boolean,
) => Effect.Effect<ReadonlyArray<Touched>, E> = Effect.fnUntraced(function* (project, pages, isIncluded) {
  const touched: Array<Touched> = []
  const states = yield* project.statesOf(pages)
  for (const page of pages) {
    for (const statement of States.statementsOf(page)) {
      if (!isIncluded(statement, page)) continue
      const citations = yield* Effect.forEach(statement.citations, (citation) =>
        Effect.map(project.symbolsIn(states.of(citation).citation.path), (items) => {
          const { state } = states.of(citation)
          const item = state === "gone" ? undefined : Project.find(project, items, states.of(citation).citation)
          return { citation, item, isChanged: state === "gone" || state === "touched" }
        }),
      )
      const state = States.stateOf(statement, states)
      if (state !== "gone" && state !== "touched" && state !== "stale") continue
      const found = yield* Effect.forEach(
        citations.filter(({ isChanged }) => isChanged),
        (changed) => successorsOf(project, changed, statement.text),
      )
      const cited = new Set(citations.flatMap(({ item }) => (item === undefined ? [] : [Material.keyOf(item)])))
      const successors = new Map(found.flat().map((item) => [Material.keyOf(item), item]))
      touched.push({
        page: page.name,
        statement,
        citations,
        successors: Array.from(successors).flatMap(([key, item]) => (cited.has(key) ? [] : [item])),
      })
    }
  }
  return touched
})

/** Finds the symbols that have got lines of a cited one which a statement speaks of. */
const successorsOf = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  { citation, item }: Touched["citations"][number],
  statement: string,
) {
  const before = yield* project.sourceBefore(citation)
  if (before === undefined) return []
  const now = item === undefined ? undefined : yield* project.sourceOf(item)
  const own = item?.entry
  const candidates = yield* Effect.forEach(yield* project.symbolsIn(citation.path), (other) =>
    Effect.map(project.sourceOf(other), (source) =>
      other.entry === undefined || source === undefined || (own !== undefined && MovedLines.overlap(own, other.entry))
        ? []
        : [{ value: { item: other, source }, source, startLine: other.entry.startLine, endLine: other.entry.endLine }],
    ),
  )
  return MovedLines.find(before, now, candidates.flat()).flatMap(({ item, source }) =>
    now === undefined || MovedLines.isAbout(statement, now, source) ? [item] : [],
  )
})

/** The most statements of a request. */
const MAX_STATEMENTS = 12

/** The share of the room of a request that a source as it is now may take beside its change, which decides most. */
const NOW_SHARE = 0.25

/** Judges touched statements, page by page in as few requests as the limit allows, and keeps each page that changes. */
export const judge: <E>(
  asking: Asking,
  project: Project.Project<E>,
  touched: ReadonlyArray<Touched>,
  pages: ReadonlyMap<string, Page>,
  limits: MaterialLimits,
  keep: (page: Page) => Effect.Effect<void, E>,
) => Effect.Effect<CheckRequest.Sums, E> = Effect.fnUntraced(function* (asking, project, touched, pages, limits, keep) {
  let sums = CheckRequest.nothing
  const pointers = touched.filter(({ statement }) => statement.kind === "pointer")
  yield* apply(pages, keep, new Map(pointers.map((each) => [each.statement, withoutGone(each, each.statement)])))
  yield* inBatches(asking, project, touched, limits, (batch, judged) => {
    const results = new Map(
      batch.flatMap((each, at) => {
        if (judged.undecided.has(at)) return []
        const statement = judged.statements[at]
        const result =
          each.statement.author === "person" ? marked(each, statement) : statement && withoutGone(each, statement)
        return [[each.statement, result] as const]
      }),
    )
    sums = CheckRequest.add(sums, { ...judged, undecided: judged.undecided.size, statements: batch.length })
    return apply(pages, keep, results)
  })
  return sums
})

/**
 * Asks about the claims among some statements. If there is no answer, they stay touched, and the next run asks for
 * them.
 */
const inBatches: <E>(
  asking: Asking,
  project: Project.Project<E>,
  touched: ReadonlyArray<Touched>,
  limits: MaterialLimits,
  onJudged: (batch: ReadonlyArray<Touched>, judged: CheckRequest.Judged) => Effect.Effect<void, E>,
) => Effect.Effect<void, E> = Effect.fnUntraced(function* (asking, project, touched, limits, onJudged) {
  const claims = touched.filter(({ statement }) => statement.kind === "claim")
  for (let from = 0; from < claims.length; ) {
    const { count, question } = yield* prepare(project, claims.slice(from, from + MAX_STATEMENTS), limits)
    const batch = claims.slice(from, from + count)
    from += count
    const verdicts = yield* asking.ask(question, {
      purpose: "judgement",
      page: batch.every(({ page }) => page === batch[0]?.page) ? batch[0]?.page : undefined,
    })
    if (verdicts === undefined) continue
    const statements = batch.map(({ statement }) => statement)
    yield* onJudged(batch, CheckRequest.apply(statements, verdicts))
  }
})

/** The verdict on a touched statement. A correction is missing if nothing of the statement is true. */
export type Verdict =
  | { readonly verdict: "holds" }
  | { readonly verdict: "untrue"; readonly correction: string | undefined }

/** Judges touched claims and changes no page. A statement that was not decided, or not asked about, has no verdict. */
export const assess: <E>(
  asking: Asking,
  project: Project.Project<E>,
  touched: ReadonlyArray<Touched>,
  limits: MaterialLimits,
) => Effect.Effect<ReadonlyMap<Statement, Verdict>, E> = Effect.fnUntraced(
  function* (asking, project, touched, limits) {
    const verdicts = new Map<Statement, Verdict>()
    yield* inBatches(asking, project, touched, limits, (batch, { statements, undecided }) =>
      Effect.sync(() => {
        for (const [at, { statement }] of batch.entries()) {
          if (undecided.has(at)) continue
          const correction = statements[at]?.text
          verdicts.set(
            statement,
            correction === statement.text ? { verdict: "holds" } : { verdict: "untrue", correction },
          )
        }
      }),
    )
    return verdicts
  },
)

/**
 * Returns the statement with citations of the present source, also of where its lines have gone; undefined if all
 * symbols are gone.
 */
const withoutGone = ({ citations, successors }: Touched, statement: Statement): Statement | undefined => {
  const { stale: _stale, unchecked: _unchecked, ...judged } = statement
  const cited = citations.flatMap(({ item }) => (item === undefined ? [] : [item]))
  const present = [...cited, ...successors].map(Material.citationOf)
  return present.length === 0 ? undefined : { ...judged, citations: present }
}

/** Stands beside a statement of a person of which nothing is true any more. */
const UNTRUE = "a model has found nothing of it true any more"

/** Returns the statement of a person as it was written, marked as stale if it was corrected or dropped. */
const marked = (touched: Touched, judged: Statement | undefined): Statement => {
  const statement = withoutGone(touched, touched.statement) ?? touched.statement
  return judged?.text === statement.text ? statement : { ...statement, stale: judged?.text ?? UNTRUE }
}

const apply = <E>(
  pages: ReadonlyMap<string, Page>,
  keep: (page: Page) => Effect.Effect<void, E>,
  results: ReadonlyMap<Statement, Statement | undefined>,
): Effect.Effect<void, E> =>
  Effect.forEach(
    Array.from(pages.values()).filter((page) => States.statementsOf(page).some((statement) => results.has(statement))),
    (page) =>
      keep(Pages.mapStatements(page, (statement) => (results.has(statement) ? results.get(statement) : statement))),
    { discard: true },
  )

/** Lists the requests that would judge some statements, for an estimate. */
export const questionsFor = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  touched: ReadonlyArray<Touched>,
  limits: MaterialLimits,
) {
  const claims = touched.filter(({ statement }) => statement.kind === "claim")
  const questions: Array<Effect.Effect.Success<ReturnType<typeof prepare<E>>>["question"]> = []
  for (let from = 0; from < claims.length; ) {
    const { count, question } = yield* prepare(project, claims.slice(from, from + MAX_STATEMENTS), limits)
    questions.push(question)
    from += count
  }
  return questions
})

/** Writes the request for the first of some statements whose sources fit into the limit: at least one. */
const prepare = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  touched: ReadonlyArray<Touched>,
  limits: MaterialLimits,
) {
  const sources: Array<CheckRequest.Source> = []
  const labels = new Map<string, string>()
  const subjects: Array<CheckRequest.Subject> = []
  let left = limits.judgement
  for (const { citations, statement, successors } of touched) {
    const changed = citations.filter(({ isChanged }) => isChanged)
    const own: Array<CheckRequest.Source> = []
    for (const { citation, item } of changed) {
      const key = keyOf(citation)
      if (labels.has(key)) continue
      const label = `S${labels.size + 1}`
      labels.set(key, label)
      // The source is shown once, for all statements that rest on it.
      const texts = touched
        .filter(({ citations }) => citations.some((each) => each.isChanged && keyOf(each.citation) === key))
        .map(({ statement }) => statement.text)
      own.push(...(yield* versionsOf(project, citation, item, label, texts, limits.judgement / changed.length)))
    }
    for (const item of successors) {
      const citation = Material.citationOf(item)
      if (labels.has(keyOf(citation))) continue
      const label = `S${labels.size + 1}`
      labels.set(keyOf(citation), label)
      const texts = touched
        .filter(({ successors }) => successors.some((other) => Material.keyOf(other) === Material.keyOf(item)))
        .map(({ statement }) => statement.text)
      own.push({
        label: `${nameOf(label, citation)}, which has lines now that were elsewhere before`,
        lines: SourceText.writeFor((yield* project.sourceOf(item)) ?? "", item.entry, texts, limits.judgement / 2),
      })
    }
    const cost = sizeOf(own.flatMap(({ label, lines }) => [label, ...lines]))
    if (subjects.length > 0 && cost > left) break
    left -= cost
    sources.push(...own)
    subjects.push({
      statement,
      isWhole: own.every(({ lines }) => !SourceText.isCut(lines)),
      sources: [...changed.map(({ citation }) => citation), ...successors.map(Material.citationOf)].flatMap(
        (citation) => labels.get(keyOf(citation)) ?? [],
      ),
    })
  }
  const question = {
    form: CheckRequest.form,
    system: CheckRequest.SYSTEM,
    message: CheckRequest.changedMessageOf(subjects, sources),
    answerTokens: ANSWERS.judgement,
  }
  return { count: subjects.length, question }
})

const keyOf = ({ hash, ordinal = 0, path, symbol }: Citation): string => `${path}\0${symbol}\0${ordinal}\0${hash}`

const nameOf = (label: string, { path, symbol }: Citation): string =>
  `${label} ${sanitizeLine(symbol ?? "the file")} in ${sanitizeLine(path)}`

/** Writes what has changed in the source of a symbol, and the source as it is now, as far as the statements need it. */
const versionsOf = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  citation: Citation,
  item: Material.Item | undefined,
  label: string,
  statements: ReadonlyArray<string>,
  maxTokens: number,
) {
  const name = nameOf(label, citation)
  const now = item === undefined ? undefined : yield* project.sourceOf(item)
  const before = yield* project.sourceBefore(citation)
  const title = (version: string) => `${name}, ${version}`
  const changeLines = (before: string, text: string) =>
    ChangeText.write(before, text, item?.entry?.startLine ?? 1, statements, maxTokens)
  const change = before === undefined || now === undefined ? undefined : changeLines(before, now)
  const nowTokens = change === undefined ? maxTokens : Math.min(maxTokens * NOW_SHARE, maxTokens - sizeOf(change.lines))
  // Code that is gone is no symbol of the index any more. Its lines are counted from its own first one.
  const was = citation.symbol === undefined ? undefined : ({ kind: "module", startLine: 1 } as const)
  const versions: ReadonlyArray<CheckRequest.Source> = [
    ...(change === undefined ? [] : [{ label: title("what has changed"), lines: change.lines }]),
    ...(before === undefined || now !== undefined
      ? []
      : [{ label: title("what it was before"), lines: SourceText.writeFor(before, was, statements, maxTokens) }]),
    ...(now === undefined
      ? [{ label: title("now"), lines: ["(it does not exist any more)"] }]
      : change?.isAllOfNow === true || nowTokens < MIN_NOW
        ? []
        : [{ label: title("now"), lines: SourceText.writeFor(now, item?.entry, statements, nowTokens) }]),
  ]
  return versions
})

/** An excerpt of fewer tokens says nothing. */
const MIN_NOW = 60

const sizeOf = (lines: ReadonlyArray<string>): number => lines.reduce((sum, line) => sum + Material.sizeOf(line), 0)
