/** How an answer can end so that it is of no use, in words for the user and for the model. The same for every wire. */
import type * as Usage from "../../message/Usage.ts"
import { OutputLimit, Unusable } from "../../model/ModelError.ts"

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
