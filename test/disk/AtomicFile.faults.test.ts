import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isInstalled } from "../utils/isInstalled.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const module = path.resolve(import.meta.dirname, "../../src/disk/AtomicFile.ts")

interface Ended {
  readonly signal: NodeJS.Signals | null
  readonly printed: string
}

/** A process that runs `program` with AtomicFile at hand; `onPrint` receives how often it has printed. */
const running = (
  program: string,
  { before = "", onPrint }: { readonly before?: string; readonly onPrint?: (count: number, kill: () => void) => void },
): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const source = `import * as AtomicFile from ${JSON.stringify(module)}\n${program}`
    const command = `${before}exec "$0" --input-type=module --eval "$1"`
    const child = spawn("bash", ["-c", command, process.execPath, source], { stdio: ["ignore", "pipe", "inherit"] })
    let printed = ""
    let count = 0
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      onPrint?.(++count, () => child.kill("SIGKILL"))
    })
    child.on("close", (_, signal) => resume(Effect.succeed({ signal, printed })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe.runIf(process.platform !== "win32" && isInstalled("bash"))("A text that is replaced", () => {
  it.scopedLive(
    "is the old or the new one, whenever the process is killed",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const file = path.join(folder, "purposes.jsonl")
        fs.writeFileSync(file, "a".repeat(300_000))
        const program = `
          for (let turn = 0; ; turn++) {
            AtomicFile.replace(${JSON.stringify(file)}, (turn % 2 ? "a" : "b").repeat(300_000))
            process.stdout.write(".")
            // Lets what is printed out.
            await new Promise(setImmediate)
          }`
        for (let round = 1; round <= 15; round++) {
          const { signal } = yield* running(program, { onPrint: (count, kill) => count === round && kill() })
          assert.strictEqual(signal, "SIGKILL")
          assert.match(fs.readFileSync(file, "utf8"), /^(?:a{300000}|b{300000})$/)
        }
      }),
    240_000,
  )

  it.scopedLive("is the old one on a full disk", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = path.join(folder, "purposes.jsonl")
      fs.writeFileSync(file, "old")
      // A file of 16 KB is as large as it gets.
      const before = "trap '' XFSZ; ulimit -f 16; "
      const program = `
        try {
          AtomicFile.replace(${JSON.stringify(file)}, "new".repeat(100_000))
        } catch (error) {
          process.stdout.write(error._tag + " " + error.reason._tag + " " + error.reason.cause.code)
        }`
      const { printed } = yield* running(program, { before })
      assert.strictEqual(printed, "DiskError Unwritable EFBIG")
      assert.strictEqual(fs.readFileSync(file, "utf8"), "old")
      assert.deepStrictEqual(fs.readdirSync(folder), ["purposes.jsonl"])
    }),
  )

  it.scopedLive("keeps its whole lines where one more does not fit on the disk", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = path.join(folder, "journal.jsonl")
      const line = `${"x".repeat(1_000)}\n`
      const before = "trap '' XFSZ; ulimit -f 16; "
      const program = `
        let written = 0
        try {
          for (;;) {
            AtomicFile.append(${JSON.stringify(file)}, ${JSON.stringify(line)})
            written++
          }
        } catch (error) {
          process.stdout.write(String(written))
        }`
      const { printed } = yield* running(program, { before })
      const lines = fs.readFileSync(file, "utf8").split("\n")
      assert.isAbove(Number(printed), 10)
      // What was said to be written is; a torn line may stand behind it.
      assert.deepStrictEqual(lines.slice(0, Number(printed)), Array(Number(printed)).fill(line.trim()))
      assert.isAtMost(lines.length, Number(printed) + 1)
    }),
  )
})
