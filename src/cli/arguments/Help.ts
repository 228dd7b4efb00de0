/** The text of `vibe --help` and `vibe COMMAND --help`. */
import type { Style } from "../../message/Style.ts"
import { wrap } from "../../message/wrap.ts"
import type { Operand, Spec } from "./Spec.ts"

/** A name in the left column, its description in the right one. */
export type Row = readonly [name: string, description: string]

export interface Layout {
  readonly style: Style
  /** The maximum width. Only examples and names, which cannot be wrapped, may exceed it. */
  readonly columns: number
}

export const program = (
  layout: Layout,
  {
    examples,
    settings,
    specs,
    summary,
    version,
  }: {
    readonly version: string
    readonly summary: string
    readonly specs: ReadonlyArray<Spec>
    readonly settings: ReadonlyArray<Row>
    readonly examples: ReadonlyArray<string>
  },
): string =>
  page(layout, `vibe ${version}`, summary, [
    ["Usage", [["vibe COMMAND [OPTIONS]", ""]]],
    [
      "Commands",
      [
        ...specs.map((spec): Row => [synopsis(spec), spec.summary]),
        ["help [COMMAND]", "Describe a command and its options"],
        ["version", "Print the version"],
      ],
    ],
    [
      "Options",
      [
        ["-h, --help", "Print this, or the help of a command"],
        ["-v, -V, --version", "Print the version"],
        ["--color[=WHEN]", "Use colours: always, never or auto (default: auto)"],
      ],
    ],
    ["Settings (environment variables; 'vibe config' has more)", settings],
    ["Examples", examples.map((example): Row => [example, ""])],
  ])

export const command = (layout: Layout, spec: Spec): string =>
  page(layout, `vibe ${spec.name}`, spec.summary, [
    ["Usage", [[`vibe ${synopsis(spec)} [OPTIONS]`, ""]]],
    ["Arguments", spec.operands.map((operand): Row => [operand.name, operand.description])],
    [
      "Options",
      [
        ...spec.options
          .filter(({ isHidden }) => !isHidden)
          .map(({ alias, description, name, value }): Row => {
            const names = alias === undefined ? name : `${alias}, ${name}`
            return [value === undefined ? names : `${names} ${value}`, description]
          }),
        ["-h, --help", "Print this"],
      ],
    ],
    ["Examples", spec.examples.map((example): Row => [example, ""])],
  ])

/** The commands with names that begin with `name`. */
export const group = (layout: Layout, { name, summary }: Spec, specs: ReadonlyArray<Spec>): string =>
  page(layout, `vibe ${name}`, summary, [
    ["Usage", [[`vibe ${name} COMMAND [OPTIONS]`, ""]]],
    ["Commands", specs.map((spec): Row => [synopsis(spec), spec.summary])],
    ["Options", [["-h, --help", "Print this, or the help of a command"]]],
    ["Examples", specs.flatMap(({ examples }) => examples.slice(0, 1)).map((example): Row => [example, ""])],
  ])

const synopsis = ({ name, operands }: Spec): string => [name, ...operands.map(operand)].join(" ")

const operand = ({ isOptional, name, repeats }: Operand): string => {
  const word = repeats ? `${name}...` : name
  return isOptional ? `[${word}]` : word
}

const page = (
  { columns, style: { strong } }: Layout,
  title: string,
  summary: string,
  sections: ReadonlyArray<readonly [heading: string, rows: ReadonlyArray<Row>]>,
): string => {
  const [first = "", ...others] = wrap(`${title}: ${summary}`, columns)
  return [
    [`${strong(title)}${first.slice(title.length)}`, ...others].join("\n"),
    ...sections
      .filter(([, rows]) => rows.length > 0)
      .map(([heading, rows]) => `${strong(heading)}\n${table(rows, columns)}`),
  ].join("\n\n")
}

/** The widest left column: a longer name has its description on the next line. */
const MAX_NAME_COLUMNS = 28

/** Longer lines are harder to read. */
const MAX_TEXT_COLUMNS = 72

const table = (rows: ReadonlyArray<Row>, columns: number): string => {
  const names = rows.flatMap(([name, description]) => (description === "" ? [] : [name.length]))
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
