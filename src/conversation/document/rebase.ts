/** Applies the user's edits again when a conversation continues after another node. Pure. */
import * as Merge from "./Merge.ts"

/** An edit of the user: its text before and after. */
export interface Edit {
  readonly before: string
  readonly after: string
}

/**
 * Applies edits of the user, in order, to another version of the text. Lines that the other version has changed as well
 * have the user's text, so that no words of the user are lost. Changes that a model made between the edits are left
 * out.
 */
export const rebase = (edits: ReadonlyArray<Edit>, onto: string): string =>
  edits.reduce(
    (text, { after, before }) =>
      before === after || text === after
        ? text
        : text === before
          ? after
          : Merge.resolve(Merge.merge({ base: before, user: after, model: text })),
    onto,
  )
