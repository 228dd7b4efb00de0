/**
 * Puts the words of a command line in order by the declarations of the commands. Options may be anywhere, and `--` ends
 * them. An error names the unknown word and the word to type instead. `readWords` or @effect/cli reads what it accepts.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type { ColorChoice } from "../../base/Style.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as EditDistance from "../../search/EditDistance.ts"
import type { Command } from "./Command.ts"
import type { Parameter } from "./Parameter.ts"

/** Help for one command, for a group (`loom`), for the settings, or for the whole program. */
export interface HelpRequest {
  readonly command: Command | undefined
  readonly group: string | undefined
  readonly isOfSettings: boolean
}

export type Request = Data.TaggedEnum<{
  Help: HelpRequest
  Version: object
  /**
   * `words` are the options of the command, `--`, and the operands, in the order that @effect/cli parses without
   * surprises.
   */
  Run: {
    readonly command: Command
    readonly words: ReadonlyArray<string>
    readonly color: ColorChoice | undefined
  }
}>
export const Request = Data.taggedEnum<Request>()

/** `argv` is without the executable and the script. */
export const parse = (
  commands: ReadonlyArray<Command>,
  argv: ReadonlyArray<string>,
): Either.Either<Request, UsageError> =>
  Either.gen(function* () {
    const { options, words } = splitFor(commands, argv)
    const has = (...names: ReadonlyArray<string>) => options.some(({ name }) => names.includes(name))

    const [first, ...others] = words
    const topic = first === "help" ? others.filter((word) => !ownWords.includes(word)) : words
    const isOfSettings = first === "help" && topic[0] === SETTINGS
    const { group, operands, command, unknown } = findCommand(commands, isOfSettings ? topic.slice(1) : topic)
    if (has("--version", "-V") || (has("-v") && words.length === 0)) return Request.Version()
    if (first === "version" && !has("--help", "-h")) {
      return others[0] === undefined ? Request.Version() : yield* fail(`unexpected argument '${others[0]}'`)
    }
    if (unknown !== undefined && first !== "version") {
      // A mistyped option may have left its value behind, in the place of a command.
      yield* checkNames(options, allOptions(commands), undefined)
      return yield* fail(`unknown command '${unknown}'${suggestCommand(commands, unknown, topic)}`, group)
    }
    const [more = isOfSettings ? topic[1] : undefined] = operands
    if (first === "help" && more !== undefined) return yield* fail(`unexpected argument '${more}'`, "help")
    if (first === "help" || has("--help", "-h")) return Request.Help({ command, group, isOfSettings })
    if (command === undefined) {
      yield* checkNames(options, allOptions(commands), group)
      return options.length === 0
        ? Request.Help({ command, group, isOfSettings })
        : yield* fail("which command?", group)
    }
    yield* checkNames(options, command.options, command.name, takesText(command))
    const color = yield* parseColor(options, command.name)
    const given = yield* toArgv(options, command)
    yield* checkOperands(operands, command)
    return Request.Run({ command, words: [...given, "--", ...operands], color })
  })

/** Returns whether `--json` is given, even in an invalid command line: errors are then printed as JSON. */
export const wantsJson = (argv: ReadonlyArray<string>): boolean => {
  const end = argv.indexOf("--")
  return argv.slice(0, end === -1 ? undefined : end).includes("--json")
}

/** The command that a command line names, even if the rest is invalid. */
export const commandOf = (commands: ReadonlyArray<Command>, argv: ReadonlyArray<string>): FoundCommand =>
  findCommand(commands, split(allOptions(commands), argv).words)

const allOptions = (commands: ReadonlyArray<Command>): ReadonlyArray<Parameter<unknown>> =>
  commands.flatMap(({ options }) => options)

/** Words that are handled here and have no declaration. */
const ownWords = ["help", "version"]

/** A topic that `vibe help` also describes, though it is no command. */
export const SETTINGS = "settings"

/** The first words of the commands that have two: `loom` of `loom log`. */
const groups = (commands: ReadonlyArray<Command>): ReadonlyArray<string> => [
  ...new Set(commands.flatMap(({ name }) => (name.includes(" ") ? [name.split(" ")[0] ?? ""] : []))),
]

interface FoundCommand {
  readonly command: Command | undefined
  /** The first of the two words of its name. */
  readonly group: string | undefined
  /** The words that follow the name. */
  readonly operands: ReadonlyArray<string>
  /** The word in place of a command's name that names no command. */
  readonly unknown: string | undefined
}

const findCommand = (commands: ReadonlyArray<Command>, words: ReadonlyArray<string>): FoundCommand => {
  const group = groups(commands).find((name) => name === words[0])
  const length = group === undefined ? 1 : 2
  const name = words.slice(0, length).join(" ")
  const command = commands.find((command) => command.name === name)
  const isUnknown = command === undefined && words.length >= length
  return { command, group, operands: words.slice(length), unknown: isUnknown ? name : undefined }
}

interface Given {
  /** The long name, or the name as typed if the option is unknown. */
  readonly name: string
  /** The name as the user wrote it, perhaps the short one. */
  readonly typed: string
  readonly value: string | undefined
  /** True if the value is joined to the name: `--name=value`. */
  readonly isJoined: boolean
}

/** Uses only the options of the command that the first word names, if that is enough: to describe all is slow. */
const splitFor = (commands: ReadonlyArray<Command>, argv: ReadonlyArray<string>): Split => {
  const own = commands.find(({ name }) => name === argv[0])?.options
  const found = own === undefined ? undefined : split(own, argv)
  const isOwn = ({ name }: Given) => own?.some((option) => option.name === name)
  if (found?.options.every(isOwn)) return found
  // A short name is looked up in the command's own options first: it may mean something else in another command.
  const { command } = commandOf(commands, argv)
  return split([...allOptions(commands), ...(command?.options ?? [])], argv)
}

interface Split {
  readonly options: ReadonlyArray<Given>
  readonly words: ReadonlyArray<string>
}

/** Splits into options and operands. If two known options have the same name, the last one counts. */
const split = (known: ReadonlyArray<Parameter<unknown>>, argv: ReadonlyArray<string>): Split => {
  const byName = new Map(known.flatMap((option) => [option.name, option.alias].map((name) => [name, option] as const)))
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
      const option = byName.get(word)
      const value = isValue(argv[i + 1] ?? "--", option) ? argv[++i] : undefined
      options.push({ name: option?.name ?? word, typed: word, value, isJoined: false })
    }
  }
  return { options, words }
}

/**
 * Returns whether a word is the value of the option before it. If the value is optional, the word has to look like one.
 */
const isValue = (word: string, option: Parameter<unknown> | undefined): boolean =>
  option?.value !== undefined && !isOption(word) && (!isOptionalValue(option) || nodeNamePattern.test(word))

/** `[NODE]`: an option with an optional value. */
const isOptionalValue = ({ value }: Parameter<unknown>): boolean => value?.startsWith("[") === true

/** Matches `@`, `@~2`, or an id: no sentence begins like this. A bookmark is joined to its option: `--continue=x`. */
const nodeNamePattern = /^(?:@|\d[0-9a-z]{5,17})(?:\^|~\d*)*$/

/** A lone dash is a word, and `-5` may be a value. */
const isOption = (word: string): boolean => /^-(-|[a-z?])/i.test(word)

/** Returns whether all words that follow the name of a command are its text, such as a question or a message. */
const takesText = ({ operands }: Command): boolean => operands.some(({ repeats }) => repeats)

/** Options of every command. */
const commonNames = ["--help", "-h", "--version", "-V", "--color", "--no-color"]

const checkNames = (
  options: ReadonlyArray<Given>,
  known: ReadonlyArray<Parameter<unknown>>,
  command: string | undefined,
  isBesideText = false,
): Either.Either<void, UsageError> => {
  const names = [...known.map(({ name }) => name), ...commonNames]
  const unknown = options.find(({ name }) => !names.includes(name))
  if (unknown === undefined) return Either.void
  const { name, typed } = unknown
  // Nothing is suggested, since other commands may use this short name for something else.
  const hint = replacement(typed, names)
  if (hint !== undefined) return fail(`unknown option '${typed}'${hint}`, command)
  const suggestion = name === typed ? didYouMean(typed, visibleNames(known)) : ""
  const ifText = `${suggestion === "" ? "; if" : " If"} it is part of the text, quote the whole text or put '--' before it`
  return fail(`unknown option '${typed}'${suggestion}${isBesideText ? ifText : ""}`, command)
}

const visibleNames = (known: ReadonlyArray<Parameter<unknown>>): ReadonlyArray<string> => [
  ...known.flatMap(({ isHidden, name }) => (isHidden ? [] : [name])),
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

/** Writes the options for @effect/cli. If an option is given twice the last one counts, unless it may be repeated. */
const toArgv = (options: ReadonlyArray<Given>, command: Command): Either.Either<ReadonlyArray<string>, UsageError> => {
  const argv: Array<string> = []
  for (const option of command.options) {
    const given = options.filter(({ name }) => name === option.name)
    if (option.isRequired && given.length === 0)
      return fail(`'${command.name}' needs ${option.name} ${option.value}`, command.name)
    for (const { isJoined, value } of option.repeats ? given : given.slice(-1)) {
      if (option.value === undefined) {
        if (isJoined) return fail(`option '${option.name}' takes no value`, command.name)
        argv.push(option.name)
      } else if (isOptionalValue(option) && !isJoined) argv.push(option.name, value ?? "")
      else if (value === undefined || value === "") {
        return fail(`option '${option.name}' needs a value: ${option.name} ${option.value}`, command.name)
      } else if (option.choices.length > 0 && !option.choices.includes(value)) {
        const choices = `${option.choices.slice(0, -1).join(", ")} or ${option.choices.at(-1)}`
        return fail(`option '${option.name}' takes ${choices}, not '${value}'`, command.name)
      } else argv.push(option.name, value)
    }
  }
  return Either.right(argv)
}

const checkOperands = (words: ReadonlyArray<string>, command: Command): Either.Either<void, UsageError> => {
  const { name, operands } = command
  const missing = operands.find(({ isRequired }, i) => words[i] === "" || (words[i] === undefined && isRequired))
  if (missing !== undefined) {
    // The help of one that may be left out is about what holds then.
    const meaning = missing.isRequired ? `: ${uncapitalize(missing.description)}` : ""
    return fail(`'${name}' needs ${missing.name}${meaning}`, name)
  }
  const extra = takesText(command) ? undefined : words[operands.length]
  if (extra === undefined) return Either.void
  const hint = name === "config" ? "; to change a setting, edit the file that 'vibe config --path' prints" : ""
  return fail(`unexpected argument '${extra}'${hint}`, name)
}

/** Makes a description the end of a sentence. A name in capitals (`PATH:NAME`) stays as it is. */
const uncapitalize = (text: string): string => text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())

const fail = (message: string, command?: string | undefined): Either.Either<never, UsageError> =>
  Either.left(new UsageError({ message, command }))

/** Names of these commands in other programs. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["find", "query"],
  ["grep", "query"],
  ["search", "query"],
  ["init", "index"],
])

const suggestCommand = (commands: ReadonlyArray<Command>, unknown: string, words: ReadonlyArray<string>): string => {
  const names = [...commands.map(({ name }) => name), ...groups(commands), ...ownWords]
  const synonym = synonyms.get(unknown) ?? commands.find(({ name }) => name.endsWith(` ${unknown}`))?.name
  if (synonym !== undefined) return `; did you mean '${synonym}'?`
  const isQuestion = words.length === 1 && /\S\s+\S/.test(unknown)
  return isQuestion ? `; to search the index: vibe query ${JSON.stringify(unknown)}` : didYouMean(unknown, names)
}

const didYouMean = (word: string, names: ReadonlyArray<string>): string => {
  const near = findNearest(word, names)
  return near === undefined ? "" : `; did you mean '${near}'?`
}

/** Finds the nearest name within one edit for every three letters, two at most, or a name that begins with the word. */
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
