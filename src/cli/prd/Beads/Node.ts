/** Beads as the program `bd` in this folder. No shell reads what it is told. */
import { execFile } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Beads, BeadsError, NotInstalled, NotMade } from "../Beads.ts"

export const layer: Layer.Layer<Beads> = Layer.succeed(Beads, {
  create: ({ acceptance, description, labels, priority, title }) =>
    Effect.flatMap(
      bd([
        "create",
        title,
        `--description=${description}`,
        ...(acceptance === "" ? [] : [`--acceptance=${acceptance}`]),
        `--priority=${priority}`,
        ...(labels.length === 0 ? [] : [`--labels=${labels.join(",")}`]),
        "--json",
      ]),
      (said) =>
        Effect.mapBoth(decode(said), {
          onFailure: () => notMade(`bd did not say what it made: ${said.trim().slice(0, LONGEST)}`),
          onSuccess: ({ id }) => id,
        }),
    ),
  depend: (id, on) => Effect.asVoid(bd(["dep", "add", id, on])),
})

/** Milliseconds; it may have to start a service of its own. */
const PATIENCE = 30_000

/** In characters, of what it says in an error. */
const LONGEST = 500

const decode = Schema.decodeUnknown(Schema.parseJson(Schema.Struct({ id: Schema.NonEmptyString })))

const notMade = (why: string): BeadsError => new BeadsError({ reason: new NotMade({ why }) })

/** What it says on stdout. */
const bd = (args: ReadonlyArray<string>): Effect.Effect<string, BeadsError> =>
  Effect.async((resume, signal) => {
    try {
      const options = { encoding: "utf8", timeout: PATIENCE, killSignal: "SIGKILL", windowsHide: true, signal } as const
      const child = execFile("bd", args, options, (error, stdout, stderr) =>
        resume(error === null ? Effect.succeed(stdout) : Effect.fail(failure(error, stderr || stdout))),
      )
      // It may end without having read what it was never told.
      child.stdin?.on("error", () => {}).end()
    } catch (error) {
      // An argument that no process can be given.
      resume(notMade(`bd cannot be run: ${String(error)}`))
    }
  })

const failure = (error: Error & { readonly code?: unknown; readonly killed?: unknown }, said: string): BeadsError => {
  if (error.code === "ENOENT") return new BeadsError({ reason: new NotInstalled() })
  if (error.killed === true) return notMade(`bd did not end within ${PATIENCE / 1000} seconds`)
  const words = said.trim().slice(0, LONGEST)
  return notMade(words === "" ? `bd cannot be run: ${error.message.slice(0, LONGEST)}` : `bd failed: ${words}`)
}
