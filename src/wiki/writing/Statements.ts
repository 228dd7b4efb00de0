/** Turns what a model wrote into statements: numbers become citations, and text becomes plain Markdown. Pure. */
import * as Schema from "effect/Schema"
import { isObject } from "../../base/Json.ts"
import type { ModelId } from "../../message/ModelId.ts"
import type { Statement } from "../Page.ts"
import { Numbers } from "./Answer.ts"
import { cleanText } from "./cleanText.ts"
import * as Material from "./Material.ts"

const Fields = Schema.Struct({
  t: Schema.String,
  c: Schema.optionalWith(Numbers, { default: () => [], nullable: true }),
  kind: Schema.optional(Schema.Unknown),
})

/** A statement as a model wrote it: text, numbers, and whether it only points at symbols. */
export type Written = typeof Fields.Type

/**
 * Reads a statement as a model writes it: a text with numbers in brackets at its end or after its sentences, or an
 * object with a field for each, `want` for the text of a change.
 */
export const Written = Schema.transform(Schema.Unknown, Fields, {
  strict: false,
  decode: (value) =>
    typeof value === "string" ? fromText(value) : isObject(value) ? { ...value, t: value.t ?? value.want } : value,
  encode: (fields) => fields,
})

/** A list of numbers may be a value that a statement names, so it counts only after a sentence and at the end. */
const CITED = /(?<=[.!?]["'`)]?)\s*\[\d+(?:\s*[,;]\s*\d+)*\]|\s*\[\d+(?:\s*[,;]\s*\d+)*\](?=[.!?]?\s*$)/g

const fromText = (text: string) => ({ t: text.replaceAll(CITED, ""), c: text.match(CITED) ?? [] })

/**
 * The form of a statement in the declaration of a tool. Fields for text and numbers would be a tenth of all that a
 * model writes, which costs most.
 */
export const WrittenForm = Schema.String.annotations({
  description:
    "One to three sentences, and at the end in brackets the numbers of at most four symbols, the deciding one first: It fails without a name. [17,3]",
})

/** The form of what somebody may want to change, with the symbols where that is done. */
export const ChangeForm = Schema.String.annotations({
  description:
    "What somebody wants to change, in a few words, and in brackets the numbers of the symbols where it is changed: The longest name [17]",
})

/** Counts what was refused in an answer. */
export interface Refused {
  /** Statements that were dropped, since no citation was left or no text. */
  readonly statements: number
  /** Numbers that are not in the material. */
  readonly numbers: number
}

export const nothingRefused: Refused = { statements: 0, numbers: 0 }

export const addRefused = (...all: ReadonlyArray<Refused>): Refused =>
  all.reduce(
    (sum, { numbers, statements }) => ({ statements: sum.statements + statements, numbers: sum.numbers + numbers }),
    nothingRefused,
  )

/** The most citations of a statement. */
const MAX_CITATIONS = 4

/**
 * Makes a statement of what a model wrote. Undefined if no number of it is in the material, or if no text is left after
 * cleaning.
 */
export const toStatement = (
  { c, kind, t }: Written,
  material: Material.Material,
  model: ModelId,
): { readonly statement: Statement | undefined; readonly refused: Refused } => {
  const numbers = Array.from(new Set(c))
  const citations = numbers.flatMap((number) => Material.citationAt(material, number) ?? [])
  const text = cleanText(t)
  const refused = numbers.length - citations.length
  if (text === "" || citations.length === 0)
    return { statement: undefined, refused: { statements: 1, numbers: refused } }
  return {
    statement: {
      text,
      kind: kind === "pointer" ? "pointer" : "claim",
      author: "model",
      model: String(model),
      // Each claim is held against the source after its page is written.
      ...(kind !== "pointer" && { unchecked: "due" as const }),
      citations: citations.slice(0, MAX_CITATIONS),
    },
    refused: { statements: 0, numbers: refused },
  }
}

/** Does the same for a list of them; entries of another form are refused. */
export const toStatements = (
  written: ReadonlyArray<Written>,
  material: Material.Material,
  model: ModelId,
): { readonly statements: ReadonlyArray<Statement>; readonly refused: Refused } => {
  const all = written.map((each) => toStatement(each, material, model))
  return {
    statements: all.flatMap(({ statement }) => statement ?? []),
    refused: addRefused(...all.map(({ refused }) => refused)),
  }
}

/** Counts the words of statements. */
export const wordsOf = (statements: ReadonlyArray<Statement>): number =>
  statements.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
