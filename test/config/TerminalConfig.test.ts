import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TerminalConfig from "../../src/config/TerminalConfig.ts"
import { readConfig } from "./readConfig.ts"

describe("TerminalConfig.noColor", () => {
  it.effect("is set by NO_COLOR, and by a dumb terminal", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* readConfig(TerminalConfig.noColor, { TERM: "xterm", NO_COLOR: "" }))
      assert.isTrue(yield* readConfig(TerminalConfig.noColor, { NO_COLOR: "1" }))
      assert.isTrue(yield* readConfig(TerminalConfig.noColor, { TERM: "dumb" }))
    }),
  )
})

describe("TerminalConfig.takesLinesOnly", () => {
  it.effect("is so on a dumb terminal, and in a locale that names another encoding than UTF-8", () =>
    Effect.gen(function* () {
      for (const variables of [
        { TERM: "dumb" },
        { LC_ALL: "C" },
        { LANG: "de_DE.ISO-8859-1" },
        { LC_CTYPE: "POSIX", LANG: "C.UTF-8" },
      ])
        assert.isTrue(yield* readConfig(TerminalConfig.takesLinesOnly, variables), JSON.stringify(variables))
      for (const variables of [
        {},
        { TERM: "xterm", LANG: "C.UTF-8" },
        { LC_ALL: "en_GB.utf8", LANG: "C" },
        { LC_ALL: "", LANG: "C.UTF-8" },
      ])
        assert.isFalse(yield* readConfig(TerminalConfig.takesLinesOnly, variables), JSON.stringify(variables))
    }),
  )
})
