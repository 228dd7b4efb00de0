/** Solidity. */
import type { Patterns } from "../Declarations.ts"
import { line, slashComments } from "./common.ts"

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
