/**
 * Separates thinking between tags from the text of an answer, for every provider of open models. Thinking at the
 * beginning is emitted as such. A closing tag without an opening one may arrive after the text before it has been
 * emitted. In that case the last part says that the reply has to be separated anew, so that the thinking is not stored,
 * sent again or printed with the whole. Pure.
 */
import * as Either from "effect/Either"
import type * as Usage from "../../message/Usage.ts"
import { Part } from "../../model/Reply.ts"
import * as ThinkingInText from "../../model/ThinkingInText.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as ThinkTags from "./thinkTags.ts"

interface WithUsage {
  readonly usage: Usage.Usage
}

interface State<S> extends WithUsage {
  readonly inner: S
  readonly tags: ThinkTags.State
  readonly seen: ThinkingInText.Seen
}

export interface Options {
  /** False for a decoder that separates thinking between tags itself. */
  readonly readsTags: boolean
  /** True if a closing tag alone ends thinking, as it does in the text of the user's own servers. */
  readonly reviews: boolean
}

/** Returns the decoder, with thinking between tags separated from the text. */
export const separating = <S extends WithUsage, Chunk>(
  decoder: Decoder<S, Chunk>,
  { readsTags, reviews }: Options,
): Decoder<State<S>, Chunk> => {
  const { pendingBlocks } = decoder
  return {
    initial: {
      inner: decoder.initial,
      usage: decoder.initial.usage,
      tags: readsTags ? ThinkTags.initialState : { ...ThinkTags.initialState, at: "text" },
      seen: ThinkingInText.nothingSeen,
    },
    decodeChunk: (state, chunk) =>
      Either.map(decoder.decodeChunk(state.inner, chunk), ([inner, parts]) => {
        return separate({ ...state, inner, usage: inner.usage }, parts, reviews)
      }),
    streamState: ({ inner }) => decoder.streamState(inner),
    ...(pendingBlocks !== undefined && { pendingBlocks: ({ inner }: State<S>) => pendingBlocks(inner) }),
    end: (state) => Either.map(decoder.end(state.inner), (parts) => separate(state, parts, reviews)[1]),
  }
}

const separate = <S>(
  state: State<S>,
  parts: ReadonlyArray<Part>,
  reviews: boolean,
): readonly [State<S>, ReadonlyArray<Part>] =>
  parts.reduce<readonly [State<S>, ReadonlyArray<Part>]>(
    ([state, before], part) => {
      switch (part._tag) {
        case "Thinking":
          return [state, [...before, part]]
        case "Text": {
          const [tags, pieces] = ThinkTags.decodeText(state.tags, part.text)
          const [seen, words] = toParts(state.seen, pieces)
          return [{ ...state, tags, seen }, [...before, ...words]]
        }
        default: {
          const [seen, words] = toParts(state.seen, ThinkTags.flush(state.tags))
          const isSuspect = reviews && part._tag === "Finish" && ThinkingInText.isSuspect(seen)
          const last = isSuspect ? Part.Finish({ ...part, mayThinkInText: true }) : part
          return [{ ...state, seen, tags: { ...state.tags, pending: "" } }, [...before, ...words, last]]
        }
      }
    },
    [state, []],
  )

const toParts = (
  seen: ThinkingInText.Seen,
  pieces: ReadonlyArray<ThinkTags.Piece>,
): readonly [ThinkingInText.Seen, ReadonlyArray<Part>] => [
  pieces.reduce((seen, { text, thinking }) => (thinking ? seen : ThinkingInText.see(seen, text)), seen),
  pieces.map(({ text, thinking }) => (thinking ? Part.Thinking({ text }) : Part.Text({ text }))),
]
