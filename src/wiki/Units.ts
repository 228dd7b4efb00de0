/**
 * Divides the files of the code into units: their folders, the files of large folders, the sections of large files, and
 * the hubs as one unit.
 */
import type { IndexedFile } from "../index/IndexStore.ts"
import * as FileGraph from "./FileGraph.ts"
import * as Folders from "./internal/Folders.ts"
import * as Sections from "./internal/Sections.ts"
import * as Places from "./Places.ts"

/** A folder with a larger share of the symbols falls apart into its files. */
export const LARGE_SHARE = 0.2

/**
 * If a project has fewer units, its folders are too large to say what belongs together, and those with a smaller share
 * and at least so many symbols fall apart too.
 */
const FEW_UNITS = 16
const SMALL_SHARE = 0.1
const MIN_APART = 40

/** The most files of one folder that become units of their own, those with most symbols. The rest stay together. */
const MAX_APART = 24

/** The most units, so that a model can be shown all of them in one request. */
export const MAX_UNITS = 120

export type Files = ReadonlyArray<Pick<IndexedFile, "path" | "class" | "symbols">>

export type Graph = Pick<FileGraph.FileGraph, "hubs" | "heads" | "placeUses">

/**
 * Divides the files of the code (`FileGraph.codeOf`) into units. Every file, or each symbol at the top of a divided
 * one, is in exactly one of them. They are sorted by path, with the helpers at the end, whatever the order of `files`.
 * O(files × depth), and more only for a project with more than `MAX_UNITS` folders.
 */
export const divide = (files: Files, graph: Graph): ReadonlyArray<Places.Unit> => {
  const code = FileGraph.codeOf(files)
  const sizes = new Map(code.map(({ path, symbols }) => [path, symbols]))
  const groupOf = groupsOf(sizes, graph)
  const paths = code.map(({ path }) => path)
  const hubs = paths.filter((path) => graph.hubs.has(path))
  const all = groupOf(Folders.ROOT, paths).weight
  const sections = paths
    .filter((path) => graph.heads.has(path) && !graph.hubs.has(path))
    .map((path) => sectionsOf(path, groupOf(path, [path]).weight, all, graph))
    .filter((sections) => sections.length > 1)
  const isDivided = new Set(sections.flatMap((each) => each.map(({ path }) => path)))
  const others = paths.filter((path) => !graph.hubs.has(path) && !isDivided.has(path))
  const folders = Array.from(Map.groupBy(others, Folders.folderOf))
  const dividedBy = (isLarge: (weight: number) => boolean) =>
    folders.flatMap(([folder, paths]) => {
      const whole = groupOf(folder, paths)
      return folder === Folders.ROOT || isLarge(whole.weight) ? fallApart(folder, paths, groupOf) : [whole]
    })
  const usual = dividedBy((weight) => weight > all * LARGE_SHARE)
  const isFew = usual.length + sections.flat().length < FEW_UNITS
  const divided = isFew
    ? dividedBy((weight) => weight > all * LARGE_SHARE || (weight > all * SMALL_SHARE && weight >= MIN_APART))
    : usual
  const joined = Folders.joinUpward(divided, {
    most: Math.max(1, MAX_UNITS - 1 - sections.flat().length),
    least: 1,
    share: LARGE_SHARE,
  })
  const helpers = hubs.length === 0 ? [] : [groupOf(Folders.commonFolder(hubs), hubs)]
  const toUnits = (groups: ReadonlyArray<Folders.Group>, isHelpers: boolean) =>
    groups
      .toSorted((one, other) => FileGraph.compare(one.path, other.path))
      .map(({ path, places, weight }) => {
        const extent = Places.extentOf(places, graph.heads)
        const size = extent.files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
        return { path, ...extent, size: extent.symbols === undefined ? size : Math.round(weight), isHelpers }
      })
  return [...toUnits([...joined, ...sections.flat()], false), ...toUnits(helpers, true)].map((unit, at) => ({
    number: at + 1,
    ...unit,
  }))
}

type GroupOf = (path: string, files: ReadonlyArray<string>) => Folders.Group

/** Makes groups of whole files, by the numbers of symbols that files have. */
export const groupsOf =
  (sizes: ReadonlyMap<string, number>, { heads }: Pick<Graph, "heads">): GroupOf =>
  (path, files) => ({
    path,
    places: Places.keysOf({ files }, heads),
    files: files.length,
    weight: files.reduce((sum, file) => sum + Math.max(1, sizes.get(file) ?? 0), 0),
  })

/** Returns the sections of a file, which share its weight. The first one has what is outside of all symbols. */
const sectionsOf = (
  path: string,
  weight: number,
  all: number,
  { heads, placeUses }: Graph,
): ReadonlyArray<Folders.Group> => {
  const own = heads.get(path) ?? []
  const weights = new Map(own.map(({ name, weight }) => [name, weight]))
  const sum = own.reduce((sum, { weight }) => sum + weight, 0)
  return Sections.divide(path, own, placeUses, weight / Math.max(1, all)).map((names) => ({
    path,
    places: Places.keysOf({ files: [path], symbols: [{ path, names }] }, heads),
    files: 1,
    weight: (weight * names.reduce((sum, name) => sum + (weights.get(name) ?? 0), 0)) / Math.max(1, sum),
  }))
}

const fallApart = (folder: string, paths: ReadonlyArray<string>, groupOf: GroupOf): ReadonlyArray<Folders.Group> => {
  const single = paths
    .map((path) => groupOf(path, [path]))
    .sort((one, other) => other.weight - one.weight || FileGraph.compare(one.path, other.path))
  const rest = single.slice(MAX_APART)
  return rest.length === 0 ? single : [...single.slice(0, MAX_APART), Folders.join(folder, rest)]
}
