/** Connects to the Postgres that the starter of a run and its workers share. They have no other connection. */

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { ExplorerError } from "../explore/ExplorerError.ts"
import { tables } from "./internal/tables.ts"

/** The version of the tables (`internal/tables`), counted from the first release that has them. */
export const FORMAT = 1

/** The first major version that has everything the tables and the engine need. */
const OLDEST_SERVER = 13

/** The largest difference between clocks: ids and deadlines of the engine come from the clock. */
const MAX_CLOCK_DIFFERENCE = Duration.minutes(1)

export interface Options {
  /** `postgres://user:password@host/database`. */
  readonly url: Redacted.Redacted
  /** The name in the database's list of connections. */
  readonly name: string
}

/** Connects, checks the server, and makes the tables if they do not exist. */
export const layer = ({ name, url }: Options): Layer.Layer<SqlClient.SqlClient, ExplorerError> =>
  Layer.effectDiscard(prepare).pipe(
    Layer.provideMerge(
      PgClient.layer({ url, maxConnections: 5, applicationName: name, connectTimeout: "10 seconds" }).pipe(
        Layer.catchAll((error) =>
          Layer.fail(error._tag === "SqlError" ? toExplorerError(error) : unreachable(error.message)),
        ),
      ),
    ),
  )

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const refuse = (reason: ExplorerError["reason"], message: string) => new ExplorerError({ reason, message })
  const [server] = yield* sql<{ version: number; readonly: string; recovery: boolean; now: number }>`
    select current_setting('server_version_num')::int as version, current_setting('transaction_read_only') as readonly,
      pg_is_in_recovery() as recovery, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
  if (server === undefined) return yield* refuse("unusable", "The database of the cluster answers nothing")
  const major = Math.floor(server.version / 10_000)
  if (major < OLDEST_SERVER) {
    return yield* refuse(
      "unusable",
      `The database of the cluster is Postgres ${major}; Postgres ${OLDEST_SERVER} or later is needed`,
    )
  }
  if (server.recovery || server.readonly === "on") {
    return yield* refuse("unusable", "The database of the cluster is read-only; name one that can be written")
  }
  const difference = (yield* Clock.currentTimeMillis) - server.now
  if (Math.abs(difference) > Duration.toMillis(MAX_CLOCK_DIFFERENCE)) {
    const seconds = Math.round(Math.abs(difference) / 1000)
    return yield* refuse(
      "refused",
      `The clock of this machine is ${seconds} s ${difference > 0 ? "ahead of" : "behind"} the database's; set it first`,
    )
  }
  yield* sql.withTransaction(
    Effect.gen(function* () {
      // Two processes that start at once would make the same table.
      yield* sql`select pg_advisory_xact_lock(${LOCK})`
      const [known] = yield* sql<{ is: boolean }>`select to_regclass('vibe_cluster') is not null as is`
      if (known?.is !== true) {
        yield* sql.unsafe(tables)
        yield* sql`insert into vibe_cluster (format) values (${FORMAT})`
      }
      const [found] = yield* sql<{ format: number }>`select format from vibe_cluster`
      if (found !== undefined && found.format > FORMAT) {
        return yield* refuse("unusable", "The database of the cluster was made by a later vibe; update this one")
      }
    }),
  )
}).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(toExplorerError(error))))

/** The key for `pg_advisory_xact_lock`: any number that other programs are unlikely to take. */
const LOCK = 7_316_401

/** Describes a failed statement to a user. If the connection was lost, it may come back: `unreachable`. */
export const toExplorerError = ({ cause, message }: SqlError): ExplorerError => {
  const { code = "", text } = detailsOf(cause, message)
  switch (code) {
    case "25006":
      return unusable("The database of the cluster is read-only; name one that can be written")
    case "53100":
      return unusable("The disk of the cluster's database is full; make room there, and start again: nothing is lost")
    case "28P01":
    case "28000":
      return unusable("The database of the cluster refuses the user or password in VIBE_CLUSTER_URL")
    case "3D000":
      return unusable(`The database that VIBE_CLUSTER_URL names is not there: ${text}`)
    case "42501":
      return unusable(`The user in VIBE_CLUSTER_URL may not do that in the database: ${text}`)
  }
  // Classes 08 (connection) and 57 (shut down, terminated), and errors of sockets, such as EPIPE.
  const isLost = !/^[0-9A-Z]{5}$/.test(code) || /^(?:08|57|53300|E[A-Z])/.test(code)
  if (isLost) return unreachable(text)
  const said = `The database of the cluster has failed: ${text} (${code})`
  // Class 40: two transactions conflicted, and this one was undone.
  return code.startsWith("40") ? new ExplorerError({ reason: "unreachable", message: said }) : unusable(said)
}

const unusable = (message: string) => new ExplorerError({ reason: "unusable", message })

const unreachable = (text: string) =>
  new ExplorerError({
    reason: "unreachable",
    message: `The database of the cluster cannot be reached (VIBE_CLUSTER_URL): ${text}`,
  })

const detailsOf = (cause: unknown, message: string): { readonly code?: string; readonly text: string } => {
  if (typeof cause !== "object" || cause === null) return { text: message }
  const code = "code" in cause && typeof cause.code === "string" ? { code: cause.code } : {}
  // If several addresses were tried, the message of the error is empty.
  const inner = "errors" in cause && Array.isArray(cause.errors) ? cause.errors[0] : undefined
  const text = [cause, inner].flatMap((each) => (each instanceof Error && each.message !== "" ? [each.message] : []))[0]
  return { ...code, text: text ?? message }
}

/**
 * Repeats an effect for a minute if it failed because the connection was lost or two transactions conflicted. Such
 * statements may have been executed all the same.
 */
export const persist = <A, R>(
  effect: Effect.Effect<A, ExplorerError | SqlError, R>,
): Effect.Effect<A, ExplorerError, R> =>
  effect.pipe(
    Effect.mapError((error) => (error._tag === "SqlError" ? toExplorerError(error) : error)),
    Effect.retry({ while: ({ reason }) => reason === "unreachable", schedule: reconnect }),
  )

const reconnect = Schedule.exponential("200 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.upTo("1 minute"),
)
