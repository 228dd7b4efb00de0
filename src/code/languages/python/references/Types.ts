/**
 * Annotations and their meaning for the values that have them. `Optional[List[User]]` means `User@[`, a collection of
 * instances of `User`.
 */
import { type Binding, extend, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import type { Reader } from "./Reader.ts"

/** Types that stand for the type of their first argument. */
const transparent: ReadonlySet<string> = new Set([
  "Optional",
  "Annotated",
  "ClassVar",
  "Final",
  "Awaitable",
  "ContextManager",
  "AbstractContextManager",
  "InitVar",
  "Required",
  "NotRequired",
  "ReadOnly",
])

/** Types with elements of their first argument. */
const collections: ReadonlySet<string> = new Set(
  "list List set Set frozenset FrozenSet tuple Tuple Sequence MutableSequence Iterable Iterator Collection AsyncIterator AsyncIterable Generator AsyncGenerator deque Deque".split(
    " ",
  ),
)

/** Longer annotations say nothing. */
const MAX_TYPE_CHARS = 500

/** Returns the type between two tokens as an expression for its instances. */
export const typeBetween = (reader: Reader, from: number, to: number, scope: Scope): Binding => {
  const text = reader.tokens.text.slice(reader.offsetOf(from), reader.tokens.end[to - 1] ?? 0)
  return to <= from || text.length > MAX_TYPE_CHARS ? null : typeOf(text, scope, 0)
}

/** Does the same for a type as it is written, in quotes or not; returns `null` if it is not a single type. */
const typeOf = (written: string, scope: Scope, depth: number): Binding => {
  const text = written
    .replace(/#[^\n]*/g, "")
    .trim()
    .replace(/^(["'])(.*)\1$/s, "$2")
    .trim()
  if (depth > 8) return null
  const alternatives = splitAt(text, "|").filter((each) => each.trim() !== "None")
  if (alternatives.length > 1) return null
  const [single = ""] = alternatives
  if (single !== text) return typeOf(single, scope, depth + 1)
  const [, head, inside] = /^([\w.]+)\s*\[(.*)\]$/s.exec(text) ?? []
  if (head !== undefined && inside !== undefined) {
    const name = head.slice(head.lastIndexOf(".") + 1)
    const [first = "", ...rest] = splitAt(inside, ",")
    if (transparent.has(name)) return typeOf(first, scope, depth + 1)
    if (collections.has(name)) {
      const isUniform = name.toLowerCase() !== "tuple" || rest.every((each) => each.trim() === "...")
      return isUniform ? extend(typeOf(first, scope, depth + 1), "[") : null
    }
    if (name === "Coroutine") return typeOf(rest[1] ?? "", scope, depth + 1)
    if (name === "Union") {
      const others = [first, ...rest].filter((each) => each.trim() !== "None")
      return others.length === 1 ? typeOf(others[0] ?? "", scope, depth + 1) : null
    }
    if (name === "Type" || name === "type") {
      const instance = typeOf(first, scope, depth + 1)
      return instance?.path.endsWith("@") ? { ...instance, path: instance.path.slice(0, -1) } : null
    }
    return typeOf(head, scope, depth + 1)
  }
  if (!/^[A-Za-z_]\w*(?:\.\w+)*$/.test(text)) return null
  const dot = text.indexOf(".")
  return dot === -1
    ? { scope, root: text, path: "@" }
    : { scope, root: text.slice(0, dot), path: `${text.slice(dot)}@` }
}

/** Returns the parts between separators that are in no brackets. */
const splitAt = (text: string, separator: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let level = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "[" || character === "(") level++
    else if (character === "]" || character === ")") level--
    else if (character === separator && level === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}
