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
  Effect.map(
    Effect.orDie(Effect.all([AppConfig.noColor, AppConfig.forceColor, AppConfig.isAsciiLocale])),
    ([noColor, forceColor, isAscii]) => ({
      out: stream(process.stdout, { noColor, forceColor, isAscii }),
      err: stream(process.stderr, { noColor, forceColor, isAscii }),
    }),
  ),
)

const stream = (
  stream: WriteStream,
  { isAscii, ...colors }: { readonly noColor: boolean; readonly forceColor: boolean; readonly isAscii: boolean },
): Stream => ({
  write: (text) => Effect.sync(() => void stream.write(isAscii && stream.isTTY === true ? toAscii(text) : text)),
  isTerminal: stream.isTTY === true,
  // Some pseudo-terminals report 0.
  columns: Effect.sync(() => stream.columns || 80),
  style: Style.choose({ isTerminal: stream.isTTY === true, ...colors }),
})

/** The characters that vibe draws with, as a terminal shows them that has no others. */
const toAscii = (text: string): string =>
  text
    .replaceAll(/[─━–—·•]/g, "-")
    .replaceAll("…", "...")
    .replaceAll("→", "->")
    .replaceAll(/[⠀-⣿]/g, "*")
