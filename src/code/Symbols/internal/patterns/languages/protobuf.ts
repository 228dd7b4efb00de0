/** Protocol Buffers. */
import type { Patterns } from "../Declarations.ts"
import { line, slashComments } from "./common.ts"

export const protobuf: Patterns = {
  literals: [...slashComments, line('"'), line("'")],
  ends: "semicolon",
  declarations: [
    { kind: "class", pattern: /message\s+(?<name>\w+)/y },
    { kind: "enum", isLeaf: true, pattern: /enum\s+(?<name>\w+)/y },
    { kind: "interface", pattern: /service\s+(?<name>\w+)/y },
    { kind: "method", pattern: /rpc\s+(?<name>\w+)/y },
    { kind: "scope", pattern: /(?:oneof|extend)\s+[\w.]+/y },
    {
      kind: "field",
      in: "type",
      pattern: /(?:(?:repeated|optional|required)\s+)?(?:map\s*<[^<>]{1,200}>|[\w.]+)\s+(?<name>\w+)\s*=\s*(?=\d)/y,
    },
  ],
  imports: /import\s+(?:public\s+|weak\s+)?["']([^"'\n]*)/y,
  keywords:
    "bool bytes double edition enum extend extensions fixed32 fixed64 float group import int32 int64 map max message oneof option optional package public repeated required reserved returns rpc service sfixed32 sfixed64 sint32 sint64 stream string syntax uint32 uint64 weak",
}
