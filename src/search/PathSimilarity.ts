/** Finds the paths that are most like one that does not exist, for "did you mean". */
import { posix } from "node:path"
import * as EditDistance from "./EditDistance.ts"

const MAX_PATHS = 5

/**
 * Returns files and folders that differ in a few letters, or end in the same name in another folder; best first. If
 * there are none, returns the innermost folder of the path that exists. `files`: all paths, relative to the root, with
 * `/`; so is `wanted`.
 */
export const nearest = (files: ReadonlyArray<string>, wanted: string): ReadonlyArray<string> => {
  const near = similar(files, wanted)
  return near.length > 0 ? near : nearestFolder(files, wanted)
}

/** Returns the same, but never that folder. */
export const similar = (files: ReadonlyArray<string>, wanted: string): ReadonlyArray<string> => {
  const base = posix.basename(wanted)
  const most = Math.min(4, Math.ceil(base.length / 4))
  const distance = EditDistance.from(base, most)
  const whole = EditDistance.from(wanted, wanted.length)
  return [...files, ...foldersOf(files)]
    .flatMap((file) => {
      const near = distance(posix.basename(file))
      return near === undefined ? [] : [{ file, near, far: whole(file) ?? wanted.length }]
    })
    .sort((a, b) => a.near - b.near || a.far - b.far || (a.file < b.file ? -1 : 1))
    .slice(0, MAX_PATHS)
    .map(({ file }) => file)
}

const nearestFolder = (files: ReadonlyArray<string>, wanted: string): ReadonlyArray<string> => {
  const folders = foldersOf(files)
  for (let end = wanted.lastIndexOf("/"); end > 0; end = wanted.lastIndexOf("/", end - 1)) {
    if (folders.has(wanted.slice(0, end))) return [wanted.slice(0, end)]
  }
  return []
}

/** All folders of some files, each once. */
const foldersOf = (files: ReadonlyArray<string>): ReadonlySet<string> => {
  const folders = new Set<string>()
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) folders.add(file.slice(0, end))
  }
  return folders
}
