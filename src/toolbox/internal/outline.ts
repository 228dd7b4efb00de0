/** Writes the outline of a file as lines, which take a third of the tokens of JSON. Pure. */

import { sanitizeLine } from "../../base/Sanitize.ts"
import { type IndexEntry, isOpen, statementOf } from "../../index/IndexEntry.ts"

/** A line of an outline. */
interface Row {
  readonly text: string
  /** The symbol that the line lists; undefined for a container that is shown because of its members. */
  readonly entry: IndexEntry | undefined
}

/**
 * Returns a line for each of `shown`, which are some symbols of a file. Before symbols of a container stands a line for
 * the container, if it is not among them. `all`: all symbols of the file, in order of their start, as are `shown`.
 *
 * A line is `  120-140 method send(self, request) (open, used by 3)`: indented by container, the lines, kind and name,
 * the rest of the signature, marks, and the beginning of the purpose. A symbol that is outside of its container has its
 * qualified name.
 */
export const rowsOf = (shown: ReadonlyArray<IndexEntry>, all: ReadonlyArray<IndexEntry>): ReadonlyArray<Row> => {
  const byName = Map.groupBy(all, ({ qualifiedName }) => qualifiedName)
  const parentOf = ({ container, endLine, startLine }: IndexEntry): IndexEntry | undefined =>
    container === undefined
      ? undefined
      : byName.get(container)?.find((outer) => outer.startLine <= startLine && endLine <= outer.endLine)
  const rows: Array<Row> = []
  /** The containers that are shown around the current line, outermost first. */
  let open: ReadonlyArray<IndexEntry> = []
  for (const entry of shown) {
    const around: Array<IndexEntry> = []
    for (let outer = parentOf(entry); outer !== undefined; outer = parentOf(outer)) around.unshift(outer)
    for (const [depth, outer] of around.entries()) {
      if (open[depth] === outer) continue
      rows.push({ text: lineOf(outer, depth, nameIn(outer, around[depth - 1])), entry: undefined })
    }
    const depth = around.length
    const line = lineOf(entry, depth, nameIn(entry, around.at(-1)))
    rows.push({ text: [line, marksOf(entry), purposeOf(entry)].filter((part) => part !== "").join(" "), entry })
    open = [...around, entry]
  }
  return rows
}

/** Returns the name of a symbol in an outline. Below its container its own name is enough. */
const nameIn = ({ name, qualifiedName }: IndexEntry, container: IndexEntry | undefined): string =>
  container === undefined ? qualifiedName : name

/** Returns a line of the outline. Names can be any text: in JavaScript a key in quotes may have line breaks. */
const lineOf = (entry: IndexEntry, depth: number, name: string): string =>
  `${"  ".repeat(depth)}${rangeOf(entry)} ${entry.kind} ${sanitizeLine(name)}${sanitizeLine(restOfSignature(entry))}`

/** `12-20`, or `12` for one line. */
export const rangeOf = ({ endLine, startLine }: IndexEntry): string =>
  startLine === endLine ? String(startLine) : `${startLine}-${endLine}`

/** `(open, used by 3)`, or nothing. */
export const marksOf = (entry: IndexEntry): string => {
  const { purpose, usedBy } = entry
  const marks = [
    ...(isOpen(entry) && purpose === undefined ? ["open"] : []),
    ...(purpose?.stale === true ? ["stale"] : []),
    ...(usedBy === 0 ? [] : [`used by ${usedBy}`]),
  ]
  return marks.length === 0 ? "" : `(${marks.join(", ")})`
}

/** Returns the beginning of the purpose, after a dash. */
const purposeOf = ({ purpose }: IndexEntry): string =>
  purpose === undefined ? "" : `— ${sanitizeLine(cut(statementOf(purpose), MAX_PURPOSE))}`

/** The most characters of a purpose: twenty words. */
const MAX_PURPOSE = 120

/** The most characters of a signature. `get_symbol_details` shows all of it. */
const MAX_SIGNATURE = 120

/**
 * Returns the part of the signature after the name. Words before the name are left out if they say no more than the
 * kind (`export async function`, `def`). If they say more, such as a type, the whole signature follows.
 */
const restOfSignature = ({ container, name, signature }: IndexEntry): string => {
  const at = indexOfWord(signature, name)
  if (at < 0) return signature === "" ? "" : `: ${cut(signature, MAX_SIGNATURE)}`
  const before = signature.slice(0, at)
  const outer = container?.split(".").at(-1)
  const own = outer !== undefined && before.endsWith(`${outer}.`) ? before.slice(0, -outer.length - 1) : before
  return declaring.test(own)
    ? cut(signature.slice(at + name.length).replace(assigned, ""), MAX_SIGNATURE)
    : `: ${cut(signature, MAX_SIGNATURE)}`
}

/** `send = async function (request)` is `send(request)`. */
const assigned = /^\s*[=:]\s*(?:async\s+)?function\s*\*?\s*(?=\()/

/** Matches only keywords, and the receiver of a method in Go. */
const declaring =
  /^(?:(?:export|default|declare|async|abstract|static|public|private|protected|internal|final|override|open|sealed|data|readonly|function|fun|func|fn|fn|def|class|interface|type|enum|struct|trait|impl|module|namespace|object|record|const|let|var|val|get|set|pub(?:\([a-z]+\))?|func \([^()]*\)|\*)\s*)*$/

const indexOfWord = (text: string, word: string): number => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return at
  }
  return -1
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_$]/u.test(character)

/** Cuts a text to one line, at the end of a word. */
const cut = (text: string, length: number): string => {
  const line = text.replaceAll(/\s+/g, " ").trimEnd()
  if (line.length <= length) return line
  const start = line.slice(0, length)
  const end = start.lastIndexOf(" ")
  return `${(end > length / 2 ? start.slice(0, end) : start).toWellFormed()}…`
}
