/** The symbols that a source file defines and the names it uses. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * Reads the symbols that a source file defines, and the names that it uses.
 *
 * When to use it: for the outline of a single text, without an index, and as a layer below `SqliteIndexStore`.
 * `ScannerSymbols` of `vibe-index/code` is the faster implementation; `TreeSitterSymbols` parses TypeScript and
 * JavaScript by tree-sitter too. Questions about a whole project go to `IndexStore`.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect } from "effect"
 * import { Symbols } from "vibe-index"
 * import { ScannerSymbols } from "vibe-index/code"
 *
 * const source = `
 * // Adds two numbers.
 * export const add = (a: number, b: number) => a + b
 *
 * export class Counter {
 *   next() { return 1 }
 * }
 * `
 *
 * const program = Effect.gen(function* () {
 *   const { outline } = yield* Symbols.Symbols
 *   const { symbols } = yield* outline("add.ts", source)
 *   yield* Console.log(symbols.map(({ kind, name, startLine }) => `${startLine}: ${kind} ${name}`).join(", "))
 * })
 *
 * await Effect.runPromise(Effect.provide(program, ScannerSymbols.layer))
 * // prints: 3: function add, 5: class Counter, 6: method next
 * ```
 */
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
  /** Qualified name of the containing symbol: `Outer.Inner`; `undefined` at the top level. */
  readonly container: string | undefined
  /** 1-based, both inclusive; the doc comment is not included. */
  readonly startLine: number
  readonly endLine: number
  /** Offsets into the text (UTF-16), so that `text.slice(start, end)` is the symbol's source. */
  readonly start: number
  readonly end: number
  /** The declaration without its body, on one line, at most 200 characters. */
  readonly signature: string
  /** The doc comment without comment marks, as plain text. */
  readonly doc: string | undefined
  readonly exported: boolean
}

/** The hashes by which a symbol is known again after its file has changed. */
export interface SymbolHashes {
  /** The hash of kind, qualified name and source (`SymbolHashes.contentHash`). */
  readonly source: string
  /** The hash of kind, qualified name and tokens (`SymbolHashes.tokenHash`); undefined if the tokens cannot be read. */
  readonly tokens: string | undefined
}

export interface Outline {
  /** The symbols in order of their start. */
  readonly symbols: ReadonlyArray<CodeSymbol>
  /** How often each identifier occurs, definitions included. */
  readonly identifiers: ReadonlyMap<string, number>
  /** Module specifiers of imports, as written: `./Foo.ts`, `os.path`, `fmt`. */
  readonly imports: ReadonlyArray<string>
  /** The references of the file, as `References.encode` writes them; empty for a language without them. */
  readonly references: string
  /** The reason why symbols are missing, in words; `undefined` for a complete outline. */
  readonly note: string | undefined
  /** The reason why the outline is partial; `undefined` for a complete one, and for a text that was refused. */
  readonly cut: Cut | undefined
  /** The hashes of the symbols, in their order, if the thread that outlined the text has made them. */
  readonly hashes?: ReadonlyArray<SymbolHashes> | undefined
}

/**
 * How the symbols of a language are found. `grammar` parses the file. `patterns` looks for text that resembles a
 * declaration, which is approximate. `scripts` reads the scripts that the files embed. `none` finds no symbols,
 * although the files are source code. `text` files define no symbols: prose, data, settings, and build recipes.
 */
export type OutlineMethod = "grammar" | "patterns" | "scripts" | "none" | "text"

/** The note of a text in a language that `Language` does not know. */
export const UNKNOWN_LANGUAGE = "this language is not outlined"

/**
 * `work` is a count of the parser's work, so that another attempt stops at the same place. `time` is processor time, so
 * that another attempt may find more. `syntax` is a syntax error that hides declarations.
 */
export type Cut = "work" | "time" | "syntax"

export interface Service {
  /**
   * Returns an outline and never fails: hostile source costs little and has an outline with a `note`. The language is
   * `Language.of(path, text)`. The outline depends on the name of the file and its text, not on its folder.
   */
  readonly outline: (path: string, text: string) => Effect.Effect<Outline>
  /**
   * Gives back what is held for the outlines of many texts, such as threads, unless texts are being outlined. A caller
   * that has no more of them uses it; what follows is outlined all the same.
   */
  readonly release?: Effect.Effect<void> | undefined
}
