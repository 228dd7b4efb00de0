/** Brings a plan up to date with the files of a project: says which parts have other files now. Pure. */
import type * as Places from "../Places.ts"
import type { Part, Plan } from "../Plan.ts"

export interface Reconciled {
  readonly plan: Plan
  /** The names of the parts to which files came, or from which files went. */
  readonly changed: ReadonlySet<string>
  /** The names of the parts of which no file is left. */
  readonly gone: ReadonlyArray<string>
  /** True if so much of the code is new that the plan says little about it. */
  readonly isOutdated: boolean
}

/** A plan is outdated if more than this share of the files is in none of its parts. */
const MAX_NEW = 0.5

/**
 * Removes files that do not exist any more, and puts each new one into the part that has most of its folder, or of the
 * nearest folder around it of which a part has files. A new symbol at the top of a divided file goes to the part with
 * the one before it. `heads` has those symbols of each such file.
 */
export const reconcile = (
  planned: Plan,
  files: ReadonlyArray<string>,
  heads: ReadonlyMap<string, ReadonlyArray<Pick<Places.Head, "name">>> = new Map(),
): Reconciled => {
  const existing = new Set(files)
  const plan = { ...planned, parts: withHeads(planned.parts, heads) }
  const known = new Set([...plan.parts.flatMap((part) => part.files), ...plan.undescribed])
  const added = files.filter((file) => !known.has(file))
  const kept = plan.parts.map((part) => keepFiles(part, (path) => existing.has(path)))
  const changed = new Set(
    planned.parts.filter((part, at) => part.files.length !== kept[at]?.files.length).map(({ name }) => name),
  )
  const counts = countFolders(kept)
  const additions = new Map<string, Array<string>>()
  for (const file of added) {
    const name = ownerOf(file, counts) ?? kept[0]?.name
    if (name === undefined) continue
    changed.add(name)
    additions.set(name, [...(additions.get(name) ?? []), file])
  }
  const parts = kept.map((part): Part => {
    const more = additions.get(part.name) ?? []
    return more.length === 0 ? part : { ...part, files: [...part.files, ...more].toSorted() }
  })
  const gone = parts.filter((part) => part.files.length === 0).map(({ name }) => name)
  return {
    plan: {
      ...plan,
      parts: parts.filter((part) => part.files.length > 0),
      undescribed: plan.undescribed.filter((file) => existing.has(file)),
    },
    changed: new Set(Array.from(changed).filter((name) => !gone.includes(name))),
    gone,
    isOutdated: plan.parts.length === 0 || added.length > files.length * MAX_NEW,
  }
}

const keepFiles = ({ symbols, ...part }: Part, isKept: (path: string) => boolean): Part => {
  const kept = symbols?.filter(({ path }) => isKept(path)) ?? []
  return { ...part, files: part.files.filter(isKept), ...(kept.length > 0 && { symbols: kept }) }
}

/**
 * Gives the parts the symbols that are at the top of divided files now. If all that a part has of a file is gone, it
 * gets as many of the new ones: they are mostly the same under other names.
 */
const withHeads = (
  parts: ReadonlyArray<Part>,
  heads: ReadonlyMap<string, ReadonlyArray<Pick<Places.Head, "name">>>,
): ReadonlyArray<Part> => {
  const divided = new Set(parts.flatMap(({ symbols = [] }) => symbols.map(({ path }) => path)))
  return Array.from(divided).reduce((parts, path) => {
    const names = heads.get(path)?.map(({ name }) => name)
    return names === undefined ? parts : withNames(parts, path, names)
  }, parts)
}

const withNames = (parts: ReadonlyArray<Part>, path: string, names: ReadonlyArray<string>): ReadonlyArray<Part> => {
  const owners = parts.filter(({ symbols = [] }) => symbols.some((each) => each.path === path))
  const ownerOf = new Map(
    owners.flatMap(({ name: part, symbols = [] }) =>
      symbols.flatMap((each) => (each.path === path ? each.names.map((name) => [name, part] as const) : [])),
    ),
  )
  const present = new Set(names.flatMap((name) => ownerOf.get(name) ?? []))
  const bereft = owners.find(({ name }) => !present.has(name))?.name
  let lost = Array.from(ownerOf.values()).filter((owner) => owner === bereft).length
  let before = names.map((name) => ownerOf.get(name)).find((owner) => owner !== undefined)
  const given = names.map((name) => {
    const owner = ownerOf.get(name)
    before = owner ?? before
    const isReplaced = owner === undefined && bereft !== undefined && lost-- > 0
    return { name, owner: isReplaced ? bereft : (owner ?? before) }
  })
  return parts.map((part) => {
    const { symbols = [] } = part
    if (!symbols.some((each) => each.path === path)) return part
    const own = given.flatMap(({ name, owner }) => (owner === part.name ? [name] : []))
    if (own.length === 0) return keepFiles(part, (other) => other !== path)
    return { ...part, symbols: symbols.map((each) => (each.path === path ? { path, names: own } : each)) }
  })
}

type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The weight of a file for a folder further above; a file directly in the folder counts 1. */
const BELOW = 1e-4

/** Counts the files of each part in each folder, and those below it far less. */
const countFolders = (parts: ReadonlyArray<Part>): Counts => {
  const counts = new Map<string, Map<string, number>>()
  for (const { files, name } of parts) {
    for (const file of files) {
      for (const [height, folder] of foldersOf(file).entries()) {
        const ofFolder = counts.get(folder) ?? new Map<string, number>()
        ofFolder.set(name, (ofFolder.get(name) ?? 0) + (height === 0 ? 1 : BELOW))
        counts.set(folder, ofFolder)
      }
    }
  }
  return counts
}

const ownerOf = (file: string, counts: Counts): string | undefined => {
  for (const folder of foldersOf(file)) {
    const [most] = Array.from(counts.get(folder) ?? []).toSorted(
      ([one, a], [other, b]) => b - a || (one < other ? -1 : 1),
    )
    if (most !== undefined) return most[0]
  }
  return undefined
}

/** Lists the folders around a file, the nearest first; the root is the empty text. */
const foldersOf = (file: string): ReadonlyArray<string> => {
  const names = file.split("/").slice(0, -1)
  return names.map((_, at) => `${names.slice(0, names.length - at).join("/")}/`).concat("")
}
