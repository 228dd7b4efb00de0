/** Tells the use of a class that runs nothing, such as that of a type, from one that makes something. Pure. */
import * as Language from "../../code/Language.ts"
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
 * Returns whether all lines of the source of a symbol that name a class run nothing of it: they have it as a type, of a
 * variable, of a parameter in a long signature, in a test of what something is, or only a member of it is used,
 * which is a use of its own. `lines` are counted in the file; those that do not name it, since another name
 * stands for it, count as no type.
 */
export const isInTypes = (
  by: Pick<IndexEntry, "path" | "startLine">,
  source: string,
  used: Pick<IndexEntry, "kind" | "name">,
  lines: ReadonlyArray<number>,
): boolean => {
  if (used.kind !== "class" || lines.length === 0) return false
  const text = source.split("\n")
  const language = Language.of(by.path)?.id ?? ""
  return lines.every((line) => isTypeIn(text[line - by.startLine] ?? "", used.name, language))
}

const isTypeIn = (line: string, name: string, language: string): boolean => {
  let isNamed = false
  // No line of code is longer, and one of generated code is not read to its end.
  for (let at = line.indexOf(name); at !== -1 && at < MAX_LINE; at = line.indexOf(name, at + name.length)) {
    const before = line.slice(Math.max(0, at - MAX_BEFORE), at)
    const after = line.slice(at + name.length, at + name.length + MAX_AFTER)
    if (/[\w$]$/.test(before) || /^[\w$]/.test(after)) continue
    if (!runsNothing(before, after, language)) return false
    isNamed = true
  }
  return isNamed
}

const runsNothing = (before: string, after: string, language: string): boolean => {
  if (/->\s?(?:[&*]\s?)?["']?$/.test(before) || memberAfter.test(after)) return true
  if (isMade.test(after)) return false
  return typeBefore.test(before) || variableAfter.test(after) || hasNoClassValues.has(language)
}

const MAX_LINE = 1_000

/** How much before a name is looked at, and how much after it. */
const MAX_BEFORE = 60
const MAX_AFTER = 40

/**
 * Matches what stands before a type: `x: Name`, `A | Name`, `list[Name`, `Map<A, Name`,
 * `x instanceof Name`, `isinstance(x, Name`.
 */
const typeBefore =
  /(?:[:|]|->|\w\[|\w<(?:[^<>()]*,)?|\b(?:instanceof|is|as|except|catch \(|throws)|\b(?:except \(|throws )(?:[\w., ]+, )?|\b(?:isinstance|issubclass|cast)\((?:[\w.]+, )?\(?)\s?(?:&\s?(?:'\w+ )?(?:mut )?)?["']?$/

/** Matches what stands behind a class if something of it is made: `Name(`, `Name {`, `Name<T>(`, `Name!(`. */
const isMade = /^(?:::)?(?:<[^<>()]{0,30}>)?\s{0,2}[({!]/

/** Matches a member behind a class, as in `Name::make(` and `Name.make(`. Generic types may stand in between. */
const memberAfter = /^(?:::<[^<>()]{0,30}>|<[^<>()]{0,30}>)?\s?(?:\.|::|->)\s?[\w$]/

/** Matches the name of a variable or parameter behind its type: `Name $x,` and `Name x =`. */
const variableAfter =
  /^(?:<[^<>()]{0,30}>|\[\])?\s+[&*]?\$?(?!(?:instanceof|in|is|as|of|if|else|and|or|extends|from)\b)\w+\s*[,)=;]/

/** Languages in which a class is no value, so that its bare name is a type. */
const hasNoClassValues: ReadonlySet<string> = new Set(
  "go rust java kotlin csharp c cpp swift scala objective-c".split(" "),
)
