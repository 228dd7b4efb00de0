/**
 * Holds statements that say which part uses which against the references that are counted between the files of the
 * parts. Pure.
 */
import * as Language from "../../code/Language.ts"
import type { Page, Statement } from "../Page.ts"
import * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"
import * as StatementText from "../StatementText.ts"

type PartFiles = Pick<Part, "name" | "title" | "files" | "symbols">

/** How often the files of some parts use those of others. */
export interface Arrows {
  readonly parts: ReadonlyArray<PartFiles>
  /** The counts by the names of the parts: `from`, `\0`, `to`. */
  readonly counts: ReadonlyMap<string, number>
  /** The names of the parts for which a missing count is no proof that there is no use. */
  readonly uncertain: ReadonlySet<string>
}

export interface Dependence {
  /** The names of the part that uses the other, and of the one that is used. */
  readonly from: string
  readonly to: string
}

/**
 * The result of a comparison with the counts:
 *
 * - `counted`: references run that way
 * - `reversed`: they run the other way alone
 * - `missing`: there are none between the two
 * - `unknown`: none runs that way, but in that code not all uses are resolved
 */
export type Verdict = "counted" | "reversed" | "missing" | "unknown"

/** The languages with declared types and imports, in which nearly every use between files is resolved. */
const certain: ReadonlySet<string> = new Set(["typescript", "go", "rust", "java", "csharp"])

/** Counts the uses between parts, from those between places. Files of no part are left out. */
export const count = (uses: Places.Uses, parts: ReadonlyArray<PartFiles>): Arrows => {
  const find = Places.finderOf(parts)
  const partOf = (key: string) => find({ path: Places.pathOf(key), symbol: Places.headIn(key) })?.name
  const counts = new Map<string, number>()
  for (const [place, used] of uses) {
    const from = partOf(place)
    for (const [other, count] of used) {
      const to = partOf(other)
      if (from === undefined || to === undefined || from === to) continue
      counts.set(keyOf({ from, to }), (counts.get(keyOf({ from, to })) ?? 0) + count)
    }
  }
  const languageOf = (path: string) => Language.of(path)?.id ?? ""
  // If nothing of a language is resolved, its references may not have been read at all.
  const resolved = new Set(Array.from(uses, ([place, used]) => (used.size > 0 ? languageOf(Places.pathOf(place)) : "")))
  const isCertain = (path: string) => certain.has(languageOf(path)) && resolved.has(languageOf(path))
  const uncertain = parts.filter(({ files }) => !files.every(isCertain))
  return { parts, counts, uncertain: new Set(uncertain.map(({ name }) => name)) }
}

const keyOf = ({ from, to }: Dependence): string => `${from}\0${to}`

export const countOf = ({ counts }: Arrows, dependence: Dependence): number => counts.get(keyOf(dependence)) ?? 0

export const verdictOn = (arrows: Arrows, { from, to }: Dependence): Verdict => {
  if (countOf(arrows, { from, to }) > 0) return "counted"
  if (arrows.uncertain.has(from)) return "unknown"
  return countOf(arrows, { from: to, to: from }) > 0 ? "reversed" : "missing"
}

/** Words that say that one part needs the code of another. A call may also go through a callback, against them. */
const ACTIVE = /^(?:uses?|depends? on|rel(?:y|ies) on|needs?|imports?|requires?|builds? on) /
const PASSIVE = /^(?:is|are) (?:used|needed|imported|required) by /

/**
 * Reads the dependences that the sentences of a statement begin with: a part, or a cited symbol of it, then such words,
 * and then another one. `own` is the part of the page, which its statements call `this part`.
 */
export const read = ({ parts }: Arrows, statement: Statement, own?: string): ReadonlyArray<Dependence> => {
  const names = namesOf(parts, statement, own)
  const startsWith = (text: string): readonly [part: string, rest: string] | undefined => {
    const bare = text.replace(/^(?:the|a|an) /, "")
    const found = names.find(([name]) => bare.startsWith(name) && !/^[\w-]/.test(bare.slice(name.length)))
    return (
      found && [
        found[1],
        bare
          .slice(found[0].length)
          .replace(/^ part\b/, "")
          .trimStart(),
      ]
    )
  }
  const sentences = normalize(StatementText.toPlain(statement.text)).split(/(?<=[.!?;]) +/)
  return sentences.flatMap((sentence): ReadonlyArray<Dependence> => {
    const subject = startsWith(sentence)
    if (subject === undefined) return []
    const rest = subject[1].replace(/^(?:also|only|mainly|directly) /, "")
    const isPassive = PASSIVE.test(rest)
    if (!isPassive && !ACTIVE.test(rest)) return []
    const object = startsWith(rest.replace(isPassive ? PASSIVE : ACTIVE, ""))
    if (object === undefined || object[0] === subject[0]) return []
    return isPassive ? [{ from: object[0], to: subject[0] }] : [{ from: subject[0], to: object[0] }]
  })
}

const normalize = (text: string): string => text.toLowerCase().replaceAll("`", "").replaceAll(/\s+/g, " ").trim()

/** Lists what means a part in a statement, the longest names first: its title, and the names of its cited symbols. */
const namesOf = (
  parts: ReadonlyArray<PartFiles>,
  { citations }: Statement,
  own: string | undefined,
): ReadonlyArray<readonly [name: string, part: string]> => {
  const partOf = Places.finderOf(parts)
  const symbols = citations.flatMap(({ path, symbol }) => {
    const part = partOf({ path, symbol })?.name
    if (symbol === undefined || part === undefined) return []
    return [symbol, symbol.slice(symbol.lastIndexOf(".") + 1)].map((name) => [normalize(name), part] as const)
  })
  // A name that symbols of two parts have tells neither, and a title counts before a symbol of that name.
  const titles = parts.map(({ name, title }) => [normalize(title), name] as const)
  const all = [...titles, ...(own === undefined ? [] : [["this part", own] as const]), ...symbols]
  const byName = Map.groupBy(all, ([name]) => name)
  const isTitle = new Set(titles.map(([name]) => name))
  return Array.from(byName.values())
    .flatMap((same) => {
      const [first] = same
      if (first === undefined || first[0] === "") return []
      return isTitle.has(first[0]) || same.every(([, part]) => part === first[1]) ? [first] : []
    })
    .toSorted(([one], [other]) => other.length - one.length)
}

/** Lists the pairs of parts, in both directions, that a statement speaks of by their titles or by what it cites. */
export const pairsOf = ({ parts }: Arrows, { citations, text }: Statement): ReadonlyArray<Dependence> => {
  const plain = normalize(StatementText.toPlain(text))
  const cited = new Set(citations.map(Places.finderOf(parts)))
  const spoken = parts.filter((part) => isNamed(plain, normalize(part.title)) || cited.has(part))
  return spoken.flatMap(({ name: from }, at) => spoken.slice(at + 1).map(({ name: to }) => ({ from, to })))
}

const isNamed = (text: string, name: string): boolean => {
  const at = name === "" ? -1 : text.indexOf(name)
  return at >= 0 && !/\w$/.test(text.slice(0, at)) && !/^\w/.test(text.slice(at + name.length))
}

/** Says why a dependence is refused; undefined if it is not, or if that is not known. */
export const refusalOf = (arrows: Arrows, dependence: Dependence): string | undefined => {
  const verdict = verdictOn(arrows, dependence)
  const titleOf = (name: string) => arrows.parts.find((part) => part.name === name)?.title ?? name
  const [from, to] = [titleOf(dependence.from), titleOf(dependence.to)]
  switch (verdict) {
    case "reversed": {
      const back = countOf(arrows, { from: dependence.to, to: dependence.from })
      return `no reference leads from ${from} to ${to}, but ${back} from ${to} to ${from}`
    }
    case "missing":
      return `no reference leads from ${from} to ${to}`
    case "counted":
    case "unknown":
      return undefined
  }
}

/**
 * Says why a statement of a page is left out: it begins with a dependence of which the references run the other way
 * alone. Two parts without any reference may still be joined by a third one, so that is left to the check.
 */
export const flawOf = (arrows: Arrows, page: Pick<Page, "kind" | "name">, statement: Statement): string | undefined =>
  read(arrows, statement, page.kind === "part" ? page.name : undefined)
    .filter((dependence) => verdictOn(arrows, dependence) === "reversed")
    .map((dependence) => refusalOf(arrows, dependence))
    .find((refusal) => refusal !== undefined)
