/** A declaration, a pair of braces or an expression of a Scala file with names of its own. */
import type { Binding } from "../../Symbols/internal/references/Facts.ts"

/** Types and values of one name are different things, as `F` is in `def f[F[_]](implicit F: Monad[F])`. */
export type Names = Map<string, Binding>

export interface Block {
  readonly outer: Block | undefined
  readonly kind: "file" | "type" | "enum" | "function" | "case" | "for" | "plain"
  names: Names | undefined
  types: Names | undefined
  /** The names that it imports, each with the path that leads to it. */
  imported: Map<string, ReadonlyArray<string>> | undefined
  /** The ordinal of the type whose members are in it. */
  readonly type: number | undefined
  /** The value of `this` in an instance of a type without a name; null if nothing is known of it. */
  readonly receiver: Binding | undefined
  /** The word at which it ends, if it has no braces. */
  readonly end: number | undefined
  /** The brackets around the cases or generators that are in it. */
  readonly around: number
}

export const noBlock = {
  names: undefined,
  types: undefined,
  imported: undefined,
  type: undefined,
  receiver: undefined,
  end: undefined,
  around: -1,
}
