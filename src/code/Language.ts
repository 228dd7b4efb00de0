/** The language of a file, by its name or its `#!` line, and how its symbols are found. */
import * as find from "./languages/find.ts"

export { nameOf } from "./languages/names.ts"

import { entries } from "./languages/table.ts"
import type { OutlineMethod } from "./Symbols.ts"

export type { OutlineMethod } from "./Symbols.ts"

export interface Language {
  /** `typescript`, `python`, … */
  readonly id: string
  /** The tree-sitter grammar; `undefined` for languages that are not parsed with one. */
  readonly grammar: string | undefined
  readonly outline: OutlineMethod
}

/**
 * Returns the language of a file; `undefined` for names of no known language, such as `LICENSE` and `data.bin`. `text`
 * is that of the file, whose `#!` line counts if its name has no extension.
 */
export const of: (path: string, text?: string) => Language | undefined = find.ofFile

/** Returns the extension of a name, in lower case: `vhd` for `a.tar.VHD`; empty for `LICENSE` and `.gitignore`. */
export const extensionOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const dot = name.lastIndexOf(".")
  return dot > 0 ? name.slice(dot + 1) : ""
}

/** Returns the ids of the languages in which symbols are found in that way, in alphabetical order. */
export const withOutline = (method: OutlineMethod): ReadonlyArray<string> =>
  [...new Set(entries.flatMap(({ id, outline }) => (outline === method ? [id] : [])))].sort()
