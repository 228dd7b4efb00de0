import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ExternalEditor from "../../../../src/cli/View/terminal/ExternalEditor.ts"

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

const edit = (command: string, text: string, environment: Readonly<Record<string, string>> = {}) =>
  ExternalEditor.edit({ command, environment: { PATH: "/usr/bin:/bin", ...environment } }, text)

describe.skipIf(process.platform === "win32")("ExternalEditor", () => {
  it.effect("passes the draft to the editor, and returns the edited text", () =>
    Effect.gen(function* () {
      const text = yield* withEditor(
        '[ "$1" = --wait ] && tr a-z A-Z < "$2" > "$2.new" && mv "$2.new" "$2" && echo >> "$2"',
        (command) => edit(command, "some words\n  of mine"),
      )
      assert.strictEqual(text, "SOME WORDS\n  OF MINE")
    }),
  )

  it.effect("keeps the text from other users, and leaves no file behind", () =>
    withEditor('ls -l "$2" | cut -c1-10 > "$0.seen"; echo "$2" >> "$0.seen"', (command, folder) =>
      Effect.gen(function* () {
        yield* edit(command, "words")
        const [mode, file = ""] = fs.readFileSync(path.join(folder, "my editor.seen"), "utf8").split("\n")
        assert.strictEqual(mode, "-rw-------")
        assert.isFalse(fs.existsSync(path.dirname(file)))
      }),
    ),
  )

  it.effect("passes the variables of a terminal and a display to the editor, and no keys", () =>
    withEditor('export -p > "$0.env"', (command, folder) =>
      Effect.gen(function* () {
        const kept = { TERM: "xterm-256color", DISPLAY: ":0", XAUTHORITY: "/x/auth", SSH_AUTH_SOCK: "/x/ssh" }
        const secrets = { OPENAI_API_KEY: "a-key-of-openai", DATABASE_URL: "postgres://me:a-pw-of-mine@localhost/db" }
        yield* edit(command, "words", { ...kept, ...secrets })
        const given = fs.readFileSync(path.join(folder, "my editor.env"), "utf8")
        for (const [name, value] of Object.entries(kept)) assert.match(given, new RegExp(`${name}=['"]?${value}`))
        assert.notInclude(given, "a-key-of-openai")
        assert.notInclude(given, "a-pw-of-mine")
      }),
    ),
  )

  it.effect("ignores relative folders of PATH", () =>
    withEditor("exit 0", (_, folder) =>
      Effect.gen(function* () {
        fs.renameSync(path.join(folder, "my editor"), path.join(folder, "my-editor"))
        const PATH = `${path.relative(process.cwd(), folder)}:/bin`
        const { message } = yield* Effect.flip(edit("my-editor 2>/dev/null", "words", { PATH }))
        assert.strictEqual(message, "'my-editor 2>/dev/null' ended with exit code 127")
        yield* edit("my-editor", "words", { PATH: `${folder}:/bin` })
      }),
    ),
  )

  it.effect("fails if the editor is missing or fails", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(edit("/no/such/editor 2>/dev/null", "words"))
      assert.strictEqual(missing.message, "'/no/such/editor 2>/dev/null' ended with exit code 127")
      const failed = yield* withEditor("exit 3", (command) => Effect.flip(edit(command, "words")))
      assert.match(failed.message, /ended with exit code 3$/)
    }),
  )
})

describe("commandOf", () => {
  it("is the user's command line with the file, through the shell of the system", () => {
    const environment = { COMSPEC: "C:\\Windows\\System32\\cmd.exe" }
    const editor = { command: '"C:\\Program Files\\code.cmd" --wait', environment }
    assert.deepStrictEqual(ExternalEditor.commandOf(editor, "C:\\my temp\\message.md", "win32"), {
      program: "C:\\Windows\\System32\\cmd.exe",
      args: ["/d", "/s", "/c", '""C:\\Program Files\\code.cmd" --wait "C:\\my temp\\message.md""'],
      isVerbatim: true,
      environment,
    })
    assert.deepStrictEqual(ExternalEditor.commandOf({ ...editor, command: "vi -n" }, "/tmp/a b", "linux"), {
      program: "/bin/sh",
      args: ["-c", 'vi -n "$1"', "vibe", "/tmp/a b"],
      environment,
    })
  })
})
