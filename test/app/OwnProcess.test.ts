import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as OwnProcess from "../../src/app/OwnProcess.ts"

describe("OwnProcess", () => {
  it("leaves the process of a program that embeds vibe as it is", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-embedder-"))
    try {
      // Enough for worker threads, and in languages with grammars that vibe's own process does not optimise.
      for (let n = 0; n < 40; n++) {
        fs.writeFileSync(path.join(folder, `a${n}.cpp`), `int plant${n}() { return ${n}; }\n${"// seed\n".repeat(500)}`)
        fs.writeFileSync(path.join(folder, `b${n}.sh`), `grow${n}() {\n  echo ${n}\n}\n`)
      }
      const embedder = path.join(import.meta.dirname, "OwnProcess.embedder.ts")
      const output = execFileSync(process.execPath, [embedder, folder], { encoding: "utf8", stdio: "pipe" })
      const { symbols, warnings, ...state } = JSON.parse(output)
      assert.strictEqual(symbols, 80)
      assert.deepStrictEqual(state, {
        flags: [],
        isEmitWarningKept: true,
        replacedConsole: [],
        addedListeners: [],
        exitCode: null,
      })
      // Some versions of Node warn of SQLite, and 22.16 of the embedder's TypeScript: these are the embedder's to hide.
      for (const warning of warnings) assert.match(warning, /^ExperimentalWarning: (?:SQLite|Type Stripping)/)
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  it("hides two kinds of warnings from the program's users, and no other", () => {
    const original = process.emitWarning
    const { debug, warn } = console
    const emitted: Array<unknown> = []
    process.emitWarning = (warning: string | Error) => void emitted.push(String(warning))
    try {
      OwnProcess.hideWarnings()
      process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning")
      process.emitWarning("received unexpected error", "MetadataLookupWarning")
      process.emitWarning("Something else", "ExperimentalWarning")
      assert.deepStrictEqual(emitted, ["Something else"])
    } finally {
      process.emitWarning = original
      Object.assign(console, { debug, warn })
    }
  })
})
