/**
 * Errors for answers that cannot be used, with a message for the user and a correction for the model. Common to all
 * providers.
 */
import type * as Usage from "../../message/Usage.ts"
import { InvalidRequest, OutputLimit, StreamIncomplete, Unusable } from "../../model/ModelError.ts"
import type { Part } from "../../model/Reply.ts"

export const notAnApiResponse: StreamIncomplete = new StreamIncomplete({
  message: "the answer holds something that is not an API response",
})

/** The stream ended without the finish reason. */
export const endedEarly: StreamIncomplete = new StreamIncomplete({ message: "the answer ended early" })

/** `words` is the finish reason, which is unknown. */
export const stoppedWithoutAnswer = (words: string): InvalidRequest =>
  new InvalidRequest({ message: `the model stopped without an answer: ${words}` })

/** `why` is the problem with the call, in the words of the provider or of this program. */
export const malformedCall = (why: string): Unusable =>
  new Unusable({
    message: `the model wrote a tool call that cannot be read: ${why}`,
    correction:
      "Your last answer held a tool call that could not be read, so nothing was run. " +
      "Call a tool by its exact name, with one JSON object of arguments.",
  })

/** `what` is the unknown tool or the provider's message. `tools` are the names of the offered tools. */
export const unknownTool = (what: string, tools: ReadonlyArray<string>): Unusable =>
  new Unusable({
    message: `the model called a tool that it was not given: ${what}`,
    correction: `Your last answer called a tool that does not exist, so nothing was run. ${
      tools.length === 0 ? "There are no tools: answer in words." : `The tools are: ${tools.join(", ")}.`
    }`,
  })

/** The error for a call whose arguments may be incomplete; it must not run. */
export const cutInToolCall: OutputLimit = new OutputLimit({
  message: "the output limit was reached within a tool call",
  correction:
    "Your last answer reached the output limit within a tool call, so nothing was run. " +
    "Use smaller pieces: fewer calls, shorter arguments.",
})

export const emptyAtLimit = ({ thinkingTokens }: Usage.Usage): OutputLimit => {
  const thought = thinkingTokens === 0 ? "" : ` (${thinkingTokens} tokens went into thinking)`
  return new OutputLimit({ message: `the output limit was reached before the answer began${thought}` })
}

/**
 * The most characters of an answer: 16 times the longest output of current models (128,000 tokens). Longer output is a
 * loop, and answers are held in memory and stored whole.
 */
export const MAX_ANSWER_CHARS = 8_388_608

/** `most` is the number of characters after which reading stopped. */
export const answerTooLong = (most: number = MAX_ANSWER_CHARS): OutputLimit =>
  new OutputLimit({ message: `its answer has more than ${most.toLocaleString("en")} characters` })

/**
 * The most blocks of an answer: calls, images, and texts that do not continue the previous one. Models make up to 128
 * calls at a time.
 */
export const MAX_BLOCKS = 4096

export const tooManyBlocks: OutputLimit = new OutputLimit({
  message: `its answer has more than ${MAX_BLOCKS.toLocaleString("en")} parts`,
})

/** Makes a check that gets all parts of an answer. It returns the error once they exceed a limit. */
export const makeSizeCheck = (): ((parts: ReadonlyArray<Part>) => OutputLimit | undefined) => {
  let length = 0
  let blocks = 0
  let last: Part["_tag"] | undefined
  return (parts) => {
    for (const part of parts) {
      const isText = part._tag === "Text" || part._tag === "Thinking"
      if (isText) length += part.text.length
      if (!isText || part.meta !== undefined || part._tag !== last) blocks++
      last = isText && part.meta === undefined ? part._tag : undefined
    }
    if (length > MAX_ANSWER_CHARS) return answerTooLong()
    return blocks > MAX_BLOCKS ? tooManyBlocks : undefined
  }
}
