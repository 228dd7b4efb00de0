/** The tools of `vibe index`: they read files and the index, and write index entries only. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../indexing/IndexStore.ts"
import * as IndexTools from "../indexing/IndexTools.ts"
import * as Tool from "../tool/Tool.ts"
import type { Failed } from "../tool/ToolError.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as CreateIndexEntry from "./CreateIndexEntry.ts"
import * as FindReferences from "./FindReferences.ts"
import * as FindSymbols from "./FindSymbols.ts"
import * as GetSymbolDetails from "./GetSymbolDetails.ts"
import * as SuggestPaths from "./internal/suggestPaths.ts"
import * as ListFilesystem from "./ListFilesystem.ts"
import * as ListSymbolsInFile from "./ListSymbolsInFile.ts"
import * as ReadFile from "./ReadFile.ts"
import * as SearchText from "./SearchText.ts"

export const make: IndexTools.Service = (files, index, batch) => {
  const workspace = SuggestPaths.fromIndex(files, index)
  return ToolRegistry.make([
    ...fileReaders(workspace, { isAnswering: false }),
    ...indexReaders(workspace, index, { isAnswering: false }),
    CreateIndexEntry.make(workspace, index, batch),
  ])
}

/**
 * A registry of the tools that only read, for models that answer questions. `notice`: run before each use of the index; the
 * line that it returns, if any, stands before the result.
 */
export const makeReadOnly = (
  files: Workspace,
  index: Index,
  notice: Effect.Effect<string | undefined, Failed> = Effect.succeed(undefined),
): ToolRegistry.Service => {
  const workspace = SuggestPaths.fromIndex(files, index)
  return ToolRegistry.make([
    ...[FindSymbols.make(workspace, index), ...indexReaders(workspace, index, { isAnswering: true })].map((tool) =>
      Tool.withNotice(notice, tool),
    ),
    ...fileReaders(workspace, { isAnswering: true }),
  ])
}

interface Use {
  /**
   * Whether the model answers questions, with `path:line`: then lines are numbered, and outlines list all symbols. A
   * model that records purposes, by name, needs neither.
   */
  readonly isAnswering: boolean
}

const fileReaders = (workspace: Workspace, { isAnswering }: Use): ReadonlyArray<Tool.Tool> => [
  ReadFile.make(workspace, { isNumbered: isAnswering }),
  SearchText.make(workspace),
]

const indexReaders = (workspace: Workspace, index: Index, { isAnswering }: Use): ReadonlyArray<Tool.Tool> => [
  ListFilesystem.make(workspace, index),
  isAnswering ? ListSymbolsInFile.make(workspace, index) : ListSymbolsInFile.makeOpen(workspace, index),
  GetSymbolDetails.make(workspace, index, { isNumbered: isAnswering }),
  FindReferences.make(workspace, index),
]

export const layer: Layer.Layer<IndexTools.IndexTools> = Layer.succeed(IndexTools.IndexTools, make)
