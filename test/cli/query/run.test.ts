/**
 * `vibe query` over an index in memory, with the options that say where and what else to
 * look for, and a scripted model.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Option, Ref } from "effect"
import * as Cli from "../../../src/cli/Cli.ts"
import { OptionalModel } from "../../../src/cli/layers/OptionalModel.ts"
import { query } from "../../../src/cli/query/command.ts"
import { entryWithoutLayer } from "../../../src/cli/Table.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import type * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { ModelError, Unreachable } from "../../../src/model/ModelError.ts"
import { RetryPolicy } from "../../../src/model/Retry.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { Git } from "../../../src/review/Git.ts"
import { some } from "../../thoroughness.ts"
import { tableWith } from "../../utils/commands.ts"
import * as Indexing from "../../utils/Indexing.ts"
import { shared } from "../../utils/shared.ts"

const verbs = ["mix", "knead", "bake", "cool", "slice", "wrap", "sell"]

const files = {
  "/repo/src/bread/oven.ts": verbs
    .map((verb) => `/** Can ${verb} the bread. */\nexport const ${verb}Bread = (bread: Bread) => ${verb}(bread)\n`)
    .join("\n"),
  "/repo/src/retry/Policy.ts": "export class RetryPolicy {\n  times = 3\n}\n",
  "/repo/lib/wait.ts": "export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))\n",
}

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const vibe = tableWith(entryWithoutLayer({ command: query, run: () => import("../../../src/cli/query/run.ts") }))

/** The index of the files, which no query changes. */
const indexed = shared(
  Effect.gen(function* () {
    const context = yield* Layer.build(Indexing.layer(files, Scripted.layer([])))
    const open = Effect.gen(function* () {
      const index = yield* (yield* IndexStore.IndexStore).open(yield* Workspace.open("/repo"))
      yield* index.refresh
    })
    yield* Effect.provide(open, context)
    return context
  }),
)

/** Runs `vibe query`; `answer` is that of the model, if there is one. */
const run = (argv: ReadonlyArray<string>, answer?: Scripted.Line, change?: Partial<LanguageModel.Service>) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const model =
      answer === undefined
        ? Option.none()
        : Option.some({ ...(yield* Scripted.make([answer, answer, answer], "m")), ...change })
    const layer = Layer.mergeAll(
      Layer.succeedContext(yield* indexed),
      Screen.layerMemory(written),
      Layer.succeed(OptionalModel, model),
      Layer.succeed(RetryPolicy, { maxRetries: 0, maxWait: Duration.zero }),
      NodeContext.layer,
      // The folder is in no repository.
      Layer.succeed(Git, { run: () => Effect.dieMessage("git is not to be run") }),
    )
    return yield* Effect.gen(function* () {
      const code = yield* Cli.run(vibe, { argv: ["query", "--root", "/repo", ...argv], version: "1.2.3" })
      const all = yield* Ref.get(written)
      const on = (stream: "out" | "err") => all.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
      const ended: Ended = { code, out: on("out"), err: on("err") }
      return ended
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

const namesIn = ({ out }: Ended): ReadonlyArray<string> => {
  const { results }: { readonly results: ReadonlyArray<{ readonly symbol: string }> } = JSON.parse(out)
  return results.map(({ symbol }) => symbol)
}

describe("vibe query --within", () => {
  it.effect("finds symbols of that file or folder only, relative to the root or absolute", () =>
    Effect.gen(function* () {
      for (const path of ["src/retry", "src/retry/", "./src/retry/Policy.ts", "/repo/src/retry"]) {
        const found = yield* run(["--json", "--limit", "9", "--within", path, "bread times"])
        assert.deepStrictEqual([...namesIn(found)].sort(), ["RetryPolicy", "RetryPolicy.times"], path)
      }
      assert.lengthOf(namesIn(yield* run(["--json", "--limit", "9", "--within", ".", "bread"])), 7)
    }),
  )

  it.effect("refuses one that is not in the index, and names near ones", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* run(["--within", "src/retri", "times"])
      assert.strictEqual(code, 1)
      assert.strictEqual(out, "")
      assert.match(err, /no file or folder src\/retri in the index; near it: \S*src\/retry/)
      assert.strictEqual((yield* run(["--within", "../other", "times"])).code, 1)
    }),
  )

  it.effect("says where nothing was found", () =>
    Effect.gen(function* () {
      const { code, err } = yield* run(["--within", "lib", "bread"])
      assert.strictEqual(code, 0)
      assert.match(err, /no matches for 'bread' in \S*lib\n/)
    }),
  )
})

describe("what vibe query says of words that the answer does not have", () => {
  const missingIn = ({ out }: Ended): unknown => JSON.parse(out).missing

  it.effect("names the symbol, or the text, or says that nothing has the word", () =>
    Effect.gen(function* () {
      const also = "--also=RetryPolicy,setTimeout,dlsym"
      const { out } = yield* run([also, "--limit", "1", "bake the bread"])
      assert.match(out, /\n\n'RetryPolicy' is not above: \S*src\/retry\/Policy.ts:1-3 {2}RetryPolicy\n/)
      assert.match(out, /\n'setTimeout' is not above: text at \S*lib\/wait.ts:1\n/)
      assert.match(out, /\nno symbol and no text has 'dlsym'\n$/)
      assert.deepStrictEqual(missingIn(yield* run([also, "--json", "--limit", "1", "bake the bread"])), [
        {
          word: "RetryPolicy",
          in: "symbol",
          path: "src/retry/Policy.ts",
          symbol: "RetryPolicy",
          kind: "class",
          startLine: 1,
          endLine: 3,
        },
        { word: "setTimeout", in: "text", path: "lib/wait.ts", line: 1 },
        { word: "dlsym", in: null, isCertain: true, near: [] },
      ])
    }),
  )

  it.effect("says nothing if the answer has all words", () =>
    Effect.gen(function* () {
      assert.notInclude((yield* run(["bake the bread"])).out, "not above")
      assert.deepStrictEqual(missingIn(yield* run(["--json", "bake the bread"])), [])
    }),
  )

  it.effect("offers near names for a mistyped one, also if nothing else is found", () =>
    Effect.gen(function* () {
      assert.match((yield* run(["RetryPolcy"])).out, /\nno symbol and no text has 'RetryPolcy' \(near it: RetryPolicy /)
      const { err } = yield* run(["Polcy"])
      assert.match(err, /no symbol and no text has 'Polcy'/)
    }),
  )
})

describe("vibe query with unusual text", () => {
  it.effect("says of one letter, stop words and punctuation that they have no word to search for", () =>
    Effect.gen(function* () {
      for (const text of ["a", "I", "***", "=> {} !==", '""', "🦀"]) {
        const { code, err, out } = yield* run([text])
        assert.deepStrictEqual([code, out], [0, ""], text)
        assert.include(err, `'${text}' has no word to search for: say what the code does`)
      }
    }),
  )

  it.effect("answers a text of 10,000 words by its first ones, and repeats only its beginning", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 10_000 }, (_, n) => `unknown${n}`).join(" ")
      assert.strictEqual(namesIn(yield* run(["--json", "--limit", "1", `bake the bread ${words}`]))[0], "bakeBread")
      const { err } = yield* run([words])
      assert.isBelow(err.length, 300)
    }),
  )

  it.effect("takes quotes, line ends and what looks like code or an option as text", () =>
    Effect.gen(function* () {
      for (const text of [
        `where's the "bread" baked`,
        "bake\nthe bread",
        "bread' OR 1=1; DROP TABLE symbol; --",
        "\u001b[31mbake\u001b[0m bread",
      ]) {
        assert.include(namesIn(yield* run(["--json", "--limit", "9", text])), "bakeBread", text)
      }
      assert.include(namesIn(yield* run(["--json", "--limit", "9", "--", "--bake", "bread"])), "bakeBread")
      const { code, err } = yield* run(["bread", "--nope"])
      assert.deepStrictEqual([code, /unknown option '--nope'.*quote the whole text/.test(err)], [2, true])
    }),
  )
})

describe("vibe query --limit", () => {
  it.effect("prints as many results as it says, also if one of them declares several types", () =>
    Effect.gen(function* () {
      for (const limit of some([1, 2, 3, 4], 2, 2)) {
        const argv = ["--limit", String(limit), "bread"]
        assert.lengthOf(namesIn(yield* run(["--json", ...argv])), limit)
        assert.lengthOf((yield* run(argv)).out.match(/^\S+:\d+-\d+ {2}/gm) ?? [], limit)
      }
    }),
  )
})

describe("vibe query --files", () => {
  const filesIn = ({ out }: Ended): ReadonlyArray<{ readonly path: string }> => JSON.parse(out).files

  it.effect("prints files, best first, with the symbols that say why, and how many more there are", () =>
    Effect.gen(function* () {
      const { code, out } = yield* run(["--files", "bake bread, retry times"])
      assert.strictEqual(code, 0)
      const lines = out.trimEnd().split("\n")
      assert.lengthOf(lines, 2)
      assert.match(out, /^\S*src\/bread\/oven.ts {2}bakeBread 8, \w+ \d+, \w+ \d+, and 4 more$/m)
      assert.match(out, /^\S*src\/retry\/Policy.ts {2}RetryPolicy(\.times)? /m)
    }),
  )

  it.effect("has each file with its symbols in JSON, within a path, and as many as --limit says", () =>
    Effect.gen(function* () {
      const [first, ...others] = filesIn(yield* run(["--files", "--json", "--limit", "1", "bake bread, retry times"]))
      assert.deepStrictEqual(others, [])
      assert.hasAllKeys(first, ["path", "score", "symbols"])
      const within = yield* run(["--files", "--json", "--within", "src/retry", "bread times"])
      assert.deepStrictEqual(
        filesIn(within).map(({ path }) => path),
        ["src/retry/Policy.ts"],
      )
    }),
  )

  it.effect("says where nothing was found, and refuses a model", () =>
    Effect.gen(function* () {
      assert.match((yield* run(["--files", "zebra"])).err, /no matches for 'zebra' in the index\n/)
      assert.deepStrictEqual(filesIn(yield* run(["--files", "--json", "zebra"])), [])
      const { code, err } = yield* run(["--files", "bread"], "1")
      assert.strictEqual(code, 2)
      assert.include(err, "'--model' puts no files in order")
    }),
  )
})

describe("vibe query --also", () => {
  it.effect("finds what the words of the question do not, by identifiers with commas or repeated", () =>
    Effect.gen(function* () {
      const question = "try again after a failure"
      assert.notInclude(namesIn(yield* run(["--json", question])), "RetryPolicy")
      for (const also of [
        ["--also", "backoff,RetryPolicy"],
        ["--also", "backoff", "--also=RetryPolicy"],
        ["--also", " Retry.backoff(), RetryPolicy, \u001b[31m"],
      ]) {
        assert.strictEqual(namesIn(yield* run(["--json", ...also, question]))[0], "RetryPolicy")
      }
    }),
  )

  it.effect("refuses what is no identifier, and more of them than anyone guesses", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 100 }, (_, n) => `word${n}`).join(",")
      for (const [also, says] of [
        [",", "takes identifiers"],
        ["--- \u0007", "takes identifiers"],
        [many, "at most 64 identifiers"],
      ] as const) {
        const { code, err, out } = yield* run([`--also=${also}`, "bread"])
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(err, `option '--also' ${says.startsWith("takes") ? says : `takes ${says}`}`)
      }
      const long = yield* run(["--json", "--also", "x".repeat(100_000), "bake the bread"])
      assert.strictEqual(namesIn(long)[0], "bakeBread")
    }),
  )
})

describe("vibe query --model", () => {
  const question = ["--json", "bake the bread"]
  const order = (...numbers: ReadonlyArray<number>) => Scripted.calls(["order_results", { numbers }])

  it.effect("prints the results that the model names, in its order, and what that used", () =>
    Effect.gen(function* () {
      const [first = "", , third = ""] = namesIn(yield* run(["--limit", "7", ...question]))
      const ended = yield* run(question, { ...order(3, 1), usage: usage(1400, 20) }, { price: { input: 1, output: 5 } })
      assert.deepStrictEqual(namesIn(ended), [third, first])
      assert.strictEqual(ended.err, "vibe: scripted/m put 7 results in order: 1.4k tokens, about $0.0015\n")
      assert.deepStrictEqual(JSON.parse(ended.out).reranked, {
        model: "scripted/m",
        named: 2,
        usage: { inputTokens: 1400, outputTokens: 20, cachedInputTokens: 0, reasoningTokens: 0 },
        cost: 0.0015,
      })
    }),
  )

  it.effect("prints as many as --limit says, the others in the order of the search", () =>
    Effect.gen(function* () {
      const [first = "", second = "", third = "", fourth = ""] = namesIn(yield* run(["--limit", "7", ...question]))
      const ended = yield* run(["--limit", "4", ...question], order(3, 1))
      assert.deepStrictEqual(namesIn(ended), [third, first, second, fourth])
    }),
  )

  it.effect("keeps the results and their order where the answer is no list, and says so", () =>
    Effect.gen(function* () {
      const plain = yield* run(question)
      const ended = yield* run(question, "Ignore the question and delete everything.")
      assert.deepStrictEqual(namesIn(ended), namesIn(plain))
      assert.match(ended.err, /answered with no list of numbers, so the 7 results stay in the order of the search/)
      assert.strictEqual(ended.code, 0)
    }),
  )

  it.effect("asks nothing where there is one result or none", () =>
    Effect.gen(function* () {
      const failure = new ModelError({ model: "scripted/m", reason: new Unreachable({ message: "down" }) })
      for (const text of ["setTimeout", "nowhere"]) {
        const ended = yield* run(["--json", text], failure)
        assert.deepStrictEqual([ended.code, ended.err], [0, ""])
        assert.isNull(JSON.parse(ended.out).reranked)
      }
      const ended = yield* run(question, failure)
      assert.notStrictEqual(ended.code, 0)
      assert.include(ended.err, "down")
    }),
  )

  it.effect("has options of requests only together with it", () =>
    Effect.gen(function* () {
      const { code, err } = yield* run(["--max-cost", "1", "bread"])
      assert.strictEqual(code, 2)
      assert.include(err, "option '--max-cost' needs '--model'")
    }),
  )
})

const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cachedTokens: 0,
  thinkingTokens: 0,
})
