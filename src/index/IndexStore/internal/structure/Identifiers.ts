/**
 * The identifiers of a file and how often each occurs, as one text: the column `file.identifiers`, such as
 * `\nappend 3\nnode 12`.
 */

export const encode = (identifiers: ReadonlyMap<string, number>): string =>
  Array.from(identifiers, ([name, count]) => `\n${name} ${count}`).join("")

/** The text that the column contains exactly if the name occurs. */
export const markerOf = (name: string): string => `\n${name} `

/** Returns how often a name occurs. */
export const countIn = (identifiers: string, name: string): number => {
  const start = identifiers.indexOf(markerOf(name))
  return start < 0 ? 0 : Number.parseInt(identifiers.slice(start + markerOf(name).length), 10)
}
