/** What the patterns of a language can state. There is a table for each language in `languages/`. */
import type { Kind } from "../../../Symbols.ts"
import type { Words } from "./Blocks.ts"
import type { Literal } from "./Masked.ts"

export interface Patterns {
  readonly literals: ReadonlyArray<Literal>
  /** Names stand in strings: `resource "a" "b"`. */
  readonly keepsNames?: true
  /** Keywords around blocks, beside brackets. */
  readonly words?: Words
  /**
   * What ends a declaration without a block. `line`: the end of the line, unless the next one is indented deeper.
   * `semicolon`: that alone. `indentation`: the first line that is not indented deeper, also of declarations with a block.
   */
  readonly ends: "line" | "semicolon" | "indentation"
  /** If the first line of a type ends with a colon, the lines below that are indented deeper are its members. */
  readonly hasIndentedBlocks?: true
  /** The text right before a brace that opens no block. */
  readonly notBlock?: RegExp
  /** What stands before a declaration on lines of its own, and is left out of its signature: annotations. Sticky. */
  readonly annotation?: RegExp
  /** Words before a declaration: `public static`. Sticky; may match nothing. */
  readonly modifiers?: RegExp
  /** Tried in order at the beginning of each statement that is not within a function. */
  readonly declarations: ReadonlyArray<Declaration>
  /** Sticky; group 1 is the module specifier. */
  readonly imports?: RegExp
  /** Module specifiers within expressions, of the text with its strings; group 1. Global. */
  readonly importCalls?: RegExp
  /** A statement that exports names, those in group 1: `return M`. Sticky. */
  readonly exports?: RegExp
  /** Whether a declaration (its text up to the name) is invisible to other files. */
  readonly isPrivate?: RegExp
  /** Whether a name is private by convention. */
  readonly isPrivateName?: RegExp
  /** Words that are no identifiers. */
  readonly keywords: string
}

export interface Declaration {
  /**
   * `clause`: a function that may be defined by several declarations in a row. `scope`: no symbol, but its members belong
   * to the container, or to the group `owner`. `rest`: a module that holds the rest of the file.
   */
  readonly kind: Kind | "clause" | "scope" | "rest"
  /** Sticky, with the group `name`, and `owner` for a container besides the enclosing declarations. */
  readonly pattern: RegExp
  /** What must follow the brackets behind the pattern. Sticky. */
  readonly follows?: RegExp
  /** Only directly in a type (`type`), or only outside of types (`file`). */
  readonly in?: "type" | "file"
  /** The name, where it is not the group. */
  readonly name?: (match: string) => string
  /** It has no members, although its kind does. */
  readonly isLeaf?: true
}
