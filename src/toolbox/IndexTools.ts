/** The tools of `vibe index`: they read files and the index, and write index entries only. */
import * as Layer from "effect/Layer"
import * as IndexTools from "../indexing/IndexTools.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as CreateIndexEntry from "./CreateIndexEntry.ts"
import * as FindReferences from "./FindReferences.ts"
import * as GetSymbolDetails from "./GetSymbolDetails.ts"
import { indexed } from "./internal/nearestPaths.ts"
import * as ListFilesystem from "./ListFilesystem.ts"
import * as ListSymbolsInFile from "./ListSymbolsInFile.ts"
import * as ReadFile from "./ReadFile.ts"
import * as SearchText from "./SearchText.ts"

export const make: IndexTools.Service = (workspace, index) =>
  ToolRegistry.make([
    ListFilesystem.make(workspace, index),
    // Purposes are recorded by name: numbers of lines would be a sixth more tokens.
    ReadFile.make(workspace, { isNumbered: false, paths: indexed(index) }),
    SearchText.make(workspace, indexed(index)),
    ListSymbolsInFile.makeOpen(workspace, index),
    GetSymbolDetails.make(workspace, index, { isNumbered: false }),
    FindReferences.make(workspace, index),
    CreateIndexEntry.make(workspace, index),
  ])

/** A registry of the tools that only read, for models that answer questions, with `path:line`. */
export const makeReadOnly: IndexTools.Service = (workspace, index) =>
  ToolRegistry.make([
    ListFilesystem.make(workspace, index),
    ReadFile.make(workspace, { isNumbered: true, paths: indexed(index) }),
    SearchText.make(workspace, indexed(index)),
    ListSymbolsInFile.make(workspace, index),
    GetSymbolDetails.make(workspace, index, { isNumbered: true }),
    FindReferences.make(workspace, index),
  ])

export const layer: Layer.Layer<IndexTools.IndexTools> = Layer.succeed(IndexTools.IndexTools, make)
