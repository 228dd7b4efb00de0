/** The text of `vibe --help`, `vibe COMMAND --help` and `vibe help settings`. */
import type { Style } from "../../base/Style.ts"
import { wrap } from "../../base/wrap.ts"
import { SETTINGS } from "./Arguments.ts"
import type { Command } from "./Command.ts"
import type { Parameter } from "./Parameter.ts"

/** A name in the left column, its description in the right one. */
type Row = readonly [name: string, description: string]

export interface Layout {
  readonly style: Style
  /** The maximum width. Only examples and names, which cannot be wrapped, may exceed it. */
  readonly columns: number
}

/** Commands that serve one purpose of the user. */
export interface CommandGroup {
  readonly heading: string
  readonly commands: ReadonlyArray<Command>
}

/**
 * The help of the program, on one screen: the help of a command lists its options, and `vibe help settings` the
 * settings.
 */
export const program = (
  layout: Layout,
  {
    examples,
    groups,
    summary,
    version,
  }: {
    readonly version: string
    readonly summary: string
    readonly groups: ReadonlyArray<CommandGroup>
    /** A few examples to begin with. */
    readonly examples: ReadonlyArray<string>
  },
): string => {
  const rows = (commands: ReadonlyArray<Command>) => commands.map(({ name, summary }): Row => [name, summary])
  const all = rows(groups.flatMap(({ commands }) => commands))
  return page(layout, `vibe ${version}`, summary, [
    ["Usage", ["vibe COMMAND [OPTIONS]", ...examples].map((line): Row => [line, ""])],
    ...groups.map(({ heading, commands }): Section => [heading, rows(commands), all]),
    [
      "More",
      [
        ["help COMMAND", "Its arguments, options and examples; also --help, -h"],
        [`help ${SETTINGS}`, "The environment variables that count, such as those of keys"],
        ["version", "Print the version; also --version, -v, -V"],
        ["--color[=WHEN]", "Use colours: always, never or auto (default: auto)"],
      ],
    ],
  ])
}

/** Lists the environment variables, with the settings that they make. */
export const settings = (layout: Layout, settings: ReadonlyArray<Row>): string =>
  page(layout, `vibe help ${SETTINGS}`, "the environment variables that people set", [
    ["Settings", settings],
    [
      "More",
      [
        ["config", "Print all settings in effect, and where each comes from"],
        ["config --path", "Print the path of your configuration file, which can set most of them"],
      ],
    ],
  ])

export const command = (layout: Layout, declared: Command): string =>
  page(layout, `vibe ${declared.name}`, declared.summary, [
    ["Usage", [[`vibe ${synopsis(declared)} [OPTIONS]`, ""]]],
    ["Arguments", declared.operands.map((operand): Row => [operand.name, operand.description])],
    [
      "Options",
      [
        ...declared.options
          .filter(({ isHidden }) => !isHidden)
          .map(({ alias, description, name, value }): Row => {
            const names = alias === undefined ? name : `${alias}, ${name}`
            return [value === undefined ? names : `${names} ${value}`, description]
          }),
        ["-h, --help", "Print this"],
      ],
    ],
    ["Examples", declared.examples.map((example): Row => [example, ""])],
  ])

/** The commands with names that begin with `name`. */
export const group = (layout: Layout, { name, summary }: Command, commands: ReadonlyArray<Command>): string =>
  page(layout, `vibe ${name}`, summary, [
    ["Usage", [[`vibe ${name} COMMAND [OPTIONS]`, ""]]],
    ["Commands", commands.map((each): Row => [synopsis(each), each.summary])],
    ["Options", [["-h, --help", "Print this, or the help of a command"]]],
    ["Examples", commands.flatMap(({ examples }) => examples.slice(0, 1)).map((example): Row => [example, ""])],
  ])

const synopsis = ({ name, operands }: Command): string => [name, ...operands.map(operand)].join(" ")

const operand = ({ isRequired, name, repeats }: Parameter<unknown>): string => {
  const word = repeats ? `${name}...` : name
  return isRequired ? word : `[${word}]`
}

/** `aligned` has the rows of all sections that share their columns; by default those of this section. */
type Section = readonly [heading: string, rows: ReadonlyArray<Row>, aligned?: ReadonlyArray<Row>]

const page = (
  { columns, style: { strong } }: Layout,
  title: string,
  summary: string,
  sections: ReadonlyArray<Section>,
): string => {
  const [first = "", ...others] = wrap(`${title}: ${summary}`, columns)
  return [
    [`${strong(title)}${first.slice(title.length)}`, ...others].join("\n"),
    ...sections
      .filter(([, rows]) => rows.length > 0)
      .map(([heading, rows, aligned]) => `${strong(heading)}\n${table(rows, columns, aligned)}`),
  ].join("\n\n")
}

/** The widest left column: a longer name has its description on the next line. */
const MAX_NAME_COLUMNS = 28

/** Longer lines are harder to read. */
const MAX_TEXT_COLUMNS = 72

const table = (rows: ReadonlyArray<Row>, columns: number, aligned = rows): string => {
  const names = aligned.flatMap(([name, description]) => (description === "" ? [] : [name.length]))
  const limit = Math.min(MAX_NAME_COLUMNS, Math.floor(columns / 3))
  const width = Math.max(0, ...names.filter((length) => length <= limit))
  const text = Math.max(1, Math.min(MAX_TEXT_COLUMNS, columns - width - 4))
  const indentation = " ".repeat(width + 4)
  return rows
    .flatMap(([name, description]) => {
      if (description === "") return [`  ${name}`]
      const [first = "", ...others] = wrap(description, text)
      const head = name.length > width ? [`  ${name}`, `${indentation}${first}`] : [`  ${name.padEnd(width)}  ${first}`]
      return [...head, ...others.map((line) => `${indentation}${line}`)]
    })
    .join("\n")
}
