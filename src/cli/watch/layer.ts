/** The layer of `vibe watch`: that of the commands that read an index, with the watcher. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { IsOwnProcess } from "../../app/OwnProcess.ts"
import * as NodeWatcher from "../../code/Watcher/Node.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"

export interface Options {
  /** True if all files are looked at every few seconds. */
  readonly poll: boolean
}

export const layer = ({ poll }: Options) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      if (yield* IsOwnProcess) (yield* Effect.promise(() => import("../../app/V8.ts"))).keepHeapSmall()
      return Layer.provideMerge(CodeLayer.layer, poll ? NodeWatcher.layerPolling : NodeWatcher.layer)
    }),
  )
