/** Groovy, which Gradle and Jenkins use too. */
import type { Patterns } from "../Declarations.ts"
import { atAnnotation, line, modifiers, slashComments } from "./common.ts"

const type =
  "(?!(?:return|throw|assert|if|for|while|switch|else|new|case|import|package|class|in|as)\\b)[\\w.]{1,200}(?:<[^;{}=()]{0,300}>)?(?:\\[\\])*\\s+"

export const groovy: Patterns = {
  literals: [
    ...slashComments,
    { open: "'''", close: "'''", escapes: true },
    { open: '"""', close: '"""', escapes: true, code: "${" },
    line("'"),
    line('"', "${"),
  ],
  keepsNames: true,
  ends: "line",
  annotation: atAnnotation,
  modifiers: modifiers("public private protected static final abstract synchronized transient volatile native sealed"),
  declarations: [
    { kind: "class", pattern: /class\s+(?<name>\w+)/y },
    { kind: "interface", pattern: /(?:interface|trait|@interface)\s+(?<name>\w+)/y },
    { kind: "enum", pattern: /enum\s+(?<name>\w+)/y },
    {
      kind: "function",
      pattern: new RegExp(`(?:<[^;{}=()]{0,200}>\\s*)?${type}(?<name>\\w+|"[^"\\n]*")\\s*(?=\\()`, "y"),
      follows: /\s*(?:throws\s[\w\s,.]{1,200})?\{/y,
    },
    {
      kind: "method",
      in: "type",
      pattern: /(?<name>[A-Z]\w*)\s*(?=\()/y,
      follows: /\s*(?:throws\s[\w\s,.]{1,200})?\{/y,
    },
    { kind: "variable", pattern: new RegExp(`${type}(?<name>\\w+)\\s*=(?!=)`, "y") },
    { kind: "field", in: "type", pattern: new RegExp(`${type}(?<name>\\w+)[ \\t]*(?=\\n|;|$)`, "y") },
  ],
  imports: /import\s+(?:static\s+)?([\w.]+)/y,
  isPrivate: /\b(?:private|protected)\b/,
  keywords:
    "abstract as assert boolean break byte case catch char class const continue def default do double else enum extends false final finally float for goto if implements import in instanceof int interface long native new null package private protected public return short static super switch synchronized this throw throws trait transient true try void volatile while",
}
