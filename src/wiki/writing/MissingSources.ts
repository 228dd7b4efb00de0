/**
 * Finds what a statement rests on beside what it cites: a further look at the cited sources alone shows the same lines
 * again, and what decides is often in a function that they call, or in the one that calls them.
 */
import * as Effect from "effect/Effect"
import * as Tokenizer from "../../search/Tokenizer.ts"
import * as Material from "./Material.ts"
import * as NamedMembers from "./NamedMembers.ts"
import * as Project from "./Project.ts"

const runs: ReadonlySet<string> = new Set(["function", "method", "class"])

const values: ReadonlySet<string> = new Set(["constant", "variable"])

/**
 * The most values beside each statement, and the most lines of one: what a function decides is often by their names.
 */
const MAX_VALUES = 6
const MAX_VALUE_LINES = 6

/** Returns the last part of a qualified name: `open` of `Till.open`. */
const lastOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1)

/**
 * Returns the symbols that a statement names or speaks of, and that what it cites calls, or by which that is called:
 * those first that it names. A caller counts only if it is named, since there can be many of them. Short constants
 * follow that what it cites uses, which say the values that the statement may name.
 */
export const find: <E>(
  project: Project.Project<E>,
  cited: ReadonlyArray<Material.Item>,
  text: string,
  most: number,
) => Effect.Effect<ReadonlyArray<Material.Item>, E> = Effect.fnUntraced(function* (project, cited, text, most) {
  if (most === 0) return []
  const known = new Set(cited.map(Material.keyOf))
  const names = new Set(NamedMembers.namesIn(text).map(lastOf))
  // The words of what is cited say nothing about what else is meant.
  const own = new Set(cited.flatMap(({ entry }) => Tokenizer.terms(entry?.qualifiedName ?? "")))
  const said = new Set(Tokenizer.terms(text).filter((term) => !own.has(term)))
  const weights = new Map<string, { readonly item: Material.Item; readonly weight: number }>()
  const used = new Map<string, { readonly item: Material.Item; readonly weight: number }>()
  const consider = (item: Material.Item, isCalled: boolean) => {
    const { entry } = item
    const key = Material.keyOf(item)
    if (entry === undefined || known.has(key)) return
    const isValue = values.has(entry.kind) && entry.endLine - entry.startLine < MAX_VALUE_LINES
    if (!isValue && !runs.has(entry.kind)) return
    const shared = Tokenizer.terms(entry.name).filter((term) => said.has(term)).length
    const weight = names.has(entry.name) ? NAMED : isCalled ? shared : 0
    if (isValue) used.set(key, { item, weight })
    else if (weight > 0) weights.set(key, { item, weight })
  }
  for (const item of cited) {
    for (const use of [...(yield* project.callees(item)), ...(yield* project.givenCalls(item))]) {
      if (!use.isType) consider(use.item, true)
    }
    for (const user of yield* project.users(item)) {
      if (user.symbol === undefined || !names.has(lastOf(user.symbol))) continue
      const found = Project.find(project, yield* project.symbolsIn(user.path), user)
      if (found !== undefined) consider(found, false)
    }
  }
  const first = (found: typeof weights, count: number) =>
    Array.from(found.values())
      .toSorted((one, other) => other.weight - one.weight)
      .slice(0, count)
      .map(({ item }) => item)
  return [...first(weights, most), ...first(used, MAX_VALUES)]
})

/** A name decides more than any number of words. */
const NAMED = 100
