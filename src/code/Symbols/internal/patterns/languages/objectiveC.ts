/** Objective-C, and the functions of C in it. */
import type { Patterns } from "../Declarations.ts"
import { blockComment, line, lineComment } from "./common.ts"

const type =
  "(?!(?:return|else|case|typedef|goto|extern\\s*\\{)\\b)(?:[\\w]+\\s*(?:<[^<>;{}()]{0,200}>\\s*)?[\\s*]+(?:_Nullable\\s+|_Nonnull\\s+|const\\s+)?){1,6}"

/** Returns `initWithFrame:style:` for `- (id)initWithFrame:(CGRect)frame style:(int)style`. */
const selector = (declaration: string): string => {
  const parts = declaration.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, " ").replace(/^[-+]\s*/, "")
  const labels = parts.match(/\w+\s*:/g)?.map((label) => label.replace(/\s+/g, "")) ?? []
  return labels.length > 0 ? labels.join("") : (/\w+/.exec(parts)?.[0] ?? "")
}

export const objectiveC: Patterns = {
  literals: [lineComment("\\/\\/"), blockComment, line('"'), line("'")],
  words: { open: "@(?:interface|implementation|protocol(?!\\s*\\(|[^;{}@()]{1,300};))\\b", close: "@end\\b" },
  ends: "semicolon",
  declarations: [
    { kind: "class", pattern: /@(?:interface|implementation)\s+(?<name>\w+)\b(?!\s*\()/y },
    { kind: "scope", pattern: /@(?:interface|implementation)\s+(?<owner>\w+)/y },
    { kind: "interface", pattern: /@protocol\s+(?<name>\w+)(?=[^;]{0,300}\n)/y },
    {
      kind: "method",
      pattern: /[-+]\s*\((?:[^(){};]|\([^(){};]*\)){0,300}\)[^;{}@]{1,1000}(?=[;{])/y,
      name: selector,
    },
    { kind: "field", in: "type", pattern: /@property\b[^;]{0,300}?\b(?<name>\w+)\s*(?=;)/y },
    { kind: "enum", isLeaf: true, pattern: /typedef\s+(?:NS_\w+\s*\([^,()]{0,100},\s*(?<name>\w+)\s*\))/y },
    { kind: "type", pattern: /typedef\s[^;{}]{0,300}?\b(?<name>\w+)\s*(?=;)/y },
    {
      kind: "function",
      pattern: new RegExp(`${type}(?<name>\\w+)\\s*(?=\\()`, "y"),
      follows: /\s*\{/y,
    },
    { kind: "constant", pattern: new RegExp(`(?=[^\\n]{0,200}const\\b)${type}(?<name>\\w+)\\s*(?=[=;[])`, "y") },
    { kind: "variable", pattern: new RegExp(`static\\s+${type}(?<name>\\w+)\\s*(?=[=;[])`, "y") },
  ],
  imports: /(?:#\s*(?:import|include)|@import)\s+["<]?([^">;\n]+)/y,
  isPrivate: /^static\b/,
  keywords:
    "auto break case char const continue default do double else enum extern float for goto if id inline int long nil nonatomic return self short signed sizeof static strong struct super switch typedef union unsigned void volatile weak while YES NO",
}
