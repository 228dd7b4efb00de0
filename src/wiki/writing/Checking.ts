/** Holds the statements of a new page against the source of the symbols that they cite, in one request. */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../message/Sanitize.ts"
import type { Page, Statement } from "../Page.ts"
import type { Asking } from "./Asking.ts"
import * as CheckRequest from "./CheckRequest.ts"
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
  /** Statements that the answer does not mention. They stay. */
  readonly unjudged: number
}

/** The most lines of a source in a check, and the least tokens that it gets. */
const MAX_LINES = 50
const MIN_TOKENS = 90
const MAX_TOKENS = 500

export interface Prepared {
  readonly subjects: ReadonlyArray<CheckRequest.Subject>
  readonly sources: ReadonlyArray<CheckRequest.Source>
}

/**
 * Reads the sources of the claims of a page, as many as the limit allows. A claim whose deciding source does not fit is
 * left out. Pointers say nothing that a source could contradict.
 */
export const prepare: <E>(
  project: Project.Project<E>,
  page: Page,
  limits: MaterialLimits,
) => Effect.Effect<Prepared, E> = Effect.fnUntraced(function* (project, page, limits) {
  const claims = Pages.statementsOf(page).filter(({ author, kind }) => author === "model" && kind === "claim")
  const items = new Map<string, Material.Item>()
  const cited = new Map<Statement, ReadonlyArray<Material.Item>>()
  for (const statement of claims) {
    const own: Array<Material.Item> = []
    for (const citation of statement.citations) {
      const item = Project.find(project, yield* project.symbolsIn(citation.path), citation)
      if (item === undefined) continue
      own.push(item)
      items.set(Material.keyOf(item), item)
    }
    cited.set(statement, own)
  }
  const each = Math.max(MIN_TOKENS, Math.min(MAX_TOKENS, Math.floor((1.5 * limits.check) / Math.max(1, items.size))))
  const labels = new Map<string, string>()
  const sources: Array<CheckRequest.Source> = []
  let left = limits.check
  // The deciding source of each statement comes first, then the others.
  const ranked = [0, 1, 2, 3].flatMap((rank) => claims.flatMap((statement) => cited.get(statement)?.[rank] ?? []))
  for (const item of ranked) {
    const key = Material.keyOf(item)
    if (labels.has(key)) continue
    const text = yield* project.sourceOf(item)
    if (text === undefined) continue
    const label = `S${sources.length + 1}`
    const name = `${label} ${sanitizeLine(item.entry?.qualifiedName ?? "the file")} in ${sanitizeLine(item.path)}`
    const lines = SourceText.write(text, item.entry?.startLine ?? 1, { maxLines: MAX_LINES, maxTokens: each })
    const cost = [name, ...lines].reduce((sum, line) => sum + Material.sizeOf(line), 0)
    if (cost > left) continue
    left -= cost
    labels.set(key, label)
    sources.push({ label: name, lines })
  }
  const labelOf = (item: Material.Item | undefined) =>
    item === undefined ? undefined : labels.get(Material.keyOf(item))
  const subjects = claims.flatMap((statement): ReadonlyArray<CheckRequest.Subject> => {
    const own = cited.get(statement) ?? []
    return labelOf(own[0]) === undefined ? [] : [{ statement, sources: own.flatMap((item) => labelOf(item) ?? []) }]
  })
  return { subjects, sources }
})

export const questionOf = ({ sources, subjects }: Prepared) => ({
  form: CheckRequest.form,
  system: CheckRequest.SYSTEM,
  message: CheckRequest.messageOf(subjects, sources),
  answerTokens: ANSWERS.check,
})

/** Returns the page as the source corrects it; undefined if nothing was checked. */
export const check: <E>(
  asking: Asking,
  project: Project.Project<E>,
  page: Page,
  limits: MaterialLimits,
) => Effect.Effect<Checked | undefined, E> = Effect.fnUntraced(function* (asking, project, page, limits) {
  const prepared = yield* prepare(project, page, limits)
  if (prepared.subjects.length === 0) return undefined
  const verdicts = yield* asking.ask(questionOf(prepared), { purpose: "check", page: page.name })
  if (verdicts === undefined) return undefined
  const statements = prepared.subjects.map(({ statement }) => statement)
  const judged = CheckRequest.apply(statements, verdicts)
  const results = new Map(statements.map((statement, at) => [statement, judged.statements[at]]))
  const checked: Checked = {
    page: Pages.mapStatements(page, (statement) => (results.has(statement) ? results.get(statement) : statement)),
    statements: statements.length,
    corrected: judged.corrected,
    dropped: judged.dropped,
    unjudged: judged.unjudged,
  }
  return checked
})
