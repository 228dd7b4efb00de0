/** The tools of `vibe index`: they read files and the index, and write index entries only. */
import * as Layer from "effect/Layer"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../indexing/IndexStore.ts"
import * as IndexTools from "../indexing/IndexTools.ts"
import type { Tool } from "../tool/Tool.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as CreateIndexEntry from "./CreateIndexEntry.ts"
import * as FindReferences from "./FindReferences.ts"
import * as GetSymbolDetails from "./GetSymbolDetails.ts"
import * as SuggestPaths from "./internal/suggestPaths.ts"
import * as ListFilesystem from "./ListFilesystem.ts"
import * as ListSymbolsInFile from "./ListSymbolsInFile.ts"
import * as ReadFile from "./ReadFile.ts"
import * as SearchText from "./SearchText.ts"

export const make: IndexTools.Service = (files, index, batch) => {
  const workspace = SuggestPaths.fromIndex(files, index)
  return ToolRegistry.make([
    ...readers(workspace, index, { isAnswering: false }),
    CreateIndexEntry.make(workspace, index, batch),
  ])
}

/** A registry of the tools that only read, for models that answer questions. */
export const makeReadOnly: IndexTools.Service = (files, index) =>
  ToolRegistry.make(readers(SuggestPaths.fromIndex(files, index), index, { isAnswering: true }))

interface Use {
  /**
   * Whether the model answers questions, with `path:line`: then lines are numbered, and outlines list all symbols. A
   * model that records purposes, by name, needs neither.
   */
  readonly isAnswering: boolean
}

const readers = (workspace: Workspace, index: Index, { isAnswering }: Use): ReadonlyArray<Tool> => [
  ListFilesystem.make(workspace, index),
  ReadFile.make(workspace, { isNumbered: isAnswering }),
  SearchText.make(workspace),
  isAnswering ? ListSymbolsInFile.make(workspace, index) : ListSymbolsInFile.makeOpen(workspace, index),
  GetSymbolDetails.make(workspace, index, { isNumbered: isAnswering }),
  FindReferences.make(workspace, index),
]

export const layer: Layer.Layer<IndexTools.IndexTools> = Layer.succeed(IndexTools.IndexTools, make)
