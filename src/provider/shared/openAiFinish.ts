/** What the end of an answer means on OpenAI's wires. Pure. */
import * as Either from "effect/Either"
import type { FinishReason } from "../../message/FinishReason.ts"
import type * as Usage from "../../message/Usage.ts"
import { Blocked, InvalidRequest, Overloaded, type Reason } from "../../model/ModelError.ts"
import * as Endings from "./unusable.ts"

/**
 * - `stop`: it had said all, or waits for the results of its calls
 * - `length`, `content_filter`: as in `FinishReason`
 * - `malformed`: it wrote a call that the provider could not read
 * - `failed`: the provider broke
 * - `other`: anything else, words we do not know among it
 */
export type Ending = "stop" | "length" | "content_filter" | "malformed" | "failed" | "other"

/** What was seen of the answer by then. */
export interface Seen {
  /** It holds words, or a picture. */
  readonly spoke: boolean
  readonly called: boolean
  /** It holds a call that cannot be read. */
  readonly garbled: boolean
  readonly usage: Usage.Usage
}

/** `words` are the provider's own for that ending. */
export const meaning = (
  ending: Ending,
  words: string,
  { called, garbled, spoke, usage }: Seen,
): Either.Either<FinishReason, Reason> => {
  switch (ending) {
    case "stop":
      return garbled ? Either.left(Endings.unreadable(words)) : Either.right(called ? "tool_calls" : "stop")
    case "length":
      if (called || garbled) return Either.left(Endings.cut)
      return spoke ? Either.right("length") : Either.left(Endings.exhausted(usage))
    case "content_filter":
      return Either.left(new Blocked({ message: `blocked: ${words}` }))
    case "malformed":
      return Either.left(Endings.unreadable(words))
    case "failed":
      return Either.left(new Overloaded({ message: `the provider broke off: ${words}` }))
    case "other":
      // Its words stand, with a finish that warns; its calls do not run.
      return spoke && !called && !garbled
        ? Either.right("error")
        : Either.left(new InvalidRequest({ message: `the model stopped without an answer: ${words}` }))
  }
}
