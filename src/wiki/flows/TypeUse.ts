/** Tells the use of a class as a type, which runs nothing, from one that makes or calls something. Pure. */
import type { IndexEntry } from "../../index/IndexEntry.ts"

/**
 * Returns whether a class is used in the declaration of a function alone, as the type of a parameter, a receiver or a
 * result.
 */
export const isInDeclaration = (by: IndexEntry, used: IndexEntry, lines: ReadonlyArray<number>): boolean =>
  used.kind === "class" &&
  (by.kind === "function" || by.kind === "method") &&
  by.endLine > by.startLine &&
  lines.length > 0 &&
  lines.every((line) => line === by.startLine) &&
  by.signature.includes(used.name) &&
  !by.signature.includes(`new ${used.name}`)

/**
 * Returns whether all lines of the source of a symbol that name a class have it as a type: of a variable, of a parameter
 * in a long signature, in a test of what something is. `lines` are counted in the file; those that do not name it, since
 * another name stands for it, count as no type.
 */
export const isInTypes = (
  by: Pick<IndexEntry, "startLine">,
  source: string,
  used: Pick<IndexEntry, "kind" | "name">,
  lines: ReadonlyArray<number>,
): boolean => {
  if (used.kind !== "class" || lines.length === 0) return false
  const text = source.split("\n")
  return lines.every((line) => isTypeIn(text[line - by.startLine] ?? "", used.name))
}

const isTypeIn = (line: string, name: string): boolean => {
  let isNamed = false
  // No line of code is longer, and one of generated code is not read to its end.
  for (let at = line.indexOf(name); at !== -1 && at < MAX_LINE; at = line.indexOf(name, at + name.length)) {
    const [before, after] = [line.slice(Math.max(0, at - MAX_BEFORE), at), line.slice(at + name.length)]
    if (/[\w$]$/.test(before) || /^[\w$]/.test(after)) continue
    if (!typeBefore.test(before) || /^\s{0,2}(?:[({!]|\.|::)/.test(after)) return false
    isNamed = true
  }
  return isNamed
}

const MAX_LINE = 1_000

/** How much before a name is looked at. */
const MAX_BEFORE = 60

/** Matches what stands before a type: `x: Name`, `A | Name`, `-> Name`, `list[Name`, `x instanceof Name`, `isinstance(x, Name`. */
const typeBefore =
  /(?:[:|]|->|\w\[|\b(?:instanceof|is|as|except|catch \()|\b(?:isinstance|issubclass|cast)\((?:[\w.]+, )?\(?)\s?["']?$/
