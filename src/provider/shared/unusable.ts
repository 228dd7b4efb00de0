/** How an answer can end so that it is of no use, in words for the user and for the model. The same for every wire. */
import type * as Usage from "../../message/Usage.ts"
import { OutputLimit, Unusable } from "../../model/ModelError.ts"
import type { Part } from "../../model/Reply.ts"

/** `why`: what is wrong with the call, or what the provider says of it. */
export const unreadable = (why: string): Unusable =>
  new Unusable({
    message: `the model wrote a tool call that cannot be read: ${why}`,
    correction:
      "Your last answer held a tool call that could not be read, so nothing was run. " +
      "Call a tool by its exact name, with one JSON object of arguments.",
  })

/** `what`: the tool, or what the provider says of it. `tools`: the names of those that there are. */
export const unexpected = (what: string, tools: ReadonlyArray<string>): Unusable =>
  new Unusable({
    message: `the model called a tool that it was not given: ${what}`,
    correction: `Your last answer called a tool that does not exist, so nothing was run. ${
      tools.length === 0 ? "There are no tools: answer in words." : `The tools are: ${tools.join(", ")}.`
    }`,
  })

/** A call may lack the rest of its arguments: it must not run. */
export const cut: OutputLimit = new OutputLimit({
  message: "the output limit was reached within a tool call",
  correction:
    "Your last answer reached the output limit within a tool call, so nothing was run. " +
    "Use smaller pieces: fewer calls, shorter arguments.",
})

export const exhausted = ({ thinkingTokens }: Usage.Usage): OutputLimit => {
  const thought = thinkingTokens === 0 ? "" : ` (${thinkingTokens} tokens went into thinking)`
  return new OutputLimit({ message: `the output limit was reached before the answer began${thought}` })
}

/**
 * In characters. Sixteen times what the longest answers of models come to (128,000 tokens); more is a model or a program
 * that repeats itself, and the answer is kept whole in memory and in the forest.
 */
export const longest = 8_388_608

/** `most`: how many characters were read of it before it was given up. */
export const tooLong = (most: number = longest): OutputLimit =>
  new OutputLimit({ message: `its answer has more than ${most.toLocaleString("en")} characters` })

/**
 * The most blocks of an answer: calls, pictures, and words that do not continue those before them. Models make up to 128
 * calls at a time.
 */
export const mostBlocks = 4096

export const tooMany: OutputLimit = new OutputLimit({
  message: `its answer has more than ${mostBlocks.toLocaleString("en")} parts`,
})

/** Takes the parts of an answer as they come; why it is given up, once it has more words or blocks than anyone reads. */
export const counting = (): ((parts: ReadonlyArray<Part>) => OutputLimit | undefined) => {
  let length = 0
  let blocks = 0
  let last: Part["_tag"] | undefined
  return (parts) => {
    for (const part of parts) {
      const isWords = part._tag === "Text" || part._tag === "Thinking"
      if (isWords) length += part.text.length
      if (!isWords || part.meta !== undefined || part._tag !== last) blocks++
      last = isWords && part.meta === undefined ? part._tag : undefined
    }
    if (length > longest) return tooLong()
    return blocks > mostBlocks ? tooMany : undefined
  }
}
