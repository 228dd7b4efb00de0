/** Asks the user to confirm an action that cannot be undone. */
import * as readline from "node:readline"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"

export class Confirm extends Context.Tag("vibe/cli/Confirm")<Confirm, Service>() {}

export interface Service {
  /** Returns whether the answer begins with `y`. Returns `None` without asking if stdin is not a terminal. */
  readonly ask: (question: string) => Effect.Effect<Option.Option<boolean>>
}

/** Asks on the terminal of this process: the question goes to stderr, the answer comes from stdin. */
export const layer: Layer.Layer<Confirm> = Layer.succeed(Confirm, {
  ask: (question) => Effect.suspend(() => (process.stdin.isTTY ? askOnTerminal(question) : Effect.succeedNone)),
})

/** The end of stdin is a no. The terminal stays as it is, so that Ctrl-C ends the program. */
const askOnTerminal = (question: string): Effect.Effect<Option.Option<boolean>> =>
  Effect.async<Option.Option<boolean>>((resume) => {
    const lines = readline.createInterface({ input: process.stdin, output: process.stderr, terminal: false })
    lines.on("line", (answer) => {
      resume(Effect.succeedSome(/^\s*y/i.test(answer)))
      lines.close()
    })
    lines.on("close", () => resume(Effect.succeedSome(false)))
    process.stderr.write(question)
    return Effect.sync(() => lines.close())
  }).pipe(Effect.ensuring(Effect.sync(() => void process.stdin.destroy())))
