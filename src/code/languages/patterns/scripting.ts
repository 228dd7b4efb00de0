/** The patterns of dynamic languages: Julia, Perl, PowerShell and R. */
import type { Patterns } from "../../Symbols/internal/patterns/Declarations.ts"
import { lineComment } from "./common.ts"

/** Julia. */
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

/** Perl. */
export const perl: Patterns = {
  literals: [
    { open: "^=[a-zA-Z]", close: "\n=cut", kind: "string" },
    { open: "^__(?:END|DATA)__$", close: "\0" },
    { open: "<<~?\\s*[\"']?[A-Z_]{2,50}[\"']?(?=[^\\n]*\\n)", close: (open) => `\n${/[A-Z_]+/.exec(open)?.[0]}\n` },
    // The `#` of `$#array` or of a pattern begins no comment.
    lineComment("(?<![$\\\\\\w{])#"),
    // This is a pattern, which begins if an operand is expected.
    {
      open: "(?<=[=~(,!&|?:]\\s{0,3}|\\bsplit\\s{1,3}|\\bif\\s{1,3}|\\bunless\\s{1,3}|\\band\\s{1,3})/(?:[^/\\\\\\n]|\\\\.)+/",
      close: "",
    },
    { open: "\\b(?:m|qr|q|qq|qw)\\s*/(?:[^/\\\\\\n]|\\\\.)*/", close: "" },
    { open: "\\b(?:s|tr|y)/(?:[^/\\\\\\n]|\\\\.)*/(?:[^/\\\\\\n]|\\\\.)*/", close: "" },
    { open: "\\b(?:m|qr|q|qq)\\s*[!|#](?:[^!|#\\\\\\n]|\\\\.)*[!|#]", close: "" },
    { open: "(?<![\\w$@%&])'", close: "'", escapes: true },
    { open: '(?<![$\\\\])"', close: '"', escapes: true },
  ],
  ends: "semicolon",
  declarations: [
    { kind: "module", pattern: /package\s+(?<name>[\w:]+)(?:\s+v?[\d._]+)?\s*(?=\{)/y },
    { kind: "rest", pattern: /package\s+(?<name>[\w:]+)(?:\s+v?[\d._]+)?\s*;/y },
    { kind: "class", pattern: /(?:class|role)\s+(?<name>[\w:]+)[^;{}\n]{0,200}(?=\{)/y },
    {
      kind: "function",
      pattern:
        /(?:(?:my|our|state|async)\s+)?(?:sub|method|fun)\s+(?:(?<owner>[\w:]{1,200})::)?(?<name>\w+)\s*(?=[({:])/y,
    },
    { kind: "constant", pattern: /use\s+constant\s+(?<name>\w+)/y },
    { kind: "constant", pattern: /Readonly(?:::\w+)?\s+(?:my|our)\s+[$@%](?<name>\w+)/y },
    { kind: "variable", pattern: /our\s+(?<name>[$@%]\w+)\s*(?==)/y },
  ],
  imports: /(?:use|require)\s+([A-Z][\w:]*)/y,
  isPrivateName: /^_/,
  keywords:
    "and cmp default do else elsif eq for foreach ge given gt if last le local lt my ne next no not or our package print redo require return say sub undef unless until use wantarray when while x xor qw",
}

/** PowerShell. */
export const powerShell: Patterns = {
  literals: [
    { open: "<#", close: "#>", kind: "comment" },
    { open: "`.", close: "" },
    lineComment("(?<![\\w$])#"),
    { open: '@"(?=[ \\t\\r]*\\n)', close: '\n"@' },
    { open: "@'(?=[ \\t\\r]*\\n)", close: "\n'@" },
    { open: '"', close: '"', escapes: "`", code: "$(" },
    { open: "'", close: "'" },
  ],
  ends: "line",
  annotation: /\[[\w.]+(?:\([^()\n]{0,300}\))?\](?=\s*\n)/y,
  declarations: [
    {
      kind: "function",
      pattern: /(?:function|filter|workflow)\s+(?:(?:global|script|local|private):)?(?<name>[\w-]+)/iy,
    },
    { kind: "class", pattern: /class\s+(?<name>\w+)/iy },
    { kind: "enum", isLeaf: true, pattern: /enum\s+(?<name>\w+)/iy },
    {
      kind: "method",
      in: "type",
      pattern: /(?:(?:static|hidden)\s+){0,2}(?:\[[\w.[\]]+\]\s*)?(?<name>\w+)\s*(?=\()/iy,
    },
    { kind: "field", in: "type", pattern: /(?:(?:static|hidden)\s+){0,2}(?:\[[^\]\n]{1,200}\]\s*)?\$(?<name>\w+)/iy },
  ],
  beforeInnerDoc: /\{?\s*(?=<#)/y,
  imports: /(?:Import-Module|using\s+module)\s+([\w./\\-]+)/iy,
  keywords:
    "begin break catch class continue do dynamicparam else elseif end enum exit filter finally for foreach function if in param process return switch throw trap try until using while",
}

/** R. */
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
