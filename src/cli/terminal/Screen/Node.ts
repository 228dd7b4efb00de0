/** The standard output and error of this process. */
import type { WriteStream } from "node:tty"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Style from "../../../base/Style.ts"
import * as TerminalConfig from "../../../config/TerminalConfig.ts"
import { Screen, type Stream } from "../Screen.ts"

export const layer: Layer.Layer<Screen> = Layer.effect(
  Screen,
  // A test's environment can lack these variables, and the defaults do.
  Effect.map(
    Effect.orDie(
      Effect.all([
        TerminalConfig.noColor,
        TerminalConfig.forceColor,
        TerminalConfig.isDumb,
        TerminalConfig.takesLinesOnly,
      ]),
    ),
    ([noColor, forceColor, isDumb, takesLinesOnly]) => ({
      out: stream(process.stdout, { noColor, forceColor, isDumb, takesLinesOnly }),
      err: stream(process.stderr, { noColor, forceColor, isDumb, takesLinesOnly }),
    }),
  ),
)

/** Exported for tests. */
export const stream = (
  stream: Pick<WriteStream, "write" | "isTTY" | "columns">,
  {
    isDumb,
    takesLinesOnly,
    ...colors
  }: {
    readonly noColor: boolean
    readonly forceColor: boolean
    readonly isDumb: boolean
    readonly takesLinesOnly: boolean
  },
): Stream => {
  const isTerminal = stream.isTTY === true
  return {
    write: (text) => Effect.sync(() => void stream.write(takesLinesOnly && isTerminal ? toAscii(text) : text)),
    isTerminal,
    canRedraw: isTerminal && !isDumb,
    // The width is 80 if it is 0, as some pseudo-terminals report.
    columns: Effect.sync(() => stream.columns || 80),
    style: Style.choose({ isTerminal, ...colors }),
  }
}

/**
 * Replaces the characters that vibe draws with, for a terminal that has only ASCII. Others, such as the letters of
 * other scripts, stay: nothing else could be read in their place.
 */
const toAscii = (text: string): string => text.replaceAll(drawing, (character) => replacements.get(character) ?? "*")

const replacements = new Map(
  [
    ["-", "─━–—―−·•"],
    ["|", "│┃"],
    ["+", "┌┐└┘├┤┬┴┼✓✔"],
    ["x", "×✕✗✖"],
    ["#", "█▓"],
    [".", "░▒"],
    [">", "›▸▶❯"],
    ["<", "‹"],
    ["v", "▾↓"],
    ["^", "↑"],
  ].flatMap(([replacement = "", characters = ""]) => Array.from(characters, (one) => [one, replacement] as const)),
)
  .set("…", "...")
  .set("→", "->")
  .set("←", "<-")

/**
 * General punctuation without quotation marks, arrows, box drawing, blocks, shapes, dingbats and the dots of a spinner.
 */
const drawing = /[‒-―•…‹›×·−←-↓─-◿★⚙✓-✘❯⠀-⣿]/gu
