/** Made-up sources of few words, an empty database, and the same index done naively. */
import { Effect, FastCheck } from "effect"
import * as Sqlite from "../../../src/disk/Sqlite.ts"
import { format } from "../../../src/indexing/IndexStore/internal/Schema.ts"
import * as Vocabulary from "../../../src/indexing/IndexStore/internal/Vocabulary.ts"
import * as Words from "../../../src/indexing/IndexStore/internal/Words.ts"

/** Their stems differ, and none is a stop word. */
export const vocabulary = ["apple", "banana", "cherry", "damson", "elder", "fig"]

const text = FastCheck.array(FastCheck.constantFrom(...vocabulary), { maxLength: 8 }).map((words) => words.join(" "))

const symbol = FastCheck.record({ name: text, doc: text, body: text, purpose: FastCheck.option(text) })

export interface Made {
  readonly source: Words.Source
  /** What a model wrote of each symbol. */
  readonly purposes: ReadonlyArray<string | undefined>
}

export const made: FastCheck.Arbitrary<Made> = FastCheck.record({
  path: FastCheck.constantFrom("src/a.ts", "src/fig.ts", "test/a.test.ts"),
  symbols: FastCheck.array(symbol, { minLength: 1, maxLength: 4 }),
  outside: text,
}).map(({ outside, path, symbols }) => ({
  source: {
    path,
    symbols: symbols.map(({ doc, name }) => ({ name, container: undefined, doc, signature: "" })),
    shares: { own: symbols.map(({ body, doc, name }) => `${doc} ${name} ${body}`), outside },
  },
  purposes: symbols.map(({ purpose }) => purpose ?? undefined),
}))

/** All steps at once. */
export const run = (steps: Sqlite.Steps<void>): void => {
  while (steps.next().done !== true);
}

export const database = Effect.map(Sqlite.open(":memory:", format), Sqlite.statements)

/** What each term is posted for, by file and by symbol: `source` of a file, `source` and `purpose` of a symbol. */
export const told = ({ purposes, source }: Made) => {
  const vocabulary = Vocabulary.make()
  const { file, symbols } = Words.teller(vocabulary)(source)
  const byTerm = ({ impacts, terms }: Words.Impacts): ReadonlyMap<string, number> =>
    new Map(terms.map((term, position) => [vocabulary.term(term), impacts[position] ?? 0]))
  return {
    file: byTerm(file),
    symbols: symbols.map(byTerm),
    purposes: purposes.map((text) => Words.ofPurpose(text ?? "")),
  }
}
