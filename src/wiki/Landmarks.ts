/** Finds where one begins to read: at what the project is built on, and at what its README shows users of. Pure. */
import * as Language from "../code/Language.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"

/**
 * Puts symbols, given from the most central one on, in the order in which a newcomer should read them: in turn the next
 * one and the next that the code in the README names, since that is what users meet first. Leaves out a second symbol
 * of the same name, such as the declaration of what another file implements, and defaults, whose name says nothing.
 * `project`: the name by which users import the project. O(length of the README + symbols).
 */
export const order = <A extends Pick<IndexEntry, "qualifiedName">>(
  symbols: ReadonlyArray<A>,
  readme: string,
  project: string,
): ReadonlyArray<A> => {
  const shown = namesIn(readme, project)
  const byName = new Map(symbols.toReversed().map((symbol) => [symbol.qualifiedName, symbol]))
  byName.delete("default")
  const distinct = symbols.filter((symbol) => byName.get(symbol.qualifiedName) === symbol)
  const named = distinct.filter(({ qualifiedName }) => shown.has(qualifiedName))
  return Array.from(new Set(distinct.flatMap((symbol, turn) => [symbol, named[turn] ?? symbol])))
}

/** A block of code, or code in a line. */
const code = /```[\s\S]*?```|~~~[\s\S]*?~~~|`[^`\n]+`|^(?: {4}|\t).*$/gm

/** A name with what it is qualified by. */
const qualified = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#|\\)[\p{L}_$][\p{L}\p{N}_$]*)*/gu

/**
 * Returns the names in the code of a README as the index writes them: each whole, each that qualifies one, and without
 * the name of the project before it, as in `click.echo`. A name alone of two letters is mostly a variable.
 */
const namesIn = (readme: string, project: string): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const [text] of readme.matchAll(code)) {
    for (const [name] of text.matchAll(qualified)) {
      const all = name.split(/\.|::|->|#|\\/)
      const own = all.length > 1 && all[0]?.toLowerCase() === project.toLowerCase() ? all.slice(1) : []
      for (const parts of [all, own]) {
        for (let length = 1; length <= Math.min(parts.length, MAX_QUALIFIERS); length++) {
          const prefix = parts.slice(0, length).join(".")
          if (prefix.length > 2) names.add(prefix)
        }
      }
    }
  }
  return names
}

/** A call in code; the names of what is declared or made are none. */
const called =
  /(?<!\b(?:def|fn|func|fun|function|new|class)\s+)(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]{2,})\s?(?:<[^<>()\n]*>)?\(/gu

/** A block of code with its language. */
const fenced = /^(?:```|~~~)[ \t]*\{?\.?([\w+#-]+)[^\n]*\n([\s\S]*?)^(?:```|~~~)/gm

/**
 * Returns the last names of what the code in a README calls: `request` of `$client->request('GET')`. Code of another
 * language than the project's is that of its users' files; if no block names its language, all code counts.
 */
export const calledIn = (readme: string, languages: ReadonlySet<string>): ReadonlySet<string> => {
  const named = Array.from(readme.matchAll(fenced), ([, name = "", text = ""]) => ({ name: name.toLowerCase(), text }))
  const isOfProject = (name: string) => languages.has(name) || languages.has(Language.of(`a.${name}`)?.id ?? "")
  const texts =
    named.length === 0
      ? Array.from(readme.matchAll(code), ([text]) => text)
      : named.filter(({ name }) => isOfProject(name)).map(({ text }) => text)
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(called), ([, name = ""]) => name)))
}

/** A name of more parts than this is no name of a symbol. */
const MAX_QUALIFIERS = 8
