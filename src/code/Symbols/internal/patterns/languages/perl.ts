/** Perl. */
import type { Patterns } from "../Declarations.ts"
import { lineComment } from "./common.ts"

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
