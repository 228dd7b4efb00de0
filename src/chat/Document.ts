/** A text that a user and a model work on together: a prompt for pictures, a plan, any other. Pure. */
import * as Merge from "./Merge.ts"

export interface Document {
  /** As it stands: what the user sees and edits. */
  readonly text: string
  /** As the model knows it: what it wrote itself, or was told since. */
  readonly known: string
  /** How the text came of a merge; empty where it did not, or the user has edited it since. */
  readonly merged: ReadonlyArray<Merge.Region>
}

/** Nobody has edited it, so a model that is shown it knows it. */
export const make = (text: string): Document => ({ text, known: text, merged: [] })

/** Whether it differs from what the model knows: an edit that is taken back is none. */
export const isEdited = ({ known, text }: Document): boolean => text !== known

/** The user's new text. */
export const edit = (document: Document, text: string): Document =>
  text === document.text ? document : { ...document, text, merged: [] }

/**
 * The model's new text, made from the one it knows. What the user has edited meanwhile is merged with it, and stands
 * where both changed the same lines; then the document is still edited, for the model has not seen what came of it.
 */
export const revise = (document: Document, text: string): Document => {
  if (!isEdited(document)) return make(text)
  const merged = Merge.merge({ base: document.known, user: document.text, model: text })
  return { text: Merge.resolve(merged), known: text, merged }
}

/** The model has been told the text as it stands. */
export const markKnown = (document: Document): Document => ({ ...document, known: document.text })

/** What both changed, each in another way; the text has the user's lines. */
export const conflicts = ({ merged }: Document): ReadonlyArray<Merge.Conflict> => Merge.conflicts(merged)

/** The text with the words of both between marks wherever there is a conflict. */
export const withConflictMarks = (document: Document): string =>
  conflicts(document).length === 0 ? document.text : Merge.withConflictMarks(document.merged)
