/** PowerShell. */
import type { Patterns } from "../Declarations.ts"
import { lineComment } from "./common.ts"

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
  imports: /(?:Import-Module|using\s+module)\s+([\w./\\-]+)/iy,
  keywords:
    "begin break catch class continue do dynamicparam else elseif end enum exit filter finally for foreach function if in param process return switch throw trap try until using while",
}
