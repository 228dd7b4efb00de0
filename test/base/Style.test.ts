import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Style from "../../src/base/Style.ts"
import * as Screen from "../../src/cli/terminal/Screen.ts"

describe("Style.choose", () => {
  it.each([
    { isTerminal: true, noColor: false, forceColor: false, style: Style.coloured },
    { isTerminal: true, noColor: true, forceColor: false, style: Style.plain },
    { isTerminal: false, noColor: false, forceColor: false, style: Style.plain },
    { isTerminal: false, noColor: false, forceColor: true, style: Style.coloured },
    { isTerminal: true, noColor: true, forceColor: true, style: Style.plain },
  ])("terminal $isTerminal, NO_COLOR $noColor, FORCE_COLOR $forceColor", ({ style, ...options }) => {
    assert.strictEqual(Style.choose(options), style)
  })
})

describe("Screen.withColor", () => {
  const stream: Screen.Stream = {
    write: () => Effect.void,
    isTerminal: false,
    canRedraw: false,
    columns: Effect.succeed(80),
    style: Style.plain,
  }
  const screen = { out: stream, err: { ...stream, style: Style.coloured } }

  it("gives both streams the colours that are asked for, and leaves them as they are without", () => {
    assert.strictEqual(Screen.withColor(screen, "always").out.style, Style.coloured)
    assert.strictEqual(Screen.withColor(screen, "never").err.style, Style.plain)
    for (const choice of ["auto", undefined] as const) assert.deepStrictEqual(Screen.withColor(screen, choice), screen)
  })
})
