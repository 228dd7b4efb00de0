/** A declaration, a pair of braces or an expression of a Kotlin file with names of its own. */
import type { Binding } from "../../Symbols/internal/references/Facts.ts"

export interface Block {
  readonly outer: Block | undefined
  readonly kind: "file" | "type" | "function" | "plain"
  names: Map<string, Binding> | undefined
  /** The type whose members are in it. */
  readonly type: { readonly ordinal: number; readonly qualified: string } | undefined
  /** The parameters of the constructor, which only the initializers of a type see. */
  readonly parameters: Map<string, Binding> | undefined
  /** The value of `this` if it is no type of the file; null if nothing is known of it. */
  readonly receiver: Binding | undefined
  /** True if it surely has that receiver, so that nothing is known of its names if nothing is of the receiver. */
  readonly hasReceiver: boolean
  /** The word at which it ends, if it has no braces. */
  readonly end: number | undefined
}

export const noBlock = {
  names: undefined,
  type: undefined,
  parameters: undefined,
  receiver: undefined,
  hasReceiver: false,
  end: undefined,
}
