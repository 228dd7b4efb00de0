/**
 * The packages of a repository that holds several: folders with a manifest of their own, by what that says of itself.
 */
import * as Effect from "effect/Effect"
import { firstSentence, isManifest, isReadme, readManifest } from "../base/ProjectDocuments.ts"
import type { IndexedFile } from "../index/IndexStore.ts"
import * as FactSources from "./internal/FactSources.ts"

/** A package with its own manifest. */
export interface Package {
  /** The path of its folder. */
  readonly folder: string
  readonly name: string
  /** The sentence of its manifest, or else of its README, on what it is; undefined if they have none. */
  readonly about: string | undefined
  /** The manifest. */
  readonly item: FactSources.Said["item"]
}

/** The most packages that a page lists. */
export const MAX_PACKAGES = 30

type File = Pick<IndexedFile, "path" | "class" | "symbols">

/** Returns the folders below the root that have a manifest and code, those with most symbols first. */
export const foldersOf = (files: ReadonlyArray<File>): ReadonlyArray<string> => {
  const found = new Map<string, number>()
  for (const { path } of files) {
    const folder = folderOf(path)
    if (folder !== "" && isManifest(path.slice(folder.length + 1))) found.set(folder, 0)
  }
  for (const { class: kind, path, symbols } of files) {
    const own = kind === "code" ? packageOf(found, path) : undefined
    if (own !== undefined) found.set(own, (found.get(own) ?? 0) + symbols)
  }
  return Array.from(found)
    .filter(([, symbols]) => symbols > 0)
    .sort(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1))
    .map(([folder]) => folder)
}

/** Returns the innermost of some folders that a file is in; undefined if it is in none. */
export const packageOf = (folders: { readonly has: (folder: string) => boolean }, path: string): string | undefined => {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) if (folders.has(folder)) return folder
  return undefined
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** Reads the packages of a repository. A manifest without a name, such as that of a part of a build, is none. */
export const read = Effect.fn("Packages.read")(function* (
  files: ReadonlyArray<File>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  const found: Array<Package> = []
  for (const folder of foldersOf(files)) {
    if (found.length === MAX_PACKAGES) break
    const own = files.map(({ path }) => path).filter((path) => folderOf(path) === folder)
    const nameIn = (path: string) => path.slice(folder.length + 1)
    for (const path of own.filter((path) => isManifest(nameIn(path)))) {
      const text = yield* textOf(path)
      const { description, name } = text === undefined ? {} : readManifest(path, text)
      if (text === undefined || name === undefined) continue
      const readme = own.find((path) => isReadme(nameIn(path)))
      const opening = description ?? firstSentence((readme && (yield* textOf(readme))) ?? "")
      const about = opening === undefined ? undefined : FactSources.sentence(opening)
      const one: Package = { folder, name, about, item: FactSources.fileItem(path, text) }
      found.push(one)
      break
    }
  }
  return found
})

/** Reads the README of the repository and those of its packages as one text. */
export const readmes = Effect.fn("Packages.readmes")(function* (
  files: ReadonlyArray<File>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  const folders = new Set(["", ...foldersOf(files).slice(0, MAX_PACKAGES)])
  const paths = files
    .map(({ path }) => path)
    .filter((path) => folders.has(folderOf(path)) && isReadme(path.slice(path.lastIndexOf("/") + 1)))
  const texts = yield* Effect.forEach(paths, textOf)
  return texts.filter((text) => text !== undefined).join("\n\n")
})
