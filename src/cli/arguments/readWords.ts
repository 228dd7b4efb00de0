/**
 * Reads the words of a command as @effect/cli reads them, without loading it: to load and run it takes a sixth of
 * `vibe query`. This is enough since `Arguments.parse` has put the words in order and has refused what is wrong with
 * them. A test compares both readers for all commands.
 */
import * as Either from "effect/Either"
import { UsageError } from "../../base/UsageError.ts"
import type { Command, Given } from "./Command.ts"

/** Decodes words in the order of `Arguments.parse`: options with their values, `--`, operands. */
export const decodeWords = <Input>(
  command: Command<Input>,
  words: ReadonlyArray<string>,
): Either.Either<Input, UsageError> => decode(command, readWords(command, words))

/** Decodes the words of each parameter. The error names the command, whose help describes them. */
export const decode = <Input>(command: Command<Input>, given: Given): Either.Either<Input, UsageError> =>
  Either.mapLeft(command.decode(given), (message) => new UsageError({ message, command: command.name }))

/** Returns the words of each parameter by its name. An option without a value has the empty word. */
export const readWords = ({ operands, options }: Command, words: ReadonlyArray<string>): Given => {
  const given: Record<string, Array<string>> = {}
  for (const { name } of [...options, ...operands]) given[name] = []
  let at = 0
  for (; at < words.length && words[at] !== "--"; at++) {
    const option = options.find(({ name }) => name === words[at])
    if (option !== undefined) given[option.name]?.push(option.value === undefined ? "" : (words[++at] ?? ""))
  }
  const rest = words.slice(at + 1)
  operands.forEach(({ name, repeats }, i) => {
    given[name] = repeats ? rest.slice(i) : rest.slice(i, i + 1)
  })
  return given
}
