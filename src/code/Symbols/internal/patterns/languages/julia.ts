/** Julia. */
import type { Patterns } from "../Declarations.ts"
import { lineComment } from "./common.ts"

export const julia: Patterns = {
  literals: [
    { open: "#=", close: "=#", kind: "comment", nests: true },
    lineComment("#"),
    { open: '^[ \\t]*(?:@doc\\s+)?(?:raw)?"""', close: '"""', escapes: true, kind: "doc" },
    { open: '"""', close: '"""', escapes: true },
    { open: '^"', close: '"', escapes: true, kind: "doc" },
    { open: '"', close: '"', escapes: true, code: "$(" },
    { open: "(?<![\\w)\\]}'.])'(?:\\\\[^'\\n]{1,10}|[^'\\\\\\n])'", close: "" },
  ],
  words: {
    open: "(?<![:.@\\w])(?:function|macro|struct|module|baremodule|begin|let|if|for|while|try|quote|do|(?:abstract|primitive)\\s+type)\\b(?!\\s*=)",
    close: "(?<![:.@\\w])end\\b",
  },
  ends: "line",
  annotation:
    /(?:Base\.)?@(?:inline|noinline|generated|propagate_inbounds|pure|constprop\s+:\w+|kwdef|Base\.\w+|static|deprecate)\b/y,
  declarations: [
    { kind: "module", pattern: /(?:bare)?module\s+(?<name>\w+)/y },
    { kind: "class", isLeaf: true, pattern: /(?:mutable\s+)?struct\s+(?<name>\w+)/y },
    { kind: "interface", isLeaf: true, pattern: /(?:abstract|primitive)\s+type\s+(?<name>\w+)/y },
    {
      kind: "function",
      pattern:
        /function\s+(?:[\w.]{1,200}\.)?(?:\((?::)?)?(?<name>[\p{L}_][\p{L}\p{N}_!]*|[-+*/\\^<>=|&!~%÷≈∈]{1,5})/uy,
    },
    { kind: "function", pattern: /macro\s+(?<name>\w+)/y },
    {
      kind: "function",
      pattern: /(?:[\w.]{1,200}\.)?(?:\(:)?(?<name>[\p{L}_][\p{L}\p{N}_!]*)\)?(?:\{[^{}\n]{0,200}\})?(?=\()/uy,
      follows: /(?:::[\w.{},]{1,200})?(?:\s+where\s[^=\n]{1,200})?\s*=(?![=>])/y,
    },
    { kind: "constant", pattern: /const\s+(?<name>\w+)/y },
  ],
  imports: /(?:using|import)\s+([\w.]+)/y,
  isPrivateName: /^_/,
  keywords:
    "abstract baremodule begin break catch const continue do else elseif end export false finally for function global if import in isa let local macro module mutable primitive quote return struct true try type using where while",
}
