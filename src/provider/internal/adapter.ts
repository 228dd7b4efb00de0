/** One attempt over a provider's wire: opened, read as it comes, let go whatever happens. The same for every adapter. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ModelId } from "../../message/ModelId.ts"
import type { Usage } from "../../message/Usage.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { ModelError, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import type { Part } from "../../model/Reply.ts"
import * as Chunks from "./chunks.ts"

/** How an answer is read: purely, from what has been seen of it and what comes next. */
export interface Decoder<Answer, Chunk> {
  readonly start: Answer
  readonly step: (
    answer: Answer,
    chunk: Chunk,
  ) => Either.Either<readonly [answer: Answer, parts: ReadonlyArray<Part>], Reason>
  /** How it ended, once its stream has: the parts that are said last, or why it is of no use. */
  readonly end: (answer: Answer) => Either.Either<ReadonlyArray<Part>, Reason>
}

export interface Exchange<Answer, Chunk> {
  readonly id: ModelId
  readonly open: Chunks.Open<Chunk>
  readonly decoder: Decoder<Answer, Chunk>
  /** Why it failed, from whatever `open` threw, or its stream. */
  readonly toReason: (cause: unknown) => Reason
  /** The longest silence before the first word; `idleTimeout` unless the provider may take longer. */
  readonly firstWithin?: Duration.Duration | undefined
}

/** The attempt that a key, or what else an adapter needs, makes; without it every attempt fails, and asks nobody. */
export const given = <A>(
  id: ModelId,
  needed: Either.Either<A, Reason>,
  attempt: (needed: A) => LanguageModel.Attempt,
): LanguageModel.Attempt =>
  Either.match(needed, {
    onLeft: (reason) => () => Effect.fail(new ModelError({ model: String(id), reason })),
    onRight: attempt,
  })

/** The longest silence of a stream (FAULTS B6). */
export const idleTimeout: Duration.Duration = Duration.seconds(90)

/** Before the first word of a server that may have to load its model. The global `fetch` waits no longer either. */
export const loadingTimeout: Duration.Duration = Duration.minutes(5)

export const attempt = <Answer extends { readonly usage: Usage }, Chunk>(
  { decoder, firstWithin = idleTimeout, id, open, toReason }: Exchange<Answer, Chunk>,
  say: LanguageModel.Say,
): Effect.Effect<void, ModelError> =>
  Effect.suspend(() => {
    let answer = decoder.start

    const read = (chunks: ReadonlyArray<Chunk>): Either.Either<ReadonlyArray<Part>, Reason> => {
      const said: Array<Part> = []
      for (const chunk of chunks) {
        const step = decoder.step(answer, chunk)
        if (Either.isLeft(step)) return Either.left(step.left)
        const [next, parts] = step.right
        answer = next
        said.push(...parts)
      }
      return Either.right(said)
    }

    const failed = (reason: Reason) => new ModelError({ model: String(id), reason, usage: answer.usage })

    return Chunks.hear(
      open,
      { first: firstWithin, next: idleTimeout },
      {
        heard: (chunks, ended) => {
          const parts = read(chunks)
          if (Either.isLeft(parts)) return failed(parts.left)
          if (!ended) return say(parts.right)
          const last = decoder.end(answer)
          return Either.isRight(last)
            ? say([...parts.right, ...last.right])
            : Effect.zipRight(say(parts.right), failed(last.left))
        },
        failed: (cause) => failed(cause instanceof Chunks.Silence ? silence(cause) : toReason(cause)),
      },
    )
  })

const silence = ({ patience }: Chunks.Silence) =>
  new StreamIncomplete({ message: `nothing was heard for ${Duration.format(patience)}` })
