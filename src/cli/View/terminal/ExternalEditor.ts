/** The person's own editor, on words that are not sent yet. */
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ChildProcess from "../../../process/ChildProcess.ts"
import { type Environment, variable } from "../../../process/Environment.ts"

export class EditorFailed extends Schema.TaggedError<EditorFailed>()("EditorFailed", { message: Schema.String }) {}

export interface Editor {
  /** As a shell takes it: it may have arguments. */
  readonly command: string
  /** That of this process: the editor has all of it that is no secret. */
  readonly environment: Environment
}

/** The words as the editor leaves them. It has the terminal to itself meanwhile. */
export const edit = (editor: Editor, text: string): Effect.Effect<string, EditorFailed> =>
  Effect.acquireUseRelease(
    tried(() => fs.mkdtemp(path.join(os.tmpdir(), "vibe-"))),
    (folder) => {
      const file = path.join(folder, "message.md")
      return tried(() => fs.writeFile(file, text, { mode: 0o600 })).pipe(
        Effect.zipRight(run(editor, file)),
        // Editors end a file with a line break.
        Effect.zipRight(tried(async () => (await fs.readFile(file, "utf8")).replace(/\r?\n$/, ""))),
      )
    },
    (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true })),
  )

const tried = <A>(evaluate: () => Promise<A>): Effect.Effect<A, EditorFailed> =>
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

/** By the shell, as Git does it: the command is the user's own and may be a line of it. */
const commandOf = ({ command, environment }: Editor, file: string): ChildProcess.Command =>
  process.platform === "win32"
    ? {
        program: variable(environment, "COMSPEC", "win32") ?? "C:\\Windows\\System32\\cmd.exe",
        args: ["/d", "/s", "/c", `"${command} "${file}""`],
        isVerbatim: true,
        environment,
      }
    : { program: "/bin/sh", args: ["-c", `${command} "$1"`, "vibe", file], environment }
