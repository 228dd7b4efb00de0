/**
 * Checks plain data that was read from a disk: rows of a database, and JSON. It does what a small part of effect/Schema
 * does, for what every command reads: to load effect/Schema takes a tenth of the time of `vibe query`.
 *
 * ```
 * const file = Shape.struct({ path: Shape.text, language: Shape.nullOr(Shape.text) })
 * type File = Shape.TypeOf<typeof file> // { readonly path: string; readonly language: string | null }
 * file({ path: "a.ts", language: 1 }) // throws: "language: 1 is no text"
 * ```
 */

/** Returns a value that has the shape, and throws `Mismatch` for any other. */
export type Shape<out A> = (value: unknown) => A

export type TypeOf<S> = S extends Shape<infer A> ? A : never

/** A value does not have its shape: the data is damaged, or another version has written it. */
export class Mismatch extends Error {
  override readonly name = "Mismatch"

  /** Returns the same error for the value around: `key` is where the wrong one is. */
  within(key: string): Mismatch {
    return new Mismatch(`${key}: ${this.message}`)
  }
}

const leaf =
  <A>(what: string, is: (value: unknown) => value is A): Shape<A> =>
  (value) => {
    if (is(value)) return value
    throw new Mismatch(`${String(value).slice(0, 80)} is no ${what}`)
  }

export const text: Shape<string> = leaf("text", (value) => typeof value === "string")

export const filledText: Shape<string> = leaf(
  "text with a character",
  (value): value is string => typeof value === "string" && value !== "",
)

export const number: Shape<number> = leaf("number", (value) => typeof value === "number")

export const integer: Shape<number> = leaf("integer", (value): value is number => Number.isSafeInteger(value))

/** Zero or more. */
export const count: Shape<number> = leaf(
  "count",
  (value): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
)

export const integerFrom = (least: number, most: number): Shape<number> =>
  leaf(
    `integer from ${least} to ${most}`,
    (value): value is number =>
      typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most,
  )

export const boolean: Shape<boolean> = leaf("boolean", (value) => typeof value === "boolean")

export const oneOf = <const Choice extends number | string>(...choices: ReadonlyArray<Choice>): Shape<Choice> =>
  leaf(`one of ${choices.join(", ")}`, (value): value is Choice => choices.some((choice) => choice === value))

export const nullOr =
  <A>(shape: Shape<A>): Shape<A | null> =>
  (value) =>
    value === null ? null : shape(value)

/** Lets a key of `struct` be missing. The result then lacks it, too. */
export const optional =
  <A>(shape: Shape<A>): Shape<A | undefined> =>
  (value) =>
    value === undefined ? undefined : shape(value)

const inside = <A>(shape: Shape<A>, value: unknown, key: string): A => {
  try {
    return shape(value)
  } catch (cause) {
    throw cause instanceof Mismatch ? cause.within(key) : cause
  }
}

export const list =
  <A>(shape: Shape<A>): Shape<ReadonlyArray<A>> =>
  (value) => {
    if (!Array.isArray(value)) throw new Mismatch(`${typeof value} is no list`)
    return value.map((each, at) => inside(shape, each, String(at)))
  }

/** A list with one element for each shape. */
export const pair =
  <A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> =>
  (value) => {
    if (!Array.isArray(value) || value.length !== 2) throw new Mismatch("a pair was expected")
    return [inside(first, value[0], "0"), inside(second, value[1], "1")]
  }

type Fields = Readonly<Record<string, Shape<unknown>>>

type OptionalKeys<F extends Fields> = { [K in keyof F]: undefined extends TypeOf<F[K]> ? K : never }[keyof F]

/** Keys whose shape takes `undefined` may be missing. */
export type Struct<F extends Fields> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: TypeOf<F[K]>
}

/** An object with these keys, in this order. The result lacks other keys that a value has. */
export const struct = <const F extends Fields>(fields: F): Shape<Struct<F>> => {
  const entries = Object.entries(fields)
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new Mismatch("an object was expected")
    const read: Record<string, unknown> = {}
    for (const [key, shape] of entries) {
      const checked = inside(shape, Reflect.get(value, key), key)
      if (checked !== undefined || Reflect.has(value, key)) read[key] = checked
    }
    // Each key was read by the shape under it, which no type of an entry can say.
    return read as Struct<F>
  }
}

/** Reads JSON of a shape. */
export const json =
  <A>(shape: Shape<A>): Shape<A> =>
  (value) => {
    try {
      return shape(JSON.parse(text(value)))
    } catch (cause) {
      throw cause instanceof SyntaxError ? new Mismatch(`no JSON: ${cause.message}`) : cause
    }
  }

/** Returns the value if it has the shape; undefined for any other. */
export function readOrUndefined<A>(shape: Shape<A>, value: unknown): A | undefined {
  try {
    return shape(value)
  } catch (cause) {
    if (cause instanceof Mismatch) return undefined
    throw cause
  }
}
