/** The options and arguments of a command, read from its @effect/cli definition so that no list repeats them. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import type * as HelpDoc from "@effect/cli/HelpDoc"
import type * as Usage from "@effect/cli/Usage"
import * as Option from "effect/Option"
import { paragraphs, span } from "./HelpDocText.ts"

export interface Spec {
  readonly name: string
  /** One line. */
  readonly summary: string
  readonly options: ReadonlyArray<Flag>
  readonly operands: ReadonlyArray<Operand>
  /** Command lines to copy. */
  readonly examples: ReadonlyArray<string>
}

export interface Flag {
  /** With its dashes. */
  readonly name: string
  /** A short name for it: `-m`. */
  readonly alias: string | undefined
  /** The name of the value in help, in brackets where it is optional; none where the option takes no value. */
  readonly value: string | undefined
  /** The values that it takes; empty where it takes others than these few. */
  readonly choices: ReadonlyArray<string>
  readonly isRequired: boolean
  readonly repeats: boolean
  /** Accepted, but left out of help and completion. */
  readonly isHidden: boolean
  readonly description: string
}

export interface Operand {
  readonly name: string
  readonly isOptional: boolean
  readonly repeats: boolean
  readonly description: string
}

/** The description of an option that help leaves out. */
export const HIDDEN = "(hidden)"

export const of = <Name extends string, R, E, A>(
  command: Command.Command<Name, R, E, A>,
  examples: ReadonlyArray<string>,
): Spec => {
  // Computed on demand: describing all commands takes longer than running one.
  let known: Described | undefined
  const getDescription = () => {
    known ??= describe(command)
    return known
  }
  const [name = ""] = Command.getNames(command)
  return {
    name,
    examples,
    get summary() {
      return getDescription().summary
    },
    get options() {
      return getDescription().options
    },
    get operands() {
      return getDescription().operands
    },
  }
}

type Described = Pick<Spec, "summary" | "options" | "operands">

const describe = <Name extends string, R, E, A>(command: Command.Command<Name, R, E, A>): Described => {
  const help = Command.getHelp(command, { ...CliConfig.defaultConfig, showBuiltIns: false })
  const described = definitions(help)
  const [, ...parts] = leaves(Command.getUsage(command))
  const description = (name: string) => described.get(name) ?? ""
  return {
    summary: paragraphs(help)[0] ?? "",
    options: parts
      .filter(({ name }) => name.startsWith("-"))
      .map(({ alias, isOptional, name, repeats, value }) => {
        const text = description(name)
        return {
          name,
          alias,
          value,
          choices: value?.includes(CHOICES_SEPARATOR) ? value.split(CHOICES_SEPARATOR) : [],
          isRequired: value !== undefined && !isOptional && !repeats,
          repeats,
          isHidden: text === HIDDEN,
          description: text,
        }
      }),
    operands: parts
      .filter(({ name }) => !name.startsWith("-"))
      .map(({ isOptional, name, repeats }) => ({
        name: name.replace(/^<(.*)>$/, "$1"),
        isOptional,
        repeats,
        description: description(name),
      })),
  }
}

/** Between the values that an option takes, as @effect/cli writes them in a usage. */
const CHOICES_SEPARATOR = " | "

/** Stands in the help for several commands with the same first word. */
export const group = (name: string, summary: string): Spec => ({
  name,
  summary,
  options: [],
  operands: [{ name: "COMMAND", isOptional: false, repeats: false, description: "" }],
  examples: [],
})

interface Leaf {
  readonly name: string
  readonly alias: string | undefined
  readonly value: string | undefined
  readonly isOptional: boolean
  readonly repeats: boolean
}

/** The names in a usage, in order: the command's own comes first. */
const leaves = (usage: Usage.Usage, isOptional = false, repeats = false): ReadonlyArray<Leaf> => {
  switch (usage._tag) {
    case "Empty":
    case "Mixed":
      return []
    case "Named": {
      // The longest comes last.
      const [alias, name] = usage.names.length > 1 ? usage.names : [undefined, usage.names[0]]
      const value = Option.getOrUndefined(usage.acceptedValues)
      return name === undefined ? [] : [{ name, alias, value, isOptional, repeats }]
    }
    case "Optional":
      return leaves(usage.usage, true, repeats)
    case "Repeated":
      return leaves(usage.usage, isOptional, true)
    case "Alternation":
    case "Concat":
      return [...leaves(usage.left, isOptional, repeats), ...leaves(usage.right, isOptional, repeats)]
  }
}

/**
 * The description of each option and operand. @effect/cli puts a paragraph on the type before it and one on being
 * optional after it; both are left out, since the usage has them.
 */
const definitions = (help: HelpDoc.HelpDoc): ReadonlyMap<string, string> => {
  switch (help._tag) {
    case "DescriptionList":
      return new Map(help.definitions.map(([name, doc]) => [definedName(span(name)), paragraphs(doc)[1] ?? ""]))
    case "Sequence":
      return new Map([...definitions(help.left), ...definitions(help.right)])
    default:
      return new Map()
  }
}

/** The name in `--verbose`, `PATH...` and `(-m, --model PROVIDER/NAME)...`. */
const definedName = (text: string): string => /^\(-\w, (--[\w-]+)/.exec(text)?.[1] ?? text.split(/[ .]/)[0] ?? ""
