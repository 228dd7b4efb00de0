/** The state of the offline guide, read from the conversation on each request. */

import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"

/** A symbol in the format of `list_symbols_in_file`. */
export const Outlined = Schema.Struct({
  symbol: Schema.String,
  kind: Schema.String,
  signature: Schema.String,
  doc: Schema.optional(Schema.String),
  major: Schema.optional(Schema.Boolean),
  usedBy: Schema.optional(Schema.Number),
  purpose: Schema.optional(Schema.String),
  stale: Schema.optional(Schema.Boolean),
})
export type Outlined = typeof Outlined.Type & { readonly path: string }

export interface Notes {
  /** All calls so far, as `name path-or-symbol`. */
  readonly calls: ReadonlySet<string>
  /** Listed paths, each with its number of major symbols without a purpose. Folders end in a slash. */
  readonly places: ReadonlyMap<string, number>
  /** Symbols of outlined files. */
  readonly symbols: ReadonlyArray<Outlined>
  /** Files that use a name, from `find_references`. */
  readonly users: ReadonlyMap<string, ReadonlyArray<string>>
  /** `path symbol` of each recorded entry. */
  readonly recorded: ReadonlySet<string>
  readonly filesRead: ReadonlyMap<string, string>
}

export const readNotes = (messages: ReadonlyArray<Message.Message>): Notes => {
  const called = new Set<string>()
  const places = new Map<string, number>()
  const symbols: Array<Outlined> = []
  const users = new Map<string, ReadonlyArray<string>>()
  const recorded = new Set<string>()
  const filesRead = new Map<string, string>()
  const calls = new Map<string, Block.ToolUse>()
  for (const message of messages) {
    for (const call of Message.toolUses(message)) {
      calls.set(call.id, call)
      called.add(keyOf(call.name, subject(call)))
      for (const { path, symbol } of entriesOf(call)) recorded.add(keyOf(path, symbol))
    }
    const call = message.role === "tool" ? calls.get(message.tool_call_id) : undefined
    if (call === undefined || (message.role === "tool" && message.isError)) continue
    const lines = Message.text(message).split("\n")
    switch (call.name) {
      case "list_filesystem":
        for (const [path, open] of lines.flatMap(placeOf)) places.set(path, open)
        break
      case "list_symbols_in_file":
        symbols.push(...lines.flatMap((line) => symbolOf(subject(call), line)))
        break
      case "find_references":
        users.set(subject(call), lines.flatMap(userOf))
        break
      case "read_file":
        filesRead.set(subject(call), lines.map((line) => line.replace(/^\d+\t/, "")).join("\n"))
        break
    }
  }
  return { calls: called, places, symbols, users, recorded, filesRead }
}

export const keyOf = (name: string, subject: string): string => `${name} ${subject}`

/** The path or symbol of a call. */
const subject = ({ parameters }: Block.ToolUse): string => String(parameters.path ?? parameters.symbolName ?? "")

const Entries = Schema.Struct({ entries: Schema.Array(Schema.Struct({ path: Schema.String, symbol: Schema.String })) })

const entriesOf = (call: Block.ToolUse) =>
  call.name === "create_index_entry"
    ? Either.match(Schema.decodeUnknownEither(Entries)(call.parameters), {
        onLeft: () => [],
        onRight: ({ entries }) => entries,
      })
    : []

/** `src/cli/ (120 symbols, 30 without a purpose)`; a path without symbols has no brackets. The code comes first. */
const placeOf = (line: string): ReadonlyArray<readonly [string, number]> => {
  if (line === "" || line.startsWith("(")) return []
  const [, path = line, open = "0"] =
    line.match(/^(.*?) \(\d+ symbols?(?: of \w+)?, (\d+) without a purpose[^()]*\)$/) ?? []
  return [[path, Number(open)]]
}

/** `src/a.ts (3)` starts the lines of a file, which have the form `path:line:`. */
const userOf = (line: string): ReadonlyArray<string> => {
  const [, path] = line.match(/^(.+) \(\d+\)$/) ?? []
  return path === undefined ? [] : [path]
}

const decodeSymbol = Schema.decodeUnknownEither(Schema.parseJson(Outlined))

/** A truncated line is not JSON, and is skipped. */
const symbolOf = (path: string, line: string): ReadonlyArray<Outlined> =>
  Either.match(decodeSymbol(line), { onLeft: () => [], onRight: (symbol) => [{ ...symbol, path }] })
