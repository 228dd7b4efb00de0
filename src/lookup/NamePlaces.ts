/** Finds the places in a text at which a name may mean a symbol, though no reference is resolved. Pure. */
import { escapePattern } from "../base/Text.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"

export interface NamePlace {
  readonly line: number
  /** The line, without the spaces around it. */
  readonly text: string
}

export interface Known {
  /** Lines on which the name is resolved. */
  readonly resolved: ReadonlySet<number>
  /** The symbols of the file. */
  readonly symbols: ReadonlyArray<IndexEntry>
}

/**
 * Finds the lines that have the name as a word, in order. Leaves out resolved uses, definitions, imports, and lines
 * that are comments. In languages without an implicit `this`, a method always has a receiver, so a name without a dot
 * before it means something else.
 */
export const find = (
  text: string,
  { kind, name }: Pick<IndexEntry, "kind" | "name">,
  language: string | undefined,
  { resolved, symbols }: Known,
): ReadonlyArray<NamePlace> => {
  if (!text.includes(name)) return []
  const lines = text.split(/\r?\n/)
  const receiver = kind === "method" ? receivers.get(language ?? "") : undefined
  const word = wordPattern(name, receiver)
  const plainWord = wordPattern(name)
  const defined = new Set(
    symbols
      .filter((symbol) => symbol.name === name)
      .flatMap(({ endLine, startLine }) => {
        const at = lines.slice(startLine - 1, endLine).findIndex((line) => plainWord.test(line))
        return at === -1 ? [] : [startLine + at]
      }),
  )
  // A line of an import or an export over several lines.
  const alone = new RegExp(`^\\s*(?:type )?${escapePattern(name)}(?: as \\w+)?,?\\s*$`)
  const isQuoted = language === "python" ? quotedLines(lines) : () => false
  // A chain of calls in Go has the dot at the end of the line before.
  const isContinuedAt = (at: number) => language === "go" && /^[^/]*\.\s*(?:\/\/.*)?$/.test(lines[at - 1] ?? "")
  const isNamedAt = (at: number, text: string) => word.test(text) || (isContinuedAt(at) && word.test(`.${text}`))
  return lines.flatMap((text, at) => {
    const line = at + 1
    if (text.length > MAX_LINE || isQuoted(line)) return []
    const isOther = resolved.has(line) || defined.has(line) || alone.test(text) || !isNamedAt(at, text)
    return isOther || notCode.test(text) ? [] : [{ line, text: text.trim() }]
  })
}

/** Longer lines are of generated code or data. */
const MAX_LINE = 2_000

/** `receiver`: the pattern of what has to stand before the name; by default anything may. */
const wordPattern = (name: string, receiver?: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_$])${receiver === undefined ? "" : `(?<=(?:${receiver})\\s*)`}${escapePattern(name)}(?![\\p{L}\\p{N}_$])`,
    "u",
  )

/** The pattern of what stands before the name of a method, by language. PHP also has callables: `[$this, "send"]`. */
const receivers: ReadonlyMap<string, string> = new Map([
  ["go", "\\."],
  ["javascript", "\\."],
  ["php", `->|::|["']`],
  ["python", "\\."],
  ["rust", "\\.|::"],
  ["typescript", "\\."],
])

/** Comments, and imports on one line. */
const notCode = /^\s*(?:#|\/\/|\/?\*|"""|'''|--|import\b|from\b.*\bimport\b|export\b.*\bfrom\b|using\b|use\b|package\b)/

interface CalledName {
  readonly name: string
  /** True if it follows a dot or the like. Then it is a method, or a function of a module. */
  readonly hasReceiver: boolean
  /** The lines of the calls, in order. */
  readonly lines: ReadonlyArray<number>
}

/** The names that are called in some lines of a text, in the order of their first calls. */
export const calledNames = (text: string, firstLine: number, lastLine: number): ReadonlyArray<CalledName> => {
  const found = new Map<string, CalledName & { readonly lines: Array<number> }>()
  const lines = text.split(/\r?\n/)
  const isQuoted = quotedLines(lines)
  for (let line = firstLine; line <= Math.min(lastLine, lines.length); line++) {
    const text = lines[line - 1] ?? ""
    if (text.length > MAX_LINE || isQuoted(line) || notCode.test(text)) continue
    for (const [, receiver, name = ""] of text.matchAll(/(\.|->|::)?([\p{L}_$][\p{L}\p{N}_$]*)\(/gu)) {
      const hasReceiver = receiver !== undefined
      const key = `${hasReceiver} ${name}`
      const known = found.get(key)
      if (known === undefined) found.set(key, { name, hasReceiver, lines: [line] })
      else if (known.lines.at(-1) !== line) known.lines.push(line)
    }
  }
  return Array.from(found.values())
}

/**
 * Returns a function that says whether a line is within triple quotes, such as the documentation of a Python function.
 */
const quotedLines = (lines: ReadonlyArray<string>): ((line: number) => boolean) => {
  const quoted = new Set<number>()
  let open: string | undefined
  for (const [at, line] of lines.entries()) {
    if (open !== undefined) quoted.add(at + 1)
    for (const [quote] of line.matchAll(/"""|'''/g)) {
      if (open === undefined) open = quote
      else if (open === quote) open = undefined
    }
  }
  return (line) => quoted.has(line)
}

/** Returns whether code of one language can use a symbol of the other. Languages of one family share names. */
export const canUse = (language: string | undefined, other: string | undefined): boolean =>
  familyOf(language) === familyOf(other)

const familyOf = (language: string | undefined): string | undefined =>
  families.find((family) => family.includes(language ?? ""))?.[0] ?? language

const families: ReadonlyArray<ReadonlyArray<string>> = [
  ["javascript", "typescript", "vue", "svelte", "astro"],
  ["java", "kotlin", "groovy", "scala"],
  ["c", "cpp", "objective-c", "swift"],
]

/** Returns the innermost symbol around a line, or undefined if the line is in none. */
export const symbolAround = (symbols: ReadonlyArray<IndexEntry>, line: number): IndexEntry | undefined =>
  symbols
    .filter(({ endLine, startLine }) => startLine <= line && line <= endLine)
    .reduce<IndexEntry | undefined>(
      (inner, symbol) =>
        inner === undefined || symbol.endLine - symbol.startLine <= inner.endLine - inner.startLine ? symbol : inner,
      undefined,
    )
