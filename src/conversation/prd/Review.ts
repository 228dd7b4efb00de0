/** The choices after a PRD is saved. Pure. */

import type { NodeId } from "../../message/NodeId.ts"
import { INSTALL_COMMAND } from "./Beads.ts"
import type { Prd } from "./Prd.ts"

export type Choice = "json" | "beads" | "done"

export interface Review {
  /** The position of the conversation: the choices are valid only there. */
  readonly at: NodeId
  readonly prd: Prd
  /** The file of the document. Undefined if it was not written. */
  readonly path: string | undefined
  readonly left: ReadonlyArray<Choice>
}

/** The number of each choice, which it keeps when others are removed from the list. */
const numbers: Readonly<Record<Choice, number>> = { json: 1, beads: 2, done: 3 }

const labels: Readonly<Record<Choice, string>> = {
  json: "JSON (prd.json)",
  beads: "Beads issues",
  done: "Done",
}

/** Lists the choices, one a line. */
export const offerText = ({ left }: Review): string =>
  [...left.map((choice) => `[${numbers[choice]}] ${labels[choice]}`), "Anything else changes the PRD."].join("\n")

/**
 * Parses the number of a choice, even of one that is not in the list. Any other text, such as `3A`, is a message for
 * the model.
 */
export const parseChoice = (text: string): Choice | undefined => {
  const number = Number(/^\s*([123])\s*$/.exec(text)?.[1])
  return choices.find((choice) => numbers[choice] === number)
}

const choices: ReadonlyArray<Choice> = ["json", "beads", "done"]

/** Says what choice `2` needs if the project has no issue tracker. */
export const needsBeads = `${numbers.beads} makes Beads issues, and needs bd in this project: '${INSTALL_COMMAND}' installs it, 'bd init' sets it up here.`
