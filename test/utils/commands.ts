import { commands as table } from "../../src/cli/commands.ts"
import * as Loom from "../../src/cli/loom/commands.ts"
import type { Entry } from "../../src/cli/Table.ts"

const rows = table.flatMap(({ rows }) => rows)

/** The commands that help lists for the program: `vibe loom` stands for those of its group. */
export const listed = rows.map(({ command }) => command)

/** All commands, with those of `vibe loom`. */
export const commands = [...listed.filter(({ name }) => name !== "loom"), ...Loom.entries.map(({ command }) => command)]

type ErrorOf<T> = T extends Entry<infer E, unknown> ? E : never
type NeedsOf<T> = T extends Entry<unknown, infer R> ? R : never

/** Entries with different errors and needs, as entries that have all of them: no inference finds these unions. */
export const unite = <T extends Entry<unknown, unknown>>(entries: ReadonlyArray<T>) =>
  entries as ReadonlyArray<unknown> as ReadonlyArray<Entry<ErrorOf<T>, NeedsOf<T>>>

/** The table of the program with other entries for some commands, which run on the services of a test. */
export const tableWith = <T extends ReadonlyArray<Entry<unknown, unknown>>>(...entries: T) => {
  const others = unite<T[number]>(entries)
  return table.map(({ heading, rows }) => ({
    heading,
    rows: rows.map((row) => others.find(({ command }) => command === row.command) ?? row),
  }))
}
