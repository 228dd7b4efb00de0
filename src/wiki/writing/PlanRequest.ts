/**
 * Asks for the plan of a wiki: a model groups units of files into parts and chooses the flows that are described. The
 * program checks that each unit is in exactly one part.
 */
import * as Schema from "effect/Schema"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { FileGraph } from "../FileGraph.ts"
import { START } from "../Page.ts"
import { uniqueName } from "../Parts.ts"
import * as Places from "../Places.ts"
import type { Flow, Part, Plan } from "../Plan.ts"
import * as Answer from "./Answer.ts"
import { cleanText } from "./cleanText.ts"
import * as Material from "./Material.ts"
import * as Prompt from "./Prompt.ts"

/** A unit with what a request says of it. */
export interface DescribedUnit extends Places.Unit {
  /** Names of its most used symbols with what they are for, the most used first. */
  readonly symbolLines: ReadonlyArray<string>
  /** Numbers of the units that it uses most, and of those that use it most, the most first. */
  readonly uses: ReadonlyArray<Neighbour>
  readonly usedBy: ReadonlyArray<Neighbour>
}

export interface Neighbour {
  readonly unit: number
  readonly count: number
}

/** A symbol at which a flow may begin. */
export interface Candidate {
  readonly item: Material.Item
  /** Why it may be a beginning: `exported by the entry file`, `a route`. */
  readonly reason: string
}

export interface Input {
  readonly about: Prompt.About
  readonly units: ReadonlyArray<DescribedUnit>
  readonly candidates: ReadonlyArray<Candidate>
  /** The symbols at the top of files that are divided; none if it is missing. */
  readonly heads?: FileGraph["heads"] | undefined
}

const WrittenPart = Schema.Struct({
  title: Schema.String,
  line: Schema.optionalWith(Schema.String, { default: () => "", nullable: true }),
  units: Answer.Numbers,
})

const WrittenFlow = Schema.Struct({ title: Schema.String, start: Answer.Numbers })

/** The plan as a model writes it, with numbers. */
export interface Draft {
  readonly parts: ReadonlyArray<typeof WrittenPart.Type>
  readonly flows: ReadonlyArray<typeof WrittenFlow.Type>
}

export const form = Answer.form({
  name: "write_plan",
  description: "Says which parts the project has and which flows matter",
  parameters: Schema.Struct({
    parts: Schema.Array(
      Schema.Struct({
        title: Schema.String.annotations({ description: "One to four words" }),
        line: Schema.String.annotations({ description: "What it is for, in a sentence of at most 15 words" }),
        units: Schema.Array(Schema.Int).annotations({ description: "The numbers of its units" }),
      }),
    ),
    flows: Schema.Array(
      Schema.Struct({
        title: Schema.String.annotations({ description: "What happens when …" }),
        start: Schema.Int.annotations({ description: "The number of the candidate at which it begins" }),
      }),
    ),
  }),
  read: (value): Draft | undefined => {
    if (value.parts === undefined) return undefined
    const { entries: parts } = Answer.entriesOf(value.parts, WrittenPart)
    return parts.length === 0 ? undefined : { parts, flows: Answer.entriesOf(value.flows, WrittenFlow).entries }
  },
})

/** The most parts of a wiki, and the most flows. */
const MAX_PARTS = 15
const MAX_FLOWS = 6

/** Returns how many parts are asked for: 8 to 15, and fewer for a project with few units. */
export const rangeOf = (units: number): { readonly least: number; readonly most: number } => ({
  least: Math.min(8, Math.max(1, Math.ceil(units / 2))),
  most: Math.min(MAX_PARTS, Math.max(1, units)),
})

export const messageOf = ({ about, candidates, units }: Input, flaws: ReadonlyArray<string> = []): string => {
  const { least, most } = rangeOf(units.length)
  const count = least === most ? plural(most, "part") : `${least} to ${most} parts`
  return [
    ...Prompt.aboutLines(about),
    ...(about.documents === undefined || about.documents.length === 0
      ? []
      : ["", "Its own documents:", ...about.documents.map(sanitizeLine)]),
    "",
    "Units of its code: number, folder or file, and how much it has; below each what it uses and its most used symbols.",
    ...units.flatMap(unitLines),
    "",
    ...(candidates.length === 0
      ? ["There are no candidates for flows: answer with none."]
      : [
          "Candidates for the beginning of a flow:",
          ...candidates.map(({ item, reason }, at) =>
            [
              `[${at + 1}] ${Material.nameOf(item)} in ${sanitizeLine(item.path)} (${sanitizeLine(reason)})`,
              ...(item.entry === undefined ? [] : Material.purposeOf(item.entry, 90)),
            ].join(" "),
          ),
        ]),
    "",
    `Group the units into ${count} as a maintainer would explain the project to a newcomer: by what they are for, not by folder where the folder says nothing. Each unit belongs to exactly one part. Small helpers may be one part. Order the parts as one would read them.`,
    ...(candidates.length === 0
      ? []
      : [
          `Choose the flows that explain most of how the project works: what a user or a caller sets off. Three to ${MAX_FLOWS} are usual; choose fewer if the other candidates explain little. Title each as "What happens when …".`,
        ]),
    ...(flaws.length === 0
      ? []
      : ["", "Your plan before had these flaws. Write the whole plan anew without them:", ...flaws]),
  ].join("\n")
}

const unitLines = (unit: DescribedUnit): ReadonlyArray<string> => {
  const neighbours = (label: string, list: ReadonlyArray<Neighbour>): ReadonlyArray<string> =>
    list.length === 0 ? [] : [`${label} ${list.map(({ count, unit }) => `${unit} (${count})`).join(", ")}`]
  const links = [...neighbours("uses", unit.uses), ...neighbours("used by", unit.usedBy)].join("; ")
  return [
    `${unit.number}. ${sanitizeLine(unit.path)}${filesOf(unit)}: ${plural(unit.files.length, "file")}, ${plural(unit.size, "symbol")}${links === "" ? "" : `; ${links}`}`,
    ...unit.symbolLines.map((line) => `   ${line}`),
  ]
}

/** The most files of a unit that are named. */
const MAX_NAMED = 6

/** Names the files of a unit whose path does not say which they are, or the symbols of a section of a file. */
const filesOf = ({ files, isHelpers, path, symbols: [section] = [] }: Places.Unit): string => {
  if (section !== undefined && !path.endsWith("/")) {
    const { length } = section.names
    return ` (only ${section.names.slice(0, MAX_NAMED).map(sanitizeLine).join(", ")}${length > MAX_NAMED ? ", …" : ""})`
  }
  if (!path.endsWith("/") || (!isHelpers && files.length > 2)) return ""
  const names = files.slice(0, MAX_NAMED).map((file) => sanitizeLine(file.slice(file.lastIndexOf("/") + 1)))
  return ` (${names.join(", ")}${files.length > MAX_NAMED ? ", …" : ""})`
}

/** Says what is wrong with a plan, as lines for the model; none if each unit is in exactly one part. */
export const flawsOf = (draft: Draft, units: ReadonlyArray<Places.Unit>): ReadonlyArray<string> => {
  const counts = new Map(units.map(({ number }) => [number, 0]))
  const unknown = new Set<number>()
  for (const number of draft.parts.flatMap((part) => part.units)) {
    const count = counts.get(number)
    if (count === undefined) unknown.add(number)
    else counts.set(number, count + 1)
  }
  const missing = units.filter(({ number }) => counts.get(number) === 0)
  const twice = units.filter(({ number }) => (counts.get(number) ?? 0) > 1)
  const { least, most } = rangeOf(units.length)
  const filled = draft.parts.filter((part) => part.units.some((number) => counts.has(number)))
  return [
    ...(missing.length === 0 ? [] : [`- These units are in no part: ${list(missing)}`]),
    ...(twice.length === 0 ? [] : [`- These units are in more than one part: ${list(twice)}`]),
    ...(unknown.size === 0
      ? []
      : [`- There are no units with these numbers: ${Array.from(unknown).slice(0, 20).join(", ")}`]),
    ...(filled.length < least || filled.length > most
      ? [
          `- There are ${filled.length} parts with units; there should be ${least === most ? most : `${least} to ${most}`}`,
        ]
      : []),
  ]
}

const list = (units: ReadonlyArray<Places.Unit>): string =>
  units
    .slice(0, 60)
    .map(({ number, path }) => `${number} (${sanitizeLine(path)})`)
    .join(", ")

/** The share of the units that the program may place itself if a model leaves them out or names them twice. */
const MAX_MISPLACED = 0.2

/**
 * Makes a plan of an answer. A unit that is in several parts stays in the first, and one that is in none joins the part
 * that has most of its folder. Undefined if the answer misplaces more than a fifth of the units, has too many parts, or
 * puts a project of many units into a single one.
 */
export const toPlan = (
  draft: Draft,
  {
    candidates,
    heads = new Map(),
    units,
  }: Pick<Input, "candidates" | "heads"> & { readonly units: ReadonlyArray<Places.Unit> },
): Plan | undefined => {
  const partOf = new Map<number, number>()
  const known = new Map(units.map((unit) => [unit.number, unit]))
  let misplaced = 0
  draft.parts.forEach((part, position) => {
    for (const number of new Set(part.units)) {
      if (!known.has(number)) continue
      if (partOf.has(number)) misplaced += 1
      else partOf.set(number, position)
    }
  })
  const missing = units.filter(({ number }) => !partOf.has(number))
  if (misplaced + missing.length > units.length * MAX_MISPLACED) return undefined
  for (const unit of missing) {
    const nearest = nearestOf(
      unit,
      units.filter(({ number }) => partOf.has(number)),
    )
    partOf.set(unit.number, (nearest && partOf.get(nearest.number)) ?? 0)
  }
  const filled = draft.parts
    .map((part, position) => ({ part, units: units.filter(({ number }) => partOf.get(number) === position) }))
    .filter(({ units }) => units.length > 0)
  const { least, most } = rangeOf(units.length)
  if (filled.length > most || 2 * filled.length < least) return undefined
  const names = new Set([START])
  const parts = filled.map(({ part, units }, position): Part => {
    const title = titleOf(part.title) || `Part ${position + 1}`
    return {
      name: nameOf(title, names, `part ${position + 1}`),
      title,
      line: cleanText(part.line),
      ...Places.union(units, heads),
    }
  })
  return { parts, flows: flowsOf(draft, candidates), undescribed: [] }
}

/** Returns the unit whose path has the longest common beginning. */
const nearestOf = (unit: Places.Unit, others: ReadonlyArray<Places.Unit>): Places.Unit | undefined => {
  const common = (other: Places.Unit): number => {
    let length = 0
    while (length < unit.path.length && unit.path[length] === other.path[length]) length += 1
    return length
  }
  return others.toSorted((one, other) => common(other) - common(one))[0]
}

/** Returns a name for the page with a title, and adds it to those that are taken. */
const nameOf = (title: string, taken: Set<string>, otherwise: string): string => {
  const words = title.normalize("NFKD").replaceAll(/\p{M}/gu, "")
  // A title in another script leaves nothing.
  const name = uniqueName((/[a-z0-9]/i.test(words) ? words : otherwise).replaceAll(/[^a-z0-9]+/gi, " ").trim(), taken)
  taken.add(name)
  return name
}

/** Returns the flows of an answer that begin at a candidate, each at another one. */
export const flowsOf = (draft: Draft, candidates: ReadonlyArray<Candidate>): ReadonlyArray<Flow> => {
  const starts = new Set<number>()
  const names = new Set<string>()
  return draft.flows
    .flatMap(({ start: [start = 0], title }): ReadonlyArray<Flow> => {
      const candidate = candidates[start - 1]
      if (candidate === undefined || starts.has(start)) return []
      starts.add(start)
      const text = titleOf(title) || `What happens in ${Material.nameOf(candidate.item)}`
      const short = text.replace(/^what happens (?:when|if|after|on|in)\s+/i, "")
      return [
        {
          name: `flow-${nameOf(short, names, String(starts.size))}`,
          title: text,
          start: Material.citationOf(candidate.item),
        },
      ]
    })
    .slice(0, MAX_FLOWS)
}

/** The most characters of a title. */
const MAX_TITLE = 80

const titleOf = (text: string): string => Material.cut(cleanText(text).replace(/[.:]+$/, ""), MAX_TITLE)
