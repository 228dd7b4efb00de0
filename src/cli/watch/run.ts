/** Runs `vibe watch`. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { IsOwnProcess } from "../../app/OwnProcess.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import * as NodeWatcher from "../../code/Watcher/Node.ts"
import * as Watcher from "../../code/Watcher.ts"
import * as Freshness from "../../index/Freshness.ts"
import * as Failure from "../Failure.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"
import * as WatchText from "./WatchText.ts"

/** The wait after a failed refresh. It does not wait for a change of files: another run may have held the index. */
const RETRY_AFTER = "5 seconds"

/** Never succeeds: it ends with an interrupt, or when the folder is gone. */
export const run = Effect.fn("cli.watch")(function* ({ json, path }: Input) {
  const { err, out } = yield* Screen.Screen
  const { displayPath, index, workspace } = yield* Project.open(path, { refresh: "later" })
  const watcher = yield* Watcher.Watcher
  const watch = yield* watcher.watch(workspace)
  const freshness = yield* Freshness.make(index, { watch })
  if (!json) yield* Screen.line(err, sanitizeLine(`Bringing the index of ${workspace.root} up to date...`))

  /** The last notice on stderr, which is not repeated. */
  let lastNotice: string | undefined
  const notice = (text: string | undefined) =>
    Effect.suspend(() => {
      if (text === lastNotice) return Effect.void
      lastNotice = text
      return text === undefined ? Effect.void : Screen.line(err, sanitizeLine(text))
    })

  const report = Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    const state = yield* freshness.refresh
    if (state._tag === "Outdated") {
      const { error } = state
      if (error._tag === "FileError" && error.reason._tag === "Moved") return yield* error
      yield* notice(Failure.line(error))
      if (json) yield* Screen.line(out, sanitizeJson(Failure.toJson(error)))
      return { refreshed: undefined }
    }
    // A refresh without a limit is never `Refreshing`.
    const refreshed = state._tag === "Current" ? state.refreshed : undefined
    const mode = yield* watch.mode
    yield* notice(mode._tag === "Polling" ? WatchText.polling(mode.reason) : undefined)
    return { refreshed, milliseconds: (yield* Clock.currentTimeMillis) - start }
  })

  const first = yield* report
  if (first.refreshed !== undefined) {
    const mode = yield* watch.mode
    yield* json
      ? Screen.line(out, sanitizeJson(WatchText.toJson(workspace.root, first.refreshed, first.milliseconds)))
      : Screen.line(err, sanitizeLine(WatchText.watching(first.refreshed, mode)))
  }
  let isFailed = first.refreshed === undefined
  return yield* Effect.forever(
    Effect.gen(function* () {
      yield* isFailed ? Effect.sleep(RETRY_AFTER) : watch.settled
      const { milliseconds, refreshed } = yield* report
      isFailed = refreshed === undefined
      if (refreshed === undefined || !WatchText.isChanged(refreshed)) return
      yield* Screen.line(
        out,
        json
          ? sanitizeJson(WatchText.toJson(workspace.root, refreshed, milliseconds))
          : sanitizeLine(WatchText.line(refreshed, displayPath)),
      )
    }),
  )
}, Effect.scoped)

interface LayerOptions {
  /** True if all files are looked at every few seconds. */
  readonly poll: boolean
}

export const layer = ({ poll }: LayerOptions) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      if (yield* IsOwnProcess) (yield* Effect.promise(() => import("../../app/V8.ts"))).keepHeapSmall()
      return Layer.provideMerge(CodeLayer.layer, poll ? NodeWatcher.layerPolling : NodeWatcher.layer)
    }),
  )
