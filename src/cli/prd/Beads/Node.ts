/** Creates Beads issues with the program `bd` in the current folder, without a shell. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { endWith } from "../../../base/concurrency.ts"
import { Beads, BeadsError, NotInstalled, NotMade } from "../../../conversation/prd/Beads.ts"
import * as ChildProcess from "../../../process/ChildProcess.ts"
import type { Environment } from "../../../process/Environment.ts"

/** `environment` is that of this process. */
export const layer = (environment: Environment): Layer.Layer<Beads> => Layer.succeed(Beads, make(environment))

const make = (environment: Environment): typeof Beads.Service => ({
  create: ({ acceptance, description, labels, priority, title }) =>
    Effect.flatMap(
      runBd(environment, [
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
          onFailure: () => notMade(`bd did not say what it made: ${said.trim().slice(0, MAX_ERROR_CHARS)}`),
          onSuccess: ({ id }) => id,
        }),
    ),
  depend: (id, on) => Effect.asVoid(runBd(environment, ["dep", "add", id, on])),
})

/** Long enough for `bd` to start its own server first. */
const TIMEOUT_SECONDS = 30

/** Variables that `bd` needs besides the usual ones: the password of its database server. */
const needs = ["BEADS_DOLT_PASSWORD"]

/** The most characters of `bd`'s output in an error message. */
const MAX_ERROR_CHARS = 500

const decode = Schema.decodeUnknown(Schema.parseJson(Schema.Struct({ id: Schema.NonEmptyString })))

const notMade = (why: string): BeadsError => new BeadsError({ reason: new NotMade({ why }) })

/** Returns the stdout of `bd`. */
const runBd = (environment: Environment, args: ReadonlyArray<string>): Effect.Effect<string, BeadsError> =>
  ChildProcess.run({ program: "bd", args, environment, needs }).pipe(
    Effect.mapError((error) =>
      error._tag === "NotFound"
        ? new BeadsError({ reason: new NotInstalled() })
        : notMade(`bd cannot be run: ${error.detail.slice(0, MAX_ERROR_CHARS)}`),
    ),
    endWith(
      Effect.zipRight(
        Effect.sleep(`${TIMEOUT_SECONDS} seconds`),
        notMade(`bd did not end within ${TIMEOUT_SECONDS} seconds`),
      ),
    ),
    Effect.flatMap(({ code, signal, stderr, stdout }) => {
      if (code === 0) return Effect.succeed(stdout)
      const words = (stderr || stdout).trim().slice(0, MAX_ERROR_CHARS)
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
      return notMade(words === "" ? `bd ${how}` : `bd failed: ${words}`)
    }),
  )
