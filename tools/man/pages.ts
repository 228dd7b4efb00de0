/**
 * The man pages: options, arguments and examples of the command tree, and what docs/ says of
 * commands and exit codes. Pure.
 */
import type { Command } from "../../src/cli/arguments/Command.ts"
import type { Setting } from "../../src/config/Settings.ts"
import * as Roff from "./roff.ts"

export interface Page {
  /** With its section: `vibe-index.1`. */
  readonly name: string
  readonly text: string
}

export interface Source {
  /** The commands in the order of the help, with `loom` for its verbs. */
  readonly listed: ReadonlyArray<Command>
  readonly loom: ReadonlyArray<Command>
  readonly settings: ReadonlyArray<Setting>
  /** docs/commands.md */
  readonly commands: string
  /** docs/json.md */
  readonly json: string
  readonly version: string
  /** `2026-11-24` */
  readonly date: string
  /** Where the documents are on the web. */
  readonly homepage: string
}

/** All pages: of the program, and one for each command. The verbs of `vibe loom` are on its page. */
export const pages = (source: Source): ReadonlyArray<Page> => [
  programPage(source),
  ...source.listed.map((command) =>
    command.name === "loom" ? loomPage(command, source) : commandPage(command, source),
  ),
]

const page = (
  { date, homepage, version }: Source,
  { name, parts, summary }: { readonly name: string; readonly summary: string; readonly parts: ReadonlyArray<string> },
): Page => ({
  name: `${name}.1`,
  text: `${[
    `.TH ${Roff.escapeText(name.toUpperCase())} 1 "${date}" "vibe ${Roff.escapeText(version)}" "vibe"`,
    // Left-aligned, without hyphenation: names of options stay whole.
    ".ad l",
    ".nh",
    Roff.section("Name"),
    `${Roff.escapeText(name)} \\- ${Roff.escapeText(lowerFirst(summary))}`,
    ...parts,
    Roff.section("See also"),
    name === "vibe" ? "" : "\\fBvibe\\fP(1)\n.PP",
    Roff.escapeText(homepage),
  ]
    .filter((part) => part !== "")
    .join("\n")}\n`,
})

const programPage = (source: Source): Page =>
  page(source, {
    name: "vibe",
    summary: "finds the code that answers a question, and keeps what every major symbol is for",
    parts: [
      Roff.section("Synopsis"),
      `${Roff.bold("vibe")} ${Roff.italic("COMMAND")} [${Roff.italic("OPTIONS")}]`,
      Roff.section("Description"),
      Roff.escapeText(
        "The answer of a command goes to stdout, everything else to stderr. With --json it is one JSON object.",
      ),
      Roff.section("Commands"),
      ...source.listed.map((command) =>
        Roff.item(
          `\\fB${Roff.escapeText(pageName(command.name))}\\fP(1)`,
          `${Roff.escapeText(synopsis(command))}: ${Roff.escapeText(command.summary)}`,
        ),
      ),
      Roff.section("Options"),
      Roff.item(`${Roff.bold("-h")}, ${Roff.bold("--help")}`, "Print the help of the program, or of a command"),
      Roff.item(`${Roff.bold("-v")}, ${Roff.bold("-V")}, ${Roff.bold("--version")}`, "Print the version"),
      Roff.item(
        `${Roff.bold("--color")}[=${Roff.italic("WHEN")}]`,
        "Use colours: always, never or auto (default: auto)",
      ),
      ...exitStatus(source),
      Roff.section("Environment"),
      Roff.escapeText(
        "'vibe config' prints where each value comes from. Most have a key in a configuration file, too.",
      ),
      ...source.settings.map(({ builtIn, description, key, name, otherName }) =>
        Roff.item(
          otherName === undefined ? Roff.bold(name) : `${Roff.bold(name)}, else ${Roff.bold(otherName)}`,
          [
            Roff.inline(description),
            builtIn === undefined ? "" : ` (default: ${Roff.inline(builtIn)})`,
            key === undefined ? "" : `; key ${Roff.bold(key)}`,
          ].join(""),
        ),
      ),
      ...filesSection,
      Roff.section("Examples"),
      ...examples(source.listed.flatMap(({ examples }) => examples.slice(0, 1))),
    ],
  })

const commandPage = (command: Command, source: Source): Page =>
  page(source, {
    name: pageName(command.name),
    summary: command.summary,
    parts: [
      Roff.section("Synopsis"),
      styledSynopsis(command),
      Roff.section("Description"),
      ...described(source.commands, command),
      ...heading("Arguments", operands(command)),
      Roff.section("Options"),
      ...options(command),
      ...heading("Examples", examples(command.examples)),
      ...exitStatus(source),
      ...filesSection,
    ],
  })

const loomPage = (command: Command, source: Source): Page =>
  page(source, {
    name: pageName(command.name),
    summary: command.summary,
    parts: [
      Roff.section("Synopsis"),
      styledSynopsis(command),
      Roff.section("Description"),
      ...described(source.commands, command),
      Roff.section("Commands"),
      ...source.loom.flatMap((verb) => [
        `.SS vibe ${Roff.escapeText(synopsis(verb))}`,
        Roff.escapeText(`${verb.summary}.`),
        ...operands(verb),
        ...options(verb),
        ".PP",
        ...examples(verb.examples),
      ]),
      ...exitStatus(source),
      ...filesSection,
    ],
  })

const pageName = (command: string): string => `vibe-${command.replaceAll(" ", "-")}`

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** A heading and what is below it; nothing where that is empty. */
const heading = (title: string, parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts.length === 0 ? [] : [Roff.section(title), ...parts]

const words = ({ operands }: Command): ReadonlyArray<string> =>
  operands.map(({ isRequired, name, repeats }) => {
    const word = repeats ? `${name}...` : name
    return isRequired ? word : `[${word}]`
  })

const synopsis = (command: Command): string => [command.name, ...words(command)].join(" ")

const styledSynopsis = (command: Command): string =>
  [Roff.bold(`vibe ${command.name}`), ...words(command).map(Roff.italic), `[${Roff.italic("OPTIONS")}]`].join(" ")

const operands = ({ operands }: Command): ReadonlyArray<string> =>
  operands
    .filter(({ description }) => description !== "")
    .map(({ description, name }) => Roff.item(Roff.italic(name), Roff.escapeText(description)))

const options = ({ options }: Command): ReadonlyArray<string> => [
  ...options
    .filter(({ isHidden }) => !isHidden)
    .map(({ alias, description, name, value }) => {
      const names = (alias === undefined ? [name] : [alias, name]).map(Roff.bold).join(", ")
      return Roff.item(value === undefined ? names : `${names} ${Roff.italic(value)}`, Roff.escapeText(description))
    }),
  Roff.item(`${Roff.bold("-h")}, ${Roff.bold("--help")}`, "Print the help of the command"),
]

const examples = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [Roff.code(lines.join("\n"))]

/** What docs/commands.md says of a command, without the examples at its beginning, which the command tree has. */
const described = (document: string, { name, summary }: Command): ReadonlyArray<string> => {
  const [, rest] = document.split(new RegExp(`^## \`vibe ${name}[^\\n]*\\n`, "m"))
  const [own = ""] = (rest ?? "").split(/^##+ /m)
  const [first = Roff.escapeText(`${summary}.`), ...others] = Roff.blocks(own.replace(/^```sh\n.*?^```$/ms, ""))
  // A section begins a paragraph by itself.
  return [first.replace(/^\.PP\n/, ""), ...others]
}

/** The rows of the first table below a heading of a document. */
const exitStatus = ({ json }: Source): ReadonlyArray<string> => {
  const [, rest = ""] = json.split("\n## Exit codes\n")
  const [own = ""] = rest.split("\n## ")
  const rows = Array.from(own.matchAll(/^\| ([\d, ]+) \| (.*) \|$/gm), ([, codes = "", text = ""]) =>
    Roff.item(Roff.bold(codes), Roff.inline(text)),
  )
  return heading("Exit status", rows)
}

const files: ReadonlyArray<readonly [name: string, description: string]> = [
  [".vibe/purposes.jsonl", "What models wrote of symbols; made to be committed"],
  [".vibe/map.md", "What a model wrote of the project as a whole; made to be committed"],
  [".vibe/index.db", "The index, which can be made again"],
  [".vibe/config.toml", "The configuration of a project"],
  [".vibeignore", "What is not indexed, in the form of .gitignore"],
  ["~/.config/vibe/config.toml", "Your own configuration, or below XDG_CONFIG_HOME"],
  ["~/.local/state/vibe/forest.db", "Your conversations, or below XDG_STATE_HOME; on Windows below LOCALAPPDATA"],
  ["~/.cache/vibe", "What can be made again, or below XDG_CACHE_HOME"],
]

const filesSection: ReadonlyArray<string> = [
  Roff.section("Files"),
  ...files.map(([name, description]) => Roff.item(Roff.bold(name), Roff.escapeText(description))),
]
