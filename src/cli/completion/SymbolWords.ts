/**
 * Completes the symbol of `vibe show`, from the index as it is stored. It is the one completion that the entry of the
 * program runs by itself: Effect and the table of commands would take 150 ms of each press of Tab, and this takes 20.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import * as ReadOnly from "../../disk/ReadOnly.ts"
import { show } from "../show/command.ts"
import { FILES } from "./scripts.ts"

/** The most names that are offered at a time: those that the most other symbols use. */
const MAX_WORDS = 200

/** Options that say in which index to look: with several repositories the table of commands completes. */
const ofSeveral: ReadonlySet<string> = new Set(["--repo", "--workspace"])

/**
 * Returns the output for a command line that ends in the symbol of `vibe show`. Returns undefined for any other line,
 * and for one with words that are not of `vibe show`. `words` are those after the name of the program; the last one is
 * being typed.
 */
export const complete = (words: ReadonlyArray<string>, folder: string): ReadonlyArray<string> | undefined => {
  const [command, ...typed] = words
  const current = typed.pop()
  if (command !== "show" || current === undefined || current.startsWith("-")) return undefined
  let root: string | undefined
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? ""
    const option = show.options.find(({ name }) => name === word)
    if (option === undefined || ofSeveral.has(word)) return undefined
    if (option.value !== undefined) {
      at++
      if (at >= typed.length) return undefined
      if (word === "--root") root = path.resolve(folder, typed[at] ?? "")
    }
  }
  return [FILES, ...symbols(current, root ?? folder, root !== undefined)]
}

/**
 * Names that begin with a prefix: `app` has `append`, `Forest.a` has `Forest.append`, `src/a.ts:f` has `src/a.ts:find`.
 */
const symbols = (prefix: string, folder: string, isRoot: boolean): ReadonlyArray<string> => {
  const root = isRoot ? (hasIndex(folder) ? folder : undefined) : findIndex(folder)
  if (root === undefined) return []
  const [, file, name] = /^(.+):([^:]*)$/.exec(prefix) ?? []
  const select = (query: string, ...parameters: ReadonlyArray<string>) =>
    ReadOnly.select(path.join(root, ".vibe", "index.db"), query, [...parameters, MAX_WORDS]).map(({ word }) =>
      String(word),
    )
  try {
    if (file !== undefined && name !== undefined) {
      const relative = path.relative(root, path.resolve(folder, file)).replaceAll(path.sep, "/")
      const names = select(inFile, relative, name, `${name}${LAST}`)
      return names.map((name) => `${file}:${name}`)
    }
    if (prefix === "") return select(mostUsed)
    if (prefix.includes("/")) return []
    const names = [...select(byName, prefix, `${prefix}${LAST}`), ...select(byQualified, prefix, `${prefix}${LAST}`)]
    return [...new Set(names)]
  } catch {
    // This is not an index of this version, or one that is being written.
    return []
  }
}

/** This character sorts behind the characters of names. */
const LAST = "\u{10ffff}"

const groupQuery = (column: string, from: string, where: string): string =>
  `select ${column} as word from ${from} where ${where} group by ${column} order by max(used_by) desc, ${column} limit ?`

const byName = groupQuery("name", "symbol", "name >= ? and name < ?")
const byQualified = groupQuery("qualified", "symbol", "qualified >= ? and qualified < ?")
const mostUsed = groupQuery("name", "symbol", "major")
const inFile = groupQuery(
  "qualified",
  "symbol join file on file.id = symbol.file",
  "file.path = ? and qualified >= ? and qualified < ?",
)

/**
 * Finds the nearest folder with an index, upwards. An index around a linked worktree does not count: it is of other
 * code.
 */
const findIndex = (start: string): string | undefined => {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (hasIndex(folder)) return folder
    if (folder === path.dirname(folder) || isLinkedWorktree(folder)) return undefined
  }
}

const isLinkedWorktree = (folder: string): boolean => {
  const file = path.join(folder, ".git")
  const isFile = fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true
  return isFile && /[\\/]\.git[\\/]worktrees[\\/]/.test(fs.readFileSync(file, "utf8"))
}

/** Another user's index is not opened: its database may contain anything. */
const hasIndex = (folder: string): boolean => {
  const stat = fs.lstatSync(path.join(folder, ".vibe"), { throwIfNoEntry: false })
  if (stat === undefined || !stat.isDirectory()) return false
  const user = process.getuid?.()
  return (user === undefined || stat.uid === user) && fs.existsSync(path.join(folder, ".vibe", "index.db"))
}
