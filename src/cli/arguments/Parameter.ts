/**
 * An option or an operand of a command, declared once: its name, its help, and what the words that are given for it are
 * decoded to. Help, man pages, completion, the order of arguments and the parser of @effect/cli are all made from it.
 *
 * ```
 * const limit = number("limit", whole(1, 50), "Print N results, 1 to 50 (default: 5)") // Parameter<Option<number>>
 * const within = optional(text("within", "PATH", "Find symbols in this file or folder only"))
 * const words = atLeastOne(operand("TEXT", "Words or names to look for")) // Parameter<ReadonlyArray<string>>
 * ```
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"

export interface Parameter<A> {
  readonly kind: "option" | "operand"
  /** The name as it is typed, with the dashes of an option. An operand has its name in help, such as `PATH`. */
  readonly name: string
  /** A short name of an option: `-m`. */
  readonly alias: string | undefined
  /**
   * The name of an option's value in help, in brackets if it may be left out; undefined if the option takes no value.
   */
  readonly value: string | undefined
  /** The only values that an option takes; empty if it takes others. */
  readonly choices: ReadonlyArray<string>
  readonly description: string
  /** True if it is accepted, but left out of help and completion. */
  readonly isHidden: boolean
  /** True if the command fails without it. */
  readonly isRequired: boolean
  /** True if it may be given several times. */
  readonly repeats: boolean
  /**
   * Decodes the words that were given, in order: no word if the parameter was not given, at most one unless it repeats,
   * and the empty word for an option without a value. `Left` holds what is wrong with them, as a sentence for the user.
   */
  readonly decode: (words: ReadonlyArray<string>) => Either.Either<A, string>
}

/** The type that a parameter is decoded to. */
export type TypeOf<P> = P extends Parameter<infer A> ? A : never

const make = <A>(
  kind: Parameter<A>["kind"],
  name: string,
  description: string,
  decode: Parameter<A>["decode"],
): Parameter<A> => ({
  kind,
  name,
  description,
  decode,
  alias: undefined,
  value: undefined,
  choices: [],
  isHidden: false,
  isRequired: false,
  repeats: false,
})

const withDashes = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`)

/** An option without a value. */
export const flag = (name: string, description: string): Parameter<boolean> =>
  make("option", withDashes(name), description, (words) => Either.right(words.length > 0))

/** An option with a value that must be given. `value` is the name of the value in help. */
export const text = (name: string, value: string, description: string): Parameter<string> => ({
  ...make("option", withDashes(name), description, ([word = ""]) => Either.right(word)),
  value,
  isRequired: true,
})

/** An option that takes one of a few values. */
export const choice = <const Choice extends string>(
  name: string,
  choices: ReadonlyArray<Choice>,
  description: string,
): Parameter<Choice> => ({
  ...parse(text(name, choices.join(" | "), description), (word) => {
    const found = choices.find((choice) => choice === word)
    return found === undefined
      ? Either.left(`option '${withDashes(name)}' takes ${choices.join(", ")}`)
      : Either.right(found)
  }),
  choices,
})

/** Words that a number has to be one of. */
export interface Range {
  readonly isAllowed: (amount: number) => boolean
  /** The numbers in words, for the error: "a number from 1 to 50". */
  readonly allowed: string
}

/** Whole numbers of a range; without an end if `to` is not given. */
export const whole = (from: number, to?: number): Range => ({
  isAllowed: (amount) => Number.isSafeInteger(amount) && amount >= from && (to === undefined || amount <= to),
  allowed: `a number from ${from}${to === undefined ? "" : ` to ${to}`}`,
})

/** An option that takes a number of a range and may be left out. */
export const number = (
  name: string,
  { allowed, isAllowed }: Range,
  description: string,
): Parameter<Option.Option<number>> =>
  optional(
    parse(text(name, "N", description), (word) => {
      const amount = Number(word)
      const isNumber = decimal.test(word.trim()) && isAllowed(amount)
      return isNumber ? Either.right(amount) : Either.left(`option '${withDashes(name)}' takes ${allowed}`)
    }),
  )

/** Matches a number as people write it; `Number` takes `0x10` as well, which is 16. */
const decimal = /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i

/** A word beside the options that must be given. */
export const operand = (name: string, description: string): Parameter<string> => ({
  ...make("operand", name, description, ([word = ""]) => Either.right(word)),
  isRequired: true,
})

/** The same parameter, which may be left out. */
export const optional = <A>(parameter: Parameter<A>): Parameter<Option.Option<A>> => ({
  ...parameter,
  isRequired: false,
  decode: (words) =>
    words.length === 0 ? Either.right(Option.none()) : Either.map(parameter.decode(words), Option.some),
})

/** The same parameter, which has a value if it is left out. */
export const withDefault = <A>(parameter: Parameter<A>, value: A): Parameter<A> => ({
  ...parameter,
  isRequired: false,
  decode: (words) => (words.length === 0 ? Either.right(value) : parameter.decode(words)),
})

/** The same parameter, any number of times. */
export const repeated = <A>(parameter: Parameter<A>): Parameter<ReadonlyArray<A>> => ({
  ...atLeastOne(parameter),
  isRequired: false,
})

/** The same parameter, once or more often. */
export const atLeastOne = <A>(parameter: Parameter<A>): Parameter<ReadonlyArray<A>> => ({
  ...parameter,
  repeats: true,
  decode: (words) => Either.all(words.map((word) => parameter.decode([word]))),
})

/** The same parameter with a value that `read` converts: `Left` is a sentence for the user. */
export const parse = <A, B>(parameter: Parameter<A>, read: (value: A) => Either.Either<B, string>): Parameter<B> => ({
  ...parameter,
  decode: (words) => Either.flatMap(parameter.decode(words), read),
})

/** The same parameter with another help text. */
export const describe = <A>(parameter: Parameter<A>, description: string): Parameter<A> => ({
  ...parameter,
  description,
})

/** The same parameter, accepted but left out of help and completion. */
export const hidden = <A>(parameter: Parameter<A>): Parameter<A> => ({ ...parameter, isHidden: true })

/** The same option with a short name, given without its dash. */
export const withAlias = <A>(parameter: Parameter<A>, letter: string): Parameter<A> => ({
  ...parameter,
  alias: `-${letter}`,
})
