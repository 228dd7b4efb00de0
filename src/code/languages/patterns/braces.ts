/** The patterns of languages with braces: Dart, Objective-C, Solidity, Swift and Zig. */
import type { Patterns } from "../../Symbols/internal/patterns/Declarations.ts"
import {
  atAnnotation,
  backtickName,
  blockComment,
  character,
  line,
  lineComment,
  modifiers,
  nestedSlashComments,
  slashComments,
} from "./common.ts"

/** A type before a name: `Map<String, List<int>>?`, `void Function(int)?`, `(int, String)`. */
const dartType =
  "(?!(?:return|await|throw|assert|if|for|while|switch|else|new|case|yield|import|export|part|library)\\b)(?:[\\w$.]{1,200}(?:<[^;{}=]{0,300}>)?\\??(?:\\s+Function\\([^;{}=]{0,200}\\)\\??)?|\\([^;{}=()]{0,200}\\)\\??)\\s+"

/** Dart. */
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
    { kind: "type", pattern: new RegExp(`typedef\\s+(?:${dartType})?(?<name>[\\w$]+)\\s*(?=[<(=])`, "y") },
    {
      kind: "function",
      pattern: new RegExp(`(?:${dartType})?(?:get|set)\\s+(?<name>[\\w$]+)\\s*(?=[({=;]|async|sync)`, "y"),
    },
    {
      kind: "method",
      in: "type",
      pattern: new RegExp(`(?:${dartType})?operator\\s*(?<name>[-+*/%=<>!&|^~\\[\\]]{1,4})\\s*(?=\\()`, "y"),
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
        `(?:${dartType})?(?!(?:if|for|while|switch|assert|return|super)\\b)(?<name>[\\w$]+)\\s*(?:<[^;{}=()]{0,200}>)?\\s*(?=\\()`,
        "y",
      ),
      follows: /\s*(?:async\b|sync\b|\{|=>|;)/y,
    },
    { kind: "constant", pattern: new RegExp(`(?:final|const)\\s+(?:${dartType})?(?<name>[\\w$]+)\\s*(?=[=;,])`, "y") },
    { kind: "variable", pattern: new RegExp(`(?:var\\s+|${dartType})(?<name>[\\w$]+)\\s*(?=[=;,])`, "y") },
  ],
  imports: /(?:import|export|part)\s+['"]([^'"\n]*)/y,
  isPrivateName: /^_/,
  keywords:
    "abstract as assert async await base break case catch class const continue covariant default deferred do dynamic else enum export extends extension external factory false final finally for get if implements import in interface is late library mixin new null on operator part required rethrow return sealed set show static super switch sync this throw true try typedef var void when while with yield",
}

const objectiveCType =
  "(?!(?:return|else|case|typedef|goto|extern\\s*\\{)\\b)(?:[\\w]+\\s*(?:<[^<>;{}()]{0,200}>\\s*)?[\\s*]+(?:_Nullable\\s+|_Nonnull\\s+|const\\s+)?){1,6}"

/** Returns `initWithFrame:style:` for `- (id)initWithFrame:(CGRect)frame style:(int)style`. */
const selector = (declaration: string): string => {
  const parts = declaration.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, " ").replace(/^[-+]\s*/, "")
  const labels = parts.match(/[\p{L}\p{M}\p{N}_]+\s*:/gu)?.map((label) => label.replace(/\s+/g, "")) ?? []
  return labels.length > 0 ? labels.join("") : (/[\p{L}\p{M}\p{N}_]+/u.exec(parts)?.[0] ?? "")
}

/** Objective-C, and the functions of C in it. */
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
      pattern: new RegExp(`${objectiveCType}(?<name>\\w+)\\s*(?=\\()`, "y"),
      follows: /\s*\{/y,
    },
    {
      kind: "constant",
      pattern: new RegExp(`(?=[^\\n]{0,200}const\\b)${objectiveCType}(?<name>\\w+)\\s*(?=[=;[])`, "y"),
    },
    { kind: "variable", pattern: new RegExp(`static\\s+${objectiveCType}(?<name>\\w+)\\s*(?=[=;[])`, "y") },
  ],
  imports: /(?:#\s*(?:import|include)|@import)\s+["<]?([^">;\n]+)/y,
  isPrivate: /^static\b/,
  keywords:
    "auto break case char const continue default do double else enum extern float for goto if id inline int long nil nonatomic return self short signed sizeof static strong struct super switch typedef union unsigned void volatile weak while YES NO",
}

/** Solidity. */
export const solidity: Patterns = {
  literals: [...slashComments, line('"'), line("'")],
  ends: "semicolon",
  declarations: [
    { kind: "class", pattern: /(?:abstract\s+)?(?:contract|library)\s+(?<name>[\w$]+)/y },
    { kind: "interface", pattern: /interface\s+(?<name>[\w$]+)/y },
    { kind: "class", isLeaf: true, pattern: /struct\s+(?<name>[\w$]+)/y },
    { kind: "enum", isLeaf: true, pattern: /enum\s+(?<name>[\w$]+)/y },
    { kind: "function", pattern: /function\s+(?<name>[\w$]+)/y },
    { kind: "function", pattern: /modifier\s+(?<name>[\w$]+)/y },
    { kind: "method", in: "type", pattern: /(?<name>constructor|receive|fallback)\s*(?=\()/y },
    { kind: "type", pattern: /(?:event|error|type)\s+(?<name>[\w$]+)/y },
    {
      kind: "field",
      in: "type",
      pattern:
        /(?!(?:using|pragma|import|return|emit)\b)(?:mapping\s*\([^;{}]{1,300}\)|[\w$.]+(?:\[[^\]\n]{0,50}\])*)\s+(?:(?:public|private|internal|constant|immutable|override|transient)\s+){0,4}(?<name>[\w$]+)\s*(?=[=;])/y,
    },
    { kind: "constant", in: "file", pattern: /[\w$]+\s+constant\s+(?<name>[\w$]+)\s*(?==)/y },
  ],
  imports: /import\s+[^"';]{0,300}["']([^"'\n]*)/y,
  isPrivate: /\b(?:private|internal)\b/,
  keywords:
    "abstract address anonymous as assembly bool break bytes calldata case catch constant constructor continue contract default delete do else emit enum error event external fallback false for function if immutable import indexed interface internal is let library mapping memory modifier new override payable pragma private public pure receive return returns revert storage string struct super switch this throw true try type uint256 uint unchecked using view virtual while",
}

/** Swift. */
export const swift: Patterns = {
  literals: [
    ...nestedSlashComments,
    backtickName,
    { open: '(?<!#)#+"""', close: (open) => [...open].reverse().join("") },
    { open: '(?<!#)#+"', close: (open) => [...open].reverse().join("") },
    { open: '"""', close: '"""', escapes: true, code: "\\(" },
    line('"', "\\("),
  ],
  ends: "line",
  annotation: atAnnotation,
  modifiers: modifiers(
    "public (?:public|private|internal|fileprivate|package)\\(set\\) private fileprivate internal open package static class(?=\\s+(?:func|var|let|subscript|override)) final lazy weak unowned(?:\\(\\w+\\))? override mutating nonmutating required convenience dynamic optional indirect prefix postfix infix nonisolated(?:\\(\\w+\\))? async distributed isolated borrowing consuming",
  ),
  declarations: [
    { kind: "class", pattern: /(?:class|struct|actor)\s+(?<name>\w+|`[^`\n]+`)/y },
    { kind: "interface", pattern: /protocol\s+(?<name>\w+)/y },
    { kind: "enum", pattern: /enum\s+(?<name>\w+)/y },
    { kind: "scope", pattern: /extension\s+(?<owner>[\w.]+)/y },
    { kind: "function", pattern: /func\s+(?<name>\w+|`[^`\n]+`|[-+*/%=<>!&|^~?]{1,10})\s*(?=[(<])/y },
    { kind: "function", pattern: /macro\s+(?<name>\w+)\s*(?=[(<])/y },
    { kind: "method", in: "type", pattern: /(?<name>init|subscript)[?!]?\s*(?=[(<])/y },
    { kind: "method", in: "type", pattern: /(?<name>deinit)\b/y },
    { kind: "type", pattern: /(?:typealias|associatedtype)\s+(?<name>\w+)/y },
    { kind: "constant", pattern: /let\s+(?<name>\w+|`[^`\n]+`)/y },
    { kind: "variable", pattern: /var\s+(?<name>\w+|`[^`\n]+`)/y },
  ],
  imports: /(?:@\w+\s+)?import\s+(?:(?:class|struct|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)/y,
  isPrivate: /\b(?:private|fileprivate)\s/,
  keywords:
    "actor any as associatedtype async await break case catch class continue convenience default defer deinit didSet do dynamic else enum extension fallthrough false fileprivate final for func get guard if import in indirect infix init inout internal is lazy let mutating nil nonisolated open operator optional override postfix prefix private protocol public repeat required rethrows return self Self set some static struct subscript super switch throw throws true try typealias unowned var weak where while willSet",
}

/** Zig. */
export const zig: Patterns = {
  literals: [lineComment("\\/\\/"), { open: "\\\\\\\\[^\\n]*", close: "" }, line('"'), character],
  ends: "semicolon",
  notBlock: /\berror\s*$/,
  modifiers: modifiers('pub export extern(?:\\s+"\\s*)? inline noinline threadlocal comptime'),
  declarations: [
    // A generic container is a function that returns a type.
    { kind: "class", pattern: /fn\s+(?<name>\w+)\s*(?=\()/y, follows: /\s*type\s*\{/y },
    {
      kind: "scope",
      in: "type",
      pattern: /return\s+(?:packed\s+|extern\s+)?(?:struct|union|enum|opaque)\s*(?:\([^()\n]{0,200}\)\s*)?(?=\{)/y,
    },
    { kind: "function", pattern: /fn\s+(?<name>\w+)\s*(?=\()/y },
    {
      kind: "class",
      pattern:
        /const\s+(?<name>\w+)\s*(?::[^=\n]{0,200})?=\s*(?:packed\s+|extern\s+)?(?:struct|union|opaque)\s*(?=[({])/y,
    },
    { kind: "enum", pattern: /const\s+(?<name>\w+)\s*=\s*enum\s*(?=[({])/y },
    { kind: "enum", isLeaf: true, pattern: /const\s+(?<name>\w+)\s*=\s*error\s*(?=\{)/y },
    { kind: "constant", pattern: /const\s+(?<name>\w+)\s*(?=[:=])(?!=\s*@import)/y },
    { kind: "variable", pattern: /var\s+(?<name>\w+)\s*(?=[:=])/y },
  ],
  importCalls: /@import\("([^"\n]+)"\)/g,
  isPrivate: /^(?!pub\b|export\b)/,
  keywords:
    "addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const continue defer else enum errdefer error export extern fn for if inline linksection noalias noinline nosuspend opaque or orelse packed pub resume return struct suspend switch test threadlocal try union unreachable usingnamespace var volatile while true false null undefined",
}
