/**
 * Finds functions that a function names in strings, such as `"git.clone"` for `M.clone` of `git.lua`: a task, a handler
 * or a command that something else looks up by this name and calls.
 */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as Labels from "../Labels.ts"
import type { Joint } from "./IndirectTargets.ts"

/** The most names of a function that are looked up, in all files that a name may mean. */
const MAX_NAMES = 24

/** A string of a file's name and a name within it. The names of modules that are loaded are none of these. */
const NAME = /(?<!\b(?:require|import|from)\s*\(?\s*)(["'])([A-Za-z_][\w-]*)[.:]([A-Za-z_]\w*)\1/g

/** Matches wherever `NAME` does, and before names of modules besides. */
const quoted = /(["'])[A-Za-z_][\w-]*[.:][A-Za-z_]\w*\1/

/** Returns whether a function of a file may name others. Most files have no such string, so none of theirs does. */
export const canName = (text: string): boolean => quoted.test(text)

/** The names of the function that runs if an object is named. */
const isRun = /^(?:run|call|__call__|handle|execute|perform|process|handler)$/i

const runs: ReadonlySet<string> = new Set(["function", "method"])

/** Makes the search for a project. `files` are those of the code; `sourceOf` reads a symbol. */
export const make = (
  index: Pick<Index, "symbolsIn">,
  files: ReadonlyArray<string>,
  sourceOf: (entry: IndexEntry) => Effect.Effect<string | undefined>,
): ((entry: IndexEntry) => Effect.Effect<ReadonlyArray<Joint>, IndexError>) => {
  const byName = Map.groupBy(files, nameOf)

  /** Returns the function that a name means, if there is only one such. */
  const find = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, name: string) {
    const found = yield* Effect.forEach(paths, (path) =>
      Effect.map(index.symbolsIn(path), (symbols) => targetIn(symbols, name) ?? []),
    )
    const targets = found.flat()
    return targets.length === 1 ? targets[0] : undefined
  })

  return Effect.fnUntraced(function* (entry) {
    if (!runs.has(entry.kind)) return []
    const source = (yield* sourceOf(entry)) ?? ""
    const joints: Array<Joint> = []
    const seen = new Set<string>()
    for (const { 0: text, 2: file = "", 3: name = "", index: at } of source.matchAll(NAME)) {
      const paths = byName.get(file)
      if (paths === undefined || seen.has(text)) continue
      if (seen.size === MAX_NAMES) break
      seen.add(text)
      const target = yield* find(paths, name)
      if (target === undefined || (target.path === entry.path && target.startLine === entry.startLine)) continue
      const line = entry.startLine + source.slice(0, at).split("\n").length - 1
      joints.push({ holder: text, line, targets: [{ entry: target, by: undefined, isLater: false }] })
    }
    return joints
  })
}

/** Returns the name of a file without its ending, or that of its folder if the file stands for that. */
const nameOf = (path: string): string => {
  const [file = "", folder = ""] = path.split("/").toReversed()
  return Labels.standsForFolder(file) ? folder : file.replace(/\.\w+$/, "")
}

/** Returns the function at the top of a file with a name, or the one that runs of an object with it. */
const targetIn = (symbols: ReadonlyArray<IndexEntry>, name: string): IndexEntry | undefined => {
  const functions = symbols.filter(({ kind }) => runs.has(kind))
  const isTop = ({ container }: IndexEntry) => container === undefined || /^_?M$|^exports$/.test(container)
  return (
    functions.find((each) => each.name === name && isTop(each)) ??
    functions.find(
      (each) => isRun.test(each.name) && new RegExp(`^(?:_?M\\.|exports\\.)?${name}$`).test(each.container ?? ""),
    )
  )
}
