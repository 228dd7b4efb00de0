/**
 * Divides a large file into sections: groups of the symbols at its top that use each other or stand side by side. Pure
 * and deterministic.
 */
import * as Places from "../Places.ts"

/** A section has about this share of the symbols of the code, at least so much weight, and a file so many sections. */
const SHARE = 0.08
const MIN_WEIGHT = 10

/** A type that is divided is used for many things, so its sections are smaller; a plan may put them together. */
const SHARE_OF_MEMBERS = 0.04
const MAX_SECTIONS = 8

/** A file is not divided if a single symbol at its top has more than this share of its weight. */
const MAIN_SHARE = 0.8

/** A section may be so much heavier than their mean. */
const MAX_OVER_MEAN = 1.6

/** A symbol with more than this share of the mean can be a section alone. */
const ALONE_OF_MEAN = 0.6

/** A section with less than this share of their mean is what is left over, and is joined to another one. */
const MIN_OF_MEAN = 0.35

/** How many sections more than wanted are tried. */
const SPARE = [0, 1, 2]

/** Beyond this many symbols neighbours are put together first, so that comparing all pairs stays fast. */
const MAX_COMPARED = 160

/** Symbols side by side count as much as a single use. */
const NEIGHBOURS = 1

interface Section {
  readonly names: ReadonlyArray<string>
  readonly weight: number
  /** The positions in the file of its first and its last symbol. */
  readonly first: number
  readonly last: number
}

/** A file is not divided if fewer of its symbols are functions or types: a list of fields is one thing. */
const CODE_SHARE = 0.4

/**
 * Returns whether a file has several symbols at its top that are worth a section of their own. `symbols`: how many it
 * has with fields and values.
 */
export const canDivide = (heads: ReadonlyArray<Places.Head>, symbols = 0): boolean => {
  const all = heads.reduce((sum, { weight }) => sum + weight, 0)
  const most = Math.max(0, ...heads.map(({ weight }) => weight))
  return all >= 2 * MIN_WEIGHT && most <= all * MAIN_SHARE && all >= symbols * CODE_SHARE
}

/**
 * Returns the names of the symbols of each section, in the order of the file. A file that is not worth it is one
 * section.
 * `share`: how much of the symbols of the code it has.
 */
export const divide = (
  path: string,
  heads: ReadonlyArray<Places.Head>,
  uses: Places.Uses,
  share: number,
): ReadonlyArray<ReadonlyArray<string>> => {
  const all = heads.reduce((sum, { weight }) => sum + weight, 0)
  const each = heads.some(({ name }) => firstWordOf(name) !== undefined) ? SHARE_OF_MEMBERS : SHARE
  const count = Math.min(MAX_SECTIONS, Math.ceil(share / each), Math.floor(all / MIN_WEIGHT))
  if (count < 2 || !canDivide(heads)) return [heads.map(({ name }) => name)]
  const single = heads.map(({ name, weight }, at): Section => ({ names: [name], weight, first: at, last: at }))
  const mean = all / count
  const start = joinNeighbours(joinBelowBanners(single, heads, mean))
  const isFull = ({ weight }: Section) => weight >= MIN_OF_MEAN * mean
  // Small symbols that are left over take the place of a section, so some more are allowed for them.
  const attempts = SPARE.map((more) => joinPairs(start, path, uses, { count: count + more, mean }))
  const best = attempts.toSorted((one, other) => other.filter(isFull).length - one.filter(isFull).length)[0] ?? start
  const sections = joinPairs(best, path, uses, { count: Math.max(1, Math.min(count, best.filter(isFull).length)) })
  const order = new Map(heads.map(({ name }, at) => [name, at]))
  return sections
    .toSorted((one, other) => one.first - other.first)
    .map(({ names }) => names.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0)))
}

interface Limits {
  /** How many sections are left at the end. */
  readonly count: number
  /** The weight that one should have; if it is missing, the lightest sections are joined to others. */
  readonly mean?: number
}

/** Joins the pair of sections that belongs together most, until few enough are left. */
const joinPairs = (
  sections: ReadonlyArray<Section>,
  path: string,
  uses: Places.Uses,
  { count, mean }: Limits,
): ReadonlyArray<Section> => {
  const left: Array<Section | undefined> = [...sections]
  const links = linksBetween(sections, path, uses)
  for (let remaining = sections.length; remaining > count; remaining--) {
    const least = Math.min(...left.map((section) => section?.weight ?? Number.POSITIVE_INFINITY))
    let [best, a, b] = [Number.NEGATIVE_INFINITY, 0, 0]
    for (const [at, one] of left.entries()) {
      for (let next = at + 1; one !== undefined && next < left.length; next++) {
        const other = left[next]
        if (other === undefined || (mean === undefined && Math.min(one.weight, other.weight) > least)) continue
        const score = scoreOf(one, other, links[at]?.[next] ?? 0, mean)
        if (score > best) [best, a, b] = [score, at, next]
      }
    }
    const [one, other] = [left[a], left[b]]
    if (one === undefined || other === undefined) break
    left[a] = join(one, other)
    left[b] = undefined
    for (const row of links) row[a] = (row[a] ?? 0) + (row[b] ?? 0)
    links[a] = (links[a] ?? []).map((value, at) => value + (links[b]?.[at] ?? 0))
  }
  return left.flatMap((section) => section ?? [])
}

/**
 * Puts the symbols below each banner of comment together, since that is how the authors have divided the file. What is
 * too much for a section stays apart. A banner above a single symbol is none.
 */
const joinBelowBanners = (
  single: ReadonlyArray<Section>,
  heads: ReadonlyArray<Places.Head>,
  mean: number,
): ReadonlyArray<Section> => {
  const groups: Array<Array<Section>> = [[]]
  for (const [at, section] of single.entries()) {
    if (heads[at]?.isApart === true) groups.push([])
    groups.at(-1)?.push(section)
  }
  return groups.flatMap((group) => {
    const [first, ...others] = group
    const weight = group.reduce((sum, section) => sum + section.weight, 0)
    // There is no banner above the first group.
    return first === undefined || group === groups[0] || weight > MAX_OVER_MEAN * mean
      ? group
      : [others.reduce(join, first)]
  })
}

/** Returns the first word of a method, such as `get` of `Context.GetString`; undefined for what is in no type. */
const firstWordOf = (name: string): string | undefined =>
  /\./.test(name)
    ? /^(?:[A-Z]?[a-z\d]{2,}|[A-Z]{2,})/.exec(name.slice(name.lastIndexOf(".") + 1))?.[0].toLowerCase()
    : undefined

/**
 * Returns the uses between sections in both directions, by their positions. Methods whose
 * names begin with the same word count as one.
 */
const linksBetween = (sections: ReadonlyArray<Section>, path: string, uses: Places.Uses): Array<Array<number>> => {
  const sectionOf = new Map(
    sections.flatMap(({ names }, at) => names.map((name) => [Places.keyOf(path, name), at] as const)),
  )
  const links = sections.map(() => sections.map(() => 0))
  const words = sections.map(({ names }) => new Set(names.flatMap((name) => firstWordOf(name) ?? [])))
  for (const [from, own] of words.entries()) {
    for (const [to, others] of words.entries()) {
      const row = links[from]
      if (row !== undefined && from !== to) row[to] = Array.from(own).filter((word) => others.has(word)).length
    }
  }
  for (const [key, from] of sectionOf) {
    for (const [target, value] of uses.get(key) ?? []) {
      const to = sectionOf.get(target)
      if (to === undefined || to === from) continue
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        const row = links[one]
        if (row !== undefined) row[other] = (row[other] ?? 0) + value
      }
    }
  }
  return links
}

const join = (one: Section, other: Section): Section => ({
  names: [...one.names, ...other.names],
  weight: one.weight + other.weight,
  first: Math.min(one.first, other.first),
  last: Math.max(one.last, other.last),
})

const joinNeighbours = (sections: ReadonlyArray<Section>): ReadonlyArray<Section> => {
  const each = Math.ceil(sections.length / MAX_COMPARED)
  const chunks = Array.from({ length: Math.ceil(sections.length / each) }, (_, at) =>
    sections.slice(at * each, (at + 1) * each),
  )
  return chunks.flatMap(([first, ...others]) => (first === undefined ? [] : [others.reduce(join, first)]))
}

/** A pair that would be too heavy comes after all others, the lightest first; so do two that could each stand alone. */
const scoreOf = (one: Section, other: Section, used: number, mean = Number.POSITIVE_INFINITY): number => {
  const weight = Math.max(1, one.weight + other.weight)
  if (weight > MAX_OVER_MEAN * mean || Math.min(one.weight, other.weight) > ALONE_OF_MEAN * mean) return -weight
  const areNeighbours = one.last + 1 === other.first || other.last + 1 === one.first
  return (used + (areNeighbours ? NEIGHBOURS : 0)) / weight
}
