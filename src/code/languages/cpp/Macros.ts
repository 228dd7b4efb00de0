/**
 * Blanks macros of C and C++ in a text. The grammar reads source that no preprocessor has seen, and an unknown macro
 * before a class or a namespace is a syntax error that hides what follows.
 */
import { maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import { isStopped, type Retry } from "../../Symbols/internal/treeSitter/Grammar.ts"
import type { Outline } from "../../Symbols.ts"
import { character, line, slashComments } from "../patterns/common.ts"

interface Blanked {
  /** The text without macros, which is as long as the text, so that every offset stays. */
  readonly text: string
  /** The names that were blanked, each as often as it was. */
  readonly names: ReadonlyArray<string>
}

/** Returns the text without what looks like a macro outside of directives, by where its name stands. */
export const blank = (text: string): Blanked => {
  const { code } = mask(text)
  const outside = code.replace(directive, blankOf)
  const names: Array<string> = []
  let pieces = text
  let current = outside
  for (const rule of rules) {
    const ranges: Array<readonly [start: number, end: number]> = []
    for (const match of current.matchAll(rule)) {
      for (const part of ["macro", "close"] as const) {
        const [start = 0, end = 0] = match.indices?.groups?.[part] ?? []
        if (end > start) ranges.push([start, end])
      }
    }
    names.push(...ranges.flatMap(([start, end]) => text.slice(start, end).match(/[A-Za-z_]\w*/g) ?? []))
    pieces = blankRanges(pieces, ranges)
    current = blankRanges(current, ranges)
  }
  return { text: pieces, names }
}

const mask = maskWith([{ open: 'R"\\(', close: ')"' }, ...slashComments, line('"'), character])

/** A line for the preprocessor, with the lines that it goes on in. */
const directive = /^[ \t]*#(?:[^\n\\]|\\\r?\n|\\)*/gm

/** Returns the text with spaces in place of everything but its line breaks. */
const blankOf = (text: string): string => text.replace(/[^\n]/g, " ")

const blankRanges = (text: string, ranges: ReadonlyArray<readonly [start: number, end: number]>): string => {
  const pieces: Array<string> = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push(text.slice(from, start), blankOf(text.slice(start, end)))
    from = end
  }
  return pieces.join("") + text.slice(from)
}

/** A name of capital letters, of three characters or more: macros have such names, and so have few types. */
const name = "(?=\\w*[A-Z])[A-Z_][A-Z0-9_]{2,80}\\b"
/** A name that C reserves for compilers and systems, which kernels give to their attributes: `__init`. */
const reserved = "__[a-z]\\w{1,80}\\b"
/** Arguments of a macro, on one line and over several. */
const onLine = "(?:[ \\t]*\\((?:[^()\\n]|\\([^()\\n]{0,200}\\)){0,300}\\))"
const overLines = "(?:[ \\t]*\\((?:[^(){}]|\\((?:[^(){}]|\\([^(){}]{0,60}\\)){0,60}\\)){0,200}\\))"
/** A type and the beginning of a name, so that the macro before them is not the type itself. */
const declaration =
  "(?:[A-Za-z_][\\w:]{0,100}(?:<[^;{}\\n]{0,200}>)?(?:\\s{1,20}|[*&]|\\s{0,5}[*&]){1,5}[A-Za-z_~(]|~|\\[\\[)"

/** Each has a group `macro`, and some have a group `close`: these are blanked. The rules are applied in order. */
const rules: ReadonlyArray<RegExp> = [
  // `Q_OBJECT`, `JSON_NAMESPACE_BEGIN`, `Q_PROPERTY(int size READ size)`: alone on a line, and not before a body.
  `^[ \\t]*(?<macro>${name}${overLines}?[ \\t]*;?)[ \\t\\r]*$(?!\\s{0,20}\\{)`,
  // `class LIB_API Store`, `enum class LIB_API Kind`
  `\\b(?:class|struct|union|enum)\\s{1,10}(?<macro>${name}${onLine}?)(?=\\s{1,10}(?!final\\b)[A-Za-z_])`,
  // `LIB_API int put(int a);`, `static LIB_INLINE int put()`, `LIB_BEGIN namespace a {`
  `(?:^|[;{}]|\\b(?:static|inline|extern|virtual|constexpr|explicit|friend|typedef)[ \\t]{1,10}|>[ \\t]{0,10})[ \\t]*(?<macro>${name}${onLine}?)(?=\\s{1,10}${declaration})`,
  // `LIB_API(int) put(int a);` keeps the type.
  "^[ \\t]*(?:(?:static|extern|inline)[ \\t]{1,10}){0,2}(?<macro>[A-Z]\\w{2,80}\\()[ \\t]*(?:const[ \\t]+)?[\\w:]{1,100}(?:[ \\t*&]|<[^<>()\\n]{0,100}>){0,10}(?<close>\\))(?=[ \\t]{1,10}[A-Za-z_]\\w{0,100}[ \\t]*\\()",
  // `int WINAPI put(int a)`, `int __init put(void)`
  `\\b(?!(?:return|else|new|case|goto|throw|typedef|const|static|inline|extern|virtual|constexpr|struct|class|enum|union|unsigned|signed|operator|define)\\b)[A-Za-z_][\\w:]{0,100}[ \\t*&]{1,5}(?<macro>${name}|${reserved})(?=[ \\t]{1,10}[A-Za-z_]\\w{0,100}[ \\t]*\\()`,
  // `int put(int a) const LIB_NOEXCEPT(true) {`
  `\\)\\s{0,10}(?:const\\s{0,10})?(?<macro>${name}${onLine}?)(?=\\s{0,10}(?:[{;=:]|const\\b|override\\b|noexcept\\b|final\\b|->))`,
  // The types of parameters in the older style of C: `int put(a, b) int a; char *b; {`
  "^[A-Za-z_][\\w \\t*]{0,100}\\([\\w \\t,\\n]{0,300}\\)[ \\t\\r]*\\n(?<macro>(?:[ \\t]*[A-Za-z_][\\w \\t*,[\\]]{1,200};[ \\t\\r]*\\n){1,30})(?=[ \\t]*\\{)",
].map((source) => new RegExp(source, "dgm"))

/** Reads C and C++ without macros, if the first parse has errors. */
export const withoutMacros: Retry = (first, read) => {
  const { names, text } = first.tree.rootNode.hasError ? blank(first.text) : { names: [], text: "" }
  const other = names.length === 0 ? undefined : read(text)
  if (other === undefined || isStopped(other.outline)) return first
  const isBetter =
    !other.tree.rootNode.hasError ||
    other.outline.symbols.length > first.outline.symbols.length ||
    isOwnedByMacro(first.outline, new Set(names))
  if (!isBetter) return first
  return { ...other, outline: { ...other.outline, identifiers: addNames(other.outline.identifiers, names) } }
}

/**
 * Returns whether a macro is taken for the owner of a function, as `WINAPI` is in `int WINAPI put(int a)`. Such an
 * outline is wrong, whatever other errors the text has.
 */
const isOwnedByMacro = ({ symbols }: Outline, macros: ReadonlySet<string>): boolean =>
  symbols.some(({ container }) => macros.has(container?.slice(container.lastIndexOf(".") + 1) ?? ""))

const addNames = (identifiers: Outline["identifiers"], names: ReadonlyArray<string>): Outline["identifiers"] => {
  const counts = new Map(identifiers)
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
