/** Asks for the start page: what the project is, how its parts depend on each other, its terms and its entry points. */

import * as Schema from "effect/Schema"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { ModelId } from "../../message/ModelId.ts"
import { type Page, type Section, START, type Statement } from "../Page.ts"
import type * as Places from "../Places.ts"
import type { Part, Plan } from "../Plan.ts"
import * as Answer from "./Answer.ts"
import { cleanText } from "./cleanText.ts"
import * as Dependence from "./Dependence.ts"
import type * as Material from "./Material.ts"
import { CHANGE, listSection, toBlock, toPointer } from "./PartRequest.ts"
import * as Prompt from "./Prompt.ts"
import * as Statements from "./Statements.ts"

/** How often files of one part use those of another, by the names of the parts. */
export interface PartEdge {
  readonly from: string
  readonly to: string
  readonly count: number
  /** Some of the uses, as `save → Store.append`. */
  readonly examples: ReadonlyArray<string>
}

export interface Input {
  readonly about: Prompt.About
  readonly plan: Plan
  readonly material: Material.Material
  /** Checked statements of the page of each part, with numbers, by the name of the part. */
  readonly statements: ReadonlyMap<string, ReadonlyArray<string>>
  /** The lines of the items of each part, by the name of the part. */
  readonly lines: ReadonlyMap<string, ReadonlyArray<string>>
  /** Lines of documents and manifests that can be cited as files. */
  readonly documents: ReadonlyArray<string>
  /** The edges that are shown, those with the largest counts. */
  readonly edges: ReadonlyArray<PartEdge>
  /** All uses between the parts, those that are not shown too. */
  readonly arrows: Dependence.Arrows
  /** Lines of the symbols at which the project is entered. */
  readonly entryLines: ReadonlyArray<string>
  /** Lines of what most tests use of their own helpers. */
  readonly testLines: ReadonlyArray<string>
}

const Term = Schema.Struct({ term: Schema.String, t: Schema.String, c: Answer.Numbers })

const Dependency = Schema.Struct({
  from: Answer.Numbers,
  to: Answer.Numbers,
  t: Schema.String,
  c: Answer.Numbers,
})

export interface Draft {
  readonly what: ReadonlyArray<Statements.Written>
  readonly depends: ReadonlyArray<typeof Dependency.Type>
  readonly terms: ReadonlyArray<typeof Term.Type>
  readonly change: ReadonlyArray<Statements.Written>
  readonly entry: ReadonlyArray<Statements.Written>
  readonly run: ReadonlyArray<Statements.Written>
  readonly refused: number
}

export const form = Answer.form({
  name: "write_start_page",
  description: "Writes the start page of the wiki",
  parameters: Schema.Struct({
    what: Schema.Array(Statements.WrittenForm).annotations({
      description: "2 to 4 statements: what the project is, who uses it for what, and how it is first used",
    }),
    depends: Schema.Array(
      Schema.Struct({
        from: Schema.Int.annotations({ description: "The number of the part that uses the other" }),
        to: Schema.Int.annotations({ description: "The number of the part that is used" }),
        t: Schema.String.annotations({ description: "What for, in a sentence that names both parts" }),
        c: Schema.Array(Schema.Int),
      }),
    ),
    terms: Schema.Array(
      Schema.Struct({
        term: Schema.String,
        t: Schema.String.annotations({ description: "What it means in this project" }),
        c: Schema.Array(Schema.Int),
      }),
    ),
    change: Schema.Array(Statements.ChangeForm),
    entry: Schema.Array(Statements.WrittenForm).annotations({
      description: "Where the project is entered, and by whom",
    }),
    run: Schema.Array(Statements.WrittenForm).annotations({
      description: "How it is built, run and tested, as its manifests and documents say",
    }),
  }),
  read: (value): Draft | undefined => {
    const what = Answer.entriesOf(value.what, Statements.Written)
    if (what.entries.length === 0) return undefined
    const depends = Answer.entriesOf(value.depends, Dependency)
    const terms = Answer.entriesOf(value.terms, Term)
    const lists = [value.change, value.entry, value.run].map((list) => Answer.entriesOf(list, Statements.Written))
    const [change = none, entry = none, run = none] = lists
    return {
      what: what.entries,
      depends: depends.entries,
      terms: terms.entries,
      change: change.entries,
      entry: entry.entries,
      run: run.entries,
      refused: [what, depends, terms, ...lists].reduce((sum, { refused }) => sum + refused, 0),
    }
  },
})

const none: { readonly entries: ReadonlyArray<Statements.Written>; readonly refused: number } = {
  entries: [],
  refused: 0,
}

export const messageOf = ({
  about,
  documents,
  edges,
  entryLines,
  lines,
  material,
  plan,
  statements,
  testLines,
}: Input): string => {
  const numbers = new Map(plan.parts.map(({ name }, at) => [name, at + 1]))
  const partsLines = plan.parts.flatMap((part) => [
    `Part ${numbers.get(part.name)}: ${part.title}${part.line === "" ? "" : `: ${part.line}`}`,
    ...(statements.get(part.name) ?? []).map((statement) => `  - ${statement}`),
    ...(lines.get(part.name) ?? []).map((line) => `  ${line}`),
  ])
  const hasStatements = Array.from(statements.values()).some(({ length }) => length > 0)
  return [
    ...Prompt.aboutLines(about),
    ...(documents.length === 0 ? [] : ["", ...documents]),
    "",
    hasStatements
      ? "Its parts, each with statements of its page, with the numbers that they cite, and its most used symbols. The statements were held against the source: where they say something, say no more and nothing else than they do."
      : "Its parts, each with its most used symbols:",
    ...partsLines,
    "",
    ...(edges.length === 0
      ? ["No references between parts are known: answer with no dependencies."]
      : [
          "References between parts, counted:",
          ...edges.map(
            ({ count, examples, from, to }) =>
              `${numbers.get(from)} → ${numbers.get(to)}: ${count}${examples.length === 0 ? "" : ` (${examples.map(sanitizeLine).join(", ")})`}`,
          ),
        ]),
    ...(entryLines.length === 0 ? [] : ["", "Much used symbols, some of which may be entry points:", ...entryLines]),
    ...(testLines.length === 0
      ? []
      : ["", "What most tests use of their own helpers:", ...testLines.map(sanitizeLine)]),
    "",
    `Write the start page for somebody who opens this project for the first time (${material.items.length} numbers may be cited). what: what it is, who uses it, for what, and how a user installs it and uses it first. depends: the 3 to 6 dependencies between parts that explain the structure; each is one of the references above. terms: up to 8 words that mean something special in this project, each with what it holds or decides. change: 4 to 8 things that somebody may want to change or add, and the symbols whose bodies decide them. entry: what a user of the project calls or runs first, and what that leads to. run: how it is built, run, tested and released, with which helpers a test is written, and what a contribution has to have, only if the material above says so; cite its number.`,
  ].join("\n")
}

/** The titles of the sections of the start page. */
export const TITLES = {
  parts: "Parts",
  depends: "How the parts depend on each other",
  terms: "Terms",
  change: CHANGE,
  entry: "Entry points",
  run: "How it is built, run and tested",
}

/** The most entries of a section. */
const MAX_ENTRIES = 10

/**
 * Makes the start page of an answer. A dependency that no reference between its parts shows is refused, unless that
 * proves nothing (`Dependence.Arrows`).
 */
export const toPage = (
  { about, arrows, material, plan }: Pick<Input, "about" | "arrows" | "material" | "plan">,
  draft: Draft,
  model: ModelId,
): {
  readonly page: Page | undefined
  readonly refused: Statements.Refused
  /** Says of each dependency that was refused what the references show. */
  readonly flaws: ReadonlyArray<string>
} => {
  const what = Statements.toStatements(draft.what, material, model)
  const partAt = ([number = 0]: ReadonlyArray<number>): string | undefined => plan.parts[number - 1]?.name
  const held = draft.depends.map((entry) => ({ entry, flaw: flawOf(arrows, partAt(entry.from), partAt(entry.to)) }))
  const real = held.filter(({ flaw }) => flaw === undefined).map(({ entry }) => entry)
  const depends = Statements.toStatements(real, material, model)
  const terms = draft.terms.map(({ c, t, term }) => {
    const name = cleanText(term)
      .replaceAll("*", "")
      .replaceAll(/^[_:\s]+|[_:\s]+$/g, "")
    return Statements.toStatement(
      { t: name === "" ? "" : `*${name}*: ${cleanText(t)}`, c, kind: "claim" },
      material,
      model,
    )
  })
  const change = draft.change.map(({ c, t }) => toPointer(t, c, material, model))
  const entry = Statements.toStatements(draft.entry, material, model)
  const run = Statements.toStatements(draft.run, material, model)
  const list = (title: string, statements: ReadonlyArray<Statement>) =>
    listSection(title, statements.slice(0, MAX_ENTRIES))
  const sections: ReadonlyArray<Section> = [
    { form: "text", blocks: toBlock(what.statements.slice(0, MAX_ENTRIES)) },
    ...list(TITLES.depends, depends.statements),
    ...list(
      TITLES.terms,
      terms.flatMap(({ statement }) => statement ?? []),
    ),
    ...list(
      TITLES.change,
      change.flatMap(({ statement }) => statement ?? []),
    ),
    ...list(TITLES.entry, entry.statements),
    ...list(TITLES.run, run.statements),
  ]
  const refused = Statements.addRefused(
    what.refused,
    depends.refused,
    ...terms.map(({ refused }) => refused),
    ...change.map(({ refused }) => refused),
    entry.refused,
    run.refused,
    { statements: draft.refused + draft.depends.length - real.length, numbers: 0 },
  )
  const page: Page = { name: START, kind: "start", title: about.name, sections }
  return {
    page: what.statements.length === 0 ? undefined : page,
    refused,
    flaws: held.flatMap(({ flaw }) => flaw ?? []),
  }
}

const flawOf = (arrows: Dependence.Arrows, from: string | undefined, to: string | undefined): string | undefined =>
  from === undefined || to === undefined || from === to
    ? "a dependency is between two parts of the list"
    : Dependence.refusalOf(arrows, { from, to })

/** Returns the counts of references between parts, the most first. Files of no part are left out. */
export const edgesOf = (uses: Places.Uses, parts: ReadonlyArray<Part>): ReadonlyArray<Omit<PartEdge, "examples">> => {
  const counts = Array.from(Dependence.count(uses, parts).counts, ([key, count]) => {
    const [from = "", to = ""] = key.split("\0")
    return { from, to, count }
  })
  return counts.toSorted(
    (one, other) => other.count - one.count || (one.from + one.to < other.from + other.to ? -1 : 1),
  )
}
