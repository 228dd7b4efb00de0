/** Generated sources of few words, an empty database, and the impacts that the posting lists are compared with. */
import { Effect, FastCheck } from "effect"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { format } from "../../src/index/IndexStore/internal/Schema.ts"
import * as Documents from "../../src/search/Documents.ts"
import type * as PostingLists from "../../src/search/PostingLists.ts"

/** Their stems differ, and none is a stop word. */
export const vocabulary = ["apple", "banana", "cherry", "damson", "elder", "fig"]

const text = FastCheck.array(FastCheck.constantFrom(...vocabulary), { maxLength: 8 }).map((words) => words.join(" "))

const symbol = FastCheck.record({ name: text, doc: text, body: text, purpose: FastCheck.option(text) })

/** A file that is added to an index. */
export interface File extends Documents.Source {
  readonly isAuxiliary: boolean
}

export interface Sample {
  readonly source: File
  /** What a model wrote of each symbol. */
  readonly purposes: ReadonlyArray<string | undefined>
}

export const sample: FastCheck.Arbitrary<Sample> = FastCheck.record({
  path: FastCheck.constantFrom("src/a.ts", "src/fig.ts", "test/a.test.ts"),
  symbols: FastCheck.array(symbol, { minLength: 1, maxLength: 4 }),
  outside: text,
}).map(({ outside, path, symbols }) => ({
  source: {
    path,
    isAuxiliary: path.startsWith("test/"),
    symbols: symbols.map(({ doc, name }) => ({ name, container: undefined, doc, signature: "" })),
    text: { ofSymbols: symbols.map(({ body, doc, name }) => `${doc} ${name} ${body}`), outside },
  },
  purposes: symbols.map(({ purpose }) => purpose ?? undefined),
}))

const analyze = Documents.analyzer()

/** Adds a file, and returns its number. */
export const addTo = (writer: PostingLists.Writer, file: File): number => writer.add(analyze(file), file.isAuxiliary)

/** Runs all steps. */
export const run = (steps: Sqlite.Steps<void>): void => {
  while (steps.next().done !== true);
}

export const database = Effect.map(Sqlite.open(":memory:", format), Sqlite.statements)

/** The impacts of each document of a sample, by term. */
export const impactsOf = ({ purposes, source }: Sample) => {
  const { file, symbols, vocabulary } = Documents.analyzer()(source)
  const byTerm = ({ impacts, terms }: Documents.Impacts): ReadonlyMap<string, number> =>
    new Map(terms.map((term, position) => [vocabulary.term(term), impacts[position] ?? 0]))
  return {
    file: byTerm(file),
    symbols: symbols.map(byTerm),
    purposes: purposes.map((text) => Documents.analyzePurpose(text ?? "")),
  }
}
