/** Lua, and Luau. */
import type { Patterns } from "../Declarations.ts"
import { line, lineComment } from "./common.ts"

const longBracket = (open: string): string => open.replace("--", "").replaceAll("[", "]")

export const lua: Patterns = {
  literals: [
    { open: "--\\[=*\\[", close: longBracket, kind: "comment" },
    lineComment("--"),
    { open: "\\[=*\\[", close: longBracket },
    line('"'),
    line("'"),
  ],
  words: { open: "\\b(?:function|if|do|repeat)\\b", close: "\\b(?:end|until)\\b" },
  ends: "line",
  declarations: [
    { kind: "function", pattern: /(?:local\s+)?function\s+(?:(?<owner>[\w.]{1,200})[.:])?(?<name>\w+)\s*(?=\()/y },
    { kind: "function", pattern: /(?:local\s+)?(?:(?<owner>[\w.]{1,200})\.)?(?<name>\w+)\s*=\s*(?=function\b)/y },
    { kind: "type", pattern: /(?:export\s+)?type\s+(?<name>\w+)/y },
    { kind: "variable", pattern: /local\s+(?<name>\w+)\s*(?:<\s*\w+\s*>\s*)?=(?!\s*require\b)/y },
    { kind: "variable", pattern: /(?<name>[A-Z]\w*)\s*=(?![=]|\s*require\b)/y },
  ],
  importCalls: /\brequire\s*\(?\s*["']([^"'\n]+)["']/g,
  exports: /return\s*(\w+|\{[^{}]{0,2000}\})/y,
  isPrivate: /^local\b/,
  keywords:
    "and break do else elseif end false for function goto if in local nil not or repeat return self then true until while",
}
