/** Stores the runs of a cluster in its Postgres. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { persist, toExplorerError } from "../Database.ts"
import * as Attempts from "../internal/attempts.ts"
import { type SnapshotRow, toSnapshot } from "../internal/snapshot.ts"
import * as Run from "../Run.ts"
import * as RunStore from "../RunStore.ts"

/** Days after which a run that has ended is removed, with its answers. */
const KEPT_DAYS = 30

/**
 * The number of batches with the engine for each request that workers send at the same time. It is enough that no
 * worker waits for more.
 */
const AHEAD = 3

/** The key for `pg_try_advisory_xact_lock`. */
const SENDING = 7_316_402

export const layer: Layer.Layer<RunStore.RunStore, never, SqlClient.SqlClient> = Layer.effect(
  RunStore.RunStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const timeout = sql.literal(`interval '${Run.WORKER_TIMEOUT} seconds'`)
    const planning = sql.literal(`interval '${Run.PLANNING_TIMEOUT} seconds'`)
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
          (select count(*) from vibe_workers where seen_at > now() - ${timeout})::int as workers
        from vibe_runs r left join vibe_batches b on b.run = r.id
        where ${where} ${value}
        group by r.id
        order by (r.state in ('planning', 'running')) desc, r.created_at desc
        limit 2`,
        (rows) => rows.map(toSnapshot),
      )

    const run = (statement: Effect.Effect<unknown, SqlError>) => persist(Effect.asVoid(statement))
    const inTransaction = <A>(effect: Effect.Effect<A, SqlError>) => persist(sql.withTransaction(effect))

    return RunStore.RunStore.of({
      ...Attempts.make(sql),
      latest: (repository) =>
        persist(
          Effect.zipRight(
            sql`delete from vibe_runs where ended_at < now() - ${sql.literal(`interval '${KEPT_DAYS} days'`)}`,
            snapshots(sql.literal("r.repository ="), repository),
          ),
        ).pipe(Effect.map(one)),
      find: (prefix) =>
        /^[0-9a-f]+$/.test(prefix)
          ? persist(snapshots(sql.literal("r.id like"), `${prefix}%`)).pipe(
              Effect.map((found) => (found.length === 1 ? found[0] : undefined)),
            )
          : Effect.succeed(undefined),
      create: ({ commit, id, maxCost = null, models, repository, request, spent, version }) =>
        persist(
          Effect.zipRight(
            sql`insert into vibe_runs (id, repository, commit, version, models, request, state, max_cost, spent)
              values (${id}, ${repository}, ${commit}, ${version}, ${JSON.stringify(models)}::jsonb, ${JSON.stringify(request)}::jsonb,
                'planning', ${maxCost}, ${spent})
              on conflict do nothing`,
            // The row also exists if a call inserted it and then lost its connection.
            sql`select id from vibe_runs where id = ${id}`,
          ),
        ).pipe(Effect.map((rows) => rows.length > 0)),
      plan: (run, batches) =>
        inTransaction(
          Effect.gen(function* () {
            yield* sql`update vibe_runs set planned_at = now() where id = ${run}`
            const [last] = yield* sql<{ last: number }>`
              select coalesce(max(number), 0)::int as last from vibe_batches where run = ${run}`
            const first = (last?.last ?? 0) + 1
            for (const [at, { digest, maxOutput, ...batch }] of batches.entries()) {
              yield* sql`insert into vibe_batches ${sql.insert({ run, number: first + at, digest, max_output: maxOutput, ...batch })}
                on conflict (run, digest) do nothing`
            }
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
            // The lock on the run prevents two batches from getting the same number.
            const [of] = yield* sql<{ state: Run.State }>`select state from vibe_runs where id = ${run} for update`
            const [known] = yield* sql<{ number: number }>`
              select number from vibe_batches where run = ${run} and digest = ${digest}`
            if (known !== undefined) return known.number
            if (of?.state === "complete") {
              const opened = yield* sql`update vibe_runs r set state = 'running', ended_at = null where id = ${run}
                and not exists (select 1 from vibe_runs o where o.repository = r.repository and o.state in ('planning', 'running'))
                returning id`
              if (opened.length === 0) return undefined
            } else if (of?.state !== "running") return undefined
            const [added] = yield* sql<{ number: number }>`
              insert into vibe_batches (run, number, digest, model, planned, symbols, tokens, content, max_output, estimate)
              select ${run}, coalesce(max(number), 0) + 1, ${digest}, ${batch.model}, ${batch.planned}, ${batch.symbols}::int,
                ${batch.tokens}::int, ${batch.content}, ${batch.maxOutput}::int, ${batch.estimate}::float8
              from vibe_batches where run = ${run}
              returning number`
            return added?.number
          }),
        ),
      list: (run) =>
        persist(
          sql<RunStore.ListedBatch>`
            select number, model, planned, symbols, state from vibe_batches where run = ${run} order by ended_at, number`,
        ),
      read: (run, number) =>
        persist(
          sql<RunStore.StoredBatch>`
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
      isEnded: (run, number) =>
        persist(
          sql<{ ended: boolean }>`
            select b.state in ('answered', 'refused') or r.state not in ('planning', 'running') as ended
            from vibe_batches b join vibe_runs r on r.id = b.run where b.run = ${run} and b.number = ${number}`,
        ).pipe(Effect.map((rows) => one(rows)?.ended ?? true)),
      // Only one worker sends at a time, since several would each send what all of them need.
      send: (version) =>
        persist(
          sql<RunStore.BatchKey>`
          with turn as materialized (select pg_try_advisory_xact_lock(${SENDING}) as is_mine),
          next as (
            select b.run, b.number from vibe_batches b join vibe_runs r on r.id = b.run
            where r.state = 'running' and r.version = ${version} and b.state = 'waiting' and (select is_mine from turn)
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
      takeLost: ({ id, version }, most) =>
        persist(
          sql<RunStore.BatchKey>`
            with lost as (
              select b.run, b.number from vibe_batches b join vibe_runs r on r.id = b.run
              where r.state = 'running' and r.version = ${version} and b.state in ('sent', 'running')
                and greatest(b.sent_at, b.seen_at) < now() - interval '1 minute'
              order by b.run, b.number limit ${most} for update of b skip locked
            )
            update vibe_batches b set state = 'running', worker = ${id}, seen_at = now()
            from lost where b.run = lost.run and b.number = lost.number
            returning b.run, b.number`,
        ),
      charge: (id, cost) => run(sql`update vibe_runs set spent = spent + ${cost}::float8 where id = ${id}`),
      stop: (id, reason) =>
        run(
          sql`update vibe_runs set state = 'stopped', reason = ${reason}, ended_at = now()
            where id = ${id} and state = 'running'`,
        ),
      complete: Effect.flatMap(
        persist(
          sql<{ id: string }>`select id from vibe_runs r where state = 'running' and not exists (
            select 1 from vibe_batches b where b.run = r.id and b.state in ('waiting', 'sent', 'running'))`,
        ),
        (runs) =>
          Effect.forEach(
            runs,
            ({ id }) =>
              // The batches are checked again once the run is locked, since one may have been added in the meantime.
              inTransaction(
                Effect.zipRight(
                  sql`select id from vibe_runs where id = ${id} for update`,
                  sql`update vibe_runs set state = 'complete', ended_at = now() where id = ${id} and state = 'running' and not exists (
                    select 1 from vibe_batches where run = ${id} and state in ('waiting', 'sent', 'running'))`,
                ),
              ),
            { discard: true },
          ),
      ),
      report: ({ id, parallel, version }, batches) =>
        run(
          Effect.gen(function* () {
            yield* sql`insert into vibe_workers (id, version, parallel) values (${id}, ${version}, ${parallel})
              on conflict (id) do update set seen_at = now(), parallel = excluded.parallel`
            for (const [run, of] of Map.groupBy(batches, ({ run }) => run)) {
              const numbers = of.map(({ number }) => number)
              yield* sql`update vibe_batches set seen_at = now() where run = ${run} and ${sql.in("number", numbers)}`
            }
            yield* sql`delete from vibe_workers where seen_at < now() - interval '1 day'`
          }),
        ),
      removeWorker: (worker) =>
        Effect.mapError(Effect.asVoid(sql`delete from vibe_workers where id = ${worker}`), toExplorerError),
      otherVersions: (version) =>
        persist(
          sql<RunStore.OtherVersion>`
            select version, null as run from vibe_workers where seen_at > now() - ${timeout} and version <> ${version}
            union select version, id from vibe_runs where version <> ${version}
              and (state = 'running' or state = 'planning' and planned_at > now() - ${planning})`,
        ),
    })
  }),
)
