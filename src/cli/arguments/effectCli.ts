/** The command of @effect/cli that is made from a declaration: it parses the words and runs the implementation. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Declared from "./Command.ts"
import type { Parameter } from "./Parameter.ts"
import { decode } from "./readWords.ts"

/** Words in the one order that @effect/cli parses without surprises: options, `--`, operands. See `Arguments.parse`. */
type Words = ReadonlyArray<string>

/** Parses the words of a command, decodes them, and runs it with the result. */
export const execute = <Input, E, R>(
  declared: Declared.Command<Input>,
  words: Words,
  run: (input: Input) => Effect.Effect<void, E, R>,
) => {
  const command = toCommand(declared, run)
  return Command.run(command, { name: declared.name, version: "" })(["", "", ...words]).pipe(
    Effect.provide(unusedServices),
    // `Arguments.parse` has refused what @effect/cli would refuse, so this is a mistake of the program.
    Effect.catchIf(ValidationError.isValidationError, (error) => Effect.die(error)),
  )
}

/** The command of @effect/cli, for a program of one's own: `Command.withSubcommands([toCommand(query, run)])`. */
const toCommand = <Input, E, R>(declared: Declared.Command<Input>, run: (input: Input) => Effect.Effect<void, E, R>) =>
  Command.make(
    declared.name,
    { options: allOptions(declared.options), operands: allArgs(declared.operands) },
    ({ operands, options }) => Effect.flatMap(decode(declared, { ...options, ...operands }), run),
  ).pipe(Command.withDescription(declared.summary))

/** The words of each option by its name. `Options.all` takes no empty record. */
const allOptions = (options: ReadonlyArray<Parameter<unknown>>): Options.Options<Declared.Given> =>
  options.length === 0
    ? Options.map(Options.none, () => ({}))
    : Options.all(Object.fromEntries(options.map((option) => [option.name, toOptions(option)])))

/** The words of each operand by its name. */
const allArgs = (operands: ReadonlyArray<Parameter<unknown>>): Args.Args<Declared.Given> =>
  operands.length === 0
    ? Args.map(Args.none, () => ({}))
    : Args.all(Object.fromEntries(operands.map((operand) => [operand.name, toArgs(operand)])))

/** All values that are given, as words. */
const toOptions = (option: Parameter<unknown>): Options.Options<ReadonlyArray<string>> => {
  const { alias, choices, description, name, repeats, value } = option
  const bare = name.replace(/^-+/, "")
  const withAlias = <A>(options: Options.Options<A>) =>
    (alias === undefined ? options : Options.withAlias(options, alias.slice(1))).pipe(
      Options.withDescription(description),
    )
  if (value === undefined) return Options.map(withAlias(Options.boolean(bare)), (isGiven) => (isGiven ? [""] : []))
  const one: Options.Options<string> =
    choices.length > 0 ? Options.choice(bare, choices) : Options.withPseudoName(Options.text(bare), value)
  if (repeats) return Options.repeated(withAlias(one))
  return Options.map(Options.optional(withAlias(one)), (word): ReadonlyArray<string> => Option.toArray(word))
}

const toArgs = ({ description, isRequired, name, repeats }: Parameter<unknown>): Args.Args<ReadonlyArray<string>> => {
  const one = Args.text({ name }).pipe(Args.withDescription(description))
  if (repeats) return isRequired ? Args.atLeast(one, 1) : Args.repeated(one)
  return isRequired
    ? Args.map(one, (word) => [word])
    : Args.map(Args.optional(one), (word): ReadonlyArray<string> => Option.toArray(word))
}

/**
 * The services that @effect/cli requires for arguments that are files and for wizards, of which vibe has neither. Those
 * for Node.js would load half of Effect, and open stdin.
 */
const unusedServices = Layer.succeed(
  Terminal.Terminal,
  Terminal.Terminal.of({
    columns: Effect.succeed(80),
    rows: Effect.succeed(24),
    isTTY: Effect.succeed(false),
    readInput: Effect.dieMessage("@effect/cli reads no input here"),
    readLine: Effect.dieMessage("@effect/cli reads no input here"),
    display: () => Effect.void,
  }),
).pipe(Layer.provideMerge(FileSystem.layerNoop({})), Layer.provideMerge(Path.layer))
