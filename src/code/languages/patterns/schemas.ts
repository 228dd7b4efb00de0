/** The patterns of languages that describe data and services: GraphQL, Protocol Buffers, SQL and Terraform. */
import type { Declaration, Patterns } from "../../Symbols/internal/patterns/Declarations.ts"
import { blockComment, line, lineComment, slashComments } from "./common.ts"

/** GraphQL: schemas and operations. */
export const graphQl: Patterns = {
  literals: [
    lineComment("#"),
    { open: '"""', close: '"""', kind: "doc" },
    { open: '^[ \\t]*"', close: '"', isLine: true, escapes: true, kind: "doc" },
    { open: '"', close: '"', isLine: true, escapes: true },
  ],
  ends: "line",
  declarations: [
    { kind: "scope", pattern: /extend\s+(?:type|input|interface|union|enum|scalar)\s+(?<owner>\w+)/y },
    { kind: "class", pattern: /(?:type|input)\s+(?<name>\w+)/y },
    { kind: "interface", pattern: /interface\s+(?<name>\w+)/y },
    { kind: "type", pattern: /(?:union|scalar)\s+(?<name>\w+)/y },
    { kind: "enum", isLeaf: true, pattern: /enum\s+(?<name>\w+)/y },
    { kind: "function", in: "file", pattern: /(?:query|mutation|subscription|fragment|directive)\s+@?(?<name>\w+)/y },
    { kind: "method", in: "type", pattern: /(?<name>\w+)\s*(?=\()/y },
    { kind: "field", in: "type", pattern: /(?<name>\w+)\s*(?=:)/y },
  ],
  keywords:
    "directive enum extend fragment implements input interface mutation on query repeatable scalar schema subscription type union",
}

/** Protocol Buffers. */
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

/** Matches `create or replace temporary KIND if not exists schema.name`. */
const create = (kind: Declaration["kind"], words: string): Declaration => ({
  kind,
  isLeaf: true,
  pattern: new RegExp(
    `(?:create|alter(?=\\s+(?:proc|function)))\\s+(?:or\\s+(?:replace|alter)\\s+)?(?:(?:global|local|temp|temporary|unlogged|foreign|external|virtual|materialized|recursive|force|noforce|editionable|noneditionable|constraint|secure|definer\\s*=\\s*\\S{1,100}|algorithm\\s*=\\s*\\w+|sql\\s+security\\s+\\w+)\\s+){0,6}(?:${words})\\s+(?:if\\s+not\\s+exists\\s+)?(?:${sqlName}\\s*\\.\\s*){0,2}(?<name>${sqlName})`,
    "iy",
  ),
})

const sqlName = '(?:[\\w$#@]+|"[^"\\n]+"|`[^`\\n]+`|\\[[^\\]\\n]+\\])'

/** SQL: the objects that the dialects of PostgreSQL, MySQL, SQLite, SQL Server and Oracle create. */
export const sql: Patterns = {
  literals: [lineComment("--"), blockComment, { open: "'", close: "'" }, { open: "\\$\\w*\\$", close: (open) => open }],
  words: {
    open: "\\b(?:begin(?!\\s*(?:;|transaction|work|tran\\b))|case)\\b",
    close: "\\bend\\b(?!\\s+(?:if|loop|while|repeat|for)\\b)",
  },
  ends: "semicolon",
  declarations: [
    create("class", "table|view"),
    create("function", "function|procedure|proc|trigger|aggregate|macro"),
    create("type", "type|domain"),
    create("module", "schema|package(?:\\s+body)?"),
    create("variable", "sequence"),
  ],
  keywords: "",
}

/** Terraform. */
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
