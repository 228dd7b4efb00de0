/** The steps of a worker with one batch: it begins the batch, reserves its cost, and ends it or gives it back. */
import { randomBytes } from "node:crypto"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { persist } from "../Database.ts"
import type * as Run from "../Run.ts"
import type { BatchKey, BatchState, Begun, Service } from "../RunStore.ts"

/**
 * Makes the steps. Each transaction locks the run first, then the batch. If its connection was lost, a call may have
 * been executed; `call` tells its repetition from another attempt.
 */
export const make = (sql: SqlClient.SqlClient): Pick<Service, "begin" | "reserve" | "giveBack" | "end"> => {
  const inTransaction = <A>(effect: Effect.Effect<A, SqlError>) => persist(sql.withTransaction(effect))
  const newCall = () => randomBytes(12).toString("hex")
  const lockRun = (run: string) =>
    Effect.map(
      sql<RunRow>`select state, version, max_cost, spent, lost, reserved from vibe_runs where id = ${run} for update`,
      ([row]) => row,
    )
  const lockBatch = ({ number, run }: BatchKey) =>
    Effect.map(
      sql<BatchRow>`
        select state, worker, model, content, max_output, estimate, reserved, lost, attempts, begun_by, ended_by,
          coalesce(seen_at > now() - interval '${sql.literal(String(FRESH))} seconds', false) as fresh
        from vibe_batches where run = ${run} and number = ${number} for update`,
      ([row]) => row,
    )

  return {
    begin: (key, { id: worker, version }) => {
      const { number, run } = key
      const call = newCall()
      return inTransaction(
        Effect.gen(function* (): Effect.fn.Return<Begun, SqlError> {
          const of = yield* lockRun(run)
          if (of !== undefined && of.version !== version) return { _tag: "OtherVersion", version: of.version }
          const batch = yield* lockBatch(key)
          if (of?.state !== "running" || batch === undefined || isEnded(batch)) return { _tag: "Skip" }
          const { content, estimate, fresh, max_output, model } = batch
          const maxOutput = of.max_cost === null ? undefined : max_output
          if (batch.begun_by === call) return { _tag: "Ask", model, content, maxOutput, attempts: batch.attempts }
          if (batch.state === "running" && batch.worker !== worker && fresh) return { _tag: "Skip" }
          // An attempt whose worker was killed had reserved its cost, which may have been spent.
          const others = of.reserved - batch.reserved
          const lost = of.lost + batch.reserved
          if (of.max_cost !== null && of.spent + lost + others + estimate > of.max_cost) {
            yield* sql`update vibe_runs set reserved = ${others}, lost = ${lost} where id = ${run}`
            yield* sql`update vibe_batches set state = 'sent', reserved = 0, lost = lost + reserved
              where run = ${run} and number = ${number}`
            // If others do not use what is reserved for them, there is room for this batch.
            const underWay = yield* sql`select 1 from vibe_batches where run = ${run} and reserved > 0
              and seen_at > now() - interval '1 minute' limit 1`
            if (underWay.length > 0) return { _tag: "Wait" }
            yield* sql`update vibe_runs set state = 'budget', ended_at = now() where id = ${run}`
            yield* sql`update vibe_batches set state = 'waiting' where run = ${run} and number = ${number}`
            return { _tag: "Skip" }
          }
          const attempts = batch.attempts + 1
          yield* sql`update vibe_runs set reserved = ${others + estimate}, lost = ${lost} where id = ${run}`
          yield* sql`update vibe_batches set state = 'running', worker = ${worker}, begun_at = now(), seen_at = now(),
            attempts = ${attempts}, begun_by = ${call}, reserved = estimate, lost = lost + reserved
            where run = ${run} and number = ${number}`
          return { _tag: "Ask", model, content, maxOutput, attempts }
        }),
      )
    },
    reserve: (key) =>
      inTransaction(
        Effect.gen(function* () {
          yield* lockRun(key.run)
          const batch = yield* lockBatch(key)
          if (batch?.state !== "running") return
          yield* sql`update vibe_runs set reserved = reserved + ${batch.estimate}::float8 where id = ${key.run}`
          yield* sql`update vibe_batches set reserved = reserved + estimate where run = ${key.run} and number = ${key.number}`
        }),
      ),
    giveBack: (key, worker) =>
      inTransaction(
        Effect.gen(function* () {
          yield* lockRun(key.run)
          const batch = yield* lockBatch(key)
          if (batch === undefined || batch.worker !== worker) return
          yield* sql`update vibe_runs set reserved = greatest(0, reserved - ${batch.reserved}::float8) where id = ${key.run}`
          yield* sql`update vibe_batches set state = case state when 'running' then 'waiting' else state end, reserved = 0
            where run = ${key.run} and number = ${key.number}`
        }),
      ),
    end: (key, worker, { answer, cost, state, stop, usage }) => {
      const { number, run } = key
      const call = newCall()
      return inTransaction(
        Effect.gen(function* () {
          yield* lockRun(run)
          const batch = yield* lockBatch(key)
          if (batch === undefined || batch.ended_by === call) return
          const isFirst = !isEnded(batch)
          // The worker counted as gone, and the reserved amount is for the worker that began the batch after it.
          const isLate = batch.worker !== worker && batch.lost > 0
          const found = isLate ? Math.min(batch.lost, batch.estimate) : 0
          const released = isLate ? 0 : batch.reserved
          const charged = cost ?? Math.max(released, batch.estimate)
          yield* sql`update vibe_runs set spent = spent + ${charged}::float8, lost = greatest(0, lost - ${found}::float8),
            reserved = greatest(0, reserved - ${released}::float8), input_tokens = input_tokens + ${usage.inputTokens}::float8,
            output_tokens = output_tokens + ${usage.outputTokens}::float8, repeated = repeated + ${isFirst ? 0 : 1}::int where id = ${run}`
          yield* sql`update vibe_batches set reserved = reserved - ${released}::float8, lost = lost - ${found}::float8,
            ended_by = ${call} where run = ${run} and number = ${number}`
          if (stop !== undefined) {
            yield* sql`update vibe_runs set state = 'stopped', reason = ${stop}, ended_at = now()
              where id = ${run} and state = 'running'`
          }
          if (!isFirst) return
          yield* sql`update vibe_batches set state = ${state}, answer = ${answer}, ended_at = now()
            where run = ${run} and number = ${number}`
        }),
      )
    },
  }
}

/**
 * Seconds after which a batch that another worker has begun may be begun again. Workers report every 5, and the engine
 * gives up a lost one after 12, at the latest 3 after its last report.
 */
const FRESH = 8

const isEnded = ({ state }: Pick<BatchRow, "state">): boolean => state === "answered" || state === "refused"

interface RunRow {
  readonly state: Run.State
  readonly version: string
  readonly max_cost: number | null
  readonly spent: number
  readonly lost: number
  readonly reserved: number
}

interface BatchRow {
  readonly state: BatchState
  readonly worker: string | null
  readonly model: string
  readonly content: Buffer
  readonly max_output: number
  readonly estimate: number
  readonly reserved: number
  readonly lost: number
  readonly attempts: number
  readonly begun_by: string | null
  readonly ended_by: string | null
  readonly fresh: boolean
}
