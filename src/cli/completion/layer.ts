/**
 * The layer of `vibe completion`: the forest that the command line names, git, and the names of the configuration. If
 * there is no forest, none is made.
 */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { processEnvironment } from "../../app/OwnProcess.ts"
import * as UserFiles from "../../config/UserFiles.ts"
import * as Program from "../../review/Git/Program.ts"
import * as ForestLayer from "../layers/ForestLayer.ts"
import { unprefix } from "./Completion.ts"
import type * as ConfiguredNames from "./configuredLayer.ts"
import { Configured } from "./run.ts"

const load = <A>(select: (names: typeof ConfiguredNames.names) => Effect.Effect<A>): Effect.Effect<A> =>
  Effect.flatMap(
    Effect.promise(() => import("./configuredLayer.ts")),
    ({ names }) => select(names),
  )

const configured = Layer.succeed(Configured, {
  models: load(({ models }) => models),
  pulledModels: load(({ pulledModels }) => pulledModels),
  listedModels: (prefix) => load(({ listedModels }) => listedModels(prefix)),
  agents: load(({ agents }) => agents),
  presets: load(({ presets }) => presets),
})

export const layer = ({ words }: { readonly words: ReadonlyArray<string> }) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const line = unprefix(words)
      const named = line.includes("--forest") ? line[line.indexOf("--forest") + 1] : undefined
      const file = named ?? (yield* Effect.option(UserFiles.forestFile).pipe(Effect.map(Option.getOrUndefined)))
      const forest = Option.liftPredicate(file ?? "", (file) => fs.existsSync(file))
      return ForestLayer.layer({ forest, ephemeral: Option.isNone(forest) }).pipe(
        Layer.provideMerge(Program.layer(processEnvironment())),
        Layer.provideMerge(configured),
      )
    }),
  )
