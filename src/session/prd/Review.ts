/** The choices after a PRD is saved, and which of them the user picks. Pure. */

import type { Prd } from "../../chat/Prd.ts"
import type { NodeId } from "../../message/NodeId.ts"

export type Choice = "json" | "beads" | "done"

export interface Review {
  /** Where the conversation stands: elsewhere it is no longer offered. */
  readonly at: NodeId
  readonly prd: Prd
  /** Its file; none where it has none of its own. */
  readonly path: string | undefined
  readonly left: ReadonlyArray<Choice>
}

/** Each keeps its number while others disappear from the list. */
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
 * `none` where the words are not a number and nothing else: they are for the model, `3A` too. `unoffered`: a number that
 * is not to be had.
 */
export const parseChoice = ({ left }: Review, text: string): Choice | "unoffered" | "none" => {
  const number = /^\s*([123])\s*$/.exec(text)?.[1]
  if (number === undefined) return "none"
  return left.find((choice) => String(numbers[choice]) === number) ?? "unoffered"
}
