/**
 * What a forest of 1,000, 100,000 and 1,000,000 messages of 800 bytes costs to open, to append to, to match, to read
 * and to search, beside a bare transaction of node:sqlite in the same run, each durable when it returns; and what
 * reading the end of one path of 100,000 messages costs.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Forest from "../src/forest/Forest.ts"
import * as Sqlite from "../src/forest/ForestStore/Sqlite.ts"
import type { Draft } from "../src/forest/Node.ts"
import * as NodeName from "../src/forest/NodeName.ts"
import * as Block from "../src/message/Block.ts"
import * as Ids from "../src/message/Ids.ts"
import * as Message from "../src/message/Message.ts"
import type { Row } from "./run.ts"

export const title = "What a forest costs to open, append to, match, read and search, at three sizes"

const sizes = [1_000, 100_000, 1_000_000]

/** Messages in one path: ten trunks and more stand side by side. */
const depth = 1_000

const rest = "lorem ipsum dolor sit amet ".repeat(30).slice(0, 780)

/** The n-th message of a path; `salt` makes another path. */
const said = (n: number, salt: string): Draft => ({
  message:
    n % 2 === 0
      ? Message.user(`${salt} ${n} ${rest}`)
      : { role: "assistant", content: [Block.text(`${salt} ${n} ${rest}`)] },
  source: { type: "user" },
})

const pathOf = (salt: string, length = depth) => Array.from({ length }, (_, n) => said(n, salt))

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const size of sizes) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
    try {
      rows.push(...(await measured(folder, size)))
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  }
  return [...rows, ...(await readEnds())]
}

/** A path of 100,000 messages beside one of ten: each operation opens the forest anew, as a command does. */
const readEnds = async (): Promise<ReadonlyArray<Row>> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  try {
    const [short, long] = [path.join(folder, "10.db"), path.join(folder, "100000.db")]
    await addPath(short, 10)
    await addPath(long, 100_000)
    const rows: Array<Row> = []
    for (const [what, read] of endReaders) {
      const [few, many] = [await cpuOf(short, read), await cpuOf(long, read)]
      rows.push({ what: `10 messages: ${what}, CPU`, values: few })
      const most = Math.round(median(few) + 100)
      rows.push({ what: `100,000 messages: ${what}, CPU`, values: many, wanted: { most } })
    }
    return rows
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

const addPath = (file: string, length: number) =>
  withForest(file, (forest) => {
    let last = Effect.runSync(forest.root({ owner: "bench", systemPrompt: "" })).id
    for (let done = 0; done < length; done += depth) {
      last = Effect.runSync(forest.append(last, pathOf(`${done}`, Math.min(depth, length)))).at(-1)?.id ?? last
    }
  })

/** What `show`, `log`, `tree`, `diff` and `edit` read and write. */
const endReaders: ReadonlyArray<
  readonly [what: string, read: (forest: Forest.Service) => Effect.Effect<unknown, unknown, Forest.Forest>]
> = [
  ["show @~3", (forest) => Effect.flatMap(NodeName.resolve("@~3"), (id) => forest.path(id, { last: 1 }))],
  [
    "log, the last 200",
    (forest) =>
      Effect.gen(function* () {
        const { nodes } = yield* forest.path(yield* NodeName.resolve("@"), { last: 200 })
        yield* forest.depth(nodes[0]?.id ?? (yield* NodeName.resolve("@")))
      }),
  ],
  [
    "tree, the newest 200",
    (forest) =>
      Effect.gen(function* () {
        const { root } = yield* forest.path(yield* NodeName.resolve("@"), { last: 0 })
        yield* forest.newestBelow(root.id, 200)
      }),
  ],
  [
    "diff @~3 @",
    (forest) =>
      Effect.gen(function* () {
        const { nodes } = yield* forest.path(yield* NodeName.resolve("@~3"), { last: 32 })
        yield* forest.path(yield* NodeName.resolve("@"), { last: 32 })
        yield* forest.depth(nodes[0]?.id ?? (yield* NodeName.resolve("@")))
      }),
  ],
  ["edit @, in place", (forest) => Effect.flatMap(NodeName.resolve("@"), (id) => forest.edit(id, nextText()))],
  ["edit @^, on a branch", (forest) => Effect.flatMap(NodeName.resolve("@^"), (id) => forest.edit(id, nextText()))],
]

let texts = 0

/** A text with another beginning each time, so that no message is split. */
const nextText = (): string => `${String.fromCharCode(0x4e00 + texts++)} other`

/** In milliseconds. */
const cpuOf = async (
  file: string,
  read: (forest: Forest.Service) => Effect.Effect<unknown, unknown, Forest.Forest>,
): Promise<ReadonlyArray<number>> => {
  const values: Array<number> = []
  for (let n = 0; n < 5; n++) {
    const begun = process.cpuUsage()
    await withForest(file, (forest) =>
      Effect.runSync(Effect.orDie(Effect.provideService(read(forest), Forest.Forest, forest))),
    )
    const { system, user } = process.cpuUsage(begun)
    values.push((system + user) / 1000)
  }
  return values
}

const measured = async (folder: string, size: number): Promise<ReadonlyArray<Row>> => {
  const file = path.join(folder, "forest.db")
  const { last, root } = await withForest(file, (forest) => {
    const { id: root } = Effect.runSync(forest.root({ owner: "bench", systemPrompt: "" }))
    let last = root
    for (let done = 0; done < size; done += depth) {
      last = Effect.runSync(forest.append(root, pathOf(`trunk${done}`))).at(-1)?.id ?? root
    }
    return { root, last }
  })
  const begun = performance.now()
  return withForest(file, (forest) => {
    const newest = Effect.runSync(forest.path(last, { last: 200 })).nodes
    const opened = performance.now() - begun
    const bare = transactions(folder)
    let head = newest.at(-1)?.id ?? root
    const append = times(500, (n) => {
      head = Effect.runSync(forest.append(head, [said(n, "appended")]))[0]?.id ?? head
    })
    const known = pathOf("trunk0", 20)
    const trunks = Array.from({ length: Math.min(200, size / depth) }, (_, n) => pathOf(`trunk${n * depth}`, 20))
    const rare = `trunk${Math.floor(size / depth / 2) * depth}`
    const of = (what: string) => `${size.toLocaleString("en")} messages: ${what}`
    return [
      { what: of("open, and the last 200"), values: [opened], wanted: { most: 50 } },
      { what: of("a bare transaction"), values: bare },
      // 0.2 ms above it.
      { what: of("append, durable"), values: append, wanted: { most: Number((median(bare) + 0.2).toFixed(2)) } },
      { what: "… its p99", values: [p99(append)], wanted: { most: 10 } },
      ...(trunks.length === 1
        ? []
        : [
            {
              what: of("match 20 that were not read yet"),
              values: times(trunks.length, (n) => Effect.runSync(forest.append(root, trunks[n] ?? []))),
              wanted: { most: 0.5 },
            },
          ]),
      {
        what: of("match 20"),
        values: times(200, () => Effect.runSync(forest.append(root, known))),
        wanted: { most: 0.5 },
      },
      {
        what: of("path of 1,000"),
        values: times(50, () => Effect.runSync(forest.path(last))),
        wanted: { most: 5 },
      },
      {
        what: of("search a rare word"),
        values: times(50, () => Effect.runSync(forest.search({ text: `${rare} 7` }))),
        wanted: { most: 5 },
      },
    ]
  })
}

const withForest = async <A>(file: string, use: (forest: Forest.Service) => A): Promise<A> => {
  const runtime = ManagedRuntime.make(Forest.layer.pipe(Layer.provide([Sqlite.layer(file), Ids.layer])))
  try {
    return use(runtime.runSync(Forest.Forest))
  } finally {
    await runtime.dispose()
  }
}

const times = (count: number, once: (n: number) => unknown): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, n) => {
    const begun = performance.now()
    once(n)
    return performance.now() - begun
  })

const median = (all: ReadonlyArray<number>): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? NaN

const p99 = (all: ReadonlyArray<number>): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? NaN

/** One row of 800 bytes each, on the disk when it is committed. */
const transactions = (folder: string): ReadonlyArray<number> => {
  const database = new DatabaseSync(path.join(folder, "bare.db"))
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; create table said (id integer primary key, text)",
  )
  const insert = database.prepare("insert into said (text) values (?)")
  const all = times(500, (n) => {
    database.exec("begin immediate")
    insert.run(`${n} ${rest}`)
    database.exec("commit")
  })
  database.close()
  return all
}
