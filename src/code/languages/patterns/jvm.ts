/** The patterns of languages for the Java virtual machine. */
import type { Patterns } from "../../Symbols/internal/patterns/Declarations.ts"
import {
  atAnnotation,
  backtickName,
  block,
  character,
  line,
  modifiers,
  nestedSlashComments,
  slashComments,
} from "./common.ts"

const groovyType =
  "(?!(?:return|throw|assert|if|for|while|switch|else|new|case|import|package|class|in|as)\\b)[\\w.]{1,200}(?:<[^;{}=()]{0,300}>)?(?:\\[\\])*\\s+"

/** Groovy, which Gradle and Jenkins use too. */
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
      pattern: new RegExp(`(?:<[^;{}=()]{0,200}>\\s*)?${groovyType}(?<name>\\w+|"[^"\\n]*")\\s*(?=\\()`, "y"),
      follows: /\s*(?:throws\s[\w\s,.]{1,200})?\{/y,
    },
    {
      kind: "method",
      in: "type",
      pattern: /(?<name>[A-Z]\w*)\s*(?=\()/y,
      follows: /\s*(?:throws\s[\w\s,.]{1,200})?\{/y,
    },
    { kind: "variable", pattern: new RegExp(`${groovyType}(?<name>\\w+)\\s*=(?!=)`, "y") },
    { kind: "field", in: "type", pattern: new RegExp(`${groovyType}(?<name>\\w+)[ \\t]*(?=\\n|;|$)`, "y") },
  ],
  imports: /import\s+(?:static\s+)?([\w.]+)/y,
  isPrivate: /\b(?:private|protected)\b/,
  keywords:
    "abstract as assert boolean break byte case catch char class const continue def default do double else enum extends false final finally float for goto if implements import in instanceof int interface long native new null package private protected public return short static super switch synchronized this throw throws trait transient true try void volatile while",
}

/** Kotlin. */
export const kotlin: Patterns = {
  literals: [...nestedSlashComments, backtickName, block('"""', "${"), line('"', "${"), character],
  ends: "line",
  // Context receivers stand before a function like an annotation: `context(Logger) fun log()`.
  annotation: new RegExp(`${atAnnotation.source}|context(?=\\()`, "y"),
  parametersOpen:
    /(?:\s*<[^(){}=\n]{0,300}>)?(?:\s*(?:@[\w.]+(?:\([^()]{0,200}\))?\s+){0,5}(?:(?:public|protected|private|internal|expect|actual)\s+){0,2}constructor)?\s*(?=\()/y,
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

/** `extension [T](list: List[T])(using Order[T])` */
const extensionHead =
  "extension\\s*(?:\\[[^\\]\\n]{0,200}\\]\\s*)?(?:\\((?:[^()\\n]|\\([^()\\n]{0,100}\\)){0,300}\\)\\s*){1,4}"

/** Scala, with braces or with indentation. */
export const scala: Patterns = {
  literals: [...nestedSlashComments, backtickName, block('"""', "${"), line('"', "${"), character],
  ends: "line",
  hasIndentedBlocks: true,
  // The head of an extension stands before its methods like an annotation, unless a block encloses them.
  annotation: new RegExp(`${atAnnotation.source}|${extensionHead}(?=[@\\w])`, "y"),
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
