/**
 * The declaration of a command: its name, its help and its parameters. It knows no implementation, so a run may import
 * the type of its input from it; `cli/Table` joins the two.
 *
 * ```
 * // query/command.ts
 * export const query = Command.declare("query", "Find symbols by what they are for", { words, limit }, examples)
 * export type Input = Command.InputOf<typeof query>
 *
 * // query/run.ts
 * import type { Input } from "./command.ts"
 * export const run = Effect.fn("cli.query")(function* ({ words, limit }: Input) { … })
 * ```
 */
import * as Either from "effect/Either"
import type { Parameter, TypeOf } from "./Parameter.ts"

export interface Command<out Input = unknown> {
  /** One word, or two for a command of a group: `loom log`. */
  readonly name: string
  /** One line. */
  readonly summary: string
  readonly options: ReadonlyArray<Parameter<unknown>>
  readonly operands: ReadonlyArray<Parameter<unknown>>
  /** Command lines to copy. */
  readonly examples: ReadonlyArray<string>
  /**
   * Decodes the words that were given for each parameter, by its name, to the input. `Left` says what is wrong with
   * one.
   */
  readonly decode: (given: Given) => Either.Either<Input, string>
}

/** The words of each parameter by its name, as `Parameter.decode` takes them. */
export type Given = Readonly<Record<string, ReadonlyArray<string>>>

/** The type that the options and operands of a command are decoded to: the parameter of its `run`. */
export type InputOf<C> = C extends Command<infer Input> ? Input : never

type Parameters = Readonly<Record<string, Parameter<unknown>>>

type Input<P extends Parameters> = { readonly [K in keyof P]: TypeOf<P[K]> }

/** Help lists options and operands in the order of `parameters`. */
export const declare = <const P extends Parameters>(
  name: string,
  summary: string,
  parameters: P,
  examples: ReadonlyArray<string>,
): Command<Input<P>> => ({
  name,
  summary,
  examples,
  options: Object.values(parameters).filter(({ kind }) => kind === "option"),
  operands: Object.values(parameters).filter(({ kind }) => kind === "operand"),
  decode: (given) => {
    const decoded = Object.entries(parameters).map(([key, parameter]) =>
      Either.map(parameter.decode(given[parameter.name] ?? []), (value) => [key, value] as const),
    )
    // Each value has the type of the parameter under its key, which no type of an entry can say.
    return Either.map(Either.all(decoded), (entries) => Object.fromEntries(entries) as Input<P>)
  },
})

/** Declares the row that stands in the help for several commands with the same first word. */
export const group = (name: string, summary: string): Command => declare(name, summary, { command: groupOperand }, [])

const groupOperand: Parameter<void> = {
  kind: "operand",
  name: "COMMAND",
  alias: undefined,
  value: undefined,
  choices: [],
  description: "",
  isHidden: false,
  isRequired: true,
  repeats: false,
  decode: () => Either.void,
}
