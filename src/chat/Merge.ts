/** Three-way merge of a text that a user and a model have both changed, line by line. Pure. */
import { diff3MergeRegions } from "node-diff3"
import { type Anchor, anchors, type Lines } from "./internal/anchors.ts"

export interface Versions {
  /** What both set out from. */
  readonly base: string
  readonly user: string
  readonly model: string
}

/** Lines that need no decision, or lines that both changed, each in another way. */
export type Region = { readonly type: "agreed"; readonly text: string } | Conflict

export interface Conflict extends Versions {
  readonly type: "conflict"
}

/**
 * The merged text in order. Where one side alone changed the lines, or both did the same, there is its change; lines
 * that touch each other are one place. What is too long to be compared in a moment is one place as well.
 */
export const merge = ({ base, model, user }: Versions): ReadonlyArray<Region> => {
  const lines: Lines = { user: linesOf(user), base: linesOf(base), model: linesOf(model) }
  const regions = joined(parts(lines).flatMap(compared))
  return isTorn(regions, lines) ? [decided(lines.user, lines.base, lines.model)] : regions
}

/** The model has moved a line into a conflict: it would be taken from where it was, and not put where it went. */
const isTorn = (regions: ReadonlyArray<Region>, { model, user }: Lines): boolean => {
  if (conflicts(regions).length === 0) return false
  const bare = (line: string) => line.replace(/\n$/, "")
  const kept = new Set(linesOf(resolve(regions)).map(bare))
  const known = new Set(model.map(bare))
  return user.some((line) => known.has(bare(line)) && !kept.has(bare(line)))
}

/** The text in which every conflict is decided for one of them. */
export const resolve = (regions: ReadonlyArray<Region>, winner: "user" | "model" = "user"): string =>
  regions.map((region) => (region.type === "agreed" ? region.text : region[winner])).join("")

export const conflicts = (regions: ReadonlyArray<Region>): ReadonlyArray<Conflict> =>
  regions.filter((region) => region.type === "conflict")

/** The text with each conflict between marks, the words of both in it: what editors know from version control. */
export const withConflictMarks = (regions: ReadonlyArray<Region>): string =>
  regions.map((region) => (region.type === "agreed" ? region.text : marks(region))).join("")

/** Cut in front of and behind each line that stands fast, so that long texts are compared a bit at a time. */
const parts = ({ base, model, user }: Lines): ReadonlyArray<Lines> => {
  const cuts = anchors({ base, model, user }).flatMap((anchor) => [anchor, next(anchor)])
  return [...cuts, { base: base.length, user: user.length, model: model.length }].map((to, index) => {
    const from = cuts[index - 1] ?? { base: 0, user: 0, model: 0 }
    return {
      base: base.slice(from.base, to.base),
      user: user.slice(from.user, to.user),
      model: model.slice(from.model, to.model),
    }
  })
}

const next = ({ base, model, user }: Anchor): Anchor => ({ base: base + 1, user: user + 1, model: model + 1 })

/** Neighbours that are agreed are one; what is empty is left out. */
const joined = (regions: ReadonlyArray<Region>): ReadonlyArray<Region> => {
  const all: Array<Region> = []
  for (const region of regions) {
    const last = all.at(-1)
    if (region.type === "agreed" && last?.type === "agreed") {
      all[all.length - 1] = { type: "agreed", text: last.text + region.text }
    } else if (region.type === "conflict" || region.text !== "") all.push(region)
  }
  return all
}

const compared = ({ base, model, user }: Lines): ReadonlyArray<Region> =>
  effort(base, user) + effort(base, model) > EFFORT
    ? [decided(user, base, model)]
    : // Not the library's `diff3Merge`, which spreads its lines into a call and so fails on some 100,000 of them.
      diff3MergeRegions([...user], [...base], [...model]).map((region) =>
        region.stable ? agreed(region.bufferContent) : decided(region.aContent, region.oContent, region.bContent),
      )

/** What the library does to compare two texts: with each pair of equal lines it looks through those it has found. */
const effort = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const counts = new Map<string, number>()
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1)
  const pairs = other.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0)
  return pairs * Math.min(one.length, other.length)
}

/** A quarter of a second at most, measured: texts of 1,400 lines, all of which they have some thirty times. */
const EFFORT = 2e8

const agreed = (lines: ReadonlyArray<string>): Region => ({ type: "agreed", text: lines.join("") })

const decided = (user: ReadonlyArray<string>, base: ReadonlyArray<string>, model: ReadonlyArray<string>): Region => {
  const conflict: Conflict = { type: "conflict", base: base.join(""), user: user.join(""), model: model.join("") }
  return conflict.user === conflict.model ? agreed(user) : conflict
}

const marks = ({ base, model, user }: Versions): string =>
  ["<<<<<<< user\n", ended(user), "||||||| before\n", ended(base), "=======\n", ended(model), ">>>>>>> model\n"].join(
    "",
  )

/** A mark begins a line of its own. */
const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

/** Each with its line break, so that joined they are the text. */
const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+/g) ?? []
