/** Finds the statements of the wiki about symbols that a change has changed or removed. Pure. */
import * as Order from "effect/Order"
import { sanitizeLine } from "../base/Sanitize.ts"
import { unifiedDiff } from "../base/unifiedDiff.ts"
import { type Finding, type RuleId, rules } from "../review/Findings.ts"
import type { Review } from "../review/Review.ts"
import * as SymbolDiff from "../review/SymbolDiff.ts"
import type { SymbolVersion } from "../review/SymbolVersion.ts"
import type { Citation, Page, Statement } from "./Page.ts"
import * as States from "./States.ts"

/** The most characters of a statement in a message. */
const MAX_STATEMENT = 200

/** The most lines of a change that are shown beside a statement. */
const MAX_DIFF_LINES = 12

/**
 * Finds the statements that a change concerns: those of which a cited symbol was changed or removed, unless they were
 * written of the present source. There is one finding for each statement and symbol, at the first line that has
 * changed; for a removed symbol it stands at the page. Sorted by path and line.
 */
export const find = (
  { changes }: Pick<Review, "changes">,
  pages: ReadonlyArray<Page>,
  states: States.States,
): ReadonlyArray<Finding> => {
  const changed = new Map(
    changes.flatMap((change) => {
      const before = beforeOf(change)
      return before === undefined ? [] : [[keyOf(before.path, before.qualifiedName), change] as const]
    }),
  )
  return pages
    .flatMap((page) =>
      States.statementsOf(page).flatMap((statement) =>
        concernsOf(statement, states).flatMap(({ citation, state }) => {
          const change = citation.symbol === undefined ? undefined : changed.get(keyOf(citation.path, citation.symbol))
          return change === undefined ? [] : [toFinding(page, statement, state, change)]
        }),
      ),
    )
    .sort(
      (one, other) =>
        Order.string(one.path, other.path) || one.line - other.line || Order.string(one.message, other.message),
    )
}

const keyOf = (path: string, symbol: string): string => `${path}\0${symbol}`

const beforeOf = (change: SymbolDiff.SymbolChange): SymbolVersion | undefined =>
  change.change === "added" ? undefined : change.before

/** A pointer is concerned only by what is gone. */
const concernsOf = (
  { citations, kind }: Statement,
  states: States.States,
): ReadonlyArray<{ readonly citation: Citation; readonly state: "gone" | "touched" }> =>
  citations.flatMap((citation) => {
    const { state } = states.of(citation)
    return state === "gone" || (state === "touched" && kind === "claim") ? [{ citation, state }] : []
  })

const toFinding = (
  page: Page,
  statement: Statement,
  state: "gone" | "touched",
  change: SymbolDiff.SymbolChange,
): Finding => {
  const rule: RuleId = state === "gone" ? "gone-statement" : "touched-statement"
  const before = beforeOf(change)
  const after = change.change === "removed" || state === "gone" ? undefined : change.after
  const file = `.vibe/wiki/${page.name}.md`
  const subject = SymbolDiff.subjectOf(change)
  const what = `${subject.kind} ${before?.qualifiedName ?? subject.qualifiedName}`
  const words = [...sanitizeLine(statement.text)]
  const text = words.length > MAX_STATEMENT ? `${words.slice(0, MAX_STATEMENT).join("")}…` : words.join("")
  return {
    rule,
    level: rules[rule].level,
    path: after?.path ?? file,
    line: before !== undefined && after !== undefined ? SymbolDiff.firstChangedLine(before, after) : 1,
    symbol: after,
    message: `${what} ${after === undefined ? "is gone" : "has changed"}, and ${file} says of it: ${text}`,
    purpose: undefined,
    statement: { page: page.name, text: statement.text },
    diff: before !== undefined && after !== undefined ? diffOf(before, after) : undefined,
  }
}

/** Returns the first changed lines of a symbol, as in a unified diff. */
const diffOf = (before: SymbolVersion, after: SymbolVersion): ReadonlyArray<string> => {
  const diff = unifiedDiff({ name: before.path, text: before.source }, { name: after.path, text: after.source })
  const lines = (diff ?? "").split("\n").filter((line) => /^[-+](?![-+]{2} )/.test(line))
  const more = lines.length - MAX_DIFF_LINES
  return more > 0 ? [...lines.slice(0, MAX_DIFF_LINES), `… ${more} more`] : lines
}
