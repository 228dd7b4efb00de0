/** The terminal, and what the process can do with it besides drawing. */
import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui/dist/terminal.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FileError } from "../../../code/FileError.ts"
import * as Files from "../../../code/Files.ts"
import * as Picture from "../../../message/Picture.ts"
import type { Environment } from "../../../process/Environment.ts"
import * as BracketedPaste from "./BracketedPaste.ts"
import * as Clipboard from "./Clipboard.ts"
import * as ExternalEditor from "./ExternalEditor.ts"
import * as Theme from "./Theme.ts"

export interface Devices {
  readonly terminal: Terminal
  readonly theme: Theme.Theme
  /** Opens the user's editor on a text. The editor has the terminal to itself meanwhile. */
  readonly edit: (text: string) => Effect.Effect<string, ExternalEditor.EditorFailed>
  /** Reads the file of a picture, of at most `Picture.MAX_BYTES`. */
  readonly readFile: (path: string) => Effect.Effect<Uint8Array, FileError>
  /** The clipboard of the user's desktop. */
  readonly clipboard: Clipboard.Clipboard
  /** Stops the process until the shell continues it; undefined on systems without job control. */
  readonly suspend: Effect.Effect<void> | undefined
  /** Completes when the terminal is gone. */
  readonly disconnected: Effect.Effect<void, never, Scope.Scope>
  /** Runs `restore` if the process exits without closing its scopes. */
  readonly atExit: (restore: () => void) => Effect.Effect<void, never, Scope.Scope>
}

export interface Options {
  readonly isColourless: boolean
  /** A shell command line. */
  readonly editor: string | undefined
  /** The environment of this process. */
  readonly environment: Environment
  readonly files: Files.Service
}

/**
 * Receives a paste in one piece: its base class scans the whole paste again at each chunk, in quadratic time. For keys
 * that were typed before the terminal was in raw mode, Enter comes as a line feed, which is Ctrl-J otherwise.
 */
class PasteCollectingTerminal extends ProcessTerminal {
  #onData: ((data: string) => void) | undefined

  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start(onInput, onResize)
    const [listener] = process.stdin.listeners("data").slice(-1)
    if (listener === undefined) return
    const collect = BracketedPaste.collect(onInput, (data) => listener.call(process.stdin, data))
    // The first chunk contains what was typed before.
    let isFirst = true
    this.#onData = (data) => {
      collect(isFirst ? data.replaceAll("\n", "\r") : data)
      isFirst = false
    }
    // There are no other listeners than that of the base class.
    process.stdin.removeAllListeners("data").on("data", this.#onData)
  }

  override stop(): void {
    if (this.#onData !== undefined) process.stdin.removeListener("data", this.#onData)
    super.stop()
  }
}

/** The devices of this process. */
export const ofProcess = ({ editor, environment, files, isColourless }: Options): Devices => ({
  terminal: new PasteCollectingTerminal(),
  theme: isColourless ? Theme.plain : Theme.coloured,
  edit: (text) =>
    ExternalEditor.edit({ command: editor ?? (process.platform === "win32" ? "notepad" : "vi"), environment }, text),
  readFile: (path) =>
    Effect.provideService(Files.readAll(path, { most: Picture.MAX_BYTES, pipes: false }), Files.Files, files),
  clipboard: Clipboard.ofProcess(environment),
  suspend: process.platform === "win32" ? undefined : suspend,
  disconnected,
  atExit: (restore) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => process.once("exit", restore)),
        () => Effect.sync(() => process.removeListener("exit", restore)),
      ),
    ),
})

/** Stops the whole job, as the terminal itself would. Continues when the shell resumes it. */
const suspend: Effect.Effect<void> = Effect.zipRight(
  Effect.sync(() => void process.kill(0, "SIGTSTP")),
  // The signal may be delivered late, and nothing may be drawn before.
  Effect.sleep("50 millis"),
)

const disconnected: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
  const done = yield* Deferred.make<void>()
  const onLoss = () => Deferred.unsafeDone(done, Effect.void)
  const { stderr, stdin, stdout } = process
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      process.on("SIGHUP", onLoss)
      stdin.on("end", onLoss).on("error", onLoss)
      // An unhandled write error would end the process before everything is stored.
      for (const stream of [stdout, stderr]) stream.on("error", onLoss)
    }),
    () =>
      Effect.map(Deferred.isDone(done), (isLost) => {
        // Keeps ignoring write errors: the process still prints its last messages.
        if (isLost) return
        process.removeListener("SIGHUP", onLoss)
        for (const stream of [stdin, stdout, stderr]) stream.removeListener("error", onLoss)
        stdin.removeListener("end", onLoss)
      }),
  )
  yield* Deferred.await(done)
})
