/** Asks for the pages of flows: at most twelve steps, each with the symbol that calls and the one that is called. */
import * as Schema from "effect/Schema"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { ModelId } from "../../message/ModelId.ts"
import type { Page, Section, Statement } from "../Page.ts"
import * as Places from "../Places.ts"
import type { Flow, Part } from "../Plan.ts"
import * as StatementText from "../StatementText.ts"
import * as Answer from "./Answer.ts"
import * as CallMark from "./CallMark.ts"
import * as Material from "./Material.ts"
import * as Prompt from "./Prompt.ts"
import type { Sources } from "./Sources.ts"
import * as Statements from "./Statements.ts"

/** A call on the way of a flow. */
export interface Call {
  /** How many calls lead to it from the start; the start has 0. */
  readonly depth: number
  readonly item: Material.Item
  /** The line of the call in the caller; undefined for the start. */
  readonly line: number | undefined
  /** How it is called if not directly, or that it only passes the call on: `in a closure`, `through a table`. */
  readonly mark: string | undefined
}

export interface Input {
  readonly about: Prompt.About
  readonly flow: Flow
  readonly parts: ReadonlyArray<Part>
  readonly material: Material.Material
  /** The calls in the order of a walk from the start, each after its caller. */
  readonly calls: ReadonlyArray<Call>
  /** Flows whose pages go on from some of its calls. */
  readonly others?: ReadonlyArray<Flow> | undefined
  /** The sources of functions on it. */
  readonly sources: Sources
}

/** The steps as a model writes them. */
export interface Draft {
  readonly steps: ReadonlyArray<Statements.Written>
  readonly refused: number
}

/** The flows of an answer by their numbers in the request, from 1. */
export type Drafts = ReadonlyMap<number, Draft>

const StepForm = Schema.String.annotations({
  description:
    "What happens in this step, in one or two sentences, and at the end in brackets the number of what is called, that of its caller, and up to two more: The name is looked up. [17,3]",
})

export const form = Answer.form({
  name: "write_flows",
  description: "Writes the steps of flows through the project",
  parameters: Schema.Struct({
    flows: Schema.Array(
      Schema.Struct({
        flow: Schema.Int.annotations({ description: "The number of the flow" }),
        steps: Schema.Array(StepForm),
      }),
    ),
  }),
  read: (value): Drafts | undefined =>
    Answer.numbered(value.flows ?? value, "flow", ({ steps }) => {
      const { entries, refused } = Answer.entriesOf(steps, Statements.Written)
      return entries.length === 0 ? undefined : { steps: entries, refused }
    }),
})

const MAX_STEPS = 12

/** The title of the list of flows that tell what this one leaves to them. */
const GOES_ON = "Told on other pages"

/**
 * Writes the calls of a flow as a tree. A symbol that is `told` already has only its number and its name, and its part
 * is named where it is another one than that of the caller.
 */
const callLines = ({ calls, material, parts, sources }: Input, told: Set<string>): ReadonlyArray<string> => {
  const partOf = Places.finderOf(parts)
  const partsAbove: Array<string | undefined> = []
  return calls.map(({ depth, item, line, mark }) => {
    const key = Material.keyOf(item)
    const source = sources.get(key)
    const text = told.has(key)
      ? Material.headOf(material, item)
      : source === undefined
        ? Material.lineOf(material, item)
        : Material.lineBeside(material, item, source.text)
    told.add(key)
    const part = partOf(Places.targetOf(item))?.title
    const isNamed = part !== undefined && part !== partsAbove[depth - 1]
    partsAbove[depth] = part ?? partsAbove[depth - 1]
    return `${" ".repeat(depth)}${line === undefined ? "" : `${line}: `}${text}${isNamed ? ` {${sanitizeLine(part)}}` : ""}${mark === undefined ? "" : ` <${sanitizeLine(mark)}>`}`
  })
}

/** The meanings of marks of calls that only some requests have (`CallMark`). */
const NOTES: ReadonlyArray<readonly [mark: string, note: string]> = [
  [CallMark.PASSED, "not called there, and runs when something else calls it"],
  [CallMark.IN_CLOSURE, "called in a function inside the caller, when that runs"],
  [CallMark.REPEATED, "its own calls stand elsewhere in the tree"],
]

const noteOf = (inputs: ReadonlyArray<Input>): string => {
  const marks = inputs.flatMap(({ calls }) => calls.flatMap(({ mark }) => mark?.split("; ") ?? []))
  const notes = NOTES.filter(([mark]) => marks.includes(mark)).map(([mark, note]) => `<${mark}>: ${note}`)
  return notes.length === 0 ? "" : ` ${notes.join("; ")}.`
}

/** Writes the message for some flows of a project, whose materials have the same numbers. */
export const messageOf = (inputs: readonly [Input, ...ReadonlyArray<Input>]): string => {
  const [{ about }] = inputs
  const told = new Set<string>()
  const hasOthers = inputs.some(({ others = [] }) => others.length > 0)
  return [
    ...Prompt.aboutLines({ ...about, readme: undefined }),
    "",
    `A flow to describe has its calls as a tree. A call stands below its caller, behind the line of the call (what stands below a class is called by its methods, and what is marked as through $x is what the code gives the caller there, of which others may give something else). In braces is the part of a symbol if it is not that of the caller.${noteOf(inputs)} What a symbol is for stands at its first mention. Sources of functions on it follow.`,
    ...inputs.flatMap((input, at) => [
      "",
      `Flow ${at + 1} to describe: ${input.flow.title}`,
      "Calls:",
      ...callLines(input, told),
      ...(input.sources.size === 0 ? [] : ["Sources:"]),
      ...Array.from(input.sources.values()).flatMap(({ item, lines }) => [
        Material.sourceTitle(input.material, item),
        ...lines,
      ]),
    ]),
    "",
    `${inputs.length === 1 ? "Write" : "For each flow, write"} at most ${MAX_STEPS} steps from the start to what the flow is for, in the order in which they happen. Leave out helpers, logging and checks that explain nothing. Each step is one statement about one call: cite the symbol that is called, then the one that calls it. What only passes the call on is no step: write what it leads to, and cite it last. For what the start does by itself cite its number alone. If a step happens later, through an event, a callback or a timer, say so. For a call through a variable or property cite what is called, its caller and what gives it, and say that it is what is given. If something happens only under a condition, name the condition, and what is returned or raised otherwise.${hasOthers ? " A call that is told in another flow is one step: say when it is made and what for, and no more, since its page has the rest." : ""}`,
  ].join("\n")
}

/** Makes the page of an answer. Undefined if fewer than two steps are left, since one step is no flow. */
export const toPage = (
  { flow, material, others = [] }: Pick<Input, "flow" | "material" | "others">,
  draft: Draft,
  model: ModelId,
): { readonly page: Page | undefined; readonly refused: Statements.Refused } => {
  const { refused, statements } = Statements.toStatements(
    draft.steps.map(({ c, t }) => ({ t, c, kind: "claim" })),
    material,
    model,
  )
  const steps: Section = {
    form: "steps",
    blocks: statements.slice(0, MAX_STEPS).map((statement) => [statement] as const),
  }
  const goesOn = others.map(({ name, start, title }) => {
    const pointer: Statement = {
      text: StatementText.linkToPage(title, name),
      kind: "pointer",
      author: "model",
      model: String(model),
      citations: [start],
    }
    return [pointer] as const
  })
  const page: Page = {
    name: flow.name,
    kind: "flow",
    title: flow.title,
    sections: [steps, ...(goesOn.length === 0 ? [] : [{ title: GOES_ON, form: "list" as const, blocks: goesOn }])],
  }
  return {
    page: statements.length < 2 ? undefined : page,
    refused: Statements.addRefused(refused, { statements: draft.refused, numbers: 0 }),
  }
}
