/** Cassettes in folders: exchanges written as files, one each, in the order in which they began to end. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Files from "../code/Files.ts"
import * as Folder from "../disk/Folder.ts"
import * as ModelId from "../message/ModelId.ts"
import * as SchemaIssues from "../message/SchemaIssues.ts"
import * as Secret from "../message/Secret.ts"
import { UsageError } from "../message/UsageError.ts"
import type * as Transport from "../model/Transport.ts"
import * as AgentCassette from "../provider/agents/AgentCassette.ts"
import * as Cassette from "../provider/transport/Cassette.ts"
import { inherited } from "./inherited.ts"

/** Adds to what the folder holds; it is made if it is not there. */
export const recorder = (folder: string): Effect.Effect<Transport.Service, UsageError> =>
  Effect.map(
    Effect.try({
      try: () => {
        Folder.make(path.resolve(folder))
        fs.accessSync(folder, fs.constants.W_OK)
        return lastIn(folder)
      },
      catch: (cause) => refused(`cannot record to ${folder}`, cause),
    }),
    (last) => {
      let number = last
      const keep = (model: ModelId.ModelId) => (exchange: Cassette.Exchange) => {
        const text = `${Cassette.encode({ model: String(model), ...exchange })}\n`
        // Another process may write here, too: a name that is taken is passed over.
        do number++
        while (!written(path.join(folder, `${String(number).padStart(4, "0")}.json`), text))
      }
      return {
        fetch: (model) => Cassette.record((input, init) => globalThis.fetch(input, init), keep(model), secrets()),
        agent: (agent) => AgentCassette.record(keep(agent.id), secrets())(agent),
        replayed: undefined,
      }
    },
  )

/** Of one exchange: many pictures, and the longest answer. */
const mostBytes = 256_000_000

export const replayer = (folder: string): Effect.Effect<Transport.Service, UsageError, Files.Files> =>
  Effect.gen(function* () {
    const names = yield* Effect.try({
      try: () =>
        fs
          .readdirSync(folder)
          .filter((name) => name.endsWith(".json"))
          .sort(),
      catch: (cause) => refused(`cannot replay ${folder}`, cause),
    })
    if (names.length === 0) return yield* refused(`cannot replay ${folder}`, "there is no recording in it")
    const exchanges = yield* Effect.forEach(names, (name) =>
      Effect.flatMap(
        Effect.mapError(Files.readAll(path.resolve(folder, name), { most: mostBytes }), ({ reason }) =>
          refused(`cannot replay ${path.join(folder, name)}`, reason.message),
        ),
        (bytes) =>
          Either.mapLeft(Cassette.decode(new TextDecoder().decode(bytes)), (error) =>
            refused(`${path.join(folder, name)} is no recording`, SchemaIssues.fromParseError(error).join("; ")),
          ),
      ),
    )
    const fetch = Cassette.replay(exchanges, secrets())
    return {
      fetch: () => fetch,
      agent: AgentCassette.replay(exchanges, secrets()),
      replayed: { model: firstModel(exchanges) },
    }
  })

const firstModel = (exchanges: ReadonlyArray<Cassette.Exchange>): ModelId.ModelId | undefined =>
  exchanges.flatMap(({ model = "" }) => Option.toArray(Either.getRight(ModelId.parse(model))))[0]

/**
 * Those of the environment, whether they are set for vibe or not. Short words and numbers
 * (`POSTGRES_PASSWORD=postgres`, `VIBE_MAX_RUN_TOKENS=1000000`) are none here: they may stand in any answer.
 */
const secrets = (): ReadonlyArray<string> =>
  Secret.valuesIn(inherited()).filter((secret) => !/^(?:[a-z]{1,11}|\d{1,12})$/i.test(secret))

const lastIn = (folder: string): number =>
  Math.max(
    0,
    ...fs.readdirSync(folder).flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : [])),
  )

/** Whether the name was free. Readable to nobody else: an exchange holds what was talked about. */
const written = (file: string, text: string): boolean => {
  try {
    fs.writeFileSync(file, text, { flag: "wx", mode: 0o600 })
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

const refused = (what: string, cause: unknown): UsageError => new UsageError({ message: `${what}: ${why(cause)}` })

const why = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return "code" in cause && cause.code === "ENOENT" ? "there is no such folder" : cause.message
}
