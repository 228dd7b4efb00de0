/**
 * Finds the methods that a statement names of a class that it cites, since the class as a whole is often too long.
 * Pure.
 */
import type * as Material from "./Material.ts"

/** The most members of a symbol that a statement is shown beside it. */
const MAX_MEMBERS = 4

const callable: ReadonlySet<string> = new Set(["function", "method"])

/**
 * Returns the names in the code of a statement, without the parentheses of a call: `Till.open` of `` `Till.open()` ``.
 */
export const namesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = ""]) =>
    code
      .replace(/\(.*$/, "")
      .replaceAll(/::|#|->/g, ".")
      .trim(),
  ).filter((name) => name !== "")

/**
 * Returns the members of a cited symbol that a text names, in the order of the names. `items` are those of its file.
 */
export const find = (
  items: ReadonlyArray<Material.Item>,
  { entry, path }: Material.Item,
  text: string,
): ReadonlyArray<Material.Item> => {
  if (entry === undefined || callable.has(entry.kind)) return []
  const members = items.filter(
    ({ entry: inner, path: own }) =>
      inner !== undefined && own === path && callable.has(inner.kind) && inner.container === entry.qualifiedName,
  )
  const named = namesIn(text).flatMap((name) =>
    members.filter(({ entry: inner }) => `.${inner?.qualifiedName}`.endsWith(`.${name}`)),
  )
  return Array.from(new Set(named)).slice(0, MAX_MEMBERS)
}
