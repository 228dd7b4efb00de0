/** What a source file defines and which names it uses. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Symbols extends Context.Tag("vibe/code/Symbols")<Symbols, Service>() {}

export type Kind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "type"
  | "enum"
  | "constant"
  | "variable"
  | "field"
  | "module"

export interface CodeSymbol {
  readonly name: string
  readonly kind: Kind
  /** Qualified name of the symbol it stands in: `Outer.Inner`; none at the top. */
  readonly container: string | undefined
  /** 1-based, both inclusive; without the doc comment. */
  readonly startLine: number
  readonly endLine: number
  /** Offsets into the text (UTF-16), so that `text.slice(start, end)` is the symbol's source. */
  readonly start: number
  readonly end: number
  /** Its declaration without a body, on one line, at most 200 characters. */
  readonly signature: string
  /** Its doc comment without comment marks, as plain text; none where there is none. */
  readonly doc: string | undefined
  readonly exported: boolean
}

export interface Outline {
  /** In order of their start. */
  readonly symbols: ReadonlyArray<CodeSymbol>
  /** How often each identifier occurs, definitions included. */
  readonly identifiers: ReadonlyMap<string, number>
  /** What it imports, as written: `./Foo.ts`, `os.path`, `fmt`. */
  readonly imports: ReadonlyArray<string>
  /** Why it has no symbols, or not all, in words; none where all went well. */
  readonly note: string | undefined
  /** The limit at which outlining stopped; none where it went to its end, or the text was refused beforehand. */
  readonly cut: Cut | undefined
}

/**
 * `work`: the parser's work is counted, and another attempt stops at the same place. `time`: the machine was too slow,
 * and another attempt may find more.
 */
export type Cut = "work" | "time"

export interface Service {
  /** Never fails: hostile source costs little and yields an outline with a `note`. `path` chooses the language. */
  readonly outline: (path: string, text: string) => Effect.Effect<Outline>
}
