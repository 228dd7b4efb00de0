/** The choices after a PRD is saved. Pure. */

import type { Prd } from "../../chat/Prd.ts"
import type { NodeId } from "../../message/NodeId.ts"

export type Choice = "json" | "beads" | "done"

export interface Review {
  /** The position of the conversation: the choices are valid only there. */
  readonly at: NodeId
  readonly prd: Prd
  /** The file of the document; none where it was not written. */
  readonly path: string | undefined
  readonly left: ReadonlyArray<Choice>
}

/** Each keeps its number when others are removed from the list. */
const numbers: Readonly<Record<Choice, number>> = { json: 1, beads: 2, done: 3 }

const labels: Readonly<Record<Choice, string>> = {
  json: "JSON (prd.json)",
  beads: "Beads issues",
  done: "Done",
}

/** A line each. */
export const offerText = ({ left }: Review): string =>
  [...left.map((choice) => `[${numbers[choice]}] ${labels[choice]}`), "Anything else changes the PRD."].join("\n")

/**
 * `none`: the text is not just a number, so it is a message for the model; `3A` is one. `unoffered`: a number that is not
 * in the list.
 */
export const parseChoice = ({ left }: Review, text: string): Choice | "unoffered" | "none" => {
  const number = /^\s*([123])\s*$/.exec(text)?.[1]
  if (number === undefined) return "none"
  return left.find((choice) => String(numbers[choice]) === number) ?? "unoffered"
}
