/** What a person sits at: a terminal, and what this process can do besides drawing on it. */
import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui/dist/terminal.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Environment } from "../../../process/Environment.ts"
import * as ExternalEditor from "./ExternalEditor.ts"
import * as Pastes from "./Pastes.ts"
import * as Theme from "./Theme.ts"

export interface Devices {
  readonly terminal: Terminal
  readonly theme: Theme.Theme
  /** The person's own editor on these words; the terminal is its own meanwhile. */
  readonly edit: (text: string) => Effect.Effect<string, ExternalEditor.EditorFailed>
  /** Gives the terminal back to the shell until the person comes back; none where there are no jobs. */
  readonly suspend: Effect.Effect<void> | undefined
  /** Waits until there is no terminal any more. */
  readonly lost: Effect.Effect<void, never, Scope.Scope>
  /** Does this also where the process ends without a word. */
  readonly atExit: (restore: () => void) => Effect.Effect<void, never, Scope.Scope>
}

export interface Options {
  readonly isColourless: boolean
  /** Of a shell, with arguments perhaps. */
  readonly editor: string | undefined
  /** That of this process. */
  readonly environment: Environment
}

/** This process's. It hears a paste of any size in one piece: the one it is made from looks through all of it at each. */
class PatientTerminal extends ProcessTerminal {
  #hear: ((data: string) => void) | undefined

  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start(onInput, onResize)
    const [heard] = process.stdin.listeners("data").slice(-1)
    if (heard === undefined) return
    this.#hear = Pastes.gather(onInput, (data) => heard.call(process.stdin, data))
    // The terminal is the only one that listens.
    process.stdin.removeAllListeners("data").on("data", this.#hear)
  }

  override stop(): void {
    if (this.#hear !== undefined) process.stdin.removeListener("data", this.#hear)
    super.stop()
  }
}

/** Of this process. */
export const ofProcess = ({ editor, environment, isColourless }: Options): Devices => ({
  terminal: new PatientTerminal(),
  theme: isColourless ? Theme.plain : Theme.coloured,
  edit: (text) =>
    ExternalEditor.edit({ command: editor ?? (process.platform === "win32" ? "notepad" : "vi"), environment }, text),
  suspend: process.platform === "win32" ? undefined : suspend,
  lost,
  atExit: (restore) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => process.once("exit", restore)),
        () => Effect.sync(() => process.removeListener("exit", restore)),
      ),
    ),
})

/** All of this job, as the terminal would do it itself. It goes on below once the shell says so. */
const suspend: Effect.Effect<void> = Effect.zipRight(
  Effect.sync(() => void process.kill(0, "SIGTSTP")),
  // Where the signal takes its time, the terminal must not be drawn on before.
  Effect.sleep("50 millis"),
)

const lost: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
  const lost = yield* Deferred.make<void>()
  const lose = () => Deferred.unsafeDone(lost, Effect.void)
  const { stderr, stdin, stdout } = process
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      process.on("SIGHUP", lose)
      stdin.on("end", lose).on("error", lose)
      // Else what is written to a terminal that is gone would end the process before all is kept.
      for (const stream of [stdout, stderr]) stream.on("error", lose)
    }),
    () =>
      Effect.map(Deferred.isDone(lost), (isLost) => {
        // It stays lost, and the last words of the process are written after this.
        if (isLost) return
        process.removeListener("SIGHUP", lose)
        for (const stream of [stdin, stdout, stderr]) stream.removeListener("error", lose)
        stdin.removeListener("end", lose)
      }),
  )
  yield* Deferred.await(lost)
})
