/** SQL: the objects that the dialects of PostgreSQL, MySQL, SQLite, SQL Server and Oracle create. */
import type { Declaration, Patterns } from "../Declarations.ts"
import { blockComment, lineComment } from "./common.ts"

/** Matches `create or replace temporary KIND if not exists schema.name`. */
const create = (kind: Declaration["kind"], words: string): Declaration => ({
  kind,
  isLeaf: true,
  pattern: new RegExp(
    `(?:create|alter(?=\\s+(?:proc|function)))\\s+(?:or\\s+(?:replace|alter)\\s+)?(?:(?:global|local|temp|temporary|unlogged|foreign|external|virtual|materialized|recursive|force|noforce|editionable|noneditionable|constraint|secure|definer\\s*=\\s*\\S{1,100}|algorithm\\s*=\\s*\\w+|sql\\s+security\\s+\\w+)\\s+){0,6}(?:${words})\\s+(?:if\\s+not\\s+exists\\s+)?(?:${part}\\s*\\.\\s*){0,2}(?<name>${part})`,
    "iy",
  ),
})

const part = '(?:[\\w$#@]+|"[^"\\n]+"|`[^`\\n]+`|\\[[^\\]\\n]+\\])'

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
