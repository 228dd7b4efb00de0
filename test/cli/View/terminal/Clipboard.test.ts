import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Clipboard from "../../../../src/cli/View/terminal/Clipboard.ts"

/** A folder with programs that stand in for those of a desktop; each is a shell script. */
const programs = (scripts: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-clipboard-"))
      for (const [name, text] of Object.entries(scripts)) {
        fs.writeFileSync(path.join(folder, name), `#!/bin/sh\ncd ${folder}\n${text}\n`, { mode: 0o755 })
      }
      return folder
    }),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true })),
  )

const environment = (folder: string, more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${folder}:/usr/bin:/bin`,
  ...more,
})

describe.runIf(process.platform === "linux")("Clipboard", () => {
  it.scopedLive("copies by the first program of the desktop that is there and works", () =>
    Effect.gen(function* () {
      const folder = yield* programs({ "wl-copy": "exit 1", xclip: 'cat > copied; echo "$@" > arguments' })
      const clipboard = Clipboard.ofProcess(environment(folder, { WAYLAND_DISPLAY: "w", DISPLAY: ":0" }), "linux")
      assert.isTrue(yield* clipboard.write("漢字 and more"))
      assert.strictEqual(fs.readFileSync(path.join(folder, "copied"), "utf8"), "漢字 and more")
      assert.strictEqual(fs.readFileSync(path.join(folder, "arguments"), "utf8"), "-selection clipboard -in\n")
    }),
  )

  it.scopedLive("copies by pbcopy on macOS, and by nothing without a desktop", () =>
    Effect.gen(function* () {
      const folder = yield* programs({ pbcopy: "cat > copied" })
      assert.isTrue(yield* Clipboard.ofProcess(environment(folder), "darwin").write("words"))
      assert.strictEqual(fs.readFileSync(path.join(folder, "copied"), "utf8"), "words")
      assert.isFalse(yield* Clipboard.ofProcess(environment(folder), "linux").write("words"))
    }),
  )

  it.scopedLive("reads a picture byte by byte, and none where there is none", () =>
    Effect.gen(function* () {
      const folder = yield* programs({ "wl-paste": "[ -e picture ] || exit 1; cat picture" })
      const { readPicture } = Clipboard.ofProcess(environment(folder, { WAYLAND_DISPLAY: "w" }), "linux")
      assert.isTrue(Option.isNone(yield* readPicture))
      const bytes = Uint8Array.from({ length: 1024 }, (_, index) => index % 256)
      fs.writeFileSync(path.join(folder, "picture"), bytes)
      assert.deepStrictEqual(yield* readPicture, Option.some(bytes))
    }),
  )

  it.effect("also hands the text to the terminal, unless it is too long for one", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const terminal = { write: (data: string) => void written.push(data) }
      const none: Clipboard.Clipboard = { write: () => Effect.succeed(false), readPicture: Effect.succeedNone }
      assert.match(yield* Clipboard.copy(none, terminal, "Hi"), /handed to your terminal to copy: 2 characters/)
      assert.deepStrictEqual(written, ["\u001b]52;c;SGk=\u0007"])
      assert.match(yield* Clipboard.copy(none, terminal, "x".repeat(100_000)), /100,000 characters.*\/export/)
      assert.lengthOf(written, 1)
      const some = { ...none, write: () => Effect.succeed(true) }
      assert.strictEqual(yield* Clipboard.copy(some, terminal, "x"), "copied the last answer: 1 character")
    }),
  )
})

describe("the clipboard of Windows", () => {
  it("is that of its PowerShell, which reads the text as UTF-8", () => {
    const environment = { SystemRoot: "D:\\Windows", Path: "C:\\tools" }
    const [writer, ...others] = Clipboard.writers(environment, "win32")
    const [reader] = Clipboard.readers(environment, "win32")
    assert.lengthOf(others, 0)
    for (const each of [writer, reader]) {
      assert.strictEqual(each?.program, "D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe")
      // One argument that needs no quotes within.
      assert.notInclude(each?.args.at(-1), '"')
    }
    assert.include(writer?.args.at(-1), "Set-Clipboard")
    assert.include(reader?.args.at(-1), "Png")
  })
})
