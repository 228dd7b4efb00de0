/** The outline of a file as lines, which take a third of the tokens of JSON. Pure. */
import { type IndexEntry, isOpen, statementOf } from "../../indexing/IndexEntry.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"

/** A line of an outline. */
export interface Row {
  readonly text: string
  /** The symbol that the line lists; none for a container that is shown for what is in it. */
  readonly entry: IndexEntry | undefined
}

/**
 * A line for each of `shown`, which are some symbols of a file, and before those in a container one for the container,
 * where it is not among them. `all`: all symbols of the file, in order of their start, as are `shown`.
 *
 * `  120-140 method send(self, request) (open, used by 3)`: indented by container, the lines, kind and name, the rest of
 * the signature, marks, and the beginning of the purpose. A symbol that does not stand inside its container has its
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

/** Behind a container its own name is enough. */
const nameIn = ({ name, qualifiedName }: IndexEntry, container: IndexEntry | undefined): string =>
  container === undefined ? qualifiedName : name

/** Names can be any text: in JavaScript a key in quotes has line breaks. */
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

/** The beginning of the purpose, behind a dash. */
const purposeOf = ({ purpose }: IndexEntry): string =>
  purpose === undefined ? "" : `— ${sanitizeLine(cut(statementOf(purpose), MAX_PURPOSE))}`

/** In characters: twenty words. */
const MAX_PURPOSE = 120

/** In characters. `get_symbol_details` has all of a signature. */
const MAX_SIGNATURE = 120

/**
 * What follows the name in the signature. Words before it that say no more than the kind are left out (`export async
 * function`, `def`); after others, such as a type, the whole signature follows.
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

/** Only keywords, and the receiver of a method in Go. */
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

/** On one line, at the end of a word. */
const cut = (text: string, length: number): string => {
  const line = text.replaceAll(/\s+/g, " ").trimEnd()
  if (line.length <= length) return line
  const start = line.slice(0, length)
  const end = start.lastIndexOf(" ")
  return `${(end > length / 2 ? start.slice(0, end) : start).toWellFormed()}…`
}
