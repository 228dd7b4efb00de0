/** `submit_prd`: the model submits the PRD that it has written with the user. */
import * as Effect from "effect/Effect"
import * as Prd from "../conversation/prd/Prd.ts"
import * as PrdJson from "../conversation/prd/PrdJson.ts"
import * as Tool from "../tool/Tool.ts"

/** Refuses a PRD without user stories. The tool writes no file: the call that the forest stores contains the PRD. */
export const make: Tool.Tool = Tool.make({
  name: Prd.submission,
  description:
    "Hands over the complete PRD, once the context is sufficient, and again, whole, after each change to it. Instead of the markers [PRD] and [/PRD].",
  parameters: Prd.Prd,
  run: (prd) => {
    const { length } = PrdJson.userStories(prd.content)
    return length === 0
      ? Tool.fail("it has no user stories: each needs a heading such as '### US-001: Title', and acceptance criteria")
      : Effect.succeed({ text: `kept the PRD '${prd.name}', user stories: ${length}`, data: prd })
  },
})
