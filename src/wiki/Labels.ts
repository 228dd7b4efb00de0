/** The labels of the citations of a page: short, and each for one symbol or file only. Pure. */
import type { Citation } from "./Page.ts"

/** The part of a citation that says what is cited, without its state. */
export type Target = Pick<Citation, "path" | "symbol" | "ordinal">

/** Returns the key of a target: equal for equal targets. */
export const keyOf = ({ ordinal = 0, path, symbol }: Target): string => JSON.stringify([path, symbol ?? null, ordinal])

/** Markdown compares labels without regard to case and width of white space. */
export const fold = (label: string): string => label.trim().replaceAll(/\s+/g, " ").toLowerCase().toUpperCase()

/**
 * Chooses a label for each target, by `keyOf`: the name alone, the qualified name, then with the name of the file, then
 * with the path. A file such as `init.lua` has the name of its folder, since all folders have one (`pkg:update`). All
 * that would share a label get the next longer one, so that the result does not depend on the order. `reserved` has
 * labels, folded, that stand for something else, or for the target with that key.
 */
export const choose = (
  targets: Iterable<Target>,
  reserved: ReadonlyMap<string, string | undefined> = new Map(),
): ReadonlyMap<string, string> => {
  const candidates = new Map<string, ReadonlyArray<string>>()
  for (const target of targets) candidates.set(keyOf(target), candidatesOf(target))
  const levels = new Map(Array.from(candidates.keys(), (key) => [key, 0]))
  const labelOf = (key: string): string => candidates.get(key)?.[levels.get(key) ?? 0] ?? key
  const isTaken = (label: string, key: string) => reserved.has(label) && reserved.get(label) !== key
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const [label, keys] of Map.groupBy(candidates.keys(), (key) => fold(labelOf(key)))) {
      for (const key of keys) {
        const level = levels.get(key) ?? 0
        if (keys.length === 1 && !isTaken(label, key)) continue
        if (level + 1 >= (candidates.get(key)?.length ?? 0)) continue
        levels.set(key, level + 1)
        isDone = false
      }
    }
  }
  const chosen = new Map<string, string>()
  const used = new Set<string>()
  for (const key of Array.from(candidates.keys()).sort()) {
    const label = labelOf(key)
    let unique = label
    for (let count = 2; used.has(fold(unique)) || isTaken(fold(unique), key); count++) unique = `${label} (${count})`
    used.add(fold(unique))
    chosen.set(key, unique)
  }
  return chosen
}

const candidatesOf = ({ ordinal = 0, path, symbol }: Target): ReadonlyArray<string> => {
  const names = path.split("/")
  const file = names.at(-1) ?? path
  const near = names.slice(-2).join("/")
  const isOfFolder = names.length > 1 && standsForFolder(file)
  if (symbol === undefined) {
    return Array.from(new Set([...(isOfFolder ? [] : [file]), near, path]), (label) => toLabel(label))
  }
  const short = /[^.:]+$/.exec(symbol)?.[0] ?? symbol
  const number = ordinal === 0 ? "" : ` #${ordinal + 1}`
  const module = isOfFolder ? (names.at(-2) ?? file) : file
  const qualified = LOCAL.test(symbol) ? [] : [symbol]
  return Array.from(
    new Set([
      short,
      ...qualified,
      `${module}:${short}`,
      ...qualified.map((name) => `${module}:${name}`),
      `${isOfFolder ? names.slice(-3, -1).join("/") : near}:${short}`,
      `${path}:${symbol}`,
    ]),
    (label) => toLabel(`${label}${number}`),
  )
}

/** Returns whether a file of this name stands for its folder, so that the name itself tells nothing. */
export const standsForFolder = (name: string): boolean =>
  /^(?:__init__|__main__|init|index|mod|main|lib|package-info)\.\w+$/i.test(name)

/** A name behind the variable that a file has for its own module, such as `M.load` in Lua: the `M` tells nothing. */
const LOCAL = /^(?:M|_M|self|this|exports|module\.exports)[.:][^.:]+$/

/**
 * Returns the name of a symbol for readers: `loader.setup` for the `M.setup` of
 * `loader.lua`, since each file has an `M`.
 */
export const nameIn = (path: string, symbol: string): string => {
  const [, rest] = /^_?M[.:](.+)$/.exec(symbol) ?? []
  if (rest === undefined) return symbol
  const names = path.split("/")
  const file = names.at(-1) ?? path
  const module = standsForFolder(file) && names.length > 1 ? names.at(-2) : file.replace(/\.\w+$/, "")
  return `${module}.${rest}`
}

/** Makes a name a label: without brackets and backslashes, and as code if Markdown would read marks in it. */
const toLabel = (name: string): string => {
  const label = name
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replaceAll("\\", "/")
    .replaceAll("`", "'")
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
  if (label === "") return "`?`"
  return /[*<>~&!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}_])/u.test(label) ? `\`${label}\`` : label
}
