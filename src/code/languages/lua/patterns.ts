/** Lua, and Luau. */
import type { Patterns } from "../../Symbols/internal/patterns/Declarations.ts"
import { line, lineComment } from "../patterns/common.ts"

const longBracket = (open: string): string => open.replace("--", "").replaceAll("[", "]")

/** A function that is the value of a name or of a key. */
const assignedFunction = /[\w\]]\s*=\s*function\b/g

export const patterns: Patterns = {
  literals: [
    { open: "--\\[=*\\[", close: longBracket, kind: "comment" },
    lineComment("--"),
    { open: "\\[=*\\[", close: longBracket },
    line('"'),
    line("'"),
  ],
  words: { open: "\\b(?:function|if|do|repeat)\\b", close: "\\b(?:end|until)\\b" },
  ends: "line",
  hasEntries: true,
  assignedField: /(?<=^[ \t]*)self\.(?<name>\w+)\s*=(?!=)\s*(?<function>function\s*(?=\())?/gm,
  declarations: [
    { kind: "function", pattern: /(?:local\s+)?function\s+(?:(?<owner>[\w.]{1,200})[.:])?(?<name>\w+)\s*(?=\()/y },
    { kind: "function", pattern: /(?:local\s+)?(?:(?<owner>[\w.]{1,200})\.)?(?<name>\w+)\s*=\s*function\s*(?=\()/y },
    // A table with functions in it is like a class; the table that a module returns is the module itself.
    { kind: "class", in: "file", holds: assignedFunction, pattern: /local\s+(?<name>\w+)\s*=\s*(?=\{)/y },
    {
      kind: "class",
      holds: assignedFunction,
      pattern: /(?:(?<owner>[\w.]{1,200})\.)?(?<name>\w+)\s*=\s*(?=\{)/y,
    },
    { kind: "scope", in: "type", holds: assignedFunction, pattern: /\[[^\]\n]{1,200}\]\s*=\s*(?=\{)/y },
    { kind: "module", in: "file", holds: assignedFunction, pattern: /return\s*(?=\{)/y },
    {
      kind: "field",
      in: "file",
      isOfDeclared: true,
      pattern: /(?<owner>\w[\w.]{0,199})\.(?<name>\w+)\s*=(?!=)/y,
    },
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
