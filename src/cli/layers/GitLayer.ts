/** The program git, for commands that run it seldom: its adapter is loaded by the first run. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { processEnvironment } from "../../app/OwnProcess.ts"
import { Git } from "../../review/Git.ts"

export const layer: Layer.Layer<Git> = Layer.succeed(Git, {
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
