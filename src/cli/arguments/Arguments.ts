/**
 * Parses the command line before @effect/cli does: options anywhere, `--` as their end, and an error that names what is
 * unknown and what to type instead. What it accepts is put in the one order that @effect/cli parses without surprises.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type { ColorChoice } from "../../message/Style.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as EditDistance from "../../search/EditDistance.ts"
import type { Flag, Spec } from "./Spec.ts"

/** Help for one command, for a group (`loom`), for the settings, or for the whole program. */
export interface HelpRequest {
  readonly spec: Spec | undefined
  readonly group: string | undefined
  readonly isOfSettings: boolean
}

export type Request = Data.TaggedEnum<{
  Help: HelpRequest
  Version: object
  /** For @effect/cli: the command, its options, `--`, the operands. */
  Run: { readonly argv: ReadonlyArray<string>; readonly color: ColorChoice | undefined }
}>
export const Request = Data.taggedEnum<Request>()

/** `argv` is without the executable and the script. */
export const parse = (specs: ReadonlyArray<Spec>, argv: ReadonlyArray<string>): Either.Either<Request, UsageError> =>
  Either.gen(function* () {
    const { options, words } = splitFor(specs, argv)
    const has = (...names: ReadonlyArray<string>) => options.some(({ name }) => names.includes(name))

    const [first, ...others] = words
    const topic = first === "help" ? others.filter((word) => !ownWords.includes(word)) : words
    const isOfSettings = first === "help" && topic[0] === SETTINGS
    const { group, operands, spec, unknown } = findCommand(specs, isOfSettings ? topic.slice(1) : topic)
    if (has("--version", "-V") || (has("-v") && words.length === 0)) return Request.Version()
    if (first === "version" && !has("--help", "-h")) {
      return others[0] === undefined ? Request.Version() : yield* fail(`unexpected argument '${others[0]}'`)
    }
    if (unknown !== undefined && first !== "version") {
      // A mistyped option may have left its value behind, where a command is expected.
      yield* checkNames(options, allFlags(specs), undefined)
      return yield* fail(`unknown command '${unknown}'${suggestCommand(specs, unknown, topic)}`, group)
    }
    const [more = isOfSettings ? topic[1] : undefined] = operands
    if (first === "help" && more !== undefined) return yield* fail(`unexpected argument '${more}'`, "help")
    if (first === "help" || has("--help", "-h")) return Request.Help({ spec, group, isOfSettings })
    if (spec === undefined) {
      yield* checkNames(options, allFlags(specs), group)
      return options.length === 0 ? Request.Help({ spec, group, isOfSettings }) : yield* fail("which command?", group)
    }
    yield* checkNames(options, spec.options, spec.name, takesText(spec))
    const color = yield* parseColor(options, spec.name)
    const given = yield* toArgv(options, spec)
    yield* checkOperands(operands, spec)
    return Request.Run({ argv: [...spec.name.split(" "), ...given, "--", ...operands], color })
  })

/** Whether `--json` is given, also in an invalid command line: then errors are printed as JSON. */
export const wantsJson = (argv: ReadonlyArray<string>): boolean => {
  const end = argv.indexOf("--")
  return argv.slice(0, end === -1 ? undefined : end).includes("--json")
}

/** The command that a command line names, even if the rest is invalid. */
export const commandOf = (specs: ReadonlyArray<Spec>, argv: ReadonlyArray<string>): FoundCommand =>
  findCommand(specs, split(allFlags(specs), argv).words)

const allFlags = (specs: ReadonlyArray<Spec>): ReadonlyArray<Flag> => specs.flatMap(({ options }) => options)

/** Words that are handled here and have no `Spec`. */
const ownWords = ["help", "version"]

/** What `vibe help` also describes; no command. */
export const SETTINGS = "settings"

/** The first words of the commands that have two: `loom` of `loom log`. */
const groups = (specs: ReadonlyArray<Spec>): ReadonlyArray<string> => [
  ...new Set(specs.flatMap(({ name }) => (name.includes(" ") ? [name.split(" ")[0] ?? ""] : []))),
]

export interface FoundCommand {
  readonly spec: Spec | undefined
  /** The first of the two words of its name. */
  readonly group: string | undefined
  /** What follows the name. */
  readonly operands: ReadonlyArray<string>
  /** The word in place of a command's name that names no command. */
  readonly unknown: string | undefined
}

const findCommand = (specs: ReadonlyArray<Spec>, words: ReadonlyArray<string>): FoundCommand => {
  const group = groups(specs).find((name) => name === words[0])
  const length = group === undefined ? 1 : 2
  const name = words.slice(0, length).join(" ")
  const spec = specs.find((spec) => spec.name === name)
  const isUnknown = spec === undefined && words.length >= length
  return { spec, group, operands: words.slice(length), unknown: isUnknown ? name : undefined }
}

interface Given {
  /** The long name; as typed where the option is unknown. */
  readonly name: string
  /** As the user wrote it: perhaps the short name. */
  readonly typed: string
  readonly value: string | undefined
  /** As `--name=value`. */
  readonly isJoined: boolean
}

/** Uses only the options of the command that the first word names, where that is enough: describing all is slow. */
const splitFor = (specs: ReadonlyArray<Spec>, argv: ReadonlyArray<string>): Split => {
  const own = specs.find(({ name }) => name === argv[0])?.options
  const found = own === undefined ? undefined : split(own, argv)
  const isOwn = ({ name }: Given) => own?.some((flag) => flag.name === name)
  if (found?.options.every(isOwn)) return found
  // A short name is looked up in the command's own options first: it may mean something else in another command.
  const { spec } = commandOf(specs, argv)
  return split([...allFlags(specs), ...(spec?.options ?? [])], argv)
}

interface Split {
  readonly options: ReadonlyArray<Given>
  readonly words: ReadonlyArray<string>
}

/** Splits into options and operands. Where two flags have the same name, the last one counts. */
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
    if (joined !== null) {
      const name = joined[1] ?? ""
      options.push({ name, typed: name, value: joined[2], isJoined: true })
    } else if (!isOption(word)) words.push(word)
    else if (word === "--color" && isColorChoice(argv[i + 1])) {
      options.push({ name: word, typed: word, value: argv[++i], isJoined: false })
    } else {
      const flag = byName.get(word)
      const value = isValue(argv[i + 1] ?? "--", flag) ? argv[++i] : undefined
      options.push({ name: flag?.name ?? word, typed: word, value, isJoined: false })
    }
  }
  return { options, words }
}

/** Whether a word is the value of the option before it. Where that is optional, the word has to look like one. */
const isValue = (word: string, flag: Flag | undefined): boolean =>
  flag?.value !== undefined && !isOption(word) && (!isOptionalValue(flag) || nodeNamePattern.test(word))

/** `[NODE]`: an option with an optional value. */
const isOptionalValue = ({ value }: Flag): boolean => value?.startsWith("[") === true

/** `@`, `@~2`, or an id: no sentence begins like this. A bookmark is joined to its option: `--continue=x`. */
const nodeNamePattern = /^(?:@|\d[0-9a-z]{5,17})(?:\^|~\d*)*$/

/** A lone dash is a word, and `-5` may be a value. */
const isOption = (word: string): boolean => /^-(-|[a-z?])/i.test(word)

/** Whether all words that follow the name of a command are its text: a question, a message. */
const takesText = ({ operands }: Spec): boolean => operands.some(({ repeats }) => repeats)

/** Options of every command. */
const commonNames = ["--help", "-h", "--version", "-V", "--color", "--no-color"]

const checkNames = (
  options: ReadonlyArray<Given>,
  flags: ReadonlyArray<Flag>,
  command: string | undefined,
  isBesideText = false,
): Either.Either<void, UsageError> => {
  const names = [...flags.map(({ name }) => name), ...commonNames]
  const unknown = options.find(({ name }) => !names.includes(name))
  if (unknown === undefined) return Either.void
  const { name, typed } = unknown
  // Other commands may use this short name for something else, so it suggests nothing.
  const hint = replacement(typed, names)
  if (hint !== undefined) return fail(`unknown option '${typed}'${hint}`, command)
  const suggestion = name === typed ? didYouMean(typed, visibleNames(flags)) : ""
  const ifText = `${suggestion === "" ? "; if" : " If"} it is part of the text, quote the whole text or put '--' before it`
  return fail(`unknown option '${typed}'${suggestion}${isBesideText ? ifText : ""}`, command)
}

const visibleNames = (flags: ReadonlyArray<Flag>): ReadonlyArray<string> => [
  ...flags.flatMap(({ isHidden, name }) => (isHidden ? [] : [name])),
  ...commonNames,
]

/** The option to type instead, if a typed option has another name in this command. */
const replacement = (typed: string, names: ReadonlyArray<string>): string | undefined =>
  replacements.find(({ option, use }) => option === typed && names.includes(use))?.hint

const replacements = [
  { option: "--max-tokens", use: "--max-run-tokens", hint: "; '--max-run-tokens' limits the tokens of the run" },
  { option: "--prompt", use: "--system-file", hint: "; '--system-file' reads the system prompt from a file" },
  { option: "-n", use: "--stories", hint: "; did you mean '--stories'?" },
  { option: "-v", use: "--verbose", hint: "; did you mean '--verbose'?" },
]

const isColorChoice = (word: string | undefined): word is ColorChoice =>
  word === "always" || word === "never" || word === "auto"

const parseColor = (
  options: ReadonlyArray<Given>,
  command: string,
): Either.Either<ColorChoice | undefined, UsageError> => {
  const last = options.findLast(({ name }) => name === "--color" || name === "--no-color")
  if (last === undefined) return Either.right(undefined)
  const value = last.value ?? (last.name === "--color" ? "always" : "never")
  return last.name === "--no-color" && last.isJoined
    ? fail("option '--no-color' takes no value", command)
    : isColorChoice(value)
      ? Either.right(value)
      : fail("option '--color' takes always, never or auto", command)
}

/** The options for @effect/cli. Where an option is given twice the last one counts, unless it may be repeated. */
const toArgv = (options: ReadonlyArray<Given>, spec: Spec): Either.Either<ReadonlyArray<string>, UsageError> => {
  const argv: Array<string> = []
  for (const flag of spec.options) {
    const given = options.filter(({ name }) => name === flag.name)
    if (flag.isRequired && given.length === 0) return fail(`'${spec.name}' needs ${flag.name} ${flag.value}`, spec.name)
    for (const { isJoined, value } of flag.repeats ? given : given.slice(-1)) {
      if (flag.value === undefined) {
        if (isJoined) return fail(`option '${flag.name}' takes no value`, spec.name)
        argv.push(flag.name)
      } else if (isOptionalValue(flag) && !isJoined) argv.push(flag.name, value ?? "")
      else if (value === undefined || value === "") {
        return fail(`option '${flag.name}' needs a value: ${flag.name} ${flag.value}`, spec.name)
      } else if (flag.choices.length > 0 && !flag.choices.includes(value)) {
        const choices = `${flag.choices.slice(0, -1).join(", ")} or ${flag.choices.at(-1)}`
        return fail(`option '${flag.name}' takes ${choices}, not '${value}'`, spec.name)
      } else argv.push(flag.name, value)
    }
  }
  return Either.right(argv)
}

const checkOperands = (words: ReadonlyArray<string>, spec: Spec): Either.Either<void, UsageError> => {
  const { name, operands } = spec
  const missing = operands.find(({ isOptional }, i) => words[i] === "" || (words[i] === undefined && !isOptional))
  if (missing !== undefined) return fail(`'${name}' needs ${missing.name}`, name)
  const extra = takesText(spec) ? undefined : words[operands.length]
  if (extra === undefined) return Either.void
  const hint = name === "config" ? "; to change a setting, edit the file that 'vibe config --path' prints" : ""
  return fail(`unexpected argument '${extra}'${hint}`, name)
}

const fail = (message: string, command?: string | undefined): Either.Either<never, UsageError> =>
  Either.left(new UsageError({ message, command }))

/** Names of these commands in other programs. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["find", "query"],
  ["grep", "query"],
  ["search", "query"],
  ["init", "index"],
])

const suggestCommand = (specs: ReadonlyArray<Spec>, unknown: string, words: ReadonlyArray<string>): string => {
  const names = [...specs.map(({ name }) => name), ...groups(specs), ...ownWords]
  const synonym = synonyms.get(unknown) ?? specs.find(({ name }) => name.endsWith(` ${unknown}`))?.name
  if (synonym !== undefined) return `; did you mean '${synonym}'?`
  const isQuestion = words.length === 1 && /\S\s+\S/.test(unknown)
  return isQuestion ? `; to search the index: vibe query ${JSON.stringify(unknown)}` : didYouMean(unknown, names)
}

const didYouMean = (word: string, names: ReadonlyArray<string>): string => {
  const near = findNearest(word, names)
  return near === undefined ? "" : `; did you mean '${near}'?`
}

/** The nearest name within an edit for every three letters, two at most, or one that begins with the word. */
export const findNearest = (word: string, names: ReadonlyArray<string>): string | undefined => {
  const distanceTo = EditDistance.from(word.toLowerCase(), 2)
  const near = names
    .flatMap((name) => {
      const distance = name.startsWith(word) ? 1 : distanceTo(name.toLowerCase())
      const { length } = name.replace(/^(?:-+|\w+ )/, "")
      const isNear = distance !== undefined && (distance <= length / 3 || name.startsWith(word))
      return isNear ? [{ name, distance }] : []
    })
    .sort((a, b) => a.distance - b.distance)[0]
  return near?.name
}
