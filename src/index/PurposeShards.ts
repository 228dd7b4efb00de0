/**
 * Purposes in one file, `.vibe/purposes.jsonl`, or, beyond a size, in shards: files in `.vibe/purposes/`, each with the
 * lines of one folder of the code. Pure functions, linear in the size of the texts except for the sorting.
 *
 * The shard of a path is that of the nearest folder around it, among the shards that exist. A shard that becomes too
 * large is split, and no other one changes. A shard is never removed, only emptied, and so is `purposes.jsonl`: Git
 * would have a conflict between a file that one branch removes and the other one changes.
 */
import * as Text from "../base/Text.ts"
import * as PurposeMerge from "./PurposeMerge.ts"
import * as Purposes from "./Purposes.ts"

export interface PurposeFile {
  /** The path relative to `.vibe`, with `/`. */
  readonly name: string
  /** The text; empty if there is no file. */
  readonly text: string
}

/** The file that has all purposes while they are few. */
export const SINGLE = "purposes.jsonl"

/** The folder of the shards. */
export const FOLDER = "purposes"

export interface Limits {
  /** Purposes are in shards once their lines have this many characters together. */
  readonly single: number
  /** The most characters of a shard. Longer ones are split if possible. */
  readonly shard: number
}

/**
 * The default limits. Forges show no difference of files of more than 1 MB, and Git keeps a copy of the whole file for
 * each commit that changes it until it packs them. 8 MB are some 27,000 lines.
 */
export const LIMITS: Limits = { single: 8_000_000, shard: 1_000_000 }

/** A folder gets a shard of its own if it fills a sixteenth of one, which limits the number of shards. */
const MIN_SHARE = 16

/** The longest name without its ending, far below the limit of any file system. */
const MAX_NAME = 120

/** The most hexadecimal digits of a shard; with all of them it cannot be split further. */
const MAX_DIGITS = 8

/** Returns whether a name in the folder of the shards is that of a shard, even if another program has put it there. */
export const isShardName = (name: string): boolean => name.endsWith(".jsonl") && !name.startsWith(".")

/**
 * Returns whether a file may have lines about a path of the code: the single file, the shard of a folder around it, or
 * a file that another program has named.
 */
export const mayHave = (name: string, path: string): boolean => {
  const shard = fromName(name)
  if (shard === undefined) return true
  const { digits, folder } = shard
  return (folder === "" || path.startsWith(`${folder}/`)) && digestOf(path).startsWith(digits)
}

/**
 * Sorts the files for reading while another process writes. Lines move from `purposes.jsonl` to shards, and from shards
 * to those of folders in them. They are written to the new place before they are removed from the old one.
 */
export const inReadingOrder = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.toSorted((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1))

const depthOf = (name: string): number => {
  if (name === SINGLE) return -1
  const stem = stemOf(name)
  return stem === ROOT ? 0 : stem.split("@").length + (stem.split("~")[1]?.length ?? 0)
}

/** Returns all lines of files, as they would be in one. */
export const toSingle = (files: ReadonlyArray<PurposeFile>): Purposes.PurposesText => {
  const [first] = files
  if (files.length === 1 && first !== undefined) return Purposes.parse(first.text)
  const parsed = files.map(({ text }) => Purposes.parse(text))
  return { lines: join(parsed.map(({ lines }) => lines)), invalid: parsed.flatMap(({ invalid }) => invalid) }
}

/** Joins and sorts the lines. If several files have lines about one version of a symbol, the better one stays. */
const join = (files: ReadonlyArray<ReadonlyArray<Purposes.StoredLine>>): ReadonlyArray<Purposes.StoredLine> => {
  const bySymbol = new Map<string, { lines: Array<Purposes.StoredLine>; file: number; isApart: boolean }>()
  for (const [file, lines] of files.entries()) {
    for (const line of lines) {
      const key = JSON.stringify([line.line.path, line.line.symbol])
      const known = bySymbol.get(key)
      if (known === undefined) {
        bySymbol.set(key, { lines: [line], file, isApart: false })
        continue
      }
      if (known.file !== file) known.isApart = true
      known.lines.push(line)
    }
  }
  return Array.from(bySymbol.values())
    .flatMap(({ isApart, lines }) => (isApart ? PurposeMerge.bestByVersion(lines) : lines))
    .sort(Purposes.bySymbol)
}

/**
 * Plans the writes, in their order, after which the files have these lines. If they end in between, no line is lost,
 * since lines are written to their new place before they are removed from the old one. `files` has all files that
 * exist. Lines that are no purposes stay in their place.
 */
export const plan = (
  files: ReadonlyArray<PurposeFile>,
  lines: ReadonlyArray<Purposes.StoredLine>,
  limits: Limits = LIMITS,
): ReadonlyArray<PurposeFile> => {
  const placed = place(files, lines, limits)
  const fileOf = new Map<string, string>()
  for (const [name, own] of placed) for (const { text } of own) fileOf.set(text, name)
  const present = new Map(files.map(({ name, text }) => [name, text]))
  const first: Array<PurposeFile> = []
  const last: Array<PurposeFile> = []
  for (const name of new Set([...present.keys(), ...placed.keys()])) {
    const text = present.get(name) ?? ""
    const own = placed.get(name) ?? []
    const before = Purposes.parse(text)
    const after = Purposes.render({ lines: own, invalid: before.invalid })
    if (after === text || (before.lines.length === 0 && own.length === 0)) continue
    const leaving = before.lines.filter((line) => (fileOf.get(line.text) ?? name) !== name)
    const known = new Set(before.lines.map((line) => line.text))
    const gains = own.some((line) => !known.has(line.text))
    if (leaving.length === 0) first.push({ name, text: after })
    else {
      if (gains) first.push({ name, text: Purposes.render({ lines: [...own, ...leaving], invalid: before.invalid }) })
      last.push({ name, text: after })
    }
  }
  return [...first, ...last]
}

/** Returns the lines of each file. */
const place = (
  files: ReadonlyArray<PurposeFile>,
  lines: ReadonlyArray<Purposes.StoredLine>,
  limits: Limits,
): ReadonlyMap<string, ReadonlyArray<Purposes.StoredLine>> => {
  const isSharded = files.some(({ name }) => name !== SINGLE)
  if (!isSharded && lengthOf(lines) <= limits.single) return new Map([[SINGLE, lines]])
  const shards = shardsIn(files.map(({ name }) => name))
  const placed = new Map<string, ReadonlyArray<Purposes.StoredLine>>()
  const open: Array<Part> = Array.from(
    Map.groupBy(lines, ({ line }) => idOf(shardOf(line.path, shards))).values(),
    (group) => ({ shard: shardOf(group[0]?.line.path ?? "", shards), lines: group }),
  )
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts = lengthOf(next.lines) > limits.shard ? split(next.shard, next.lines, limits) : undefined
    if (parts === undefined) placed.set(nameOf(next.shard), next.lines)
    else open.push(...parts)
  }
  return placed
}

const lengthOf = (lines: ReadonlyArray<Purposes.StoredLine>): number =>
  lines.reduce((sum, { text }) => sum + text.length + 1, 0)

interface Shard {
  /** The folder of the code; empty for the root. */
  readonly folder: string
  /** The first digits of the digests of its paths, if the files of the folder are in several shards. */
  readonly digits: string
}

interface Shards {
  readonly ids: ReadonlySet<string>
  /** Folders with several shards. */
  readonly divided: ReadonlySet<string>
}

const idOf = ({ digits, folder }: Shard): string => (digits === "" ? folder : `${folder}\0${digits}`)

const shardsIn = (names: ReadonlyArray<string>): Shards => {
  const shards = names.flatMap((name) => fromName(name) ?? [])
  return {
    ids: new Set(shards.map(idOf)),
    divided: new Set(shards.flatMap(({ digits, folder }) => (digits === "" ? [] : [folder]))),
  }
}

/** Returns the shard of the nearest folder that has one. */
const shardOf = (path: string, { divided, ids }: Shards): Shard => {
  let folder = parentOf(path)
  while (folder !== "" && !ids.has(folder) && !divided.has(folder)) folder = parentOf(folder)
  if (!divided.has(folder)) return { folder, digits: "" }
  const digest = digestOf(path)
  for (let length = MAX_DIGITS; length > 1; length--) {
    const shard = { folder, digits: digest.slice(0, length) }
    if (ids.has(idOf(shard))) return shard
  }
  return { folder, digits: digest.slice(0, 1) }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

const digestOf = (path: string): string => Text.sha256(path).slice(0, MAX_DIGITS)

interface Part {
  readonly shard: Shard
  readonly lines: ReadonlyArray<Purposes.StoredLine>
}

/**
 * Splits a shard by the folders in it that are large enough or, if there are none, by the digests of the paths.
 * Undefined if all lines have one path.
 */
const split = (
  { digits, folder }: Shard,
  lines: ReadonlyArray<Purposes.StoredLine>,
  limits: Limits,
): ReadonlyArray<Part> | undefined => {
  if (digits === "") {
    const start = folder === "" ? 0 : folder.length + 1
    const byChild = Map.groupBy(lines, ({ line: { path } }) => {
      const end = path.indexOf("/", start)
      return end < 0 ? undefined : path.slice(0, end)
    })
    const children = Array.from(byChild).flatMap(([child, own]): ReadonlyArray<Part> => {
      if (child === undefined || lengthOf(own) * MIN_SHARE < limits.shard) return []
      const shard = { folder: child, digits: "" }
      return fromName(nameOf(shard)) === undefined ? [] : [{ shard, lines: own }]
    })
    if (children.length > 0) {
      const moved = new Set(children.flatMap(({ lines }) => lines))
      const rest = lines.filter((line) => !moved.has(line))
      return rest.length === 0 ? children : [...children, { shard: { folder, digits }, lines: rest }]
    }
  }
  if (digits.length === MAX_DIGITS || new Set(lines.map(({ line }) => line.path)).size === 1) return undefined
  const byDigits = Map.groupBy(lines, ({ line }) => digestOf(line.path).slice(0, digits.length + 1))
  return Array.from(byDigits, ([digits, lines]) => ({ shard: { folder, digits }, lines }))
}

/** The name of the root. No folder has it, since none begins with a slash. */
const ROOT = "@"

/**
 * Returns the name of a shard: the path of the folder with `@` for a slash. Lower-case letters, digits, `_`, `-` and
 * `.` stand for themselves, `=` and a letter for a capital, and `%xx` for each byte of any other character in UTF-8. So
 * the names differ even if a file system ignores case, and are valid on Windows too.
 */
const nameOf = ({ digits, folder }: Shard): string => {
  const stem = folder === "" ? ROOT : folder.split("/").map(encodePart).join("@")
  const safe = RESERVED.test(stem) ? stem.replace(/^./, toBytes) : stem
  return `${FOLDER}/${safe}${digits === "" ? "" : `~${digits}`}.jsonl`
}

const encodePart = (part: string): string =>
  part.replace(/[^a-z0-9_.-]/gu, (character) =>
    /[A-Z]/.test(character) ? `=${character.toLowerCase()}` : toBytes(character),
  )

const toBytes = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

/** Names of devices on Windows, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/

const stemOf = (name: string): string => name.slice(FOLDER.length + 1, -".jsonl".length)

/** Undefined if vibe would not write such a name. */
const fromName = (name: string): Shard | undefined => {
  if (!name.startsWith(`${FOLDER}/`) || !name.endsWith(".jsonl")) return undefined
  const [stem = "", digits = "", ...others] = stemOf(name).split("~")
  if (others.length > 0 || stem.length > MAX_NAME || !/^[0-9a-f]{0,8}$/.test(digits)) return undefined
  const shard = { folder: stem === ROOT ? "" : decodeFolder(stem), digits }
  return nameOf(shard) === name ? shard : undefined
}

const decodeFolder = (stem: string): string => {
  const folder = stem.replaceAll("@", "/").replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase())
  try {
    return decodeURIComponent(folder)
  } catch {
    return folder
  }
}
