/** The standard output and error of this process. */
import type { WriteStream } from "node:tty"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AppConfig from "../../../config/AppConfig.ts"
import * as Style from "../../../message/Style.ts"
import { Screen, type Stream } from "../Screen.ts"

export const layer: Layer.Layer<Screen> = Layer.effect(
  Screen,
  // A test's environment can lack these variables, and the defaults do.
  Effect.map(Effect.orDie(Effect.all([AppConfig.noColor, AppConfig.forceColor])), ([noColor, forceColor]) => ({
    out: stream(process.stdout, { noColor, forceColor }),
    err: stream(process.stderr, { noColor, forceColor }),
  })),
)

const stream = (stream: WriteStream, colors: { readonly noColor: boolean; readonly forceColor: boolean }): Stream => ({
  write: (text) => Effect.sync(() => void stream.write(text)),
  isTerminal: stream.isTTY === true,
  // Some pseudo-terminals report 0.
  columns: Effect.sync(() => stream.columns || 80),
  style: Style.choose({ isTerminal: stream.isTTY === true, ...colors }),
})
