/** The names of a file and how often each occurs, as one text: `\nappend 3\nnode 12`. */

export const join = (identifiers: ReadonlyMap<string, number>): string =>
  Array.from(identifiers, ([name, count]) => `\n${name} ${count}`).join("")

export const names = (identifiers: string): ReadonlyArray<string> =>
  identifiers
    .split("\n")
    .slice(1)
    .map((line) => line.slice(0, line.lastIndexOf(" ")))

/** What stands in the text where the name does, and nowhere else. */
export const mark = (name: string): string => `\n${name} `

/** How often a name occurs. */
export const count = (identifiers: string, name: string): number => {
  const start = identifiers.indexOf(mark(name))
  return start < 0 ? 0 : Number.parseInt(identifiers.slice(start + mark(name).length), 10)
}
