/** The tools of `vibe index`: they read files and the index, and write index entries only. */
import * as Layer from "effect/Layer"
import * as IndexTools from "../indexing/IndexTools.ts"
import type { Tool } from "../tool/Tool.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as CreateIndexEntry from "./CreateIndexEntry.ts"
import * as FindReferences from "./FindReferences.ts"
import * as GetSymbolDetails from "./GetSymbolDetails.ts"
import * as ListFilesystem from "./ListFilesystem.ts"
import * as ListSymbolsInFile from "./ListSymbolsInFile.ts"
import * as ReadFile from "./ReadFile.ts"
import * as SearchText from "./SearchText.ts"

export const make: IndexTools.Service = (workspace, index, batch) =>
  ToolRegistry.make([...readers(workspace, index), CreateIndexEntry.make(workspace, index, batch)])

/** A registry of the tools that only read. */
export const makeReadOnly: IndexTools.Service = (workspace, index) => ToolRegistry.make(readers(workspace, index))

const readers = (...[workspace, index]: Parameters<IndexTools.Service>): ReadonlyArray<Tool> => [
  ListFilesystem.make(workspace, index),
  ReadFile.make(workspace),
  SearchText.make(workspace),
  ListSymbolsInFile.make(workspace, index),
  GetSymbolDetails.make(workspace, index),
  FindReferences.make(workspace, index),
]

export const layer: Layer.Layer<IndexTools.IndexTools> = Layer.succeed(IndexTools.IndexTools, make)
