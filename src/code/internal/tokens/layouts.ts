/** The meaning of layout in the languages whose tokens are found by their comments and strings. */
import { patterns as elixir } from "../../languages/elixir/patterns.ts"
import { patterns as lua } from "../../languages/lua/patterns.ts"
import { dart, objectiveC, solidity, swift, zig } from "../../languages/patterns/braces.ts"
import {
  block,
  blockComment,
  character,
  line,
  lineComment,
  nestedSlashComments,
  slashComments,
} from "../../languages/patterns/common.ts"
import { groovy, kotlin, scala } from "../../languages/patterns/jvm.ts"
import { protobuf, sql, terraform } from "../../languages/patterns/schemas.ts"
import { julia, r } from "../../languages/patterns/scripting.ts"
import type { Patterns } from "../../Symbols/internal/patterns/Declarations.ts"
import type { Literal } from "../../Symbols/internal/patterns/Masked.ts"
import type { LiteralLayout } from "./literalTokens.ts"
import type { Layout } from "./TokenWriter.ts"

const freeForm: Layout = { lines: "nothing", keepsSpaces: false, dropsCommas: true }
const statements: Layout = { lines: "statement", keepsSpaces: false, dropsCommas: true }
const spaced: Layout = { lines: "command", keepsSpaces: true, dropsCommas: false }

const chained: Layout = { ...statements, continues: /^(?:\.|\?\.|\?:|&&|\|\||else|catch|finally)$/ }

/** A line for the preprocessor, with the lines that a backslash joins to it. */
const directive: Literal = { open: "^[ \\t]*#(?:[^\\\\\\n]|\\\\[^])*", close: "", kind: "comment" }

/**
 * A here document may end in ways that a text cannot say: the rest of the file is read as a part of it, and has no
 * tokens.
 */
const hereDocument = (open: string): Literal => ({ open, close: "\0" })

/** `"…"`, which may have several lines. */
const quoted = (quote: string, code?: string): Literal => ({ ...block(quote, code), escapes: true })

const c: ReadonlyArray<Literal> = [
  directive,
  ...slashComments,
  { open: '(?:u8|[uUL])?R"[^()\\s\\\\]{0,16}\\(', close: (open) => `)${open.slice(open.indexOf('"') + 1, -1)}"` },
  line('"'),
  character,
]

/** Makes the layouts of languages that the outline finds by patterns, which describe their comments and strings. */
const layoutsOf = (
  languages: Readonly<Record<string, Patterns>>,
  layout: Layout,
  more: ReadonlyArray<Literal> = [],
): ReadonlyArray<readonly [string, LiteralLayout]> =>
  Object.entries(languages).map(([id, { literals }]) => [id, { ...layout, literals: [...more, ...literals] }])

/** The layouts, by the id of the language. */
export const layoutsByLanguage: ReadonlyMap<string, LiteralLayout> = new Map([
  ["go", { ...statements, literals: [...slashComments, block("`"), line('"'), character] }],
  [
    "rust",
    {
      ...freeForm,
      literals: [
        ...nestedSlashComments,
        { open: 'b?r#*"', close: (open) => `"${open.replaceAll(/[^#]/g, "")}` },
        quoted('"'),
        character,
      ],
    },
  ],
  [
    "java",
    {
      ...freeForm,
      literals: [...slashComments, { open: '"""', close: '"""', escapes: true }, line('"'), line("'")],
    },
  ],
  ["c", { ...freeForm, literals: c }],
  ["cpp", { ...freeForm, literals: c }],
  [
    "csharp",
    {
      ...freeForm,
      literals: [
        directive,
        ...slashComments,
        { open: '"{3,9}', close: (open) => open },
        { open: '(?:@\\$?|\\$@)"', close: '"' },
        line('"'),
        character,
      ],
    },
  ],
  [
    "php",
    {
      ...freeForm,
      literals: [
        { open: "\\?>", close: "<?" },
        lineComment("\\/\\/"),
        lineComment("#(?!\\[)"),
        blockComment,
        hereDocument("<<<"),
        quoted('"'),
        quoted("'"),
      ],
    },
  ],
  [
    "ruby",
    {
      ...spaced,
      literals: [
        { open: "^=begin", close: "\n=end", kind: "comment" },
        lineComment("#"),
        hereDocument("<<[-~]?[\"'`]?[A-Z_]"),
        { open: "%[qQwWiIrsx]?(?:\\[[^[\\]]*\\]|\\([^()]*\\)|\\{[^{}]*\\})", close: "" },
        hereDocument("%[qQwWiIrsx]?[^\\w\\s=]"),
        { open: "(?<=[=(,~|&!]\\s{0,5})\\/(?:[^\\/\\\\\\n]|\\\\.)+\\/", close: "" },
        quoted('"', "#{"),
        quoted("'"),
        quoted("`"),
      ],
    },
  ],
  [
    "bash",
    {
      ...spaced,
      tight: { after: "", before: "" },
      literals: [
        { open: "\\\\[^]", close: "" },
        lineComment("(?<=^|[\\s;(])#"),
        hereDocument("<<(?!<)"),
        { open: "\\$'", close: "'", escapes: true },
        block("'"),
        quoted('"', "$("),
        { open: "\\$\\{[^{}\\n]*\\}", close: "" },
      ],
    },
  ],
  [
    "css",
    {
      lines: "nothing",
      keepsSpaces: true,
      tight: { after: "([{},;:>", before: ")]{},;>" },
      dropsCommas: false,
      literals: [blockComment, line('"'), line("'")],
    },
  ],
  ...layoutsOf({ dart, protobuf, solidity, zig }, freeForm),
  ...layoutsOf({ "objective-c": objectiveC }, freeForm, [directive]),
  ...layoutsOf({ lua, sql }, { ...freeForm, dropsCommas: false }),
  ...layoutsOf({ groovy, kotlin }, chained),
  ...layoutsOf({ r, terraform }, statements),
  ...layoutsOf({ elixir, julia, scala, swift }, spaced),
])
