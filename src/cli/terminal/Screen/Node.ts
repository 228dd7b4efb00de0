/** The screen of this process. */
import type { WriteStream } from "node:tty"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AppConfig from "../../../config/AppConfig.ts"
import { Screen, type Stream } from "../Screen.ts"
import * as Style from "../Style.ts"

export const layer: Layer.Layer<Screen> = Layer.effect(
  Screen,
  // An environment can lack a setting, and this one does without.
  Effect.map(Effect.orDie(AppConfig.noColor), (colourless) => ({
    out: stream(process.stdout, colourless),
    err: stream(process.stderr, colourless),
  })),
)

const stream = (stream: WriteStream, colourless: boolean): Stream => ({
  write: (text) => Effect.sync(() => void stream.write(text)),
  isTerminal: stream.isTTY === true,
  // Some pseudo-terminals say 0.
  columns: Effect.sync(() => stream.columns || 80),
  style: stream.isTTY && !colourless ? Style.coloured : Style.plain,
})
