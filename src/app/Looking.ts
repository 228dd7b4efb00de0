/** The tools that look around in the folder that is here, and change nothing. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Project from "../cli/project/Project.ts"
import * as Workspace from "../code/Workspace.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as FileRead from "../toolbox/FileRead.ts"
import * as FileSearch from "../toolbox/FileSearch.ts"
import * as IndexTools from "../toolbox/IndexTools.ts"
import * as Code from "./Code.ts"

const indexed = Effect.map(Project.open(Option.none()), ({ index, workspace }) => IndexTools.reading(workspace, index))

const plain = Effect.map(Workspace.open("."), (workspace) =>
  ToolRegistry.make([FileRead.make(workspace), FileSearch.make(workspace)]),
)

/** Those of the index where the folder has one; else those that read and search its files. */
export const some = Effect.flatMap(Layer.build(Code.layer), (code) =>
  indexed.pipe(
    Effect.catchIf(
      (error) => error._tag === "IndexError" && error.reason._tag === "NotIndexed",
      () => plain,
    ),
    Effect.provide(code),
  ),
)

/** Those of the index alone. */
export const layer = Layer.scoped(ToolRegistry.ToolRegistry, indexed).pipe(Layer.provide(Code.layer))
