/** An embedder that needs no model: each word adds to one dimension, so texts with the same words are near. */
import { Effect } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Embedder from "../../src/model/Embedder.ts"
import type { ModelError } from "../../src/model/ModelError.ts"

export const model = new ModelId({ provider: "test", name: "words" })

export const DIMENSIONS = 64

export const vectorOf = (text: string, dimensions = DIMENSIONS): ReadonlyArray<number> => {
  const vector = new Array<number>(dimensions).fill(0)
  vector[0] = 0.01
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const hash = Array.from(word).reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 1_000_003, 7)
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1
  }
  return vector
}

export interface Behaviour {
  readonly maxTexts?: number
  /** The dimensions of an answer; by default `DIMENSIONS`. */
  readonly dimensions?: (request: number) => number
  /** Fails a request. */
  readonly fail?: (texts: ReadonlyArray<string>, request: number) => ModelError | undefined
  /** Runs before an answer. */
  readonly before?: Effect.Effect<void>
}

/** The embedder, and the texts of its requests so far. */
export const make = ({ before = Effect.void, dimensions = () => DIMENSIONS, fail, maxTexts = 4 }: Behaviour = {}) => {
  const requests: Array<ReadonlyArray<string>> = []
  const embedder = Embedder.make({ model, dimensions: undefined, maxTexts }, (texts) =>
    Effect.suspend(() => {
      const request = requests.push(texts)
      const failure = fail?.(texts, request)
      const vectors = texts.map((text) => vectorOf(text, dimensions(request)))
      return Effect.zipRight(before, failure ?? Effect.succeed({ vectors, tokens: texts.length * 10 }))
    }),
  )
  return { embedder, requests }
}
