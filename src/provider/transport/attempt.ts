/** One attempt over a provider's wire: opened, read as it comes, let go whatever happens. The same for every adapter. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ModelId } from "../../message/ModelId.ts"
import type { Usage } from "../../message/Usage.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { ModelError, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import * as Reply from "../../model/Reply.ts"
import * as Endings from "../shared/unusable.ts"
import { TooLong } from "./http.ts"
import * as Chunks from "./streamReader.ts"

/**
 * How far an answer has come (FAULTS R1).
 *
 * - `open`: nothing says yet that it is complete
 * - `whole`: it is, but something may follow that says no more words: counts, the very end
 * - `over`: nothing follows
 */
export type Progress = "open" | "whole" | "over"

/** How an answer is read: purely, from what has been seen of it and what comes next. */
export interface Decoder<Answer, Chunk> {
  readonly start: Answer
  readonly step: (
    answer: Answer,
    chunk: Chunk,
  ) => Either.Either<readonly [answer: Answer, parts: ReadonlyArray<Reply.Part>], Reason>
  readonly progress: (answer: Answer) => Progress
  /** How many blocks it keeps until they are complete, where it keeps them: there may be `Endings.mostBlocks`. */
  readonly kept?: ((answer: Answer) => number) | undefined
  /** How it ended, once its stream has: the parts that are said last, or why it is of no use. */
  readonly end: (answer: Answer) => Either.Either<ReadonlyArray<Reply.Part>, Reason>
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

/**
 * The longest silence by how far an answer has come. What follows one that is whole was known when that was: it comes in
 * the same breath, and two seconds are enough for a packet to be lost and sent again. One that is over is waited for
 * only as its connection can be used again where its body ends by itself, which it does at once or not at all: a new
 * connection costs more.
 */
const silences: Readonly<Record<Progress, Duration.Duration>> = {
  open: idleTimeout,
  whole: Duration.seconds(2),
  over: Duration.millis(100),
}

/** Whether it was the connection that failed, and not the provider who says why it did. */
const isCut = ({ _tag }: Reason): boolean => _tag === "Unreachable" || _tag === "StreamIncomplete"

export const attempt = <Answer extends { readonly usage: Usage }, Chunk>(
  { decoder, firstWithin = idleTimeout, id, open, toReason }: Exchange<Answer, Chunk>,
  say: LanguageModel.Say,
): Effect.Effect<void, ModelError> =>
  Effect.suspend(() => {
    let answer = decoder.start
    let come = decoder.progress(answer)
    let saidMore = false
    const excess = Endings.counting()

    /** A server that went on after it had said how its answer ended says that of every chunk, as Gemini did once. */
    const progress = (): Progress => (come === "whole" && saidMore ? "open" : come)

    const read = (chunks: ReadonlyArray<Chunk>): Either.Either<ReadonlyArray<Reply.Part>, Reason> => {
      const said: Array<Reply.Part> = []
      for (const chunk of chunks) {
        if (come === "over") break
        const step = decoder.step(answer, chunk)
        if (Either.isLeft(step)) return Either.left(step.left)
        const [next, parts] = step.right
        if (decoder.kept !== undefined && decoder.kept(next) > Endings.mostBlocks) return Either.left(Endings.tooMany)
        for (const part of parts) Reply.join(said, part)
        saidMore ||= come === "whole" && parts.length > 0
        answer = next
        come = decoder.progress(next)
      }
      const beyond = excess(said)
      return beyond === undefined ? Either.right(said) : Either.left(beyond)
    }

    const failed = (reason: Reason) => new ModelError({ model: String(id), reason, usage: answer.usage })

    const end = (parts: ReadonlyArray<Reply.Part>): Effect.Effect<void, ModelError> => {
      const last = decoder.end(answer)
      return Either.isRight(last) ? say([...parts, ...last.right]) : Effect.zipRight(say(parts), failed(last.left))
    }

    return Chunks.hear<Chunk, ModelError>(
      // A server that goes on after the end is not waited for.
      (signal, hear) => open(signal, (chunk) => (come === "over" ? undefined : hear(chunk))),
      { first: firstWithin, next: () => silences[progress()] },
      {
        heard: (chunks, ended) => {
          const parts = read(chunks)
          if (Either.isLeft(parts)) return failed(parts.left)
          return ended ? end(parts.right) : say(parts.right)
        },
        failed: (cause) => {
          const reason = ours(cause) ?? toReason(cause)
          return come === "over" || (progress() === "whole" && isCut(reason)) ? end([]) : failed(reason)
        },
      },
    )
  })

/** Why it was given up where it was we who did that. */
const ours = (cause: unknown): Reason | undefined => {
  if (cause instanceof TooLong) return Endings.tooLong(cause.most)
  return cause instanceof Chunks.Silence
    ? new StreamIncomplete({ message: `nothing was heard for ${Duration.format(cause.patience)}` })
    : undefined
}
