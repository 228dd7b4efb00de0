/** The identifiers of a file and how often each occurs, as one text, the column `file.identifiers`: `\nappend 3\nnode 12`. */

export const encode = (identifiers: ReadonlyMap<string, number>): string =>
  Array.from(identifiers, ([name, count]) => `\n${name} ${count}`).join("")

/** A text that is part of the column where the name occurs, and nowhere else. */
export const markerOf = (name: string): string => `\n${name} `

/** How often a name occurs. */
export const countIn = (identifiers: string, name: string): number => {
  const start = identifiers.indexOf(markerOf(name))
  return start < 0 ? 0 : Number.parseInt(identifiers.slice(start + markerOf(name).length), 10)
}
