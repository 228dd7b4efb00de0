/** Finds the new text of the document in an answer. Pure. */
import * as Prompt from "../../chat/Prompt.ts"
import * as Revision from "../../session/document/Revision.ts"

/** Returns the text between the lines `<document>` and `</document>`, or else the text after `Prompt:`. */
export const findDocument = (answer: string): string | undefined =>
  Revision.findInAnswer(answer) ?? Prompt.extract(answer)
