/** The tools of `vibe index`. They read files and the index, and write only index entries. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Workspace } from "../code/Workspace.ts"
import * as ExplorationTools from "../explore/ExplorationTools.ts"
import type { Index } from "../index/IndexStore.ts"
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

export const make: ExplorationTools.Service = (files, index, batch, onRefused) => {
  const workspace = SuggestPaths.fromIndex(files, index)
  return ToolRegistry.make([
    // A batch brings the source of its symbols, and its task says to call no other tool.
    ...(batch === undefined ? readers(workspace, index, { isAnswering: false }, (tool) => tool) : []),
    CreateIndexEntry.make(workspace, index, batch, onRefused),
  ])
}

/**
 * Makes a registry of the tools that only read, for models that answer questions. `notice` runs before each use of the
 * index; the line that it returns, if any, stands before the result.
 */
export const makeReadOnly = (
  files: Workspace,
  index: Index,
  notice: Effect.Effect<string | undefined, Failed> = Effect.succeed(undefined),
): ToolRegistry.Service => {
  const workspace = SuggestPaths.fromIndex(files, index)
  const current = (tool: Tool.Tool) => Tool.withNotice(notice, tool)
  return ToolRegistry.make([
    current(FindSymbols.make(workspace, index)),
    ...readers(workspace, index, { isAnswering: true }, current),
  ])
}

interface Use {
  /**
   * True if the model answers questions, with `path:line`. Then lines are numbered, and outlines list all symbols. A
   * model that records purposes, by name, needs neither.
   */
  readonly isAnswering: boolean
}

/** `overIndex` is applied to the tools that read the index, not only files. */
const readers = (
  workspace: Workspace,
  index: Index,
  { isAnswering }: Use,
  overIndex: (tool: Tool.Tool) => Tool.Tool,
): ReadonlyArray<Tool.Tool> => [
  overIndex(ListFilesystem.make(workspace, index)),
  ReadFile.make(workspace, { isNumbered: isAnswering }),
  SearchText.make(workspace),
  overIndex(isAnswering ? ListSymbolsInFile.make(workspace, index) : ListSymbolsInFile.makeOpen(workspace, index)),
  overIndex(GetSymbolDetails.make(workspace, index, { isNumbered: isAnswering })),
  overIndex(FindReferences.make(workspace, index)),
]

/** Adds the tools of the `ToolRegistry` of the context, which must not have the same names. */
export const layer: Layer.Layer<ExplorationTools.ExplorationTools> = Layer.effect(
  ExplorationTools.ExplorationTools,
  Effect.map(
    ToolRegistry.ToolRegistry,
    (further): ExplorationTools.Service =>
      (workspace, index, batch, onRefused) =>
        ToolRegistry.join(make(workspace, index, batch, onRefused), further),
  ),
)
