/** Brings a plan up to date with the files of a project: says which parts have other files now. Pure. */
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
 * nearest folder around it of which a part has files.
 */
export const reconcile = (plan: Plan, files: ReadonlyArray<string>): Reconciled => {
  const existing = new Set(files)
  const planned = new Set([...plan.parts.flatMap((part) => part.files), ...plan.undescribed])
  const added = files.filter((file) => !planned.has(file))
  const kept = plan.parts.map((part) => ({ ...part, files: part.files.filter((file) => existing.has(file)) }))
  const changed = new Set(
    plan.parts.filter((part, at) => part.files.length !== kept[at]?.files.length).map(({ name }) => name),
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
