/** A text that a user and a model edit together, such as an image prompt or a plan. Pure. */
import * as Merge from "./Merge.ts"

export interface Document {
  /** The current text, with the edits of the user. */
  readonly text: string
  /** The version that the model has: the last text that it wrote or was sent. */
  readonly known: string
  /** The regions of the last merge. Empty if there was none, or after an edit of the user. */
  readonly merged: ReadonlyArray<Merge.Region>
}

/** Makes a document without edits. */
export const make = (text: string): Document => ({ text, known: text, merged: [] })

/** Returns true if the text differs from the version that the model has. An edit that was reverted does not count. */
export const isEdited = ({ known, text }: Document): boolean => text !== known

/**
 * Sets the user's new text. If it was made from another version than the current one, it is merged on that version:
 * later changes are kept, except in lines that the user changed as well, which stay as the user wrote them.
 */
export const edit = (document: Document, text: string, basedOn: string = document.text): Document => {
  if (basedOn !== document.text) {
    const merged = Merge.merge({ base: basedOn, user: text, model: document.text })
    return { ...document, text: Merge.resolve(merged), merged }
  }
  return text === document.text ? document : { ...document, text, merged: [] }
}

/**
 * Merges the model's new text, made from the version it has, with the user's edits since. If both changed the same
 * lines, the user's are kept. A merged document counts as edited, since the model has not seen the result.
 */
export const revise = (document: Document, text: string): Document => {
  if (!isEdited(document)) return make(text)
  const merged = Merge.merge({ base: document.known, user: document.text, model: text })
  return { text: Merge.resolve(merged), known: text, merged }
}

/** Records that the model has been sent the current text. */
export const markKnown = (document: Document): Document => ({ ...document, known: document.text })

/** Lists the places that both changed differently; the text has the user's lines. */
export const conflicts = ({ merged }: Document): ReadonlyArray<Merge.Conflict> => Merge.conflicts(merged)

/** Returns the text with both versions of each conflict between marks. */
export const withConflictMarks = (document: Document): string =>
  conflicts(document).length === 0 ? document.text : Merge.withConflictMarks(document.merged)
