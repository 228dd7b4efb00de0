/**
 * How long a question takes in an index of 200,000 symbols, in the process, beside what FTS5 takes for the same words
 * of the same texts and nothing more: the least that a program needs that leaves the scoring to SQLite.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Files from "../src/code/Files.ts"
import * as References from "../src/code/References.ts"
import * as Symbols from "../src/code/Symbols.ts"
import * as Workspace from "../src/code/Workspace.ts"
import * as Sqlite from "../src/disk/Sqlite.ts"
import * as Store from "../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../src/index/IndexStore.ts"
import { terms } from "../src/search/Tokenizer.ts"
import type { Row } from "./run.ts"

export const title = "How long a question takes in an index of 200,000 symbols, in the process, beside FTS5 alone"

const symbols = 200_000
const symbolsOfFile = 13
const questions = 200
const rounds = 5

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  try {
    const asked = await Effect.runPromise(indexed(root, made()))
    return await Effect.runPromise(measured(root, asked))
  } finally {
    fs.rmSync(root, { recursive: true })
  }
}

/** Leaves the repository on the disk as an index and as the floor, and in memory only what is asked for. */
const indexed = (root: string, { bodies, files, guesses, misspelt, questions }: Repository) =>
  Effect.gen(function* () {
    const index = yield* (yield* IndexStore.IndexStore).open(yield* Workspace.open(root))
    yield* index.refresh
    yield* floorOver(root, bodies)
    return { guesses, misspelt, questions }
  }).pipe(
    Effect.scoped,
    Effect.provide(layerOf(Object.fromEntries(files.map(({ path, text }) => [`${root}/${path}`, text])))),
  )

const measured = (
  root: string,
  { guesses, misspelt, questions }: Pick<Repository, "guesses" | "misspelt" | "questions">,
) =>
  Effect.gen(function* () {
    const index = yield* (yield* IndexStore.IndexStore).open(yield* Workspace.open(root))
    const floor = yield* floorOver(root, [])
    const [ofIndex, cpuOfIndex, ofFloor] = [times(), times(), times()]
    // One after the other: each leaves nothing of what the other needs in the caches of the processor.
    for (let round = 0; round < rounds; round++) {
      for (const question of questions) {
        const { cpu, wall } = yield* timed(index.search(question, { limit: 5 }))
        ofIndex.add(round, wall)
        cpuOfIndex.add(round, cpu)
      }
    }
    for (let round = 0; round < rounds; round++) {
      for (const question of questions) ofFloor.add(round, (yield* timed(floor(question))).wall)
    }
    const [ofGuesses, inFolder] = [times(), times()]
    for (let round = 0; round < rounds; round++) {
      for (const [n, question] of questions.entries()) {
        ofGuesses.add(round, (yield* timed(index.search(question, { limit: 5, also: guesses[n] }))).cpu)
        inFolder.add(round, (yield* timed(index.search(question, { limit: 5, path: "src" }))).cpu)
      }
    }
    const nearest: Array<number> = []
    for (const name of misspelt) nearest.push((yield* timed(index.nearest(name))).wall)
    return [
      { what: "FTS5 alone", values: ofFloor.all() },
      { what: "FTS5 alone, p95 of a round", values: ofFloor.p95() },
      { what: "Index.search", values: ofIndex.all(), wanted: { most: 5 } },
      { what: "Index.search, p95 of a round", values: ofIndex.p95(), wanted: { most: 5 } },
      { what: "Index.search, p95 of a round, CPU", values: cpuOfIndex.p95() },
      { what: "Index.search with five guesses, p95 of a round, CPU", values: ofGuesses.p95() },
      { what: "Index.search in a folder, p95 of a round, CPU", values: inFolder.p95() },
      { what: "Index.nearest", values: nearest },
    ]
    // There has to be a folder, and a search reads nothing in it.
  }).pipe(Effect.scoped, Effect.provide(layerOf({ [`${root}/README.md`]: "" })))

const layerOf = (files: Readonly<Record<string, string>>) =>
  Layer.merge(Layer.provide(Store.layer, outlines), Files.layerMemory(files))

/** Milliseconds: the rest of the machine is in `wall` alone. */
const timed = <E>(effect: Effect.Effect<unknown, E>): Effect.Effect<{ wall: number; cpu: number }, E> =>
  Effect.suspend(() => {
    const [used, begun] = [process.cpuUsage(), performance.now()]
    return Effect.map(effect, () => {
      const [wall, { system, user }] = [performance.now() - begun, process.cpuUsage(used)]
      return { wall, cpu: (user + system) / 1000 }
    })
  })

/** Full-text search over these texts, and those it had. */
const floorOver = Effect.fnUntraced(function* (root: string, texts: ReadonlyArray<string>) {
  const database = yield* Sqlite.open(path.join(root, "floor.db"), {
    version: 1,
    tables: ["words"],
    upgrade: (database) => database.exec("create virtual table words using fts5 (text, content = '')"),
  })
  const sql = Sqlite.statements(database)
  Sqlite.transaction(database, () => {
    for (const text of texts) sql("insert into words (text) values (?)").run(terms(text).join(" "))
  })
  return (question: string) =>
    Effect.sync(() =>
      sql("select rowid from words where words match ? order by rank limit 10").all(
        terms(question)
          .map((term) => `"${term}"`)
          .join(" OR "),
      ),
    )
})

/** Of each round. */
const times = () => {
  const taken: Array<Array<number>> = []
  return {
    add: (round: number, milliseconds: number) => {
      taken[round] ??= []
      taken[round].push(milliseconds)
    },
    all: () => taken.flat(),
    p95: () => taken.map((round) => round.toSorted((a, b) => a - b)[Math.floor(round.length * 0.95)] ?? NaN),
  }
}

type Repository = ReturnType<typeof made>

/** A repository of made-up words, the n-th of them about as often as the n-th word of code. Always the same. */
const made = () => {
  const random = generator(20261121)
  const below = (count: number) => Math.floor(random() * count)
  const vocabulary = Array.from({ length: 20_000 }, (_, n) => syllables(n + 256))
  // By Zipf and Mandelbrot: the first is in a fifth of the symbols.
  const word = () => vocabulary[Math.floor(20 * (1 + vocabulary.length / 20) ** random() - 20)] ?? ""
  const several = (least: number, most: number) => Array.from({ length: least + below(most - least + 1) }, word)
  const names: Array<string> = []
  const bodies: Array<string> = []
  const symbol = () => {
    const name = camel(several(2, 3))
    const body = `function ${name}(${several(0, 3).join(", ")}) {\n  ${several(10, 50).join(" ")}\n}\n`
    names.push(name)
    bodies.push(body)
    return body
  }
  const files = Array.from({ length: Math.ceil(symbols / symbolsOfFile) }, (_, n) => ({
    path: `${n % 4 === 0 ? "test" : "src"}/${word()}/${word()}-${n}.ts`,
    text: Array.from({ length: symbolsOfFile }, symbol).join("\n"),
  }))
  const name = () => names[below(names.length)] ?? ""
  return {
    files,
    bodies,
    questions: Array.from({ length: questions }, (_, n) =>
      [...several(2, 8), ...(n % 5 === 0 ? [name()] : [])].join(" "),
    ),
    guesses: Array.from({ length: questions }, () => Array.from({ length: 5 }, () => camel(several(1, 3)))),
    misspelt: Array.from({ length: 10 }, () => name().replace(/(?<=^...)./, "")),
  }
}

const syllables = (number: number): string =>
  Array.from(number.toString(16), (digit) => {
    const at = 2 * Number.parseInt(digit, 16)
    return "bacedifoguhajekilomunaperisotuva".slice(at, at + 2)
  }).join("")

const camel = (words: ReadonlyArray<string>): string =>
  words.map((word, n) => (n === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("")

/** Mulberry32. */
const generator = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Each symbol of a file is used by the three before it, as symbols of code are by two or three others. */
const usesOf = (count: number): string =>
  References.encode({
    exports: [],
    bases: new Map(),
    values: new Map(),
    fields: [],
    members: [],
    extensions: [],
    parameters: [],
    overloads: [],
    uses: Array.from({ length: count }, (_, used) => ({
      expression: `#${used}`,
      places: [used - 3, used - 2, used - 1].filter((symbol) => symbol >= 0).map((symbol) => ({ symbol, lines: [1] })),
    })),
  })

/** `function name(…) {` at the start of a line, up to a line that is `}`. */
const outlines = Layer.succeed(Symbols.Symbols, {
  outline: (_, text) =>
    Effect.sync(() => {
      let line = 1
      let seen = 0
      const found = Array.from(
        text.matchAll(/^(function (\w+).*) \{\n(?:(?!}).*\n)*}/gm),
        (match): Symbols.CodeSymbol => {
          const [body, signature = "", name = ""] = match
          line += text.slice(seen, match.index).split("\n").length - 1
          seen = match.index
          return {
            name,
            kind: "function",
            container: undefined,
            startLine: line,
            endLine: line + body.split("\n").length - 1,
            start: match.index,
            end: match.index + body.length,
            signature,
            doc: undefined,
            exported: false,
          }
        },
      )
      return {
        symbols: found,
        identifiers: new Map(found.map(({ name }) => [name, 1])),
        imports: [],
        references: usesOf(found.length),
        note: undefined,
        cut: undefined,
      }
    }),
})
