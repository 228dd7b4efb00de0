/** The notes of the offline guide, read from the conversation on each request. */

import type * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"

/** A file or folder, with the number of symbols at or below it. */
export interface Place {
  /** The path relative to the root. A folder ends in a slash. */
  readonly path: string
  /** Counts the symbols of code. A place without code counts those of tests, examples and the like. */
  readonly symbols: number
  readonly isCode: boolean
}

/** A symbol that many files use. */
interface Landmark {
  readonly symbol: string
  readonly path: string
}

export interface Notes {
  /** The number of answers that the guide has given. */
  readonly answers: number
  /** All calls so far, by `keyOf`. */
  readonly calls: ReadonlySet<string>
  /** The size that the first message states, such as `236 files with 1661 symbols`. */
  readonly size: string | undefined
  /**
   * The languages that the first message states, such as `code: 83 files of python` and `6 of html`. The first may also
   * begin with `tests:` or `files:`.
   */
  readonly languages: ReadonlyArray<string>
  /** The landmarks of the first message, the most used first. */
  readonly landmarks: ReadonlyArray<Landmark>
  /** The content of each listed folder, by its path; the root is `.`. */
  readonly folders: ReadonlyMap<string, ReadonlyArray<Place>>
  /** The purposes of symbols of listed files, by `keyOf` of file and symbol. */
  readonly purposes: ReadonlyMap<string, string>
  /** The texts of files, by path. */
  readonly texts: ReadonlyMap<string, string>
}

export const readNotes = (messages: ReadonlyArray<Message.Message>): Notes => {
  const opening = messages.find(({ role }) => role === "user")
  const first = opening === undefined ? "" : Message.text(opening)
  const calls = new Map<string, Block.ToolUse>()
  const folders = new Map<string, ReadonlyArray<Place>>()
  const purposes = new Map<string, string>()
  const texts = new Map<string, string>()
  for (const message of messages) {
    for (const call of Message.toolUses(message)) calls.set(call.id, call)
    const call = message.role === "tool" ? calls.get(message.tool_call_id) : undefined
    if (call === undefined || (message.role === "tool" && message.isError)) continue
    const path = pathOf(call)
    const lines = Message.text(message).split("\n")
    switch (call.name) {
      case "list_filesystem":
        folders.set(path, lines.flatMap(placeOf))
        break
      case "list_symbols_in_file":
        for (const { purpose, symbol } of symbolsOf(lines)) purposes.set(keyOf(path, symbol), purpose)
        break
      case "read_file":
        texts.set(path, lines.filter((line) => !isNote(line)).join("\n"))
        break
    }
  }
  return {
    answers: messages.filter(({ role }) => role === "assistant").length,
    calls: new Set(Array.from(calls.values(), (call) => keyOf(call.name, pathOf(call)))),
    size: first.match(/\b\d+ files? with \d+ symbols?\b/)?.[0],
    languages:
      first
        .match(/^[A-Z][a-z]+: \d+ files? of .+(?=\.$)/m)?.[0]
        .replace(/^./, (letter) => letter.toLowerCase())
        .split(", ") ?? [],
    landmarks: Array.from(first.matchAll(/^- (\S+) in (.+) \([^()]*\)$/gm), ([, symbol = "", path = ""]) => ({
      symbol,
      path,
    })),
    folders,
    purposes,
    texts,
  }
}

export const keyOf = (name: string, subject: string): string => `${name} ${subject}`

const pathOf = ({ parameters }: Block.ToolUse): string => String(parameters.path ?? "")

/**
 * Reads `src/cli/ (120 symbols, 30 open)` or `test/ (40 symbols of tests, 2 open)`. A path without symbols has no
 * brackets.
 */
const placeOf = (line: string): ReadonlyArray<Place> => {
  if (line === "" || line.startsWith("(")) return []
  const [, path = line, symbols = "0", of] = line.match(/^(.*) \((\d+) symbols?( of)?\b[^()]*\)$/) ?? []
  return [{ path, symbols: Number(symbols), isCode: of === undefined }]
}

/** Returns whether a line is one that the tool adds to the text of a file. */
const isNote = (line: string): boolean => /^\((?:empty file|lines \d+ to \d+ not shown: .*)\)$/.test(line)

/**
 * The symbols of an outline with a purpose: `  12-20 method send(self) (used by 3) — Sends it.`, indented below its
 * container. Lines that are no symbols are skipped.
 */
const symbolsOf = (lines: ReadonlyArray<string>) => {
  const containers: Array<string> = []
  return lines.flatMap((line) => {
    const [, indent = "", name] = line.match(/^( *)\d+(?:-\d+)? [a-z]+ ([\w$.#~]+)/) ?? []
    if (name === undefined) return []
    const depth = indent.length / 2
    const symbol = depth === 0 ? name : `${containers[depth - 1] ?? ""}.${name}`
    containers.splice(depth, containers.length, symbol)
    const purpose = line.match(/ — (.*)$/)?.[1]
    return purpose === undefined ? [] : [{ symbol, purpose }]
  })
}
