/**
 * Runs of `vibe index` that are killed one after the other in one folder, at moments drawn from a seed, and at last one
 * that is left alone: it must find all that any of them reported. `test/program/Killed.test.ts` does it with a few,
 * `bench/killed.ts` with many.
 */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Random, Schema } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import { type Ended, folder, type Options, vibe } from "./vibe.ts"

/** `delay` milliseconds after the program was started, after its first line, or after its `request`th request. */
export type Moment =
  | { readonly after: "start" | "first line"; readonly delay: number }
  | { readonly after: "request"; readonly request: number; readonly delay: number }

/** So many, of each kind in turn: the same for the same seed. */
export const moments = (seed: string, count: number): Effect.Effect<ReadonlyArray<Moment>> =>
  Effect.forEach(Array(count).keys(), (n) =>
    Effect.gen(function* () {
      if (n % 4 === 0) return { after: "start", delay: yield* Random.nextIntBetween(0, 600) } as const
      if (n % 4 === 1) return { after: "first line", delay: yield* Random.nextIntBetween(0, 200) } as const
      const request = yield* Random.nextIntBetween(1, turns + 2)
      return { after: "request", request, delay: yield* Random.nextIntBetween(0, 25) } as const
    }),
  ).pipe(Effect.withRandom(Random.make(seed)))

/** A run that was killed, and how far it had come. */
export interface Killed {
  readonly moment: Moment
  readonly reached: "nothing" | "its first line" | "a request" | "its end"
}

export interface Told {
  readonly runs: ReadonlyArray<Killed>
  /** Purposes that were reported as kept. */
  readonly reported: number
  /** The lost purposes, and what is there in their place. */
  readonly lost: ReadonlyArray<string>
  /** Files under `.vibe` that should not be there. */
  readonly leftOver: ReadonlyArray<string>
  /** What went wrong with any other command than the killed ones. */
  readonly broken: ReadonlyArray<string>
}

/** Requests that a run makes, at most: each but the last records purposes. */
const turns = 8

/** Purposes that a request is answered with. */
const together = 4

const described = 40

const source = (file: number, version: number): string =>
  Array.from(
    { length: 10 },
    (_, n) => `/** Adds ${n}. */\nexport function f${file}_${n}(a: number) {\n  return a + ${n + version} + g${n}\n}\n`,
  ).join("\n")

const names = Array.from({ length: described }, (_, n) => ({
  path: `src/f${n >> 3}.ts`,
  symbol: `f${n >> 3}_${n % 8}`,
}))

const project = Object.fromEntries(
  Array.from({ length: described >> 3 }, (_, file) => [`src/f${file}.ts`, source(file, 0)]),
)

/** So many other files change before each run, for the structure to have work. */
const churn = 60

const Body = Schema.Struct({ contents: Schema.NonEmptyArray(Schema.Struct({ parts: Schema.Array(Schema.Unknown) })) })

/** What is asked of vibe and reported by it, over all runs, in order. */
const bookkeeping = () => {
  const asked: Array<{ readonly key: string; readonly purpose: string; isReported: boolean }> = []
  let waiting: typeof asked = []
  const report = () => {
    for (const each of waiting) each.isReported = true
  }
  return {
    /** Entries for the next turn. */
    next: () => {
      waiting = Array.from({ length: together }, () => {
        const name = names[asked.length % names.length]
        const one = {
          key: JSON.stringify(name),
          purpose: `Counts the sheep of night ${asked.length}.`,
          isReported: false,
        }
        asked.push(one)
        return one
      })
      return waiting.map(({ key, purpose }) => ({ ...JSON.parse(key), purpose }))
    },
    report,
    reported: () => asked.filter(({ isReported }) => isReported).length,
    /** For each symbol the last reported purpose, or a later one that may have been stored. */
    lost: (known: ReadonlyMap<string, string>): ReadonlyArray<string> => {
      const keys = new Set(asked.filter(({ isReported }) => isReported).map(({ key }) => key))
      return Array.from(keys).flatMap((key) => {
        const of = asked.filter((one) => one.key === key)
        const last = of.findLastIndex(({ isReported }) => isReported)
        const fine = of.slice(last).some(({ purpose }) => purpose === known.get(key))
        return fine ? [] : [`${key}: ${of[last]?.purpose} is ${known.get(key)}`]
      })
    },
  }
}

const said = (text: string): FakeServer.Answer => answer([{ text }])

const answer = (parts: ReadonlyArray<unknown>): FakeServer.Answer => ({
  body: FakeServer.events({ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] }),
})

const reached = ({ signal, stdout }: Ended, requests: number): Killed["reached"] =>
  signal === null ? "its end" : requests > 0 ? "a request" : stdout === "" ? "nothing" : "its first line"

/** All of them in a folder of their own, in order. `program`: in place of the program's own source. */
export const killedAt = (moments: ReadonlyArray<Moment>, program?: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const books = bookkeeping()
      let run = { child: undefined as ChildProcess | undefined, moment: undefined as Moment | undefined, requests: 0 }
      const killIn = (delay: number) => {
        const { child } = run
        setTimeout(() => child?.kill("SIGKILL"), delay)
      }

      const server = yield* FakeServer.serve(({ body }) => {
        run.requests++
        const { contents } = Schema.decodeUnknownSync(Body)(body)
        if (JSON.stringify(contents.at(-1)).includes(`recorded ${together} of ${together}`)) books.report()
        const { moment } = run
        if (moment?.after === "request" && moment.request === run.requests) killIn(moment.delay)
        if (moment === undefined || run.requests > turns) return said("Done.")
        return answer([{ functionCall: { name: "create_index_entry", args: { entries: books.next() } } }])
      })
      const options: Options = {
        cwd,
        bin: program,
        env: { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url },
      }

      const runs: Array<Killed> = []
      const broken: Array<string> = []
      const expectFine = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
        const { code, signal, stderr } = yield* vibe(args, options)
        if (code !== 0) broken.push(`${args.join(" ")}: ${code ?? signal} ${stderr}`)
      })

      for (const [n, moment] of moments.entries()) {
        for (let file = 0; file < churn; file++)
          fs.writeFileSync(path.join(cwd, `src/g${file}.ts`), source(file, n + 1))
        run = { child: undefined, moment, requests: 0 }
        const ended = yield* vibe(["index", "--verbose"], {
          ...options,
          onStart: (child) => {
            run.child = child
            if (moment.after === "start") killIn(moment.delay)
            if (moment.after === "first line") child.stdout?.once("data", () => killIn(moment.delay))
          },
        })
        // It tells its reader before it tells the model.
        const toReader = ended.stdout.split(`recorded ${together} of ${together}`).length - 1
        if (toReader > 0 && toReader === run.requests) books.report()
        if (ended.signal === null && ended.code !== 0) broken.push(`index: ${ended.code} ${ended.stderr}`)
        runs.push({ moment, reached: reached(ended, run.requests) })
        // Readers find what a run has left as well as the next run does.
        if (n % 5 === 4) yield* expectFine(["query", "adds"])
      }
      run = { child: undefined, moment: undefined, requests: 0 }
      yield* expectFine(["index"])

      const kept = (name: string) => path.join(cwd, ".vibe", name)
      const known = new Map(
        (fs.existsSync(kept("purposes.jsonl")) ? fs.readFileSync(kept("purposes.jsonl"), "utf8") : "")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
          .map(({ path, purpose, symbol }): [string, string] => [JSON.stringify({ path, symbol }), purpose]),
      )
      const expected = [".gitignore", "index.db", "index.db.lock", "map.md", "purposes.jsonl", "wiki"]
      const ofWiki = /^(?:[a-z0-9-]+\.md|statements\.jsonl|plan\.json)$/
      const told: Told = {
        runs,
        reported: books.reported(),
        lost: books.lost(known),
        leftOver: [
          ...fs.readdirSync(path.join(cwd, ".vibe")).filter((name) => !expected.includes(name)),
          ...fs.readdirSync(path.join(cwd, ".vibe/wiki")).filter((name) => !ofWiki.test(name)),
        ],
        broken,
      }
      return told
    }),
  )
