/**
 * Finds what a statement rests on beside what it cites: a further look at the cited sources alone shows the same lines
 * again, and what decides is often in a function that they call, or in the one that calls them.
 */
import * as Effect from "effect/Effect"
import * as Material from "./Material.ts"
import * as Project from "./Project.ts"

const runs: ReadonlySet<string> = new Set(["function", "method", "class"])

/** The fewest letters of a word that says something, and the letters by which two forms of a word are alike. */
const MIN_WORD = 4
const STEM = 5

/** Returns the beginnings of the words of a text or a name: `shouldRetry`, `should_retry` and "retried" have one in common. */
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.replaceAll(/(\p{Ll}|\d)(?=\p{Lu})/gu, "$1 ").match(/\p{L}+/gu) ?? [])
      .filter((word) => word.length >= MIN_WORD)
      .map((word) => word.toLowerCase().replace(/y$/, "i").slice(0, STEM)),
  )

/** Returns the last names in the code of a statement: `open` of `` `Till.open()` ``. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = ""]) =>
      code
        .replace(/\(.*$/, "")
        .split(/::|->|[.#\s]/)
        .at(-1),
    ).flatMap((name) => (name === undefined || name === "" ? [] : [name])),
  )

/**
 * Returns the symbols that a statement names or speaks of, and that what it cites calls, or by which that is called: those
 * first that it names. A caller counts only if it is named, since there can be many of them.
 */
export const find: <E>(
  project: Project.Project<E>,
  cited: ReadonlyArray<Material.Item>,
  text: string,
  most: number,
) => Effect.Effect<ReadonlyArray<Material.Item>, E> = Effect.fnUntraced(function* (project, cited, text, most) {
  if (most === 0) return []
  const known = new Set(cited.map(Material.keyOf))
  const names = namesIn(text)
  // The words of what is cited say nothing about what else is meant.
  const own = new Set(cited.flatMap((item) => Array.from(stemsOf(item.entry?.qualifiedName ?? ""))))
  const said = new Set(Array.from(stemsOf(text)).filter((stem) => !own.has(stem)))
  const weights = new Map<string, { readonly item: Material.Item; readonly weight: number }>()
  const consider = (item: Material.Item, isCalled: boolean) => {
    const { entry } = item
    const key = Material.keyOf(item)
    if (entry === undefined || !runs.has(entry.kind) || known.has(key)) return
    const shared = Array.from(stemsOf(entry.name)).filter((stem) => said.has(stem)).length
    const weight = names.has(entry.name) ? NAMED : isCalled ? shared : 0
    if (weight > 0) weights.set(key, { item, weight })
  }
  for (const item of cited) {
    for (const use of [...(yield* project.callees(item)), ...(yield* project.givenCalls(item))]) {
      if (!use.isType) consider(use.item, true)
    }
    for (const user of yield* project.users(item)) {
      if (user.symbol === undefined || !names.has(user.symbol.split(".").at(-1) ?? "")) continue
      const found = Project.find(project, yield* project.symbolsIn(user.path), user)
      if (found !== undefined) consider(found, false)
    }
  }
  return Array.from(weights.values())
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, most)
    .map(({ item }) => item)
})

/** A name decides more than any number of words. */
const NAMED = 100
