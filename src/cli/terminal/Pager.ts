/** Shows long output in the pager of the user: `$PAGER`, or `less`. */
import { stripVTControlCharacters } from "node:util"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DisplayWidth from "../../base/DisplayWidth.ts"
import * as ChildProcess from "../../process/ChildProcess.ts"
import { type Environment, variable } from "../../process/Environment.ts"
import * as Windows from "../../process/Windows.ts"
import * as Screen from "./Screen.ts"

export class Pager extends Context.Tag("vibe/cli/Pager")<Pager, Service>() {}

export interface Service {
  /**
   * Returns once the user has quit the pager. Returns false if the text fits on the screen, or if there is no pager.
   */
  readonly show: (text: string) => Effect.Effect<boolean>
}

/** A layer without a pager. */
export const layerNone: Layer.Layer<Pager> = Layer.succeed(Pager, { show: () => Effect.succeed(false) })

/** Prints lines, with a final line break. On a terminal they go through the pager, unless `noPager` is set. */
export const print = Effect.fn("Pager.print")(function* (
  out: Screen.Stream,
  text: string,
  { noPager }: { readonly noPager: boolean },
) {
  const { show } = yield* Pager
  if (out.canRedraw && !noPager && (yield* show(`${text}\n`))) return
  yield* Screen.line(out, text)
})

/** `environment` is that of this process, with `PAGER`. The pager receives it without secrets. */
export const layer = (environment: Environment): Layer.Layer<Pager> =>
  Layer.succeed(Pager, {
    show: (text) =>
      Effect.suspend(() => {
        const command = commandOf(environment)
        const { columns, rows } = process.stdout
        return command === undefined || fits(text, { columns: columns || 80, rows: rows || 24 })
          ? Effect.succeed(false)
          : run(command, text)
      }),
  })

/** Returns whether the text fits on the screen. Escape sequences do not count, and the prompt takes a line below it. */
export const fits = (text: string, { columns, rows }: { readonly columns: number; readonly rows: number }): boolean => {
  let height = 1
  for (let start = 0, end = text.indexOf("\n"); end !== -1; start = end + 1, end = text.indexOf("\n", start)) {
    const width = DisplayWidth.width(stripVTControlCharacters(text.slice(start, end)))
    height += Math.max(1, Math.ceil(width / columns))
    if (height > rows) return false
  }
  return true
}

/**
 * Returns undefined if `PAGER` is empty or `cat`. It may be a command line, so it runs through the shell, as in Git.
 * `less` shows colours, leaves the text on the screen, and ends by itself if all of it fits.
 */
export const commandOf = (
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): ChildProcess.Command | undefined => {
  const pager = variable(environment, "PAGER", platform)?.trim()
  if (pager === undefined) return { program: "less", args: ["-RFX"], environment }
  if (pager === "" || pager === "cat") return undefined
  const env = { LESS: variable(environment, "LESS", platform) ?? "RFX" }
  return platform === "win32"
    ? { ...Windows.shellCommand(pager, environment), environment, env }
    : { program: "/bin/sh", args: ["-c", pager], environment, env }
}

/**
 * Exit codes of a shell that has not found the program, or could not start it. Many programs that fail end with that of
 * cmd.exe as well; the text is then printed after them.
 */
const notStarted = (platform: NodeJS.Platform): ReadonlyArray<number> => (platform === "win32" ? [1, 9009] : [126, 127])

/** Runs the pager; how the user ends it does not matter. Returns false if it does not start. */
const run = (command: ChildProcess.Command, text: string): Effect.Effect<boolean> =>
  ChildProcess.runOnTerminal(command, text).pipe(
    Effect.map(({ code }) => code === null || !notStarted(process.platform).includes(code)),
    Effect.catchAll(() => Effect.succeed(false)),
  )
