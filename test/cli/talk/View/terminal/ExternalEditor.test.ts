import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { edit } from "../../../../../src/cli/talk/View/terminal/ExternalEditor.ts"

/** A folder, and an editor that does this with the file `$1`. */
const withEditor = <A, E>(script: string, use: (command: string, folder: string) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "editor-"))),
    (folder) => {
      const file = path.join(folder, "my editor")
      fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o700 })
      return use(`'${file}' --wait`, folder)
    },
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true })),
  )

describe.skipIf(process.platform === "win32")("ExternalEditor", () => {
  it.effect("gives the words to the editor, and takes them as it leaves them", () =>
    Effect.gen(function* () {
      const text = yield* withEditor(
        '[ "$1" = --wait ] && tr a-z A-Z < "$2" > "$2.new" && mv "$2.new" "$2" && echo >> "$2"',
        (command) => edit(command, "some words\n  of mine"),
      )
      assert.strictEqual(text, "SOME WORDS\n  OF MINE")
    }),
  )

  it.effect("lets nobody else read them, and leaves nothing behind", () =>
    withEditor('ls -l "$2" | cut -c1-10 > "$0.seen"; echo "$2" >> "$0.seen"', (command, folder) =>
      Effect.gen(function* () {
        yield* edit(command, "words")
        const [mode, file = ""] = fs.readFileSync(path.join(folder, "my editor.seen"), "utf8").split("\n")
        assert.strictEqual(mode, "-rw-------")
        assert.isFalse(fs.existsSync(path.dirname(file)))
      }),
    ),
  )

  it.effect("says that an editor is missing, or has failed", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(edit("/no/such/editor 2>/dev/null", "words"))
      assert.strictEqual(missing.message, "'/no/such/editor 2>/dev/null' ended with exit code 127")
      const failed = yield* withEditor("exit 3", (command) => Effect.flip(edit(command, "words")))
      assert.match(failed.message, /ended with exit code 3$/)
    }),
  )
})
