import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Cause, type Context, Effect, Exit, Layer, Logger, Option, Ref } from "effect"
import * as AskLayer from "../../../src/cli/ask/layer.ts"
import * as ForestLayer from "../../../src/cli/layers/ForestLayer.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { cases } from "../../thoroughness.ts"
import { runInSlices } from "../../utils/runInSlices.ts"

const seeds = Array.from({ length: cases(150) }, (_, seed) => seed + 1)

/** A forest that cannot be opened: its folder is a file. */
const unusable = Effect.map(temporaryFolder, (folder) => {
  fs.writeFileSync(path.join(folder, "file"), "")
  return { forest: Option.some(path.join(folder, "file", "forest.db")), ephemeral: false }
})

/** Builds a layer in slices that are over elsewhere each time. */
const buildOften = <A, E>(layer: () => Layer.Layer<A, E, Screen.Screen>) => {
  const quiet = Layer.provideMerge(
    Logger.remove(Logger.defaultLogger),
    Screen.layerMemory(Ref.unsafeMake<ReadonlyArray<Screen.Written>>([])),
  )
  return seeds.map((seed) => {
    const built: Effect.Effect<Context.Context<A>, E> = Effect.scoped(Layer.build(Layer.provide(layer(), quiet)))
    const exit = runInSlices(seed, built)
    if (exit === null) return assert.fail(`it does not end with seed ${seed}`)
    return exit
  })
}

describe("the forest of a command, where it cannot be opened", () => {
  it.scoped("is one in memory, wherever a slice of the scheduler is over", () =>
    Effect.map(unusable, (options) => {
      for (const exit of buildOften(() => ForestLayer.layerOrMemory(options, false))) {
        assert.isTrue(Exit.isSuccess(exit), String(exit))
      }
    }),
  )

  it.scoped("is a failure where its content is needed, wherever a slice of the scheduler is over", () =>
    Effect.map(unusable, (options) => {
      const none = Option.none()
      const policy = {
        maxCost: none,
        maxRunTokens: none,
        maxRetries: none,
        maxWait: none,
        record: none,
        replay: none,
      }
      const layer = () => AskLayer.layer({ ...options, ...policy, continued: Option.some("") })
      for (const exit of buildOften(layer)) {
        const failure = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined
        assert.strictEqual(failure?._tag, "UsageError", String(exit))
      }
    }),
  )
})
