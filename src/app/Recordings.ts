/** Exchanges with providers and agents as files of a folder (`--record`, `--replay`), numbered as they ended. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as SchemaIssues from "../base/SchemaIssues.ts"
import * as Secret from "../base/Secret.ts"
import { UsageError } from "../base/UsageError.ts"
import * as Files from "../code/Files.ts"
import * as FileSystem from "../disk/FileSystem.ts"
import * as ModelId from "../message/ModelId.ts"
import type * as Transport from "../model/Transport.ts"
import * as Fetch from "../process/Fetch.ts"
import * as AgentCassette from "../provider/agents/AgentCassette.ts"
import * as Cassette from "../provider/transport/Cassette.ts"
import { processEnvironment } from "./OwnProcess.ts"

/** How long the end of the program waits for the recordings of requests that were interrupted, in milliseconds. */
const MAX_WAIT = 1_000

/**
 * Counts the requests that are not recorded yet: one that is interrupted is written after
 * the run that made it has ended.
 */
const makeUnrecorded = () => {
  let count = 0
  let onNone = () => {}
  return {
    begin: (): void => {
      count += 1
    },
    end: (): void => {
      count -= 1
      if (count === 0) onNone()
    },
    /** Waits until there are none, for a second at most: a body that nothing reads any more never ends. */
    awaitNone: Effect.async<void>((resume) => {
      const timer = setTimeout(() => resume(Effect.void), MAX_WAIT)
      onNone = () => {
        clearTimeout(timer)
        resume(Effect.void)
      }
      if (count === 0) onNone()
    }),
  }
}

/** Adds exchanges to the folder, and makes the folder if it does not exist. Ends when all are written. */
export const recorder = (folder: string): Effect.Effect<Transport.Service, UsageError, Scope.Scope> =>
  Effect.flatMap(
    Effect.try({
      try: () => {
        FileSystem.makeFolder(path.resolve(folder))
        fs.accessSync(folder, fs.constants.W_OK)
        return lastNumber(folder)
      },
      catch: (cause) => failedTo(`cannot record to ${folder}`, cause),
    }),
    (last) => {
      let number = last
      const write = (model: ModelId.ModelId) => (exchange: Cassette.Exchange) => {
        const text = `${Cassette.encode({ model: String(model), ...exchange })}\n`
        // Another process may record here as well: taken numbers are passed over.
        do number++
        while (!writeNew(path.join(folder, `${String(number).padStart(4, "0")}.json`), text))
      }
      const { awaitNone, begin, end } = makeUnrecorded()
      const service: Transport.Service = {
        fetch: (model) => {
          const writeOne = write(model)
          const keep = (exchange: Cassette.Exchange) => {
            try {
              writeOne(exchange)
            } finally {
              end()
            }
          }
          const record = Cassette.record(Fetch.live, keep, secrets())
          return (input, init) => {
            begin()
            return record(input, init)
          }
        },
        agent: (agent) => AgentCassette.record(write(agent.id), secrets())(agent),
        replayed: undefined,
      }
      return Effect.as(
        Effect.addFinalizer(() => awaitNone),
        service,
      )
    },
  )

/** The most bytes of one exchange: many pictures, and the longest answer. */
const MAX_EXCHANGE_BYTES = 256_000_000

export const replayer = (folder: string): Effect.Effect<Transport.Service, UsageError, Files.Files> =>
  Effect.gen(function* () {
    const names = yield* Effect.try({
      try: () =>
        fs
          .readdirSync(folder)
          .filter((name) => name.endsWith(".json"))
          .sort(),
      catch: (cause) => failedTo(`cannot replay ${folder}`, cause),
    })
    if (names.length === 0) return yield* failedTo(`cannot replay ${folder}`, "there is no recording in it")
    const exchanges = yield* Effect.forEach(names, (name) =>
      Effect.flatMap(
        Effect.mapError(Files.readAll(path.resolve(folder, name), { most: MAX_EXCHANGE_BYTES }), ({ reason }) =>
          failedTo(`cannot replay ${path.join(folder, name)}`, reason.message),
        ),
        (bytes) =>
          Either.mapLeft(Cassette.decode(new TextDecoder().decode(bytes)), (error) =>
            failedTo(`${path.join(folder, name)} is no recording`, SchemaIssues.fromParseError(error).join("; ")),
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
 * The secrets of the environment, to be redacted. Short words and numbers (`POSTGRES_PASSWORD=postgres`,
 * `VIBE_MAX_RUN_TOKENS=1000000`) are left out: they may occur in any answer.
 */
const secrets = (): ReadonlyArray<string> =>
  Secret.valuesIn(processEnvironment()).filter((secret) => !/^(?:[a-z]{1,11}|\d{1,12})$/i.test(secret))

const lastNumber = (folder: string): number =>
  Math.max(
    0,
    ...fs.readdirSync(folder).flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : [])),
  )

/** Creates the file; returns false if it already exists. Only its owner may read it, since it holds a conversation. */
const writeNew = (file: string, text: string): boolean => {
  try {
    fs.writeFileSync(file, text, { flag: "wx", mode: 0o600 })
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

const failedTo = (what: string, cause: unknown): UsageError =>
  new UsageError({ message: `${what}: ${reasonOf(cause)}` })

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return "code" in cause && cause.code === "ENOENT" ? "there is no such folder" : cause.message
}
