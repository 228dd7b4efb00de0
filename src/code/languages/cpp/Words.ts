/** Lists words that the language and its library give a meaning, and finds the names in the body of a macro. */

export const keywords: ReadonlySet<string> = new Set(
  "NULL nullptr true false defined __func__ __FILE__ __LINE__ __VA_ARGS__".split(" "),
)

/** Templates whose instances have the members of their first argument, by `->` or `*`. */
export const pointers: ReadonlySet<string> = new Set(
  "unique_ptr shared_ptr weak_ptr optional reference_wrapper".split(" "),
)

/** Members of those themselves. */
export const membersOfPointers: ReadonlySet<string> = new Set(
  "get reset release swap lock value has_value value_or use_count".split(" "),
)

/** Functions that make such a pointer to an instance of their first argument. */
export const makers: ReadonlySet<string> = new Set("make_unique make_shared".split(" "))

export const collections: ReadonlySet<string> = new Set(
  "array deque forward_list initializer_list list multiset queue set span stack unordered_set vector".split(" "),
)

export const casts: ReadonlySet<string> = new Set("const_cast dynamic_cast reinterpret_cast static_cast".split(" "))

interface Mention {
  readonly name: string
  /** The offset in the body. */
  readonly start: number
}

/** Strings, characters, comments, names, members of something, and what `#` and `##` make other words of. */
const token =
  /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|\/\*[\s\S]*?\*\/|\/\/[^\n]*|##?\s*\w+|\d\w*|(?:\.|->|::)\s*\w+|([A-Za-z_]\w*)(\s*##)?(?:\s*(\())?/g

/** Returns the functions and macros that the body of a macro calls, its parameters excepted. */
export const callsIn = (body: string, parameters: ReadonlySet<string>): ReadonlyArray<Mention> =>
  Array.from(body.matchAll(token)).flatMap(
    ({ 1: name, 2: joined, 3: open, index }): ReadonlyArray<Mention> =>
      name === undefined || joined !== undefined || open === undefined || parameters.has(name) || statements.has(name)
        ? []
        : [{ name, start: index }],
  )

/** Words before a bracket that call nothing. */
const statements: ReadonlySet<string> = new Set("defined do else for if return sizeof switch while".split(" "))
