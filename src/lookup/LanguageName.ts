/**
 * Finds the symbols that a name means as its language writes it: `A::b`, `A->b`, `A#b`, `A\B\C`, `(*T).m`, `pkg.Name`,
 * `Name()`, with its namespace or without it.
 */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Index } from "../index/IndexStore.ts"
import * as Tokenizer from "../search/Tokenizer.ts"

/**
 * Returns the symbols whose qualified name ends with all parts of the name. If there are none, the first parts may be
 * the package: the result is then the symbols whose whole qualified name is the rest, in files whose folders, name,
 * package or `project` (the name of the root) is the part before it.
 */
export const find = Effect.fn("LanguageName.find")(function* (
  index: Pick<Index, "find" | "symbolsIn">,
  typed: string,
  options: { readonly path?: string; readonly project?: string } = {},
) {
  const parts = partsOf(typed)
  const name = parts.at(-1)
  if (name === undefined) return []
  const candidates = yield* index.find(name, options.path)
  const inside = candidates.filter((entry) => endsWith(partsOfEntry(entry), parts))
  if (inside.length > 0) return inside
  const known = new Map<string, ReadonlyArray<string>>()
  const found: Array<IndexEntry> = []
  for (const entry of candidates) {
    const own = partsOfEntry(entry)
    if (!endsWith(parts, own)) continue
    const packages = known.get(entry.path) ?? (yield* packagesOf(index, entry.path, options.project))
    known.set(entry.path, packages)
    if (packages.includes(wordOf(parts.at(-own.length - 1) ?? ""))) found.push(entry)
  }
  return found
})

/** Returns the parts of a name, without arguments, type arguments and marks; empty if the text is no name. */
export const partsOf = (typed: string): ReadonlyArray<string> => {
  const name = typed
    .trim()
    .replace(/\((?!\*?\w{1,200}\)[.:])[^()]*\)$/, "")
    .replace(/^\(\*?(\w{1,200})\)/, "$1")
    .replace(/(?:::)?<[^<>]{0,200}>/g, "")
    .replace(/^(?:::|[\\&*$.])+/, "")
  const parts = name.split(separators).map((part) => part.replace(/^[$`]|`$/g, ""))
  return parts.every((part) => isPart.test(part)) ? parts : []
}

const separators = /\?\.|::|->|[.#\\:]/

/** An identifier, an operator of a language, or a destructor: `~Store`, `operator+`, `static!`, `(>>=)`. */
const isPart = /^(?:~?[\p{L}_@][\p{L}\p{N}_$'-]*[?!=]?|operator\W{1,3}|\(?[-+*/%=<>!&|^~]{1,5}\)?)$/u

const partsOfEntry = ({ container, name }: IndexEntry): ReadonlyArray<string> => [
  ...(container === undefined ? [] : container.split(separators)),
  // The name of a namespace has several parts itself; that of an operator has none.
  ...(isNamespace.test(name) ? name.split(separators) : [name]),
]

const isNamespace = /^[\w.\\:]+$/

const endsWith = (parts: ReadonlyArray<string>, end: ReadonlyArray<string>): boolean =>
  end.length <= parts.length && end.every((part, at) => part === parts[parts.length - end.length + at])

/**
 * The names by which code may refer to the package or module of a file: its folders, its name, and what it declares.
 */
const packagesOf = (index: Pick<Index, "symbolsIn">, path: string, project: string | undefined) =>
  Effect.map(index.symbolsIn(path), (symbols) => [
    ...path
      .replace(/\.[^./]*$/, "")
      .split("/")
      .map(wordOf),
    ...symbols
      .filter(({ container, kind }) => kind === "module" && container === undefined)
      .map(({ name }) => wordOf(name.split(separators).at(-1) ?? "")),
    ...(project === undefined ? [] : [wordOf(project)]),
  ])

/** Returns a word of a path or a name without regard to case and to `-` or `_`. */
const wordOf = (text: string): string => Tokenizer.partTerms(text).join("")
