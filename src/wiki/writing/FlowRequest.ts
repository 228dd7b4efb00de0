/** Asks for the page of a flow: at most twelve steps, each with the symbol that calls and the one that is called. */
import * as Schema from "effect/Schema"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { ModelId } from "../../message/ModelId.ts"
import type { Page, Section, Statement } from "../Page.ts"
import * as Places from "../Places.ts"
import type { Flow, Part } from "../Plan.ts"
import * as StatementText from "../StatementText.ts"
import * as Answer from "./Answer.ts"
import * as Material from "./Material.ts"
import * as Prompt from "./Prompt.ts"
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
  /** The sources of the functions on it. */
  readonly sources: ReadonlyArray<string>
}

/** The steps as a model writes them. */
export interface Draft {
  readonly steps: ReadonlyArray<Statements.Written>
  readonly refused: number
}

export const form = Answer.form({
  name: "write_flow",
  description: "Writes the steps of a flow through the project",
  parameters: Schema.Struct({
    steps: Schema.Array(
      Schema.String.annotations({
        description:
          "What happens in this step, in one or two sentences, and at the end in brackets the number of what is called, that of its caller, and up to two more: The name is looked up. [17, 3]",
      }),
    ),
  }),
  read: (value): Draft | undefined => {
    const { entries, refused } = Answer.entriesOf(value.steps, Statements.Written)
    return entries.length === 0 ? undefined : { steps: entries, refused }
  },
})

const MAX_STEPS = 12

/** The title of the list of flows that tell what this one leaves to them. */
const GOES_ON = "Told on other pages"

export const messageOf = ({ about, calls, flow, material, others = [], parts, sources }: Input): string => {
  const partOf = Places.finderOf(parts)
  return [
    ...Prompt.aboutLines({ ...about, readme: undefined }),
    "",
    `The flow to describe: ${flow.title}`,
    "",
    "Its calls as a tree. A call stands below its caller with the line of the call (what stands below a class is called by its methods, and what is marked as through $x is what the code gives the caller there, of which others may give something else); the part that a symbol belongs to is in braces:",
    ...calls.map(({ depth, item, line, mark }) => {
      const at = line === undefined ? "" : `line ${line}: `
      const part = partOf(Places.targetOf(item))?.title
      return `${"  ".repeat(depth)}${at}${Material.lineOf(material, item)}${part === undefined ? "" : ` {${sanitizeLine(part)}}`}${mark === undefined ? "" : ` <${sanitizeLine(mark)}>`}`
    }),
    ...(sources.length === 0 ? [] : ["", "Sources of functions on it:", ...sources]),
    "",
    `Write at most ${MAX_STEPS} steps from the start to what the flow is for, in the order in which they happen. Leave out helpers, logging and checks that explain nothing. Each step is one statement about one call: cite the symbol that is called, then the one that calls it. What only passes the call on is no step: write what it leads to, and cite it last. For what the start does by itself cite its number alone. If a step happens later, through an event, a callback or a timer, say so. For a call through a variable or property cite what is called, its caller and what gives it, and say that it is what is given. If something happens only under a condition, name the condition, and what is returned or raised otherwise.${others.length === 0 ? "" : " A call that is told in another flow is one step: say when it is made and what for, and no more, since its page has the rest."}`,
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
