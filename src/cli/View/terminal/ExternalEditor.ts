/** Edits a draft in the user's editor. */
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ChildProcess from "../../../process/ChildProcess.ts"
import type { Environment } from "../../../process/Environment.ts"
import * as Windows from "../../../process/Windows.ts"

export class EditorFailed extends Schema.TaggedError<EditorFailed>()("EditorFailed", { message: Schema.String }) {}

interface Editor {
  /** A shell command line. */
  readonly command: string
  /** The environment of this process. The editor receives it without secrets. */
  readonly environment: Environment
}

/** Returns the edited text. The editor has the terminal to itself meanwhile. */
export const edit = (editor: Editor, text: string): Effect.Effect<string, EditorFailed> =>
  Effect.acquireUseRelease(
    tryPromise(() => fs.mkdtemp(path.join(os.tmpdir(), "vibe-"))),
    (folder) => {
      const file = path.join(folder, "message.md")
      return tryPromise(() => fs.writeFile(file, text, { mode: 0o600 })).pipe(
        Effect.zipRight(run(editor, file)),
        // Editors add a line break at the end of a file.
        Effect.zipRight(tryPromise(async () => (await fs.readFile(file, "utf8")).replace(/\r?\n$/, ""))),
      )
    },
    (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true })),
  )

const tryPromise = <A>(evaluate: () => Promise<A>): Effect.Effect<A, EditorFailed> =>
  Effect.tryPromise({ try: evaluate, catch: (cause) => new EditorFailed({ message: String(cause) }) })

const run = (editor: Editor, file: string): Effect.Effect<void, EditorFailed> =>
  ChildProcess.runOnTerminal(commandOf(editor, file)).pipe(
    Effect.mapError(({ message }) => new EditorFailed({ message })),
    Effect.flatMap(({ code, signal }) => {
      if (code === 0) return Effect.void
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
      return new EditorFailed({ message: `'${editor.command}' ${how}` })
    }),
  )

/** The editor runs through the shell, as in Git: the user's setting may be a command line. */
export const commandOf = (
  { command, environment }: Editor,
  file: string,
  platform: NodeJS.Platform = process.platform,
): ChildProcess.Command =>
  platform === "win32"
    ? { ...Windows.shellCommand(`${command} "${file}"`, environment), environment }
    : { program: "/bin/sh", args: ["-c", `${command} "$1"`, "vibe", file], environment }
