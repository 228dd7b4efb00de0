/** Terraform. */
import type { Patterns } from "../Declarations.ts"
import { blockComment, line, lineComment } from "./common.ts"

export const terraform: Patterns = {
  literals: [
    lineComment("#"),
    lineComment("\\/\\/"),
    blockComment,
    { open: "<<-?\\w{1,50}(?=\\n)", close: (open) => `\n${open.replace(/^<<-?/, "")}\n` },
    line('"', "${"),
  ],
  keepsNames: true,
  ends: "line",
  declarations: [
    { kind: "class", isLeaf: true, pattern: /(?:resource|data|ephemeral)\s+"(?<owner>[\w-]+)"\s+"(?<name>[\w-]+)"/y },
    { kind: "module", isLeaf: true, pattern: /module\s+"(?<name>[\w-]+)"/y },
    { kind: "variable", pattern: /variable\s+"(?<name>[\w-]+)"/y },
    { kind: "constant", pattern: /output\s+"(?<name>[\w-]+)"/y },
    { kind: "scope", pattern: /(?<owner>locals)\s*(?=\{)/y },
    { kind: "constant", pattern: /(?<name>\w+)\s*=(?!=)/y },
  ],
  importCalls: /^\s*source\s*=\s*"([^"\n]+)"/gm,
  keywords: "for_each for if in null true false",
}
