/** Scala, with braces or with indentation. */
import type { Patterns } from "../Declarations.ts"
import { atAnnotation, backtickName, block, character, line, modifiers, nestedSlashComments } from "./common.ts"

export const scala: Patterns = {
  literals: [...nestedSlashComments, backtickName, block('"""', "${"), line('"', "${"), character],
  ends: "line",
  hasIndentedBlocks: true,
  annotation: atAnnotation,
  modifiers: modifiers(
    "private(?:\\[\\w+\\])? protected(?:\\[\\w+\\])? final sealed abstract case(?=\\s+(?:class|object)) implicit lazy override inline open opaque transparent infix erased",
  ),
  declarations: [
    { kind: "module", pattern: /package\s+object\s+(?<name>\w+)/y },
    { kind: "scope", pattern: /package\s+[\w.]+\s*(?=[{:])/y },
    { kind: "class", pattern: /(?:case\s+)?(?:class|object)\s+(?<name>[\w$]+|`[^`\n]+`)/y },
    { kind: "interface", pattern: /trait\s+(?<name>[\w$]+|`[^`\n]+`)/y },
    { kind: "enum", pattern: /enum\s+(?<name>[\w$]+|`[^`\n]+`)/y },
    { kind: "scope", pattern: /extension\s*(?=[([])/y },
    {
      kind: "function",
      pattern: /def\s+(?<name>[\w$]+_[-+*/%=<>!&|^~?:#@\\]{1,10}|[\w$]+|`[^`\n]+`|[-+*/%=<>!&|^~?:#@\\]{1,10})/y,
    },
    { kind: "type", pattern: /type\s+(?<name>[\w$]+|`[^`\n]+`)/y },
    { kind: "constant", pattern: /given\s+(?<name>[a-z][\w$]*)\s*(?=[:([])/y },
    { kind: "constant", pattern: /val\s+(?<name>[\w$]+|`[^`\n]+`)\s*(?=[:=,])/y },
    { kind: "variable", pattern: /var\s+(?<name>[\w$]+|`[^`\n]+`)\s*(?=[:=,])/y },
  ],
  imports: /import\s+([\w.]+)/y,
  isPrivate: /\b(?:private|protected)\b/,
  keywords:
    "abstract case catch class def derives do else enum export extends extension false final finally for forSome given if implicit import inline lazy match new null object opaque open override package private protected return sealed super then this throw trait true try type using val var while with yield",
}
