/** Divides prose into sentences. Pure. */

/**
 * Splits one line of prose into its sentences. None begins with a lower-case letter, so `e.g. this` ends none; what
 * closes a quotation or parenthesis belongs to the sentence before it. O(length of the text).
 */
export const split = (prose: string): ReadonlyArray<string> => prose.split(boundary)

const boundary = /(?<=[.!?][)"'`]?) (?![a-z])/

/** Returns the first sentence of one line of prose; all of it if no sentence ends in it. */
export const first = (prose: string): string => split(prose)[0] ?? prose
