/** Starters and workers of a cluster around a real Postgres, with models of the test's own. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { type Clock, Deferred, Duration, Effect, Fiber, Layer, Redacted, Schedule, type Scope } from "effect"
import * as ClusterExplorer from "../../src/cluster/ClusterExplorer.ts"
import * as Database from "../../src/cluster/Database.ts"
import * as PostgresRunStore from "../../src/cluster/RunStore/Postgres.ts"
import * as RunStore from "../../src/cluster/RunStore.ts"
import * as Worker from "../../src/cluster/Worker.ts"
import type { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import * as Message from "../../src/message/Message.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as ModelRegistry from "../../src/model/ModelRegistry.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { isThorough } from "../thoroughness.ts"
import * as Indexing from "../utils/Indexing.ts"
import * as Postgres from "../utils/Postgres.ts"

/** Milliseconds: workers begin within some seconds, on a busy machine within many. */
const LONG = 180_000

export const colours = [
  "amber",
  "beige",
  "coral",
  "denim",
  "ebony",
  "green",
  "hazel",
  "ivory",
  "khaki",
  "lilac",
  "mauve",
  "ochre",
]

/** So many functions without comments, each in a file of its own. */
export const house = (count: number, change = ""): Record<string, string> =>
  Object.fromEntries(
    colours
      .slice(0, count)
      .map((colour, at) => [
        `/repo/src/${colour}.ts`,
        `export function paint${colour}(walls: number): number {\n  const coats = walls * ${at + 2}${at === 0 ? change : ""}\n  return coats\n}\n`,
      ]),
  )

export const lastText = (request: Request) =>
  Message.text(request.messages.findLast(({ role }) => role === "user") ?? Message.user(""))

export const isBatch = (request: Request) => lastText(request).includes("What follows is source of this project")

export const colourOf = (request: Request) => /function paint(\w+)/.exec(lastText(request))?.[1] ?? ""

export const explain = (request: Request): Scripted.Line => ({
  ...Scripted.calls([
    "create_index_entry",
    {
      entries: [
        {
          purposes: [
            `1: Lets guests in the ${colourOf(request)} room sleep without noise. Which room is ${colourOf(request)}?`,
          ],
        },
      ],
    },
  ]),
  // No more than what vibe expects of such a request, and the limit of output.
  usage: { ...Usage.none, inputTokens: 400, outputTokens: 60 },
})

/** In US dollars, of one answer. */
export const PRICE = (400 * 1 + 60 * 10) / 1_000_000

/**
 * A model that is said to write no more than the purpose of one symbol. `asked`: the colours of
 * its batches. `maps`: its maps.
 */
export const modelOf = Effect.fnUntraced(function* (answer: (request: Request) => Scripted.Line = explain) {
  const asked: Array<string> = []
  const maps: Array<string> = []
  const model = yield* Scripted.make((request) => {
    if (!isBatch(request)) {
      maps.push(lastText(request))
      return "A house of rooms in many colours."
    }
    asked.push(colourOf(request))
    return answer(request)
  })
  const priced: LanguageModel.Service = {
    ...model,
    concurrency: undefined,
    limits: { context: 100_000, output: 60 },
    price: { input: 1, output: 10 },
  }
  return { asked, maps, model: priced }
})

/**
 * A clock on which the waits between two looks at the database are a fifth as long, and the wait of a worker that ends
 * for what it still asks for. Waits of 3 seconds stay as they are: locks are refreshed in these, on a busy machine too.
 */
const hastened = (clock: Clock.Clock): Clock.Clock =>
  Object.assign(Object.create(clock), {
    sleep: (duration: Duration.Duration) => {
      const millis = Duration.toMillis(duration)
      return clock.sleep(
        (millis >= 1000 && millis <= 2000) || millis === 10_000 ? Duration.times(duration, 0.2) : duration,
      )
    },
  })

const hasten = <A, E, R>(test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.clock, (clock) => Effect.withClock(test, hastened(clock)))

type Test = () => Effect.Effect<void, unknown, Scope.Scope>

/** A test of a cluster, on the hastened clock. */
export const live = (name: string, test: Test) => it.scopedLive(name, () => hasten(test()), LONG)

/** Each of these takes seconds, so `npm test` leaves them out. */
export const thorough = (name: string, test: Test) =>
  it.scopedLive.skipIf(!isThorough)(name, () => hasten(test()), LONG)

/** Starts a Postgres for the tests of a file: `newDatabase` makes a database, and gives the runs in it. */
export const postgresOfFile = () => {
  let postgres: Postgres.Postgres
  let databases = 0
  beforeAll(async () => {
    postgres = await Postgres.start()
  }, LONG)
  afterAll(() => postgres?.end(), LONG)

  return {
    newDatabase: Effect.suspend(() => {
      const name = `test${++databases}`
      postgres.psql(`create database ${name}`)
      const url = Redacted.make(postgres.url.replace(/postgres$/, name))
      return Effect.succeed(PostgresRunStore.layer.pipe(Layer.provideMerge(Database.layer({ url, name: "test" }))))
    }),
    /** The name of the database that was made last. */
    latestName: () => `test${databases}`,
    psql: (statement: string, database?: string) => postgres.psql(statement, database),
  }
}

export type Store = Effect.Effect.Success<ReturnType<typeof postgresOfFile>["newDatabase"]>

export const registryOf = (model: LanguageModel.Service) =>
  Layer.succeed(ModelRegistry.ModelRegistry, {
    providers: ["scripted"],
    open: () => Effect.succeed(model),
    known: Effect.succeed([]),
  })

export const work = (
  store: Store,
  model: LanguageModel.Service,
  { id = "a-worker", onEvent = () => Effect.void, version = "1.0.0" }: Partial<Worker.Options> = {},
) =>
  Worker.serve({ id, version, parallel: 2, onEvent }).pipe(Effect.provide(Layer.provideMerge(registryOf(model), store)))

interface Starting {
  readonly files?: Record<string, string>
  readonly maxCost?: number
  readonly version?: string
  readonly onEvent?: (event: IndexEvent) => Effect.Effect<void>
}

/** What `vibe index --cluster` does, over files in memory. */
export const start = (store: Store, model: LanguageModel.Service, starting: Starting = {}) => {
  const { files = house(6), maxCost, onEvent = () => Effect.void, version = "1.0.0" } = starting
  const observer = Layer.succeed(IndexObserver.IndexObserver, { watch: () => Effect.succeed(onEvent) })
  const explorer = ClusterExplorer.layer({ repository: "house", commit: "c0ffee", version, maxCost })
  return IndexingOrchestrator.runGuidedExploration("/repo", false, { all: true }).pipe(
    Effect.provide(
      Layer.provideMerge(
        Indexing.layer(files, Layer.succeed(LanguageModel.LanguageModel, model), observer),
        Layer.provide(explorer, store),
      ),
    ),
  )
}

export const latest = (store: Store) =>
  Effect.flatMap(RunStore.RunStore, (runs) => runs.latest("house")).pipe(
    Effect.provide(store),
    Effect.map((run) => run ?? assert.fail("there is no run")),
  )

/** Starts a run, and leaves it once it is planned. */
export const leave = Effect.fnUntraced(function* (store: Store, model: LanguageModel.Service, starting: Starting = {}) {
  const distributed = yield* Deferred.make<void>()
  const fiber = yield* Effect.fork(
    start(store, model, {
      ...starting,
      onEvent: (event) => (event._tag === "Distributed" ? Deferred.succeed(distributed, undefined) : Effect.void),
    }),
  )
  yield* Deferred.await(distributed)
  yield* Fiber.interrupt(fiber)
})

export const failureOf = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

export const awaitEnd = (store: Store) =>
  Effect.repeat(latest(store), {
    until: ({ state }) => state === "complete",
    schedule: Schedule.spaced("200 millis"),
  })
