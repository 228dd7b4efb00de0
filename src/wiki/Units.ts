/** Divides the files of the code into units: their folders, the files of large folders, and the hubs as one unit. */
import type { IndexedFile } from "../index/IndexStore.ts"
import * as FileGraph from "./FileGraph.ts"
import * as Folders from "./internal/Folders.ts"
import type { Unit } from "./Unit.ts"

/** A folder with a larger share of the symbols falls apart into its files. */
export const LARGE_SHARE = 0.2

/** The most files of one folder that become units of their own, those with most symbols. The rest stay together. */
const MAX_APART = 24

/** The most units, so that a model can be shown all of them in one request. */
export const MAX_UNITS = 120

/**
 * Divides the files of the code (`FileGraph.codeOf`) into units. Every file is in exactly one of them. They are sorted
 * by path, with the helpers at the end, whatever the order of `files`. O(files × depth), and more only for a project
 * with more than `MAX_UNITS` folders.
 */
export const divide = (
  files: ReadonlyArray<Pick<IndexedFile, "path" | "class" | "symbols">>,
  graph: Pick<FileGraph.FileGraph, "hubs">,
): ReadonlyArray<Unit> => {
  const code = FileGraph.codeOf(files)
  const symbolsOf = new Map(code.map(({ path, symbols }) => [path, symbols]))
  const groupOf = (path: string, paths: ReadonlyArray<string>): Folders.Group => ({
    path,
    files: paths,
    weight: paths.reduce((sum, path) => sum + Math.max(1, symbolsOf.get(path) ?? 0), 0),
  })
  const paths = code.map(({ path }) => path)
  const hubs = paths.filter((path) => graph.hubs.has(path))
  const others = paths.filter((path) => !graph.hubs.has(path))
  const large = groupOf(Folders.ROOT, paths).weight * LARGE_SHARE
  const divided = Array.from(Map.groupBy(others, Folders.folderOf)).flatMap(([folder, paths]) => {
    const whole = groupOf(folder, paths)
    return folder === Folders.ROOT || whole.weight > large ? fallApart(whole, groupOf) : [whole]
  })
  const joined = Folders.joinUpward(divided, { most: MAX_UNITS - 1, least: 1, share: LARGE_SHARE })
  const helpers = hubs.length === 0 ? [] : [groupOf(Folders.commonFolder(hubs), hubs)]
  const toUnits = (groups: ReadonlyArray<Folders.Group>, isHelpers: boolean) =>
    groups
      .toSorted((one, other) => FileGraph.compare(one.path, other.path))
      .map(({ files, path }) => ({
        path,
        files: files.toSorted(FileGraph.compare),
        symbols: files.reduce((sum, path) => sum + (symbolsOf.get(path) ?? 0), 0),
        isHelpers,
      }))
  return [...toUnits(joined, false), ...toUnits(helpers, true)].map((unit, at) => ({ number: at + 1, ...unit }))
}

const fallApart = (
  { files, path }: Folders.Group,
  groupOf: (path: string, paths: ReadonlyArray<string>) => Folders.Group,
): ReadonlyArray<Folders.Group> => {
  const single = files
    .map((file) => groupOf(file, [file]))
    .sort((one, other) => other.weight - one.weight || FileGraph.compare(one.path, other.path))
  const rest = single.slice(MAX_APART)
  return rest.length === 0 ? single : [...single.slice(0, MAX_APART), Folders.join(path, rest)]
}
