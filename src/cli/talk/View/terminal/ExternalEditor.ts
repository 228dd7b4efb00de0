/** The person's own editor, on words that are not sent yet. */
import { spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export class EditorFailed extends Schema.TaggedError<EditorFailed>()("EditorFailed", { message: Schema.String }) {}

/** The words as the editor leaves them. `command` may have arguments; it has the terminal to itself meanwhile. */
export const edit = (command: string, text: string): Effect.Effect<string, EditorFailed> =>
  Effect.acquireUseRelease(
    tried(() => fs.mkdtemp(path.join(os.tmpdir(), "vibe-"))),
    (folder) => {
      const file = path.join(folder, "message.md")
      return tried(() => fs.writeFile(file, text, { mode: 0o600 })).pipe(
        Effect.zipRight(run(command, file)),
        // Editors end a file with a line break.
        Effect.zipRight(tried(async () => (await fs.readFile(file, "utf8")).replace(/\r?\n$/, ""))),
      )
    },
    (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true })),
  )

const tried = <A>(evaluate: () => Promise<A>): Effect.Effect<A, EditorFailed> =>
  Effect.tryPromise({ try: evaluate, catch: (cause) => new EditorFailed({ message: String(cause) }) })

/** By the shell, as Git does it: the command is the user's own and may be a line of it. */
const run = (command: string, file: string): Effect.Effect<void, EditorFailed> =>
  Effect.async((resume) => {
    const child =
      process.platform === "win32"
        ? spawn(`${command} "${file}"`, { shell: true, stdio: "inherit" })
        : spawn("/bin/sh", ["-c", `${command} "$1"`, "vibe", file], { stdio: "inherit" })
    const fail = (how: string) => resume(new EditorFailed({ message: `'${command}' ${how}` }))
    child.once("error", ({ message }) => fail(message))
    child.once("close", (code, signal) => {
      if (code === 0) resume(Effect.void)
      else fail(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`)
    })
    return Effect.sync(() => void child.kill())
  })
