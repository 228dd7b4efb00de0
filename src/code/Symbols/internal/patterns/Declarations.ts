/**
 * The patterns of a language, which tell what its declarations look like. There is a table for each language in
 * `languages/`.
 */
import type { Kind } from "../../../Symbols.ts"
import type { Words } from "./Blocks.ts"
import type { Literal } from "./Masked.ts"

export interface Patterns {
  readonly literals: ReadonlyArray<Literal>
  /** Strings keep the names in them: `resource "a" "b"`. */
  readonly keepsNames?: true
  /** Keywords that enclose blocks, besides brackets. */
  readonly words?: Words
  /**
   * The end of a declaration without a block. `line` is the end of the line, unless the next one is indented deeper.
   * `semicolon` is a semicolon alone. `indentation` is the first line that is not indented deeper, also for
   * declarations with a block.
   */
  readonly ends: "line" | "semicolon" | "indentation"
  /** If the first line of a type ends with a colon, the lines below that are indented deeper are its members. */
  readonly hasIndentedBlocks?: true
  /** The text right before a brace that opens no block. */
  readonly notBlock?: RegExp
  /** Annotations: text before a declaration on lines of its own, which is left out of its signature. Sticky. */
  readonly annotation?: RegExp
  /** Words before a declaration: `public static`. Sticky; may match nothing. */
  readonly modifiers?: RegExp
  /** Tried in order at the beginning of each statement that is not within a function. */
  readonly declarations: ReadonlyArray<Declaration>
  /** Sticky; group 1 is the module specifier. */
  readonly imports?: RegExp
  /** Module specifiers within expressions, in the text with its strings; group 1. Global. */
  readonly importCalls?: RegExp
  /** A statement that exports names, those in group 1: `return M`. Sticky. */
  readonly exports?: RegExp
  /** Matches a declaration (its text up to the name) that is invisible to other files. */
  readonly isPrivate?: RegExp
  /** Matches a name that is private by convention. */
  readonly isPrivateName?: RegExp
  /** Members are entries of a table, which commas separate: `{ a = 1, b = function() end }`. */
  readonly hasEntries?: true
  /**
   * Matches a parameter of a constructor that declares a field: `val size`. Sticky, at the beginning of a parameter in
   * the brackets behind the head of a class, which `parametersOpen` matches up to the bracket; group `name`.
   */
  readonly parameterField?: RegExp
  readonly parametersOpen?: RegExp
  /**
   * Matches an assignment to a field of the object that a method belongs to: `self.a = 1`. Global; group `name`, and
   * `function` if a function is assigned.
   */
  readonly assignedField?: RegExp
  /**
   * Matches what stands between the beginning of a block and the comment within it that documents its declaration, as
   * `@moduledoc` of Elixir. Sticky.
   */
  readonly beforeInnerDoc?: RegExp
  /** Words that are no identifiers. */
  readonly keywords: string
}

export interface Declaration {
  /**
   * The kind of the symbol. `clause` is a function that may be defined by several declarations in a row. `scope` is no
   * symbol, but its members belong to the container, or to the group `owner`. `rest` is a module that holds the rest of
   * the file.
   */
  readonly kind: Kind | "clause" | "scope" | "rest"
  /**
   * Sticky, with the group `name`, `owner` for a container besides the enclosing declarations, and `lead` for words
   * before the signatures of members.
   */
  readonly pattern: RegExp
  /** Matches the text that must follow the brackets behind the pattern. Sticky. */
  readonly follows?: RegExp
  /** The declaration counts only directly in a type (`type`), or only outside of types (`file`). */
  readonly in?: "type" | "file"
  /** Returns the name, if it is not the group. */
  readonly name?: (match: string) => string
  /** Its block must hold a match of this. Global. */
  readonly holds?: RegExp
  /** Match members in the text behind the pattern: fields and constructors of a record. Global; group `name`. */
  readonly members?: ReadonlyArray<RegExp>
  /** It counts only if the file declares the first part of its owner, such as `M` of `M.options.a = 1`. */
  readonly isOfDeclared?: true
  /** It has no members, although its kind does. */
  readonly isLeaf?: true
}
