/** Lets the patterns of a language match names with letters of any script: `größe`, `名前`. */
import type { Declaration, Patterns } from "./Declarations.ts"

/**
 * Letters, digits and marks behind ASCII, and the surrogates of those behind 65,535, without punctuation and white
 * space. They are ranges and not `\p{L}`, which would need the flag `u`, by which offsets and many patterns differ.
 */
const letters =
  "\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2070-\\u218f\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\udfff\\uf900-\\ufdcf\\ufe70-\\ufefc\\uff10-\\uffdc"

/**
 * Returns the patterns with each `\w` widened. Patterns of words that are ASCII, such as modifiers, stay as they are.
 */
export const withAllLetters = (patterns: Patterns): Patterns => {
  const { assignedField, parameterField, parametersOpen } = patterns
  return {
    ...patterns,
    declarations: patterns.declarations.map(widenDeclaration),
    ...(assignedField !== undefined && { assignedField: widen(assignedField) }),
    ...(parameterField !== undefined && { parameterField: widen(parameterField) }),
    ...(parametersOpen !== undefined && { parametersOpen: widen(parametersOpen) }),
  }
}

const widenDeclaration = (declaration: Declaration): Declaration => {
  const { follows, members, pattern } = declaration
  return {
    ...declaration,
    pattern: widen(pattern),
    ...(follows !== undefined && { follows: widen(follows) }),
    ...(members !== undefined && { members: members.map(widen) }),
  }
}

/** A `\w`, in square brackets or alone, a beginning or an end of square brackets, and other escapes, which stay. */
const parts = /\\w|\\[\s\S]|[[\]]/g

const widen = ({ flags, source }: RegExp): RegExp => {
  let isInBrackets = false
  // `\b` knows the letters of ASCII alone, so it is no edge of these names.
  const bounded = source
    .replaceAll("\\b(?<name>", "(?<!\\w)(?<name>")
    .replaceAll("(?<name>\\w+)\\b", "(?<name>\\w+)(?!\\w)")
  const widened = bounded.replace(parts, (part) => {
    if (part === "[") isInBrackets = true
    if (part === "]") isInBrackets = false
    if (part !== "\\w") return part
    return isInBrackets ? `\\w${letters}` : `[\\w${letters}]`
  })
  return new RegExp(widened, flags)
}
