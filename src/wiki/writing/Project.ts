/** The files, symbols, references and documents of a project, read on demand for the requests of a wiki. */
import * as Effect from "effect/Effect"
import type { FileGraph } from "../FileGraph.ts"
import type { Citation, Page } from "../Page.ts"
import * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"
import { type States, statementsOf } from "../States.ts"
import type { Call } from "./FlowRequest.ts"
import type * as Material from "./Material.ts"
import type { Candidate } from "./PlanRequest.ts"
import type { About } from "./Prompt.ts"

/** `E` is the failure of the index or of the files. */
export interface Project<E> {
  readonly about: About
  /** The files of the code, sorted. Each belongs to one part of the wiki. */
  readonly files: ReadonlyArray<string>
  readonly units: ReadonlyArray<Places.Unit>
  /** The parts that stand in for those of a model whose plans are of no use. */
  readonly folders: ReadonlyArray<Part>
  /**
   * How often files, and the symbols at the top of files that may be divided, use each other, by the keys of `Places`.
   */
  readonly uses: FileGraph["placeUses"]
  readonly heads: FileGraph["heads"]
  /** READMEs, manifests and other documents that the start page can cite as whole files. */
  readonly documents: ReadonlyArray<Document>
  /** The sections of the documents that explain the project, the README's among them. */
  readonly sections: Effect.Effect<ReadonlyArray<DocumentSection>>
  /** The symbols that most files of the tests use of others of them: with these a test is written. */
  readonly testHelpers: Effect.Effect<ReadonlyArray<Material.Item>, E>
  /** Symbols at which flows may begin, the best first. */
  readonly candidates: ReadonlyArray<Candidate>
  /** Symbols with which the project is entered. */
  readonly entries: ReadonlyArray<Material.Item>
  /** Returns the symbols of a file, in order of their start. */
  readonly symbolsIn: (path: string) => Effect.Effect<ReadonlyArray<Material.Item>, E>
  /** Returns how many lines the symbols of a file take, so that the sizes of files can be compared. */
  readonly linesOf: (path: string) => Effect.Effect<number, E>
  /** Returns what a symbol uses, by resolved references, in the order of the first use. */
  readonly callees: (item: Material.Item) => Effect.Effect<ReadonlyArray<Use>, E>
  /** Returns the symbols of the code that use a symbol, by resolved references; those of the same file are left out. */
  readonly users: (item: Material.Item) => Effect.Effect<ReadonlyArray<Places.Target>, E>
  /** Returns what a symbol calls through what it is given (`IndirectTargets`), in the order of the lines. */
  readonly givenCalls: (item: Material.Item) => Effect.Effect<ReadonlyArray<GivenCall>, E>
  /** Returns the calls from a symbol on as a tree; empty if none is known. */
  readonly callsFrom: (start: Material.Item) => Effect.Effect<ReadonlyArray<Call>, E>
  /** Says of the citations of some pages whether their symbols are as they were. */
  readonly statesOf: (pages: ReadonlyArray<Page>) => Effect.Effect<States, E>
  /** Returns the source of a symbol, or of a document; undefined if it cannot be read. */
  readonly sourceOf: (item: Material.Item) => Effect.Effect<string | undefined, E>
  /** Returns the condition under which a file is compiled at all; undefined for most files, see `BuildCondition`. */
  readonly conditionOf: (path: string) => Effect.Effect<string | undefined, E>
  /** Returns the source that a citation had when it was written; undefined if it is not found any more. */
  readonly sourceBefore: (citation: Citation) => Effect.Effect<string | undefined, E>
}

export interface Use {
  readonly item: Material.Item
  /** The first line at which it is used; if it is a class that is made or called, the first line of that. */
  readonly line: number
  /** True for a class that is named as a type alone, in annotations, signatures and tests: nothing of it runs there. */
  readonly isType: boolean
}

/** A call through a variable, a property or a table that holds a function. */
export interface GivenCall extends Use {
  /** The text that holds it, as the code writes it: `$handler`. */
  readonly holder: string
  /** The qualified name of the symbol that gives it; undefined outside of all symbols. */
  readonly by: string | undefined
}

export interface Document {
  readonly item: Material.Item
  /** The lines of it that matter, such as the scripts of a manifest. */
  readonly lines: ReadonlyArray<string>
}

/** The text of a document below one of its headings. */
export interface DocumentSection {
  readonly path: string
  readonly title: string
  readonly text: string
}

/** Returns the symbols of a part or unit, file by file. Files that are gone have none. */
export const itemsByFile = <E>(
  { files, symbolsIn }: Project<E>,
  extent: Places.Extent,
): Effect.Effect<ReadonlyArray<{ readonly path: string; readonly items: ReadonlyArray<Material.Item> }>, E> => {
  const known = new Set(files)
  return Effect.forEach(
    extent.files.filter((path) => known.has(path)),
    (path) => Effect.map(symbolsIn(path), (items) => ({ path, items: Places.within(extent, path, items) })),
  )
}

export const itemsOf = <E>(
  project: Project<E>,
  extent: Places.Extent,
): Effect.Effect<ReadonlyArray<Material.Item>, E> =>
  Effect.map(itemsByFile(project, extent), (files) => files.flatMap(({ items }) => items))

/** Finds the symbol or document that a citation means now; undefined if it is gone. */
export const find = <E>(
  project: Project<E>,
  items: ReadonlyArray<Material.Item>,
  { ordinal = 0, path, symbol }: Citation,
): Material.Item | undefined =>
  symbol === undefined
    ? (project.documents.find(({ item }) => item.path === path)?.item ??
      (project.files.includes(path) ? { path, entry: undefined, ordinal: 0 } : undefined))
    : (items.find((item) => item.entry?.qualifiedName === symbol && item.ordinal === ordinal) ??
      onlyOf(items.filter((item) => item.entry?.qualifiedName === symbol)))

/** An overload may be cited by pages of before, and the symbol that has the body stands for it. */
const onlyOf = ([first, ...others]: ReadonlyArray<Material.Item>): Material.Item | undefined =>
  others.length === 0 ? first : undefined

/**
 * Returns whether a model has written a page, or a person all of it. What the project says of itself is to be replaced,
 * also beside what a person has added.
 */
export const isWritten = (page: Page | undefined): boolean => {
  const authors = new Set(page === undefined ? [] : statementsOf(page).map(({ author }) => author))
  return authors.has("model") || (authors.has("person") && !authors.has("project"))
}
