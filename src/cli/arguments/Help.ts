/** The text of `vibe --help` and `vibe COMMAND --help`. */

import type { Style } from "../terminal/Style.ts"
import type { Operand, Spec } from "./Spec.ts"

/** A line on the left, what it does on the right. */
export type Row = readonly [name: string, description: string]

export const program = (
  style: Style,
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
  page(style, `vibe ${version}`, summary, [
    ["Usage", [["vibe COMMAND [OPTIONS]", ""]]],
    [
      "Commands",
      [...specs.map((spec): Row => [synopsis(spec), spec.summary]), ["help [COMMAND]", "Say more about a command"]],
    ],
    [
      "Options",
      [
        ["-h, --help", "Show this, or the help of a command"],
        ["--version", "Show the version"],
      ],
    ],
    ["Settings (environment variables; 'vibe config' has more)", settings],
    ["Examples", examples.map((example): Row => [example, ""])],
  ])

export const command = (style: Style, spec: Spec): string =>
  page(style, `vibe ${spec.name}`, spec.summary, [
    ["Usage", [[`vibe ${synopsis(spec)} [OPTIONS]`, ""]]],
    ["Arguments", spec.operands.map((operand): Row => [operand.name, operand.description])],
    [
      "Options",
      [
        ...spec.options.map(({ alias, description, name, value }): Row => {
          const names = alias === undefined ? name : `${alias}, ${name}`
          return [value === undefined ? names : `${names} ${value}`, description]
        }),
        ["-h, --help", "Show this"],
      ],
    ],
    ["Examples", spec.examples.map((example): Row => [example, ""])],
  ])

/** The commands whose names begin with `name`. */
export const group = (style: Style, { name, summary }: Spec, specs: ReadonlyArray<Spec>): string =>
  page(style, `vibe ${name}`, summary, [
    ["Usage", [[`vibe ${name} COMMAND [OPTIONS]`, ""]]],
    ["Commands", specs.map((spec): Row => [synopsis(spec), spec.summary])],
    ["Options", [["-h, --help", "Show this, or the help of a command"]]],
    ["Examples", specs.flatMap(({ examples }) => examples.slice(0, 1)).map((example): Row => [example, ""])],
  ])

const synopsis = ({ name, operands }: Spec): string => [name, ...operands.map(operand)].join(" ")

const operand = ({ isOptional, name, repeats }: Operand): string => {
  const word = repeats ? `${name}...` : name
  return isOptional ? `[${word}]` : word
}

const page = (
  { strong }: Style,
  title: string,
  summary: string,
  sections: ReadonlyArray<readonly [heading: string, rows: ReadonlyArray<Row>]>,
): string =>
  [
    `${strong(title)}: ${summary}`,
    ...sections.filter(([, rows]) => rows.length > 0).map(([heading, rows]) => `${strong(heading)}\n${table(rows)}`),
  ].join("\n\n")

const table = (rows: ReadonlyArray<Row>): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`.trimEnd()).join("\n")
}
