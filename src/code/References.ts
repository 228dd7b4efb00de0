/**
 * The references of a file, for all languages: expressions that other files resolve. Everything here follows from the
 * text of that file alone.
 *
 * An expression begins with `#3` (the symbol of that ordinal in the file), with `"module"` (a module specifier as
 * written; the empty one is the file itself), with `&Name` (an object without a symbol of its own to which the file
 * adds members), or with `%0` (the first argument that other files pass to the function that the file exports). It goes
 * on with `.name` (a member), `.name/2` (the method of that name with two parameters, if there are several), `.name~2`
 * (a member, or an extension method, that is called with two arguments; `#3~2` is the overload of a method),
 * `.name~2$1-0` (what this method gives to the first parameter of a function that is its second argument; `$+-r` is the
 * receiver of its last argument), `()` (the result of a call), `@` (an instance of the type), `^` (its base types), `[`
 * (a collection of it) and `]` (an element of it). `"~"` is a value of which nothing is known, and only stands before
 * an extension method; `.name~2!` does not stand for one of such a value.
 *
 * `.name>` is a member, or one of the types around the value's, or else what the file sees under that name. `.name>3`
 * goes on with the type of that ordinal, and `.name>!3` only if the value is known. `"."` stands for all packages whose
 * names the file sees.
 */

export interface FileReferences {
  /**
   * The exported names besides the exported symbols. `*` stands for everything that the expression exports, `=` for the
   * module itself.
   */
  readonly exports: ReadonlyArray<NamedExpression>
  /** Base types, by the ordinal of a type. */
  readonly bases: ReadonlyMap<number, ReadonlyArray<string>>
  /** The values of symbols, by ordinal. The value of a function is what it returns. */
  readonly values: ReadonlyMap<number, string>
  /**
   * Members of types that are no symbols, such as a property that a constructor declares as its parameter, and methods
   * of one name by the number of their parameters: `add/2`, with the value `?` if several have that number.
   */
  readonly fields: ReadonlyArray<NamedExpression & { readonly owner: number }>
  /** Members that are assigned to objects, and are no symbols. The name is the qualified one. */
  readonly members: ReadonlyArray<NamedExpression>
  /** Objects that are passed to functions of other modules, which add members to them. */
  readonly extensions: ReadonlyArray<Extension>
  /** The names of the parameters of the function that the file exports. */
  readonly parameters: ReadonlyArray<string>
  /** Ordinals of symbols that only declare types of the one after them that has their name. */
  readonly overloads: ReadonlyArray<number>
  readonly uses: ReadonlyArray<Use>
}

export interface NamedExpression {
  readonly name: string
  readonly expression: string
}

export interface Extension {
  /** The qualified name of the object. */
  readonly object: string
  readonly module: string
  /** Its position among the arguments. */
  readonly argument: number
}

export interface Use {
  readonly expression: string
  readonly places: ReadonlyArray<Place>
}

export interface Place {
  /** The ordinal of the innermost symbol around it; -1 if it is outside of all symbols. */
  readonly symbol: number
  /** 1-based, in order. */
  readonly lines: ReadonlyArray<number>
}

/** Returns the number of type parameters that a signature declares behind a name. */
export const arityOf = (signature: string, name: string): number => {
  const at = signature.indexOf(`${name}<`)
  if (at === -1) return 0
  const list = signature.slice(at + name.length + 1)
  const end = list.indexOf(">")
  return end === -1 ? 0 : list.slice(0, end).split(",").length
}

/** Returns the part of a text of `encode` that other files can depend on: all but the uses. */
export const surfaceOf = (encoded: string): string => {
  const end = encoded.startsWith("u\t") ? 0 : encoded.indexOf("\nu\t")
  return end === -1 ? encoded : encoded.slice(0, end)
}

/** Returns the rest of that text, the uses. */
export const usesOf = (encoded: string): string => {
  const surface = surfaceOf(encoded).length
  return surface === 0 ? encoded : encoded.slice(surface + 1)
}

/** Decodes a text that `surfaceOf` has returned. */
export const decodeSurface = (surface: string): Omit<FileReferences, "uses"> => {
  const exports: Array<NamedExpression> = []
  const bases = new Map<number, Array<string>>()
  const values = new Map<number, string>()
  const fields: Array<NamedExpression & { readonly owner: number }> = []
  const members: Array<NamedExpression> = []
  const extensions: Array<Extension> = []
  const overloads: Array<number> = []
  let parameters: ReadonlyArray<string> = []
  for (const line of surface === "" ? [] : surface.split("\n")) {
    const [kind, one = "", two = "", three = ""] = line.split("\t")
    const number = Number(one)
    if (kind === "e") exports.push({ name: one, expression: two })
    else if (kind === "b") bases.set(number, [...(bases.get(number) ?? []), two])
    else if (kind === "v") values.set(number, two)
    else if (kind === "f") fields.push({ owner: number, name: two, expression: three })
    else if (kind === "o") members.push({ name: one, expression: two })
    else if (kind === "m") extensions.push({ object: one, module: two, argument: Number(three) })
    else if (kind === "x") overloads.push(number)
    else if (kind === "p") parameters = line.split("\t").slice(1)
  }
  return { exports, bases, values, fields, members, extensions, parameters, overloads }
}

/** Decodes a text that `usesOf` has returned; yields each expression once. */
export function* decodeUses(encoded: string): Generator<Use> {
  for (let at = 0; at < encoded.length; ) {
    const next = encoded.indexOf("\n", at)
    const end = next === -1 ? encoded.length : next
    const [, expression = "", ...places] = encoded.slice(at, end).split("\t")
    yield { expression, places: places.map(decodePlace) }
    at = end + 1
  }
}

const decodePlace = (text: string): Place => {
  const [symbol = -1, ...lines] = text.split(" ").map(Number)
  return { symbol, lines }
}

/** Writes one line of text for each fact, its parts separated by tabs; the uses come last. */
export const encode = (file: FileReferences): string => {
  const lines: Array<string> = []
  for (const { expression, name } of file.exports) lines.push(`e\t${name}\t${expression}`)
  for (const [owner, all] of file.bases) for (const expression of all) lines.push(`b\t${owner}\t${expression}`)
  for (const [owner, expression] of file.values) lines.push(`v\t${owner}\t${expression}`)
  for (const { expression, name, owner } of file.fields) lines.push(`f\t${owner}\t${name}\t${expression}`)
  for (const { expression, name } of file.members) lines.push(`o\t${name}\t${expression}`)
  for (const { argument, module, object } of file.extensions) lines.push(`m\t${object}\t${module}\t${argument}`)
  if (file.parameters.length > 0) lines.push(`p\t${file.parameters.join("\t")}`)
  for (const ordinal of file.overloads) lines.push(`x\t${ordinal}`)
  for (const { expression, places } of file.uses) {
    lines.push(`u\t${expression}\t${places.map(({ lines, symbol }) => `${symbol} ${lines.join(" ")}`).join("\t")}`)
  }
  return lines.join("\n")
}
