/** The tools that conversations give to models, loaded and opened when one asks for them. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ToolServers from "../../app/ToolServers.ts"
import { cachedByKey } from "../../base/mutex.ts"
import * as OfferedTools from "../../conversation/OfferedTools.ts"

const readOnlyTools = (folder?: string) =>
  Effect.flatMap(
    Effect.promise(() => import("./ReadOnlyTools.ts")),
    ({ available }) => available(folder),
  )

/** Each folder is opened once, and stays open as long as the layer. */
const offeredTools = Layer.scoped(
  OfferedTools.OfferedTools,
  Effect.gen(function* () {
    const context = yield* Effect.context<Effect.Effect.Context<ReturnType<typeof readOnlyTools>>>()
    return cachedByKey((folder: string | undefined) => Effect.provide(readOnlyTools(folder), context))
  }),
)

export const layer = Layer.provideMerge(offeredTools, ToolServers.layer)
