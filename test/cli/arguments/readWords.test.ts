import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import * as Arguments from "../../../src/cli/arguments/Arguments.ts"
import type { Command, Given } from "../../../src/cli/arguments/Command.ts"
import { execute } from "../../../src/cli/arguments/effectCli.ts"
import type { Parameter } from "../../../src/cli/arguments/Parameter.ts"
import { decodeWords, readWords } from "../../../src/cli/arguments/readWords.ts"
import { isThorough } from "../../thoroughness.ts"
import { commands } from "../../utils/commands.ts"

const RUNS = isThorough ? 150 : 40

/** The words of each parameter, as @effect/cli passes them to the command. */
const readByEffectCli = (command: Command, words: ReadonlyArray<string>): Effect.Effect<Given | undefined> => {
  let read: Given | undefined
  return Effect.as(
    Effect.orDie(
      execute({ ...command, decode: (given) => Either.right(given) }, words, (given) =>
        Effect.sync(() => {
          read = given
        }),
      ),
    ),
    undefined,
  ).pipe(Effect.map(() => read))
}

const someText = FastCheck.oneof(
  FastCheck.constantFrom("a", "add two", "-", "-5", "--", "--json", "-m", "--limit=3", "=", "@~2", "é", "a=b", "."),
  FastCheck.string({ minLength: 1, maxLength: 12 }),
)

/** The words with which an option is typed. */
const typed = ({ alias, choices, name, value }: Parameter<unknown>): FastCheck.Arbitrary<ReadonlyArray<string>> => {
  const names = FastCheck.constantFrom(...(alias === undefined ? [name] : [name, alias]))
  if (value === undefined) return names.map((name) => [name])
  // The one difference: @effect/cli takes a value that looks like an option for one, as in `--system=--json`.
  const values =
    choices.length > 0 ? FastCheck.constantFrom(...choices) : someText.filter((word) => !/^-[-a-z]/i.test(word))
  const joined = values.map((value) => [`${name}=${value}`])
  const apart = FastCheck.tuple(names, values)
  return FastCheck.oneof(joined, apart)
}

/** A command with words that its options and operands may be given as, most of which `Arguments.parse` accepts. */
const commandLine = FastCheck.constantFrom(...commands).chain((command) =>
  FastCheck.record({
    command: FastCheck.constant(command),
    options: FastCheck.tuple(
      ...command.options.map((option) =>
        FastCheck.array(typed(option), { minLength: option.isRequired ? 1 : 0, maxLength: 2 }).map((words) =>
          words.flat(),
        ),
      ),
    ),
    operands: FastCheck.array(someText, {
      minLength: command.operands.filter(({ isRequired }) => isRequired).length,
      maxLength: command.operands.some(({ repeats }) => repeats) ? 4 : command.operands.length,
    }),
  }),
)

describe("readWords", () => {
  it.effect("reads what @effect/cli reads, for all commands and all words that vibe accepts", () =>
    Effect.gen(function* () {
      const lines = FastCheck.sample(commandLine, { numRuns: RUNS, seed: 34 })
      let accepted = 0
      for (const { command, operands, options } of lines) {
        const request = Arguments.parse(commands, [...command.name.split(" "), ...options.flat(), "--", ...operands])
        if (Either.isLeft(request) || request.right._tag !== "Run") continue
        const { words } = request.right
        assert.deepStrictEqual(readWords(command, words), yield* readByEffectCli(command, words), words.join("␣"))
        accepted++
      }
      assert.isAbove(accepted, RUNS / 2)
    }),
  )

  it("reads values that look like options, and like their end", () => {
    const query = commands.find(({ name }) => name === "query")
    assert.isDefined(query)
    const { "--also": also, TEXT } = readWords(query, ["--also", "--", "--also", "--json", "--", "a", "--json"])
    assert.deepStrictEqual({ also, TEXT }, { also: ["--", "--json"], TEXT: ["a", "--json"] })
  })

  it("names the command in the error of a value", () => {
    const query = commands.find(({ name }) => name === "query")
    assert.isDefined(query)
    const error = Either.getOrThrow(Either.flip(decodeWords(query, ["--limit", "70", "--", "a"])))
    assert.strictEqual(error.message, "option '--limit' takes a number from 1 to 50")
    assert.strictEqual(error.command, "query")
  })
})
