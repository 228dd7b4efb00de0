/** GraphQL: schemas and operations. */
import type { Patterns } from "../Declarations.ts"
import { lineComment } from "./common.ts"

export const graphQl: Patterns = {
  literals: [
    lineComment("#"),
    { open: '"""', close: '"""', kind: "doc" },
    { open: '^[ \\t]*"', close: '"', isLine: true, escapes: true, kind: "doc" },
    { open: '"', close: '"', isLine: true, escapes: true },
  ],
  ends: "line",
  declarations: [
    { kind: "scope", pattern: /extend\s+(?:type|input|interface|union|enum|scalar)\s+(?<owner>\w+)/y },
    { kind: "class", pattern: /(?:type|input)\s+(?<name>\w+)/y },
    { kind: "interface", pattern: /interface\s+(?<name>\w+)/y },
    { kind: "type", pattern: /(?:union|scalar)\s+(?<name>\w+)/y },
    { kind: "enum", isLeaf: true, pattern: /enum\s+(?<name>\w+)/y },
    { kind: "function", in: "file", pattern: /(?:query|mutation|subscription|fragment|directive)\s+@?(?<name>\w+)/y },
    { kind: "method", in: "type", pattern: /(?<name>\w+)\s*(?=\()/y },
    { kind: "field", in: "type", pattern: /(?<name>\w+)\s*(?=:)/y },
  ],
  keywords:
    "directive enum extend fragment implements input interface mutation on query repeatable scalar schema subscription type union",
}
