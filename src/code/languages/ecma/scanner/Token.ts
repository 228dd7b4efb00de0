/**
 * The tokens of TypeScript and JavaScript, in columns: an object for each token would take longer than reading the
 * text. The kind of a punctuator of one character is its character code; other kinds have the numbers below.
 */

export interface Tokens {
  readonly text: string
  /** The number of tokens. The columns are longer, and `kind[count]` is `END`. */
  readonly count: number
  readonly kind: Uint8Array
  readonly start: Int32Array
  readonly end: Int32Array
  /**
   * The token that closes a bracket, the last part of a template, the end of an element; for any other token, the token
   * itself.
   */
  readonly match: Int32Array
  /** 1 for the first token of a line. */
  readonly isFirst: Uint8Array
  /** Start and end offsets of comments, alternating. */
  readonly comments: ReadonlyArray<number>
}

export const END = 0
export const NAME = 1
export const PRIVATE = 2
export const NUMBER = 3
export const STRING = 4
export const REGEX = 5
/** A template as far as its first `${`, or all of it. */
export const TEMPLATE = 6
/** The part from one `}` of a template to the next `${`. */
export const TEMPLATE_MIDDLE = 7
export const TEMPLATE_END = 8
/** The `<` that begins a JSX element, and the `>` or `/>` that ends it. The text of an element has no tokens. */
export const ELEMENT = 9
export const ELEMENT_END = 10

/** `!` and `~` are prefixes only, `+` and `-` are prefixes and operators. */
export const NOT = 33
export const PERCENT = 37
export const AND = 38
export const OPEN_PAREN = 40
export const CLOSE_PAREN = 41
export const STAR = 42
export const PLUS = 43
export const COMMA = 44
export const MINUS = 45
export const DOT = 46
export const SLASH = 47
export const COLON = 58
export const SEMICOLON = 59
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const QUESTION = 63
export const AT = 64
export const OPEN_BRACKET = 91
export const CLOSE_BRACKET = 93
export const CARET = 94
export const OPEN_BRACE = 123
export const BAR = 124
export const CLOSE_BRACE = 125
export const TILDE = 126

export const ARROW = 130
export const OPTIONAL = 131
export const SPREAD = 132
/** `++` and `--`. */
export const STEP = 133
/** All other operators between two operands: `==`, `&&`, `+=`. A `>` is always a token of its own. */
export const BINARY = 134

/** Words that are identifiers only as keys and after a dot. */
export const Reserved = {
  break: 150,
  case: 151,
  catch: 152,
  class: 153,
  const: 154,
  continue: 155,
  debugger: 156,
  default: 157,
  delete: 158,
  do: 159,
  else: 160,
  enum: 161,
  export: 162,
  extends: 163,
  false: 164,
  finally: 165,
  for: 166,
  function: 167,
  if: 168,
  import: 169,
  in: 170,
  instanceof: 171,
  new: 172,
  null: 173,
  return: 174,
  super: 175,
  switch: 176,
  this: 177,
  throw: 178,
  true: 179,
  try: 180,
  typeof: 181,
  var: 182,
  void: 183,
  while: 184,
  with: 185,
} as const

/** Words that are keywords in some places and identifiers elsewhere. */
export const Contextual = {
  abstract: 190,
  accessor: 191,
  as: 192,
  asserts: 193,
  async: 194,
  await: 195,
  declare: 196,
  from: 197,
  get: 198,
  implements: 199,
  infer: 200,
  interface: 201,
  is: 202,
  keyof: 203,
  let: 204,
  module: 205,
  namespace: 206,
  of: 207,
  out: 208,
  override: 209,
  private: 210,
  protected: 211,
  public: 212,
  readonly: 213,
  require: 214,
  satisfies: 215,
  set: 216,
  static: 217,
  type: 218,
  unique: 219,
  yield: 220,
} as const

/** Names of predefined types, which may be identifiers as well. */
export const Predefined = {
  any: 230,
  bigint: 231,
  boolean: 232,
  never: 233,
  number: 234,
  object: 235,
  string: 236,
  symbol: 237,
  undefined: 238,
  unknown: 239,
} as const

export const words: ReadonlyMap<string, number> = new Map(
  [Reserved, Contextual, Predefined].flatMap((words) => Object.entries(words)),
)

export const isReserved = (kind: number): boolean => kind >= Reserved.break && kind < Contextual.abstract

/** Returns whether this is an identifier or a keyword. */
export const isWord = (kind: number): boolean => kind === NAME || kind >= Reserved.break

/** Returns whether this is an identifier, or a keyword that may be one. */
export const isNameable = (kind: number): boolean => kind === NAME || kind >= Contextual.abstract

/** Returns the token after the bracket, template or element that begins at `at`; after any other token, the next. */
export const after = ({ match }: Tokens, at: number): number => (match[at] ?? at) + 1
