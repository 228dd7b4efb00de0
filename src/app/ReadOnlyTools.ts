/** Tools that read the codebase in the current folder and change nothing, and those of the user's tool servers. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Project from "../cli/project/Project.ts"
import * as Workspace from "../code/Workspace.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as ToolServers from "../tool/ToolServers.ts"
import * as IndexTools from "../toolbox/IndexTools.ts"
import * as ReadFile from "../toolbox/ReadFile.ts"
import * as SearchText from "../toolbox/SearchText.ts"
import * as CodeLayer from "./CodeLayer.ts"

const indexTools = Effect.map(Project.open(Option.none()), ({ index, workspace }) =>
  IndexTools.makeReadOnly(workspace, index),
)

const fileTools = Effect.map(Workspace.open("."), (workspace) =>
  ToolRegistry.make([ReadFile.makeFileRead(workspace), SearchText.makeFileSearch(workspace)]),
)

/** The tools of the index where the folder has one, else tools that read and search its files. */
export const available = Effect.flatMap(Layer.build(CodeLayer.layer), (code) =>
  indexTools.pipe(
    Effect.catchIf(
      (error) => error._tag === "IndexError" && error.reason._tag === "NotIndexed",
      () => fileTools,
    ),
    Effect.provide(code),
    Effect.flatMap(ToolServers.addTo),
  ),
)

/** The tools of the index. Fails where the folder has none. */
export const layer = Layer.scoped(ToolRegistry.ToolRegistry, Effect.flatMap(indexTools, ToolServers.addTo)).pipe(
  Layer.provide(CodeLayer.layer),
)
