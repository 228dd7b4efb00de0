/** Notices of the user's edits: the text that the tree keeps of an edit, and its form in later requests. Pure. */
import { applyPatch, createPatch } from "diff"

/** The version that can be read from a path: its last whole text, with the changes of the notices since. */
export interface Recorded {
  readonly text: string
  /** The number of characters of these changes. */
  readonly changed: number
}

/** Texts up to this many characters are always sent whole, in the specified form. */
const SHORT = 1000

/** If a diff takes longer than this, the whole text replaces it. */
const MAX_DIFF_MS = 500

/** Makes the notice with the whole text, in the specified form. The text is not escaped, since a model reads it. */
export const whole = (text: string): string => `[user edited prompt to: "${text}"]`

/**
 * Makes the notice that the tree keeps of an edit of `known`, the version that the model has. It has the whole text if
 * that is short, if the path has no version to start from, or if the changes since the last whole text are longer than
 * the text. So the notices of a path are never much longer than its whole texts.
 */
export const format = (recorded: Recorded | undefined, known: string, text: string): string => {
  const notice = recorded === undefined || text.length <= SHORT ? undefined : changes(recorded.text, known, text)
  if (recorded === undefined || notice === undefined || recorded.changed + notice.length > text.length)
    return whole(text)
  return read(recorded, notice)?.text === text ? notice : whole(text)
}

/** Returns the version after a notice. Undefined if the text is not a notice, or changes another version. */
export const read = (recorded: Recorded | undefined, notice: string): Recorded | undefined => {
  const text = WHOLE.exec(notice)?.[1]
  if (text !== undefined) return { text, changed: 0 }
  const [, before, edit] = CHANGES.exec(notice) ?? []
  if (recorded === undefined || edit === undefined) return undefined
  const known = before === undefined ? recorded.text : apply(recorded.text, before)
  const edited = known === undefined ? undefined : apply(known, edit)
  return edited === undefined ? undefined : { text: edited, changed: recorded.changed + notice.length }
}

/**
 * Makes the form of a notice for requests. A long text is left out, since the request ends with the current one. If
 * `known`, the version that was edited, is given, the notice becomes a diff, unless nearly all of the text has changed.
 */
export const shorten = (notice: string, known?: string): string => {
  const text = WHOLE.exec(notice)?.[1]
  if (text === undefined || text.length <= SHORT) return notice
  const edit = known === undefined ? undefined : changes(known, known, text)
  return edit !== undefined && edit.length * 2 <= text.length
    ? edit
    : "[user edited prompt; its current text is at the end]"
}

const WHOLE = /^\[user edited prompt to: "(.*)"\]$/s

/** A notice with a diff. No line of a diff begins with a bracket. */
const CHANGES = /^(?:\[prompt before the edit:\n(@@ .*?)\n\]\n)?\[user edited prompt:\n(@@ .*)\n\]$/s

/** Writes two steps as separate diffs, so that the model does not take its own changes for the user's. */
const changes = (recorded: string, known: string, text: string): string | undefined => {
  const edit = diff(known, text)
  const before = recorded === known ? "" : diff(recorded, known)
  if (edit === undefined || before === undefined) return undefined
  return `${before === "" ? "" : `[prompt before the edit:\n${before}\n]\n`}[user edited prompt:\n${edit}\n]`
}

/** Returns the hunks of a unified diff. */
const diff = (before: string, after: string): string | undefined =>
  createPatch("prompt", before, after, "", "", { context: 3, timeout: MAX_DIFF_MS })
    ?.split("\n")
    .slice(4)
    .join("\n")
    .replace(/\n$/, "")

const apply = (text: string, hunks: string): string | undefined => {
  try {
    const patched = applyPatch(text, `--- prompt\n+++ prompt\n${hunks}\n`, { autoConvertLineEndings: false })
    return patched === false ? undefined : patched
  } catch {
    // This is not a diff: a user wrote or changed the node.
    return undefined
  }
}
