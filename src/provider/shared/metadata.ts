/** The data that a provider requires back with a block, kept under the provider's name in the metadata of that block. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

/**
 * Makes the functions that keep data of this form, and read it back, by provider. The data names the model that
 * produced it, and is read for that model only: another one rejects signatures and encrypted text that are not its own.
 */
export const metadataOf = <A extends { readonly model: string }, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (provider: string): Metadata<A> => ({
    read: (meta, model) =>
      Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (kept) => kept.model === model)),
    write: (data) => ({ [provider]: data }),
  })
}

export interface Metadata<A> {
  /** Returns `undefined` if there is no metadata from this model. */
  readonly read: (meta: Meta | undefined, model: string) => A | undefined
  readonly write: (data: A) => Meta
}
