/** A symbol of the indexed code, and its purpose. */
import * as Schema from "effect/Schema"
import * as Digest from "./Digest.ts"

/** The origin of a purpose: written by a language model, or the beginning of the comment of the symbol. */
export const Origin = Schema.Literal("model", "comment")
export type Origin = typeof Origin.Type

export const Purpose = Schema.Struct({
  text: Schema.NonEmptyString,
  origin: Origin,
  /** `provider/name` of the model that wrote it; none for a comment. */
  model: Schema.optional(Schema.String),
  /**
   * The node of the forest with the call that recorded it, of the forest in which the model ran; none for a comment.
   */
  node: Schema.optional(Schema.String),
  /** Whether the symbol has changed since; never true of a comment. */
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
  /** Relative to the root, with `/`. */
  path: Schema.String,
  name: Schema.String,
  /** The qualified name of the symbol around it. */
  container: Schema.optional(Schema.String),
  kind: Kind,
  startLine: Schema.Number,
  endLine: Schema.Number,
  signature: Schema.String,
  doc: Schema.optional(Schema.String),
  exported: Schema.Boolean,
  /** How many other files use its name, divided by the number of files that define the name. */
  usedBy: Schema.Number,
  /** The hash of kind, qualified name and source text (`contentHash`). It does not change when the symbol is moved. */
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
}): boolean =>
  (majorKinds.has(symbol.kind) && (symbol.exported || symbol.container === undefined)) || symbol.usedBy >= 2

const majorKinds: ReadonlySet<string> = new Set(["function", "class", "interface", "type", "enum"])

/** 64 bits of SHA-256. LF and CRLF line endings give the same hash, since Git may check out either. */
export const contentHash = (kind: string, qualifiedName: string, source: string): string =>
  Digest.sha256(`${kind}\0${qualifiedName}\0${source.replaceAll("\r\n", "\n")}`).slice(0, 16)
