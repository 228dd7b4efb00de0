/**
 * Reads the arguments as people type them, before @effect/cli does: options anywhere, `--` as the end of them, and a
 * clear word on what is unknown. What it lets through is in the one order that @effect/cli reads without surprises.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import { UsageError } from "../message/UsageError.ts"
import * as EditDistance from "../search/EditDistance.ts"
import type { Flag, Spec } from "./Spec.ts"

export type Request = Data.TaggedEnum<{
  /** Of one command, of the group of that name (`loom`), or of the whole program. */
  Help: { readonly spec: Spec | undefined; readonly group: string | undefined }
  Version: object
  /** For @effect/cli: the command, its options, `--`, the operands. */
  Run: { readonly argv: ReadonlyArray<string> }
}>
export const Request = Data.taggedEnum<Request>()

/** `argv` is without the executable and the script. */
export const read = (specs: ReadonlyArray<Spec>, argv: ReadonlyArray<string>): Either.Either<Request, UsageError> =>
  Either.gen(function* () {
    const { options, words } = splitFor(specs, argv)
    const has = (...names: ReadonlyArray<string>) => options.some(({ name }) => names.includes(name))

    const isHelp = words[0] === "help" || has("--help", "-h")
    const { group, operands, spec, unknown } = named(specs, words[0] === "help" ? words.slice(1) : words)
    if (unknown !== undefined) {
      // A mistyped option may have left its value behind, where a command is expected.
      yield* known(options, all(specs), undefined)
      const names = [...specs.map(({ name }) => name), ...groups(specs), "help"]
      return yield* wrong(`unknown command '${unknown}'${didYouMean(unknown, names)}`, group)
    }
    if (isHelp) return Request.Help({ spec, group })
    if (has("--version")) return Request.Version()
    if (spec === undefined) {
      yield* known(options, all(specs), group)
      return options.length === 0 ? Request.Help({ spec, group }) : yield* wrong("which command?", group)
    }
    yield* known(options, spec.options, spec.name)
    const given = yield* valued(options, spec)
    yield* counted(operands, spec)
    return Request.Run({ argv: [...spec.name.split(" "), ...given, "--", ...operands] })
  })

/** Whether the answer, and so an error too, is to be JSON. Asked even of a command line that is wrong. */
export const wantsJson = (argv: ReadonlyArray<string>): boolean => {
  const end = argv.indexOf("--")
  return argv.slice(0, end === -1 ? undefined : end).includes("--json")
}

/** What a command line is about, though it be wrong otherwise. */
export const about = (specs: ReadonlyArray<Spec>, argv: ReadonlyArray<string>): Named =>
  named(specs, split(all(specs), argv).words)

const all = (specs: ReadonlyArray<Spec>): ReadonlyArray<Flag> => specs.flatMap(({ options }) => options)

/** The first words of the commands that have two: `loom` of `loom log`. */
const groups = (specs: ReadonlyArray<Spec>): ReadonlyArray<string> => [
  ...new Set(specs.flatMap(({ name }) => (name.includes(" ") ? [name.split(" ")[0] ?? ""] : []))),
]

export interface Named {
  readonly spec: Spec | undefined
  /** The first of the two words of its name. */
  readonly group: string | undefined
  /** What follows the name. */
  readonly operands: ReadonlyArray<string>
  /** What stands where a name is expected. */
  readonly unknown: string | undefined
}

const named = (specs: ReadonlyArray<Spec>, words: ReadonlyArray<string>): Named => {
  const group = groups(specs).find((name) => name === words[0])
  const length = group === undefined ? 1 : 2
  const name = words.slice(0, length).join(" ")
  const spec = specs.find((spec) => spec.name === name)
  const isUnknown = spec === undefined && words.length >= length
  return { spec, group, operands: words.slice(length), unknown: isUnknown ? name : undefined }
}

interface Given {
  readonly name: string
  readonly value: string | undefined
  /** As `--name=value`. */
  readonly isJoined: boolean
}

/** By the options of the command that is named first, where there are no others: to read those of all takes longer. */
const splitFor = (specs: ReadonlyArray<Spec>, argv: ReadonlyArray<string>): Split => {
  const own = specs.find(({ name }) => name === argv[0])?.options
  const found = own === undefined ? undefined : split(own, argv)
  const isOwn = ({ name }: Given) => own?.some((flag) => flag.name === name)
  return found?.options.every(isOwn) ? found : split(all(specs), argv)
}

interface Split {
  readonly options: ReadonlyArray<Given>
  readonly words: ReadonlyArray<string>
}

const split = (flags: ReadonlyArray<Flag>, argv: ReadonlyArray<string>): Split => {
  const byName = new Map(flags.flatMap((flag) => [flag.name, flag.alias].map((name) => [name, flag] as const)))
  const options: Array<Given> = []
  const words: Array<string> = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ""
    if (word === "--") {
      words.push(...argv.slice(i + 1))
      break
    }
    const joined = /^(--[^=]+)=(.*)$/s.exec(word)
    if (joined !== null) options.push({ name: joined[1] ?? "", value: joined[2], isJoined: true })
    else if (!isOption(word)) words.push(word)
    else {
      const flag = byName.get(word)
      const value = isValue(argv[i + 1] ?? "--", flag) ? argv[++i] : undefined
      options.push({ name: flag?.name ?? word, value, isJoined: false })
    }
  }
  return { options, words }
}

/** Whether a word is the value of the option before it. Where that may do without, it has to look like one. */
const isValue = (word: string, flag: Flag | undefined): boolean =>
  flag?.value !== undefined && !isOption(word) && (!isLeftOut(flag) || namesNode.test(word))

/** `[NODE]`: an option whose value may be left out. */
const isLeftOut = ({ value }: Flag): boolean => value?.startsWith("[") === true

/** `@`, `@~2`, or an id: what people hardly begin a sentence with. A bookmark is joined to its option: `--continue=x`. */
const namesNode = /^(?:@|\d[0-9a-z]{5,17})(?:\^|~\d*)*$/

/** A lone dash is a word, and `-5` may be a value. */
const isOption = (word: string): boolean => /^-(-|[a-z?])/i.test(word)

const known = (
  options: ReadonlyArray<Given>,
  flags: ReadonlyArray<Flag>,
  command: string | undefined,
): Either.Either<void, UsageError> => {
  const names = [...flags.map(({ name }) => name), "--help", "-h", "--version"]
  const stranger = options.find(({ name }) => !names.includes(name))
  return stranger === undefined
    ? Either.void
    : wrong(`unknown option '${stranger.name}'${didYouMean(stranger.name, names)}`, command)
}

/** The options as @effect/cli is to see them. Of an option given twice the last counts, unless it repeats. */
const valued = (options: ReadonlyArray<Given>, spec: Spec): Either.Either<ReadonlyArray<string>, UsageError> => {
  const argv: Array<string> = []
  for (const flag of spec.options) {
    const given = options.filter(({ name }) => name === flag.name)
    for (const { isJoined, value } of flag.repeats ? given : given.slice(-1)) {
      if (flag.value === undefined) {
        if (isJoined) return wrong(`option '${flag.name}' takes no value`, spec.name)
        argv.push(flag.name)
      } else if (isLeftOut(flag) && !isJoined) argv.push(flag.name, value ?? "")
      else if (value === undefined || value === "") {
        return wrong(`option '${flag.name}' needs a value: ${flag.name} ${flag.value}`, spec.name)
      } else argv.push(flag.name, value)
    }
  }
  return Either.right(argv)
}

const counted = (words: ReadonlyArray<string>, { name, operands }: Spec): Either.Either<void, UsageError> => {
  const missing = operands.find(({ isOptional }, i) => words[i] === "" || (words[i] === undefined && !isOptional))
  if (missing !== undefined) return wrong(`'${name}' needs ${missing.name}`, name)
  const extra = operands.some(({ repeats }) => repeats) ? undefined : words[operands.length]
  return extra === undefined ? Either.void : wrong(`unexpected argument '${extra}'`, name)
}

const wrong = (message: string, command?: string | undefined): Either.Either<never, UsageError> =>
  Either.left(new UsageError({ message, command }))

/** Up to two edits, or a prefix: a farther guess is worse than none. */
const didYouMean = (word: string, names: ReadonlyArray<string>): string => {
  const distanceTo = EditDistance.from(word.toLowerCase(), 2)
  const near = names
    .flatMap((name) => {
      const distance = name.startsWith(word) ? 1 : distanceTo(name.toLowerCase())
      return distance !== undefined && distance < name.length - 1 ? [{ name, distance }] : []
    })
    .sort((a, b) => a.distance - b.distance)[0]
  return near === undefined ? "" : `; did you mean '${near.name}'?`
}
