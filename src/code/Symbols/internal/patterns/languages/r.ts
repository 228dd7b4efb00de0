/** R. */
import type { Patterns } from "../Declarations.ts"
import { lineComment } from "./common.ts"

export const r: Patterns = {
  literals: [
    lineComment("#"),
    { open: '[rR]"\\(', close: ')"' },
    { open: '"', close: '"', escapes: true },
    { open: "'", close: "'", escapes: true },
  ],
  ends: "line",
  declarations: [
    { kind: "function", pattern: /(?<name>[\w.]+|`[^`\n]+`)\s*(?:<<?-|=)\s*(?=function\b|\\\()/y },
    {
      kind: "class",
      isLeaf: true,
      pattern: /(?<name>[\w.]+)\s*(?:<-|=)\s*(?:R6::)?(?:R6Class|setRefClass|setClass|ggproto)\s*(?=\()/y,
    },
    { kind: "variable", pattern: /(?<name>[\w.]+)\s*(?:<-|=(?!=))\s*(?=\S)/y },
  ],
  importCalls: /\b(?:library|require|requireNamespace|source)\(\s*["']?([\w./]+)/g,
  isPrivateName: /^\./,
  keywords: "FALSE Inf NA NULL NaN TRUE break else for function if in next repeat while",
}
