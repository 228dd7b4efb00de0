/** Finds the new text of the document in an answer. Pure. */

import * as Revision from "../../conversation/document/Revision.ts"
import * as Prompt from "../../conversation/Prompt.ts"

/** Returns the text between the lines `<document>` and `</document>`, or else the text after `Prompt:`. */
export const findDocument = (answer: string): string | undefined =>
  Revision.findInAnswer(answer) ?? Prompt.extract(answer)
