/** A symbol of the indexed code, and its purpose. */
import * as Data from "effect/Data"

/** The origin of a purpose: written by a language model, or the beginning of the comment of the symbol. */
export const origins = ["model", "comment"] as const
export type Origin = (typeof origins)[number]

export interface Purpose {
  /** The text has at least one character. */
  readonly text: string
  readonly origin: Origin
  /** The model that wrote it, as `provider/name`; undefined for a comment. */
  readonly model?: string | undefined
  /** The node with the call that recorded it, in the forest in which the model ran; undefined for a comment. */
  readonly node?: string | undefined
  /** True if the symbol has changed since; always false for a comment. */
  readonly stale: boolean
  /** Why it failed a check when it was recorded (`PurposeCheck`); undefined if it passed, and for a comment. */
  readonly weak?: string | undefined
  /**
   * True if its model was asked for a better one and had none: `--refresh-weak` then asks only another model. Of a
   * comment: a model had nothing to add to it, so that `--documented` does not ask again. Never set on a purpose of a
   * model that passed.
   */
  readonly confirmed?: boolean | undefined
  /** The lines of the source that support it, counted from the first line of the symbol, which is 0. */
  readonly lines?: ReadonlyArray<number> | undefined
}

/**
 * Returns a purpose without the question at its end, which models write for the search. Used when there is little room.
 * A purpose that is only a question stays as it is. A dot within a word, as in `items.0`, and three dots, as in
 * `[FILE]...`, end no sentence.
 */
export const statementOf = ({ text }: Pick<Purpose, "text">): string =>
  /^(.+(?<!\.)[.!])\s+(?:[^.!?]|[.!?](?=\S)|(?<=\.\.)\.)+\?$/.exec(text)?.[1] ?? text

export const kinds = [
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
  // A file without symbols, see FileEntry; it is an answer of the search alone.
  "file",
  // A route that a file registers, see RouteTable; it is an answer to its own name alone.
  "route",
] as const
export type Kind = (typeof kinds)[number]

export class IndexEntry extends Data.Class<{
  /** The path relative to the root, with `/`. */
  readonly path: string
  readonly name: string
  /** The qualified name of the symbol around it. */
  readonly container?: string | undefined
  readonly kind: Kind
  readonly startLine: number
  readonly endLine: number
  readonly signature: string
  readonly doc?: string | undefined
  readonly exported: boolean
  /** How many other files use it, by resolved references. */
  readonly usedBy: number
  /** True if the index should explain it, see `majorWhen`. */
  readonly isMajor: boolean
  /** The hash of kind, qualified name and source text (`SymbolHashes`). It does not change when the symbol is moved. */
  readonly hash: string
  /** The hash of kind, qualified name and tokens (`SymbolHashes`); undefined if the tokens cannot be read. */
  readonly tokens?: string | undefined
  readonly purpose?: Purpose | undefined
  /**
   * True if a model was asked for a purpose and found nothing to say that name and signature do not: there is no
   * purpose then, and the symbol is not open while its source is the same.
   */
  readonly isSelfExplanatory?: boolean | undefined
}> {
  get qualifiedName(): string {
    return qualify(this.name, this.container)
  }
}

/**
 * Returns whether a model should explain it: a major symbol with a stale purpose, or with none although it is not
 * self-explanatory.
 */
export const isOpen = ({ isMajor, isSelfExplanatory = false, purpose }: IndexEntry): boolean =>
  isMajor && (purpose === undefined ? !isSelfExplanatory : purpose.stale)

/** The key of a symbol with its present source: it changes with the source, and not with the line. */
export const versionOf = ({ hash, path, qualifiedName }: IndexEntry): string => `${path}\0${qualifiedName}\0${hash}`

export const qualify = (name: string, container: string | undefined): string =>
  container === undefined ? name : `${container}.${name}`

/**
 * Says when a symbol is major, that is, when other code can use it and the index should explain it: `always`, as soon
 * as another file uses it (`used`), or `never`.
 */
export type MajorWhen = "always" | "used" | "never"

/**
 * Returns when a symbol is major.
 *
 * - Always: functions, classes, interfaces, enums and types that are exported or at the top level; methods with a body
 *   of five lines or more; and the public methods of classes and CommonJS modules, except for accessors and
 *   boilerplate.
 * - As soon as they are used: other functions and methods, and exported constants.
 * - Never: fields, variables, and everything inside a function, which is a part of that function; types in one line
 *   within another type, such as the associated types of Rust; what nearly every type has, such as copies and
 *   comparisons; and the tests in a module `tests` beside the code.
 *
 * `parentKind` is the kind of the symbol around it, if that is in the same file.
 */
export const majorWhen = (symbol: Outlined, parentKind: Kind | undefined): MajorWhen => {
  const { container, exported, kind, name } = symbol
  const isInFunction = parentKind === "function" || parentKind === "method"
  if (isInFunction && !exported) return "never"
  const isTopLevel = container === undefined || parentKind === "module"
  if (isInTests(symbol, parentKind) || (kind === "type" && !isTopLevel && symbol.endLine === symbol.startLine)) {
    return "never"
  }
  if (definitions.has(kind)) return isTopLevel || exported ? "always" : "used"
  if (kind === "constant") return isTopLevel && exported ? "used" : "never"
  if (kind !== "method" || boilerplate.test(name) || isDerivable.test(symbol.signature)) return "never"
  if (symbol.endLine - symbol.startLine >= MIN_BODY_LINES) return "always"
  // The methods of an interface are explained by it, and short constructors and operators by their class.
  const isPublic = exported && !isDeclaredIn(parentKind) && !special.test(name)
  return isPublic && !isAccessor(symbol) ? "always" : "used"
}

/** The facts about a symbol that `majorWhen` needs. */
export interface Outlined {
  readonly name: string
  readonly kind: Kind
  readonly container?: string | undefined
  readonly startLine: number
  readonly endLine: number
  readonly signature: string
  readonly exported: boolean
}

const definitions: ReadonlySet<string> = new Set(["function", "class", "interface", "type", "enum"])

const MIN_BODY_LINES = 5

const isDeclaredIn = (parentKind: string | undefined): boolean => parentKind === "interface" || parentKind === "type"

/** Returns whether a method has at most three lines and no parameters, or only sets something. */
const isAccessor = ({ endLine, name, signature, startLine }: Outlined): boolean =>
  endLine - startLine <= 2 && (withoutParameters.test(signature) || /^_?set(?:[_A-Z]|$)/.test(name))

const withoutParameters = /\(\s*(?:(?:&(?:'\w+ )?)?(?:mut )?self|cls|this)?\s*,?\s*\)/

const special = /^(?:__\w+__|constructor|initialize)$/

/** Methods that nearly every class has: representation, comparison, copies. */
const boilerplate =
  /^(?:__(?:repr|str|bytes|format|eq|ne|lt|le|gt|ge|hash|bool|nonzero|len|sizeof|dir|copy|deepcopy|reduce|reduce_ex|getstate|setstate|getnewargs|init_subclass|class_getitem|slots|del)__|toString|ToString|equals|Equals|hashCode|GetHashCode|finalize|Finalize)$/

/** Implementations of Rust and operators of Swift that a compiler can write, or that all types have. */
const isDerivable =
  /^impl (?:std::|core::|fmt::)*(?:Clone|Debug|Display|Default|PartialEq|Eq|PartialOrd|Ord|Hash|Hasher): |\bfunc (?:==|hash\(into)/

/**
 * Returns whether a symbol is in a module `tests` or `test`, in which Rust has the tests of the file around it, with
 * their helpers and types.
 */
const isInTests = ({ container }: Outlined, parentKind: Kind | undefined): boolean =>
  container !== undefined &&
  (parentKind === "module" ? /(?:^|\.)tests?$/.test(container) : /^tests\.|\.tests\./.test(container))

/**
 * Finds a symbol of the index among those that its file has now, by its qualified name. If several have it, takes the
 * one that begins nearest.
 */
export const sameSymbol = (
  symbols: ReadonlyArray<IndexEntry>,
  { qualifiedName, startLine }: Pick<IndexEntry, "qualifiedName" | "startLine">,
): IndexEntry | undefined => {
  const distance = (symbol: IndexEntry) => Math.abs(symbol.startLine - startLine)
  const named = symbols.filter((symbol) => symbol.qualifiedName === qualifiedName)
  return named.toSorted((one, other) => distance(one) - distance(other))[0]
}
