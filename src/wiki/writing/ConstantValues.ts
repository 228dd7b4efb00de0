/**
 * Puts the value of a constant behind its name: "within `WARN_INTERVAL` (`timedelta(weeks=1)`)". A model likes to name
 * a constant that decides and not to say what it is, so that a reader has to look it up. The program knows the value.
 * It cites the constant, so that the statement is touched when that changes.
 */
import * as Effect from "effect/Effect"
import type { Page, Statement } from "../Page.ts"
import * as StatementText from "../StatementText.ts"
import * as DataTable from "./DataTable.ts"
import * as Material from "./Material.ts"
import * as Pages from "./Pages.ts"
import type { Project } from "./Project.ts"

/** The most characters of a value: a longer one is a table, which breaks a sentence apart. */
const MAX_CHARS = 48

/** The most values in a statement. */
const MAX_VALUES = 3

/**
 * Returns the value that the source of a constant gives it, in one line; undefined if it is long, no literal or a call
 * of literals, or missing.
 */
export const literalOf = (source: string): string | undefined => {
  const value = /^[^=\n"'`]{1,200}?(?::=|(?<![=!<>])=(?![=>~]))\s*(\S[^\n]*?)[\s;,]*$/.exec(
    source.trim().replace(comment, ""),
  )?.[1]
  if (value === undefined || value.length > MAX_CHARS || value.includes("`")) return undefined
  return isLiteral.test(value) ? value : undefined
}

/** Matches a comment behind a value. What has quotes may be a part of a string. */
const comment = /\s(?:#|\/\/)[^"'`\n]*$/

/**
 * Matches numbers with units and operators, strings, lists and sets of them, and calls such as `timedelta(weeks=1)`.
 */
const isLiteral =
  /^(?:-?[\d.][\w.]*(?:\s*[-+*/]\s*[\d.][\w.]*)*|[bBrRuU]?"[^"\\]*"|[bBrRuU]?'[^'\\]*'|[[({][^[\](){}=>;]*[\])}]|(?:new )?[\w.]+\((?:[^(){}]*\d[^(){}]*|"[^"\\]*"|'[^'\\]*')\)|true|false|True|False)$/

/** Matches a name as constants have it, between backticks, and not followed by its value already. */
const named = /`((?:[A-Za-z_]\w*(?:\.|::))*(_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*))`(?! \(`| (?:is|=) )/g

/** Returns a page with values. A constant has its value at its first mention on the page alone. */
export const add = <E>(project: Pick<Project<E>, "symbolsIn" | "sourceOf">, page: Page): Effect.Effect<Page, E> =>
  Effect.gen(function* () {
    const said = new Set<string>()
    const changed = new Map<Statement, Statement>()
    for (const statement of page.sections.flatMap(({ blocks }) => blocks.flat())) {
      if (statement.author !== "model" || statement.kind !== "claim" || StatementText.isFenced(statement.text)) continue
      const found = yield* find(project, statement, said)
      if (found.length > 0) changed.set(statement, withValues(statement, found))
    }
    return changed.size === 0 ? page : Pages.mapStatements(page, (each) => changed.get(each) ?? each)
  })

interface Found {
  readonly item: Material.Item
  readonly value: string
  /** The offset behind its name in the text. */
  readonly at: number
}

/** Finds the constants that a statement names, in the files that it cites. */
const find = Effect.fnUntraced(function* <E>(
  project: Pick<Project<E>, "symbolsIn" | "sourceOf">,
  { citations, text }: Statement,
  said: Set<string>,
) {
  const found: Array<Found> = []
  for (const match of text.matchAll(named)) {
    const name = match[2] ?? ""
    if (found.length === MAX_VALUES) break
    if (said.has(name)) continue
    for (const path of new Set(citations.map(({ path }) => path))) {
      const items = (yield* project.symbolsIn(path)).filter(
        ({ entry }) => entry?.name === name && DataTable.valueKinds.has(entry.kind),
      )
      // A constant that depends on a condition, or one of several with its name, has no one value.
      const [item] = items
      if (item === undefined || items.length > 1 || (item.conditions?.length ?? 0) > 0) continue
      const source = yield* project.sourceOf(item)
      const value = source === undefined ? undefined : literalOf(source)
      if (value === undefined || says(text, value)) break
      said.add(name)
      found.push({ item, value, at: match.index + match[0].length })
      break
    }
  }
  return found
})

/** Returns whether a text has a value already, with or without its quotes. */
const says = (text: string, value: string): boolean =>
  text.includes(value) || text.includes(`\`${value.replaceAll(/^["']|["']$/g, "")}\``)

const withValues = (statement: Statement, found: ReadonlyArray<Found>): Statement => {
  let text = statement.text
  for (const { at, value } of found.toReversed()) text = `${text.slice(0, at)} (\`${value}\`)${text.slice(at)}`
  const cited = new Set(statement.citations.map(({ path, symbol }) => `${path}\0${symbol}`))
  const further = found
    .map(({ item }) => Material.citationOf(item))
    .filter(({ path, symbol }) => !cited.has(`${path}\0${symbol}`))
  return { ...statement, text: StatementText.sanitize(text), citations: [...statement.citations, ...further] }
}
