/** Beads as the program `bd` in this folder. No shell reads its arguments. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as ChildProcess from "../../../process/ChildProcess.ts"
import type { Environment } from "../../../process/Environment.ts"
import { Beads, BeadsError, NotInstalled, NotMade } from "../../../session/prd/Beads.ts"

/** `environment`: that of this process. */
export const layer = (environment: Environment): Layer.Layer<Beads> => Layer.succeed(Beads, make(environment))

const make = (environment: Environment): typeof Beads.Service => ({
  create: ({ acceptance, description, labels, priority, title }) =>
    Effect.flatMap(
      bd(environment, [
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
  depend: (id, on) => Effect.asVoid(bd(environment, ["dep", "add", id, on])),
})

/** Seconds; it may have to start a service of its own. */
const PATIENCE = 30

/** Of the server that may hold its database. */
const needs = ["BEADS_DOLT_PASSWORD"]

/** In characters, of what it says in an error. */
const LONGEST = 500

const decode = Schema.decodeUnknown(Schema.parseJson(Schema.Struct({ id: Schema.NonEmptyString })))

const notMade = (why: string): BeadsError => new BeadsError({ reason: new NotMade({ why }) })

/** What it prints. */
const bd = (environment: Environment, args: ReadonlyArray<string>): Effect.Effect<string, BeadsError> =>
  ChildProcess.run({ program: "bd", args, environment, needs }).pipe(
    Effect.mapError((error) =>
      error._tag === "NotFound"
        ? new BeadsError({ reason: new NotInstalled() })
        : notMade(`bd cannot be run: ${error.detail.slice(0, LONGEST)}`),
    ),
    Effect.timeoutFail({
      duration: `${PATIENCE} seconds`,
      onTimeout: () => notMade(`bd did not end within ${PATIENCE} seconds`),
    }),
    Effect.flatMap(({ code, signal, stderr, stdout }) => {
      if (code === 0) return Effect.succeed(stdout)
      const words = (stderr || stdout).trim().slice(0, LONGEST)
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
      return notMade(words === "" ? `bd ${how}` : `bd failed: ${words}`)
    }),
  )
