/** Zig. */
import type { Patterns } from "../Declarations.ts"
import { character, line, lineComment, modifiers } from "./common.ts"

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
