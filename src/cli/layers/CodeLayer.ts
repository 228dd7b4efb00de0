/**
 * Code, the index over it, and its repository, for commands that read an index. They have
 * neither providers nor the agent loop.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { processEnvironment } from "../../app/OwnProcess.ts"
import * as SymbolsLayer from "../../app/SymbolsLayer.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as Sqlite from "../../index/IndexStore/Sqlite.ts"
import { Git } from "../../review/Git.ts"
import * as VectorSearch from "./VectorSearch.ts"

/** The files of this machine, and the index beside them. Searches use vectors if the user has set a model for them. */
export const layer = VectorSearch.layer(Sqlite.layer).pipe(
  Layer.provideMerge(SymbolsLayer.layer),
  Layer.provideMerge(NodeFiles.layer),
)

/** The program git, for commands that run it seldom: its adapter is loaded by the first run. */
export const git: Layer.Layer<Git> = Layer.succeed(Git, {
  run: (folder, args, input) =>
    Effect.flatMap(
      Effect.promise(() => import("../../review/Git/Program.ts")),
      (program) =>
        Effect.provide(
          Effect.flatMap(Git, (git) => git.run(folder, args, input)),
          program.layer(processEnvironment()),
        ),
    ),
})

/** The same with the program git. */
export const withGit = Layer.provideMerge(layer, git)
