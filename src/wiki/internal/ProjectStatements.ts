/** Makes the statements of the lists that the program writes, and the names in them. Pure. */
import type { Citation, Statement, StatementKind } from "../Page.ts"
import * as StatementText from "../StatementText.ts"
import type * as Material from "../writing/Material.ts"

/** Makes a statement of the program. Its text is made safe. */
export const statement = (text: string, kind: StatementKind, citations: ReadonlyArray<Citation> = []): Statement => ({
  text: StatementText.sanitize(text),
  kind,
  author: "project",
  citations,
})

/** A name as code, for the text of a statement. */
export const code = (name: string): string => `\`${name.replaceAll("`", "'")}\``

/** Returns the short name of a symbol as code, or the path of a file. */
export const shortName = ({ entry, path }: Material.Item): string => code(entry?.name ?? path)

/**
 * Returns the name in place of a title such as `Utils, auth and 3 more`, which cannot be read in a list of others. One
 * such as `Specs and loading` can, since it is a link.
 */
export const readableTitle = (title: string, name: string): string => (/, | and \d+ more$/.test(title) ? name : title)

/** Joins words as a sentence does: with commas, and `and` before the last one. */
export const join = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
