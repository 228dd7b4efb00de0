/** Kotlin. */
import type { Patterns } from "../Declarations.ts"
import { atAnnotation, backtickName, block, character, line, modifiers, nestedSlashComments } from "./common.ts"

export const kotlin: Patterns = {
  literals: [...nestedSlashComments, backtickName, block('"""', "${"), line('"', "${"), character],
  ends: "line",
  // Context receivers stand before a function like an annotation: `context(Logger) fun log()`.
  annotation: new RegExp(`${atAnnotation.source}|context(?=\\()`, "y"),
  parametersOpen:
    /(?:\s*<[^(){}=\n]{0,300}>)?(?:\s*(?:@[\w.]+(?:\([^()]{0,200}\))?\s+){0,5}(?:(?:public|protected|private|internal)\s+)?constructor)?\s*(?=\()/y,
  parameterField:
    /(?:@(?:\w+:)?[\w.]+(?:\((?:[^()]|\([^()]{0,200}\)){0,200}\))?\s+){0,5}(?:(?:public|protected|private|internal|override|open|final|vararg)\s+){0,4}(?:val|var)\s+(?<name>\w+|`[^`\n]+`)/y,
  modifiers: modifiers(
    "public private protected internal open abstract final sealed data inner annotation value inline tailrec operator infix external suspend override lateinit const expect actual",
  ),
  declarations: [
    { kind: "enum", pattern: /enum\s+class\s+(?<name>\w+)/y },
    { kind: "class", pattern: /class\s+(?<name>\w+|`[^`\n]+`)/y },
    { kind: "interface", pattern: /(?:fun\s+)?interface\s+(?<name>\w+)/y },
    { kind: "scope", pattern: /companion\s+object\b/y },
    { kind: "class", pattern: /object\s+(?<name>\w+)/y },
    {
      kind: "function",
      pattern:
        /fun\s+(?:<[^(){}=\n]{0,300}>\s*)?(?:(?<owner>[\w.]{1,200})(?:<[^(){}=\n]{0,200}>)?\??\.)?(?<name>\w+|`[^`\n]+`)\s*(?=\()/y,
    },
    { kind: "type", pattern: /typealias\s+(?<name>\w+)/y },
    {
      kind: "constant",
      pattern:
        /val\s+(?:<[^(){}=\n]{0,300}>\s*)?(?:(?<owner>[\w.]{1,200})(?:<[^(){}=\n]{0,200}>)?\??\.)?(?<name>\w+|`[^`\n]+`)/y,
    },
    {
      kind: "variable",
      pattern:
        /var\s+(?:<[^(){}=\n]{0,300}>\s*)?(?:(?<owner>[\w.]{1,200})(?:<[^(){}=\n]{0,200}>)?\??\.)?(?<name>\w+|`[^`\n]+`)/y,
    },
  ],
  imports: /import\s+([\w.]+(?:\.\*)?)/y,
  isPrivate: /\b(?:private|protected)\b/,
  keywords:
    "abstract actual annotation as break by catch class companion const constructor continue crossinline data do else enum expect external false final finally for fun get if import in infix init inline inner interface internal is lateinit null object open operator out override package private protected public reified return sealed set super suspend this throw true try typealias val value var vararg when where while",
}
