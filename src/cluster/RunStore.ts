/** The runs, their batches and workers in the shared database. */
import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ExplorerError } from "../indexing/ExplorerError.ts"
import type { Usage } from "../message/Usage.ts"
import { persist } from "./Database.ts"
import * as Run from "./Run.ts"

export class RunStore extends Context.Tag("vibe/cluster/RunStore")<RunStore, Service>() {}

type Result<A> = Effect.Effect<A, ExplorerError>

export interface Service {
  /** The run of a repository that is open, else the latest that ended within 30 days. */
  readonly latest: (repository: string) => Result<Run.Snapshot | undefined>
  /** By the beginning of its id; undefined where there is none, or several. */
  readonly find: (prefix: string) => Result<Run.Snapshot | undefined>
  /** False where another run of the repository is open. */
  readonly create: (run: NewRun) => Result<boolean>
  /** Writes batches of a plan. */
  readonly plan: (run: string, batches: ReadonlyArray<NewBatch>) => Result<void>
  /** Lets workers begin. */
  readonly open: (run: string) => Result<void>
  /** Removes a run that was never opened, such as that of a starter which was killed while it planned. */
  readonly remove: (run: string) => Result<void>
  readonly cancel: (run: string) => Result<void>
  /** What the batches of a run are sent with, as JSON. */
  readonly requestOf: (run: string) => Result<unknown>
  /** Adds a batch that is asked for once more, and returns its number; that of the same batch where it is there. */
  readonly add: (run: string, batch: NewBatch) => Result<number>
  /** The batches of a plan that have ended, and all of them with `all`. Content is read by `read`. */
  readonly planned: (
    run: string,
    model: string,
  ) => Result<ReadonlyArray<{ readonly number: number; readonly ended: boolean; readonly symbols: number }>>
  readonly numberOf: (run: string, digest: string) => Result<number | undefined>
  readonly read: (run: string, number: number) => Result<StoredBatch>
  /** Gives waiting batches to the engine: as many as the workers need to be busy, those asked for once more first. */
  readonly send: Result<ReadonlyArray<BatchKey>>
  /**
   * Takes the batches that the engine has lost: those that it was given over a minute ago and has not begun, and those that no worker
   * says it is at work on. Each is taken by one caller.
   */
  readonly takeLost: Result<ReadonlyArray<BatchKey>>
  /** Begins a batch: reserves its cost within the limit of the run. */
  readonly begin: (batch: BatchKey, worker: string) => Result<Begun>
  /** Stores the answer, unless there is one; what it cost counts in any case. */
  readonly end: (batch: BatchKey, answer: NewAnswer) => Result<void>
  /** Ends a run for a failure that each batch would repeat. */
  readonly stop: (run: string, reason: string) => Result<void>
  /** Ends the runs of which no batch is open. */
  readonly complete: Result<void>
  /** Reports that a worker is alive, and at work on some batches. */
  readonly report: (worker: WorkerRow, batches: ReadonlyArray<BatchKey>) => Result<void>
  readonly leave: (worker: string) => Result<void>
  /** The versions of the workers that are there, and of open runs, without the given one. */
  readonly otherVersions: (version: string) => Result<ReadonlyArray<string>>
}

export interface NewRun {
  readonly id: string
  readonly repository: string
  readonly commit: string
  readonly version: string
  readonly request: unknown
  readonly maxCost: number | undefined
  /** In US dollars, by the starter, before the first batch. */
  readonly spent: number
}

export interface NewBatch {
  readonly digest: string
  readonly model: string
  readonly planned: boolean
  readonly symbols: number
  readonly tokens: number
  readonly content: Buffer
  /** In US dollars: what it costs at most; 0 where a price is unknown. */
  readonly estimate: number
}

export interface BatchKey {
  readonly run: string
  readonly number: number
}

export interface StoredBatch {
  readonly model: string
  readonly content: Buffer
  readonly state: "waiting" | "sent" | "running" | "answered" | "refused"
  readonly answer: Buffer | null
  readonly run: Run.State
  readonly reason: string | null
}

export type Begun =
  | { readonly _tag: "Ask"; readonly model: string; readonly content: Buffer }
  /** It is answered already, or its run has ended. */
  | { readonly _tag: "Skip" }

export interface NewAnswer {
  readonly state: "answered" | "refused"
  readonly answer: Buffer
  readonly cost: number
  readonly usage: Usage
}

export interface WorkerRow {
  readonly id: string
  readonly version: string
  readonly parallel: number
}

/** Days after which a run that has ended is removed, with its answers. */
const KEPT_DAYS = 30

/** Batches with the engine, for each request that workers send at the same time: enough that none waits for more. */
const AHEAD = 3

export const layer: Layer.Layer<RunStore, never, SqlClient.SqlClient> = Layer.effect(
  RunStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const timeout = sql.literal(`interval '${Run.WORKER_TIMEOUT} seconds'`)
    const one = <A>(rows: ReadonlyArray<A>): A | undefined => rows[0]

    const snapshots = (where: ReturnType<typeof sql.literal>, value: string) =>
      Effect.map(
        sql<SnapshotRow>`
        select r.*,
          count(*) filter (where b.state = 'waiting')::int as waiting,
          count(*) filter (where b.state = 'sent')::int as sent,
          count(*) filter (where b.state = 'running')::int as running,
          count(*) filter (where b.state = 'answered')::int as answered,
          count(*) filter (where b.state = 'refused')::int as refused,
          extract(epoch from now() - greatest(r.planned_at, max(b.begun_at), max(b.ended_at)))::float8 as idle,
          (select count(*) from vibe_workers where seen_at > now() - ${timeout})::int as workers,
          (select coalesce(sum(parallel), 0) from vibe_workers where seen_at > now() - ${timeout})::int as slots
        from vibe_runs r left join vibe_batches b on b.run = r.id
        where ${where} ${value}
        group by r.id
        order by (r.state in ('planning', 'running')) desc, r.created_at desc
        limit 2`,
        (rows) => rows.map(toSnapshot),
      )

    const run = (statement: Effect.Effect<unknown, SqlError>) => persist(Effect.asVoid(statement))
    const inTransaction = <A>(effect: Effect.Effect<A, SqlError>) => persist(sql.withTransaction(effect))

    return RunStore.of({
      latest: (repository) =>
        persist(
          Effect.zipRight(
            sql`delete from vibe_runs where ended_at < now() - ${sql.literal(`interval '${KEPT_DAYS} days'`)}`,
            snapshots(sql.literal("r.repository ="), repository),
          ),
        ).pipe(Effect.map(one)),
      find: (prefix) =>
        persist(snapshots(sql.literal("left(r.id, 40) like"), `${prefix.replaceAll(/[^0-9a-f]/g, "_")}%`)).pipe(
          Effect.map((found) => (found.length === 1 ? found[0] : undefined)),
        ),
      create: ({ commit, id, maxCost = null, repository, request, spent, version }) =>
        persist(
          sql`insert into vibe_runs (id, repository, commit, version, request, state, max_cost, spent)
            values (${id}, ${repository}, ${commit}, ${version}, ${JSON.stringify(request)}::jsonb, 'planning', ${maxCost}, ${spent})
            on conflict do nothing returning id`,
        ).pipe(Effect.map((rows) => rows.length > 0)),
      plan: (run, batches) =>
        inTransaction(
          Effect.gen(function* () {
            const [last] = yield* sql<{ last: number }>`
              select coalesce(max(number), 0)::int as last from vibe_batches where run = ${run}`
            const first = (last?.last ?? 0) + 1
            for (const [at, { digest, ...batch }] of batches.entries()) {
              yield* sql`insert into vibe_batches ${sql.insert({ run, number: first + at, digest, ...batch })}
                on conflict (run, digest) do nothing`
            }
            yield* sql`update vibe_runs set planned_at = now() where id = ${run}`
          }),
        ),
      open: (id) =>
        run(sql`update vibe_runs set state = 'running', planned_at = now() where id = ${id} and state = 'planning'`),
      remove: (id) => run(sql`delete from vibe_runs where id = ${id} and state = 'planning'`),
      cancel: (id) =>
        run(
          sql`update vibe_runs set state = 'cancelled', ended_at = now() where id = ${id} and state in ('planning', 'running')`,
        ),
      requestOf: (run) =>
        persist(sql<{ request: unknown }>`select request from vibe_runs where id = ${run}`).pipe(
          Effect.map((rows) => one(rows)?.request),
        ),
      add: (run, { digest, ...batch }) =>
        inTransaction(
          Effect.gen(function* () {
            // Locks the run, so that two of them do not get the same number.
            yield* sql`select id from vibe_runs where id = ${run} for update`
            yield* sql`insert into vibe_batches (run, number, digest, model, planned, symbols, tokens, content, estimate)
              select ${run}, coalesce(max(number), 0) + 1, ${digest}, ${batch.model}, ${batch.planned}, ${batch.symbols}::int,
                ${batch.tokens}::int, ${batch.content}, ${batch.estimate}::float8
              from vibe_batches where run = ${run}
              on conflict (run, digest) do nothing`
            yield* sql`update vibe_runs r set state = 'running', ended_at = null where id = ${run} and state = 'complete'
              and not exists (select 1 from vibe_runs o where o.repository = r.repository and o.state in ('planning', 'running'))
              and exists (select 1 from vibe_batches b where b.run = r.id and b.state = 'waiting')`
            const [row] = yield* sql<{ number: number }>`
              select number from vibe_batches where run = ${run} and digest = ${digest}`
            return row?.number ?? 0
          }),
        ),
      planned: (run, model) =>
        persist(
          sql<{ number: number; ended: boolean; symbols: number }>`
            select number, state in ('answered', 'refused') as ended, symbols from vibe_batches
            where run = ${run} and model = ${model} and planned order by ended_at, number`,
        ),
      numberOf: (run, digest) =>
        persist(
          sql<{ number: number }>`select number from vibe_batches where run = ${run} and digest = ${digest}`,
        ).pipe(Effect.map((rows) => one(rows)?.number)),
      read: (run, number) =>
        persist(
          sql<StoredBatch>`
            select b.model, b.content, b.state, b.answer, r.state as run, r.reason
            from vibe_batches b join vibe_runs r on r.id = b.run where b.run = ${run} and b.number = ${number}`,
        ).pipe(
          Effect.flatMap((rows) => {
            const row = one(rows)
            return row === undefined
              ? Effect.dieMessage(`batch ${number} of run ${run} is not there`)
              : Effect.succeed(row)
          }),
        ),
      send: persist(
        sql<BatchKey>`
          with next as (
            select b.run, b.number from vibe_batches b join vibe_runs r on r.id = b.run
            where r.state = 'running' and b.state = 'waiting'
            order by b.planned, r.created_at, b.number
            limit greatest(0, (
              (select coalesce(sum(parallel), 0) from vibe_workers where seen_at > now() - ${timeout}) * ${AHEAD}
              - (select count(*) from vibe_batches b join vibe_runs r on r.id = b.run
                 where r.state = 'running' and b.state in ('sent', 'running'))
            ))
            for update of b skip locked
          )
          update vibe_batches b set state = 'sent', sent_at = now()
          from next where b.run = next.run and b.number = next.number
          returning b.run, b.number`,
      ),
      takeLost: persist(
        sql<BatchKey>`
          update vibe_batches b set state = 'running', sent_at = now(), seen_at = now() from vibe_runs r
          where r.id = b.run and r.state = 'running' and (
            (b.state = 'sent' and b.sent_at < now() - interval '1 minute')
            or (b.state = 'running' and b.seen_at < now() - interval '1 minute'))
          returning b.run, b.number`,
      ),
      begin: ({ number, run }, worker) =>
        inTransaction(
          Effect.gen(function* () {
            const [of] = yield* sql<{
              state: Run.State
              max_cost: number | null
              spent: number
              lost: number
              reserved: number
            }>`
              select state, max_cost, spent, lost, reserved from vibe_runs where id = ${run} for update`
            const [batch] = yield* sql<{
              state: string
              model: string
              content: Buffer
              estimate: number
              reserved: number
            }>`
              select state, model, content, estimate, reserved from vibe_batches
              where run = ${run} and number = ${number} for update`
            const isOpen = batch !== undefined && batch.state !== "answered" && batch.state !== "refused"
            if (of?.state !== "running" || !isOpen) return { _tag: "Skip" } as const
            // An attempt whose worker was killed had reserved its cost, which may have been spent.
            const others = of.reserved - batch.reserved
            const lost = of.lost + batch.reserved
            yield* sql`update vibe_runs set reserved = ${others}, lost = ${lost} where id = ${run}`
            if (of.max_cost !== null && of.spent + lost + others + batch.estimate > of.max_cost) {
              yield* sql`update vibe_runs set state = 'budget', ended_at = now() where id = ${run}`
              yield* sql`update vibe_batches set state = 'waiting', reserved = 0
                where run = ${run} and number = ${number}`
              return { _tag: "Skip" } as const
            }
            yield* sql`update vibe_runs set reserved = ${others + batch.estimate} where id = ${run}`
            yield* sql`update vibe_batches set state = 'running', worker = ${worker}, begun_at = now(), seen_at = now(),
              attempts = attempts + 1, reserved = estimate where run = ${run} and number = ${number}`
            return { _tag: "Ask", model: batch.model, content: batch.content } as const
          }),
        ),
      end: ({ number, run }, { answer, cost, state, usage }) => {
        // A call whose connection is lost may have been executed: repeated, it changes nothing.
        const call = randomBytes(12).toString("hex")
        return inTransaction(
          Effect.gen(function* () {
            yield* sql`select id from vibe_runs where id = ${run} for update`
            const [batch] = yield* sql<{ state: string; reserved: number; ended_by: string | null }>`
              select state, reserved, ended_by from vibe_batches where run = ${run} and number = ${number} for update`
            if (batch === undefined || batch.ended_by === call) return
            const isFirst = batch.state !== "answered" && batch.state !== "refused"
            yield* sql`update vibe_runs set spent = spent + ${cost}::float8, reserved = greatest(0, reserved - ${batch.reserved}::float8),
              input_tokens = input_tokens + ${usage.inputTokens}::float8, output_tokens = output_tokens + ${usage.outputTokens}::float8,
              repeated = repeated + ${isFirst ? 0 : 1}::int where id = ${run}`
            if (!isFirst) return
            yield* sql`update vibe_batches set state = ${state}, answer = ${answer}, reserved = 0, ended_at = now(),
              ended_by = ${call} where run = ${run} and number = ${number}`
          }),
        )
      },
      stop: (id, reason) =>
        run(
          sql`update vibe_runs set state = 'stopped', reason = ${reason}, ended_at = now()
            where id = ${id} and state = 'running'`,
        ),
      complete: run(
        sql`update vibe_runs r set state = 'complete', ended_at = now() where state = 'running' and not exists (
          select 1 from vibe_batches b where b.run = r.id and b.state in ('waiting', 'sent', 'running'))`,
      ),
      report: ({ id, parallel, version }, batches) =>
        run(
          Effect.gen(function* () {
            yield* sql`insert into vibe_workers (id, version, parallel) values (${id}, ${version}, ${parallel})
              on conflict (id) do update set seen_at = now(), parallel = excluded.parallel`
            for (const { number, run } of batches) {
              yield* sql`update vibe_batches set seen_at = now() where run = ${run} and number = ${number}`
            }
            yield* sql`delete from vibe_workers where seen_at < now() - interval '1 day'`
          }),
        ),
      leave: (worker) => run(sql`delete from vibe_workers where id = ${worker}`),
      otherVersions: (version) =>
        persist(
          sql<{ version: string }>`
            select version from vibe_workers where seen_at > now() - ${timeout} and version <> ${version}
            union select version from vibe_runs where state in ('planning', 'running') and version <> ${version}`,
        ).pipe(Effect.map((rows) => rows.map(({ version }) => version))),
    })
  }),
)

interface SnapshotRow {
  readonly id: string
  readonly repository: string
  readonly commit: string
  readonly state: Run.State
  readonly reason: string | null
  readonly max_cost: number | null
  readonly spent: number
  readonly lost: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly repeated: number
  readonly created_at: Date
  readonly ended_at: Date | null
  readonly waiting: number
  readonly sent: number
  readonly running: number
  readonly answered: number
  readonly refused: number
  readonly idle: number | null
  readonly workers: number
  readonly slots: number
}

const toSnapshot = (row: SnapshotRow): Run.Snapshot => ({
  id: row.id,
  repository: row.repository,
  commit: row.commit,
  state: row.state,
  reason: row.reason ?? undefined,
  maxCost: row.max_cost ?? undefined,
  spent: row.spent,
  lost: row.lost,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  repeated: row.repeated,
  batches: {
    waiting: row.waiting,
    sent: row.sent,
    running: row.running,
    answered: row.answered,
    refused: row.refused,
  },
  workers: row.workers,
  slots: row.slots,
  idle: row.idle ?? 0,
  createdAt: row.created_at,
  endedAt: row.ended_at ?? undefined,
})
