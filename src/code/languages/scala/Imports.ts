/** Reads what an import of Scala says: the names that it brings in, and of what it brings in all. */
import { withoutTicks } from "../../Symbols/internal/references/BlockReader.ts"
import { isName, type Words } from "./Words.ts"

export interface Imports {
  /** The names that lead to each imported one, by the name that the file has for it. */
  readonly named: ReadonlyArray<readonly [alias: string, path: ReadonlyArray<string>]>
  /** The names that lead to each package or object of which all names are imported. */
  readonly all: ReadonlyArray<ReadonlyArray<string>>
  /** The word behind the import. */
  readonly next: number
}

/** The most names of a path. */
const MAX_PATH = 20

/** Reads `a.b.{C, D => E, F as G, _}, h.*`, which begins at a word. */
export const read = (words: Words, from: number): Imports => {
  const named: Array<readonly [string, ReadonlyArray<string>]> = []
  const all: Array<ReadonlyArray<string>> = []
  let at = from
  for (;;) {
    const path: Array<string> = []
    while (isName.test(words.at(at)) && words.at(at) !== "_" && words.at(at) !== "given" && path.length < MAX_PATH) {
      path.push(withoutTicks(words.at(at++)))
      if (words.at(at) !== ".") break
      at++
    }
    if (words.at(at) === "{") {
      const close = words.closing(at)
      for (const [first, end] of words.items(at, close)) {
        if (/^(?:_|\*|given)$/.test(words.at(first))) {
          all.push(path)
          continue
        }
        const name = withoutTicks(words.at(first))
        const isRenamed = /^(?:=>|⇒|as)$/.test(words.at(first + 1)) && first + 2 < end
        const alias = isRenamed ? withoutTicks(words.at(first + 2)) : name
        if (alias !== "_") named.push([alias, [...path, name]])
      }
      at = close + 1
    } else if (/^(?:_|\*|given)$/.test(words.at(at)) && words.at(at - 1) === ".") {
      all.push(path)
      at++
    } else if (path.length > 1) {
      const isRenamed = words.at(at) === "as" && !words.isLineStart(at)
      named.push([isRenamed ? withoutTicks(words.at(at + 1)) : (path.at(-1) ?? ""), path])
      if (isRenamed) at += 2
    }
    if (words.at(at) !== "," || at === from) return { named, all, next: Math.max(at, from) }
    at++
  }
}

/** Reads `a.b.c`, which begins at a word. */
export const readPath = (words: Words, from: number): { readonly path: string; readonly next: number } => {
  let path = ""
  let at = from
  while (isName.test(words.at(at))) {
    path += withoutTicks(words.at(at++))
    if (words.at(at) !== "." || words.isLineStart(at + 1)) break
    path += "."
    at++
  }
  return { path, next: Math.max(at, from) }
}
