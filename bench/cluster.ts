/**
 * A discrete-event model of `vibe index --cluster`: how long a run takes, what it costs, and what it asks of its
 * database, by workers and limits of the provider. `node bench/cluster.ts` prints it for 100 million lines, and
 * first compares the model with a real run of two workers where a Postgres is installed.
 * `node bench/cluster.ts LINES` for another size.
 */
import { killCluster, LATENCY, type Measured } from "../tools/killedCluster.ts"

interface Provider {
  /** Requests and input tokens a minute, over all keys. */
  readonly requests: number
  readonly tokens: number
  /** Of output, for one answer, in tokens a second. */
  readonly speed: number
  /** Seconds before the first token. */
  readonly latency: number
}

interface Scenario {
  readonly batches: number
  /** Of a batch, in tokens. */
  readonly input: number
  readonly output: number
  readonly workers: number
  /** Requests of a worker at the same time. */
  readonly parallel: number
  readonly provider: Provider
}

interface Outcome {
  /** Seconds until the last answer is stored. */
  readonly seconds: number
  /** Transactions a second at the database, at most and on average. */
  readonly peak: number
  readonly mean: number
  /** The share of its time in which the database is busy with them. */
  readonly databaseShare: number
  /** The share of the time in which requests of workers wait for the limits of the provider. */
  readonly limited: number
  /** Answers of status 429. */
  readonly refusals: number
}

/** Transactions: what `RunStore` and the engine do for a batch, and what a worker does each second. */
const PER_BATCH = { send: 1, engine: 9, begin: 1, end: 1, read: 3 }
const PER_WORKER_SECOND = { send: 1, complete: 1, messages: 1, locks: 1 / 3, assignments: 1 / 2, report: 2 / 5 }

const sum = (of: Readonly<Record<string, number>>) => Object.values(of).reduce((total, each) => total + each, 0)

/** Seconds of a transaction at the database; the mean of the real run, which is printed. */
let transactionSeconds = 0.0011

/** Batches with the engine for each request at the same time: `AHEAD` of `RunStore`. */
const AHEAD = 3

/** The engine reads messages once a second, and batches are given to it once a second. */
const POLL = 1

/** After a 429 a worker retries in 2, 4 and 8 seconds, and sends one request fewer for a minute. */
const RETRIES = [2, 4, 8]
const HELD = 60

/** The same numbers each time. */
const makeRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

/** Events by time, in a binary heap. */
const makeQueue = () => {
  const heap: Array<readonly [at: number, run: () => void]> = []
  const before = (a: number, b: number) => (heap[a]?.[0] ?? 0) < (heap[b]?.[0] ?? 0)
  const swap = (a: number, b: number) => {
    const [one, other] = [heap[a], heap[b]]
    if (one === undefined || other === undefined) return
    heap[a] = other
    heap[b] = one
  }
  return {
    add: (at: number, run: () => void) => {
      let place = heap.push([at, run]) - 1
      for (let up = (place - 1) >> 1; place > 0 && before(place, up); place = up, up = (place - 1) >> 1) swap(place, up)
    },
    next: () => {
      const [first] = heap
      const last = heap.pop()
      if (heap.length === 0 || last === undefined) return first
      heap[0] = last
      for (let place = 0; ; ) {
        const [left, right] = [2 * place + 1, 2 * place + 2]
        let least = place
        if (left < heap.length && before(left, least)) least = left
        if (right < heap.length && before(right, least)) least = right
        if (least === place) return first
        swap(place, least)
        place = least
      }
    },
  }
}

const simulate = ({ batches, input, output, parallel, provider, workers }: Scenario): Outcome => {
  const random = makeRandom(7)
  const queue = makeQueue()
  const around = (value: number) => value * (0.6 + 0.8 * random())
  let now = 0
  let waiting = batches
  let given = 0
  let ended = 0
  let refusals = 0
  let waited = 0
  let transactions = 0
  let inSecond = 0
  let peak = 0
  let isBusyUntil = 0
  /** A database of one core: a transaction waits for those before it. */
  const transact = (count: number) => {
    transactions += count
    inSecond += count
    isBusyUntil = Math.max(isBusyUntil, now) + count * transactionSeconds
    return isBusyUntil - now
  }
  const crew = Array.from({ length: workers }, () => ({ free: parallel, held: 0, mine: [] as Array<() => void> }))
  let requestsLeft = provider.requests
  let tokensLeft = provider.tokens
  const refill = () => {
    requestsLeft = provider.requests
    tokensLeft = provider.tokens
    if (ended < batches) queue.add(now + 60, refill)
  }
  queue.add(60, refill)

  const begin = (worker: (typeof crew)[number]) => {
    const next = worker.free - worker.held > 0 || worker.free === parallel ? worker.mine.shift() : undefined
    if (next === undefined) return
    worker.free--
    next()
  }
  const ask = (worker: (typeof crew)[number], tokens: number, attempt: number) => {
    if (requestsLeft < 1 || tokensLeft < tokens) {
      refusals++
      if (worker.held < parallel - 1) {
        worker.held++
        queue.add(now + HELD, () => {
          worker.held--
          begin(worker)
        })
      }
      // After its retries a batch waits longer, up to five minutes.
      const delay = RETRIES[attempt] ?? Math.min(300, 15 * 2 ** (attempt - RETRIES.length))
      waited += delay
      queue.add(now + delay, () => ask(worker, tokens, attempt + 1))
      return
    }
    requestsLeft--
    tokensLeft -= tokens
    queue.add(now + around(provider.latency + output / provider.speed), () => {
      queue.add(now + transact(PER_BATCH.end + PER_BATCH.read + PER_BATCH.engine / 3), () => {
        ended++
        given--
        worker.free++
        begin(worker)
      })
    })
  }
  const tick = (worker: (typeof crew)[number]) => {
    // A poll begins a second after the one before has ended: a database that is slow is polled less.
    const polled = transact(sum(PER_WORKER_SECOND) * POLL)
    const room = Math.max(0, Math.min(waiting, AHEAD * parallel * workers - given))
    waiting -= room
    given += room
    for (let at = 0; at < room; at++) {
      transact(PER_BATCH.send / room + PER_BATCH.engine / 3)
      const taker = crew[Math.floor(random() * workers)] ?? worker
      // The worker that has the shard of the batch reads its message with its next poll.
      queue.add(now + POLL * random() + transact(PER_BATCH.engine / 3), () => {
        taker.mine.push(() => queue.add(now + transact(PER_BATCH.begin), () => ask(taker, around(input), 0)))
        begin(taker)
      })
    }
    if (ended < batches) queue.add(now + polled + POLL, () => tick(worker))
  }
  for (const worker of crew) queue.add(random() * POLL, () => tick(worker))
  const measure = () => {
    peak = Math.max(peak, inSecond)
    inSecond = 0
    if (ended < batches) queue.add(now + 1, measure)
  }
  queue.add(1, measure)
  while (ended < batches) {
    const event = queue.next()
    if (event === undefined) throw new Error(`the model stands still after ${ended} of ${batches} batches`)
    now = event[0]
    event[1]()
  }
  return {
    seconds: now,
    peak,
    mean: transactions / now,
    databaseShare: (transactions * transactionSeconds) / now,
    limited: waited / (now * workers * parallel),
    refusals,
  }
}

/** By `vibe index --estimate` on xarray, sphinx, tutanota and NodeBB, which have 823,000 lines in 72 batches. */
const PER_MILLION_LINES = { batches: 88, input: 35_000, output: 9_000 }

/** US dollars for a million tokens, of a small model and a large one. */
const PRICES = [
  { name: "gemini-2.5-flash-lite", input: 0.1, output: 0.4 },
  { name: "gemini-2.5-flash", input: 0.3, output: 2.5 },
  { name: "gemini-2.5-pro", input: 1.25, output: 10 },
]

/**
 * Limits as providers publish them, rounded: of a new paying user, of one that has paid
 * for a month, and of a large one.
 */
const limits: Readonly<Record<string, Pick<Provider, "requests" | "tokens">>> = {
  "1,000 requests, 1 M tokens": { requests: 1000, tokens: 1_000_000 },
  "2,000 requests, 3 M tokens": { requests: 2000, tokens: 3_000_000 },
  "10,000 requests, 8 M tokens": { requests: 10_000, tokens: 8_000_000 },
  "30,000 requests, 30 M tokens": { requests: 30_000, tokens: 30_000_000 },
  "no limit": { requests: Number.MAX_SAFE_INTEGER, tokens: Number.MAX_SAFE_INTEGER },
}

const print = (line: string) => process.stdout.write(`${line}\n`)

const duration = (seconds: number) =>
  seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`

const validate = async () => {
  const batches = 600
  let measured: Measured | undefined
  await killCluster(batches, 0, (each) => {
    measured = each
  })
  if (measured === undefined) return print("No Postgres is installed: the model is not compared with a real run.\n")
  transactionSeconds = measured.databaseSeconds / measured.transactions
  const provider = { ...limits["no limit"], requests: 1e15, tokens: 1e15, speed: 1e9, latency: LATENCY / 1000 }
  const model = simulate({ batches, input: 1000, output: 40, workers: 2, parallel: 4, provider })
  print(
    `Two workers, ${batches} batches of ${LATENCY} ms: ${measured.seconds.toFixed(0)} s measured, ${model.seconds.toFixed(0)} s in the model`,
  )
  print(
    `Transactions a batch: ${(measured.transactions / batches).toFixed(1)} measured, ${((model.mean * model.seconds) / batches).toFixed(1)} in the model; ` +
      `${(transactionSeconds * 1000).toFixed(2)} ms of processor time each\n`,
  )
}

await validate()

const lines = Number(process.argv[2] ?? 100_000_000)
const millions = lines / 1_000_000
const batches = Math.ceil(PER_MILLION_LINES.batches * millions)
const { input, output } = PER_MILLION_LINES
print(
  `${lines.toLocaleString("en-US")} lines: ${batches.toLocaleString("en-US")} batches of ${input} and ${output} tokens`,
)
for (const price of PRICES) {
  const cost = (batches * (input * price.input + output * price.output)) / 1_000_000
  print(`  ${price.name}: $${Math.round(cost).toLocaleString("en-US")}`)
}
print("\n| workers | limits a minute | time | transactions a second, most | database busy | waiting for the limits |")
print("| ---: | --- | ---: | ---: | ---: | ---: |")
for (const workers of [1, 10, 50, 200, 500]) {
  for (const [name, limit] of Object.entries(limits)) {
    if (workers !== 200 && name !== "10,000 requests, 8 M tokens" && name !== "no limit") continue
    const provider = { ...limit, speed: 150, latency: 1 }
    const result = simulate({ batches, input, output, workers, parallel: 8, provider })
    print(
      `| ${workers} | ${name} | ${duration(result.seconds)} | ${Math.round(result.peak)} | ${Math.round(100 * result.databaseShare)} % | ${Math.round(100 * result.limited)} % |`,
    )
  }
}
