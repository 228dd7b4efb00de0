/** A symbol of the indexed code and what it is for. */
import * as Schema from "effect/Schema"
import * as Digest from "./Digest.ts"

/**
 * Where a purpose came from: a language model wrote it, it was read off the symbol's own comment, or it was derived
 * from name, signature and callers. The tool sets it, never the model.
 */
export const Origin = Schema.Literal("model", "comment", "derived")
export type Origin = typeof Origin.Type

export const Purpose = Schema.Struct({
  text: Schema.NonEmptyString,
  origin: Origin,
  /** `provider/name` of the model that wrote it. */
  model: Schema.String,
  /** The node of the forest that holds the call: in the forest of whoever ran the model. */
  node: Schema.String,
  /** The symbol has changed since. */
  stale: Schema.Boolean,
})
export type Purpose = typeof Purpose.Type

export const Kind = Schema.Literal(
  "function",
  "method",
  "class",
  "interface",
  "type",
  "enum",
  "constant",
  "variable",
  "field",
  "module",
)

export class IndexEntry extends Schema.Class<IndexEntry>("vibe/indexing/IndexEntry")({
  /** Root-relative with `/`. */
  path: Schema.String,
  name: Schema.String,
  /** Qualified name of what it stands in. */
  container: Schema.optional(Schema.String),
  kind: Kind,
  startLine: Schema.Number,
  endLine: Schema.Number,
  signature: Schema.String,
  doc: Schema.optional(Schema.String),
  exported: Schema.Boolean,
  /** How many other files use it: of a name that several files define, its share of them. */
  usedBy: Schema.Number,
  /** Of kind, qualified name and source text: the same wherever the symbol moves, another when it changes. */
  hash: Schema.String,
  purpose: Schema.optional(Purpose),
}) {
  get qualifiedName(): string {
    return qualified(this.name, this.container)
  }

  get isMajor(): boolean {
    return isMajor(this)
  }
}

export const qualified = (name: string, container: string | undefined): string =>
  container === undefined ? name : `${container}.${name}`

/** An exported or top-level function, class, interface, type or enum, or anything used by two other files. */
export const isMajor = (symbol: {
  readonly kind: string
  readonly container?: string | undefined
  readonly exported: boolean
  readonly usedBy: number
}): boolean => (major.has(symbol.kind) && (symbol.exported || symbol.container === undefined)) || symbol.usedBy >= 2

const major: ReadonlySet<string> = new Set(["function", "class", "interface", "type", "enum"])

/**
 * `IndexEntry.hash`: 64 bits of SHA-256, enough to tell a billion symbols apart. The same whether Git checks lines out
 * with a carriage return or without.
 */
export const contentHash = (kind: string, qualifiedName: string, source: string): string =>
  Digest.of(`${kind}\0${qualifiedName}\0${source.replaceAll("\r\n", "\n")}`).slice(0, 16)
