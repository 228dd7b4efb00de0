import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isAlive } from "../../src/disk/FileSystem.ts"
import * as ChildProcess from "../../src/process/ChildProcess.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"

const environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
)

/** A batch file as npm makes one: it passes its arguments on to a script. */
const plant = (folder: string, name: string, script: string): string => {
  const file = path.join(folder, `${name}.cmd`)
  fs.writeFileSync(path.join(folder, `${name}.cjs`), script)
  fs.writeFileSync(file, `@ECHO off\r\n"${process.execPath}" "%~dp0${name}.cjs" %*\r\n`)
  return file
}

describe.runIf(process.platform === "win32")("ChildProcess on Windows", () => {
  it.scopedLive("starts a batch file on PATH with its arguments as they are", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      plant(
        folder,
        "agent",
        "process.stdin.pipe(process.stdout.write(JSON.stringify(process.argv.slice(2))) && process.stdout)",
      )
      const args = ["--tools", "", 'a "quoted & word"', "x&y|z", "trailing\\", "-r"]
      const given = { ...environment, Path: folder, PATH: folder }
      const { code, stdout } = yield* ChildProcess.run({ program: "agent", args, environment: given }, { stdin: "!" })
      assert.deepStrictEqual([code, stdout], [0, `${JSON.stringify(args)}!`])
    }),
  )

  it.scopedLive("says why a batch file cannot be passed an argument", () =>
    Effect.gen(function* () {
      const program = plant(yield* temporaryFolder, "agent", "")
      const { message } = yield* Effect.flip(ChildProcess.run({ program, args: ["a\nb"], environment }))
      assert.strictEqual(
        message,
        `${program} cannot be started: an argument of a batch file can have neither line breaks nor null characters`,
      )
    }),
  )

  it.live("ends a batch file with what it has started", () =>
    Effect.gen(function* () {
      const pid = yield* Effect.scoped(
        Effect.gen(function* () {
          const script = "console.log(process.pid); setInterval(() => {}, 1000)"
          const program = plant(yield* temporaryFolder, "agent", script)
          const { next } = yield* ChildProcess.start({ program, args: [], environment })
          const outputs = yield* next
          return Number(outputs._tag === "Some" ? outputs.value.map(({ text }) => text).join("") : undefined)
        }),
      )
      assert.isTrue(pid > 0)
      yield* Effect.repeat(Effect.sleep(20), { until: () => !isAlive(pid) })
    }),
  )
})
