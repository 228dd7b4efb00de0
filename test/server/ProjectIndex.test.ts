import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { endWith } from "../../src/base/concurrency.ts"
import * as Files from "../../src/code/Files.ts"
import * as Watcher from "../../src/code/Watcher.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as ProjectIndex from "../../src/server/ProjectIndex.ts"
import { some } from "../thoroughness.ts"
import { interruptAfter } from "../utils/interruptAfter.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const services = Sqlite.layerMemory.pipe(
  Layer.provideMerge(SharedSymbols.layer),
  Layer.provideMerge(Files.layerMemory({ "/p/a.ts": "export const a = 1\n" })),
  Layer.provideMerge(Watcher.makeMemory("/p").layer),
)

describe("ProjectIndex", () => {
  it.scopedLive("answers after a request was cancelled, wherever that was", () =>
    Effect.gen(function* () {
      for (const steps of some(Array.from({ length: 60 }, (_, at) => at + 1))) {
        const answered = yield* Effect.gen(function* () {
          const workspace = yield* Workspace.open("/p")
          const project = yield* ProjectIndex.make(workspace)
          yield* project.make
          interruptAfter(steps, project.current)
          return yield* Effect.map(project.current, () => true).pipe(
            endWith(Effect.as(Effect.sleep("5 seconds"), false)),
          )
        }).pipe(Effect.scoped, Effect.provide(Layer.fresh(services)))
        assert.isTrue(answered, `after ${steps} steps`)
      }
    }),
  )
})
