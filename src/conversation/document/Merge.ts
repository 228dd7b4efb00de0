/** Three-way merge of a text that a user and a model have both changed, line by line. Pure. */
import { diff3MergeRegions } from "node-diff3"
import { type Anchor, anchors, type Lines } from "./anchors.ts"

export interface Versions {
  /** The version that both started from. */
  readonly base: string
  readonly user: string
  readonly model: string
}

/** Lines without a conflict, or lines that both changed differently. */
export type Region = { readonly type: "agreed"; readonly text: string } | Conflict

export interface Conflict extends Versions {
  readonly type: "conflict"
}

/**
 * Merges the versions into regions, in order. Lines that one side changed, or both in the same way, have that change;
 * adjacent changed lines are one region. A part that would take too long to compare is one region, too.
 */
export const merge = ({ base, model, user }: Versions): ReadonlyArray<Region> => {
  const lines: Lines = { user: linesOf(user), base: linesOf(base), model: linesOf(model) }
  const regions = joinAgreed(splitAtAnchors(lines).flatMap(mergePart))
  return losesMovedLine(regions, lines) ? [conflictUnlessSame(lines.user, lines.base, lines.model)] : regions
}

/** Returns true if the model has moved a line of the user's into a conflict, so that the merge would lose it. */
const losesMovedLine = (regions: ReadonlyArray<Region>, { model, user }: Lines): boolean => {
  if (conflicts(regions).length === 0) return false
  const bare = (line: string) => line.replace(/\n$/, "")
  const merged = new Set(linesOf(resolve(regions)).map(bare))
  const known = new Set(model.map(bare))
  return user.some((line) => known.has(bare(line)) && !merged.has(bare(line)))
}

/** Returns the text with every conflict decided for one side. */
export const resolve = (regions: ReadonlyArray<Region>, winner: "user" | "model" = "user"): string =>
  regions.map((region) => (region.type === "agreed" ? region.text : region[winner])).join("")

export const conflicts = (regions: ReadonlyArray<Region>): ReadonlyArray<Conflict> =>
  regions.filter((region) => region.type === "conflict")

/** Returns the text with both sides of each conflict between marks, in the form of version control (diff3). */
export const withConflictMarks = (regions: ReadonlyArray<Region>): string =>
  regions.map((region) => (region.type === "agreed" ? region.text : conflictMarks(region))).join("")

/** Splits before and after each anchor, so that long texts are compared in small parts. */
const splitAtAnchors = ({ base, model, user }: Lines): ReadonlyArray<Lines> => {
  const cuts = anchors({ base, model, user }).flatMap((anchor) => [anchor, lineAfter(anchor)])
  return [...cuts, { base: base.length, user: user.length, model: model.length }].map((to, index) => {
    const from = cuts[index - 1] ?? { base: 0, user: 0, model: 0 }
    return {
      base: base.slice(from.base, to.base),
      user: user.slice(from.user, to.user),
      model: model.slice(from.model, to.model),
    }
  })
}

const lineAfter = ({ base, model, user }: Anchor): Anchor => ({ base: base + 1, user: user + 1, model: model + 1 })

/** Joins adjacent regions without conflict, and drops empty ones. */
const joinAgreed = (regions: ReadonlyArray<Region>): ReadonlyArray<Region> => {
  const all: Array<Region> = []
  for (const region of regions) {
    const last = all.at(-1)
    if (region.type === "agreed" && last?.type === "agreed") {
      all[all.length - 1] = { type: "agreed", text: last.text + region.text }
    } else if (region.type === "conflict" || region.text !== "") all.push(region)
  }
  return all
}

const mergePart = ({ base, model, user }: Lines): ReadonlyArray<Region> =>
  comparisonCost(base, user) + comparisonCost(base, model) > MAX_COMPARISON_COST
    ? [conflictUnlessSame(user, base, model)]
    : // The library's `diff3Merge` passes all lines as arguments, and overflows the stack at about 100,000 of them.
      diff3MergeRegions([...user], [...base], [...model]).map((region) =>
        region.stable
          ? agreedRegion(region.bufferContent)
          : conflictUnlessSame(region.aContent, region.oContent, region.bContent),
      )

/** Returns an upper bound of the library's steps: for each pair of equal lines it searches those found so far. */
const comparisonCost = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const counts = new Map<string, number>()
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1)
  const pairs = other.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0)
  return pairs * Math.min(one.length, other.length)
}

/**
 * The highest cost of a comparison: measured as at most a quarter of a second, for texts of 1,400 lines in which each
 * line occurs thirty times.
 */
const MAX_COMPARISON_COST = 2e8

const agreedRegion = (lines: ReadonlyArray<string>): Region => ({ type: "agreed", text: lines.join("") })

const conflictUnlessSame = (
  user: ReadonlyArray<string>,
  base: ReadonlyArray<string>,
  model: ReadonlyArray<string>,
): Region => {
  const conflict: Conflict = { type: "conflict", base: base.join(""), user: user.join(""), model: model.join("") }
  return conflict.user === conflict.model ? agreedRegion(user) : conflict
}

const conflictMarks = ({ base, model, user }: Versions): string =>
  [
    "<<<<<<< user\n",
    withLineBreak(user),
    "||||||| before\n",
    withLineBreak(base),
    "=======\n",
    withLineBreak(model),
    ">>>>>>> model\n",
  ].join("")

const withLineBreak = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

/** Splits a text into lines, each with its line break. */
const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+/g) ?? []

/** An edit of the user: its text before and after. */
export interface Edit {
  readonly before: string
  readonly after: string
}

/**
 * Applies the user's edits again when a conversation continues after another node. Applies edits of the user, in order,
 * to another version of the text. Lines that the other version has changed as well have the user's text, so that no
 * words of the user are lost. Changes that a model made between the edits are left out.
 */
export const rebase = (edits: ReadonlyArray<Edit>, onto: string): string =>
  edits.reduce(
    (text, { after, before }) =>
      before === after || text === after
        ? text
        : text === before
          ? after
          : resolve(merge({ base: before, user: after, model: text })),
    onto,
  )
