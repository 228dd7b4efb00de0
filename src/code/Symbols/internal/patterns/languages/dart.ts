/** Dart. */
import type { Patterns } from "../Declarations.ts"
import { atAnnotation, line, modifiers, nestedSlashComments } from "./common.ts"

/** A type before a name: `Map<String, List<int>>?`, `void Function(int)?`, `(int, String)`. */
const type =
  "(?!(?:return|await|throw|assert|if|for|while|switch|else|new|case|yield|import|export|part|library)\\b)(?:[\\w$.]{1,200}(?:<[^;{}=]{0,300}>)?\\??(?:\\s+Function\\([^;{}=]{0,200}\\)\\??)?|\\([^;{}=()]{0,200}\\)\\??)\\s+"

export const dart: Patterns = {
  literals: [
    ...nestedSlashComments,
    { open: "r(?:'''|\"\"\")", close: (open) => open.slice(1) },
    { open: "r['\"]", close: (open) => open.slice(1) },
    { open: "'''", close: "'''", escapes: true, code: "${" },
    { open: '"""', close: '"""', escapes: true, code: "${" },
    line("'", "${"),
    line('"', "${"),
  ],
  ends: "semicolon",
  annotation: atAnnotation,
  modifiers: modifiers("abstract sealed base final(?=\\s+class) external static late covariant"),
  declarations: [
    { kind: "class", pattern: /(?:abstract\s+|interface\s+|base\s+|mixin\s+)*class\s+(?<name>[\w$]+)/y },
    { kind: "class", pattern: /mixin\s+(?<name>[\w$]+)/y },
    { kind: "enum", pattern: /enum\s+(?<name>[\w$]+)/y },
    { kind: "class", pattern: /extension\s+type\s+(?:const\s+)?(?<name>[\w$]+)/y },
    { kind: "class", pattern: /extension\s+(?!on\b)(?<name>[\w$]+)/y },
    { kind: "scope", pattern: /extension\s+on\s+(?<owner>[\w$]+)/y },
    { kind: "type", pattern: new RegExp(`typedef\\s+(?:${type})?(?<name>[\\w$]+)\\s*(?=[<(=])`, "y") },
    {
      kind: "function",
      pattern: new RegExp(`(?:${type})?(?:get|set)\\s+(?<name>[\\w$]+)\\s*(?=[({=;]|async|sync)`, "y"),
    },
    {
      kind: "method",
      in: "type",
      pattern: new RegExp(`(?:${type})?operator\\s*(?<name>[-+*/%=<>!&|^~\\[\\]]{1,4})\\s*(?=\\()`, "y"),
    },
    {
      kind: "method",
      in: "type",
      pattern: /(?:const\s+|factory\s+)*(?:[A-Z_$][\w$]*\.)?(?<name>[\w$]+)\s*(?=\()/y,
      follows: /\s*(?:async\b|sync\b|[{:;]|=>|=)/y,
    },
    {
      kind: "function",
      pattern: new RegExp(
        `(?:${type})?(?!(?:if|for|while|switch|assert|return|super)\\b)(?<name>[\\w$]+)\\s*(?:<[^;{}=()]{0,200}>)?\\s*(?=\\()`,
        "y",
      ),
      follows: /\s*(?:async\b|sync\b|\{|=>|;)/y,
    },
    { kind: "constant", pattern: new RegExp(`(?:final|const)\\s+(?:${type})?(?<name>[\\w$]+)\\s*(?=[=;,])`, "y") },
    { kind: "variable", pattern: new RegExp(`(?:var\\s+|${type})(?<name>[\\w$]+)\\s*(?=[=;,])`, "y") },
  ],
  imports: /(?:import|export|part)\s+['"]([^'"\n]*)/y,
  isPrivateName: /^_/,
  keywords:
    "abstract as assert async await base break case catch class const continue covariant default deferred do dynamic else enum export extends extension external factory false final finally for get if implements import in interface is late library mixin new null on operator part required rethrow return sealed set show static super switch sync this throw true try typedef var void when while with yield",
}
