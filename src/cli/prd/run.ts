/** Runs `vibe prd`. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { processEnvironment } from "../../app/OwnProcess.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Destination from "../../conversation/Destination.ts"
import * as Prd from "../../conversation/modes/Prd.ts"
import * as OfferedTools from "../../conversation/OfferedTools.ts"
import { PRD_SYSTEM_PROMPT } from "../../conversation/prd/Prd.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as SubmitPrd from "../../toolbox/SubmitPrd.ts"
import * as ChatLayer from "../chat/layer.ts"
import * as Start from "../conversation/Start.ts"
import * as SystemPrompt from "../conversation/SystemPrompt.ts"
import * as Beads from "./Beads/Node.ts"
import type { Input } from "./command.ts"
import * as Show from "./Show.ts"

const owner = "prd"
const program = "vibe prd"

export const run = Effect.fn("cli.prd")(function* (input: Input) {
  const { diff, json, list, output, show, stories, system, systemFile, ...typed } = input
  if ([diff, list, show].filter(Boolean).length > 1) {
    return yield* new UsageError({ message: "there is either --list, --show or --diff", command: "prd" })
  }
  if (list && typed.words.length > 0) {
    return yield* new UsageError({ message: "'prd --list' takes no words", command: "prd" })
  }
  if (list) return yield* Show.list(owner, json)
  if (show) return yield* Show.show(owner, typed.words, json)
  if (diff) return yield* Show.diff(owner, typed.words, json)
  const destination = yield* Destination.open(output)
  const given = yield* SystemPrompt.resolve({ system, systemFile }, "prd")
  const { prompt, tools } = yield* Effect.flatMap(OfferedTools.OfferedTools, (offered) => offered())
  const systemPrompt = Option.getOrElse(given, () => `${PRD_SYSTEM_PROMPT}\n\n${prompt([])}`) + storiesRequest(stories)
  yield* Start.run(typed, {
    program,
    mode: Prd.make({ owner, systemPrompt, project: ".", destination }),
    tools: ToolRegistry.join(tools, ToolRegistry.make([SubmitPrd.make])),
    facts: [
      "Say what you want to build. You are asked questions until that is clear, and then given a PRD.",
      `It is saved in ${output}; you can have it changed, and tasks made of it.`,
      ...(Option.isSome(typed.agent) ? [] : ["The model may look at the code in this folder."]),
    ],
  })
})

const storiesRequest = (stories: Option.Option<number>): string =>
  Option.match(stories, {
    onNone: () => "",
    onSome: (count) => `\n\nThe PRD is to have about ${count === 1 ? "1 user story" : `${count} user stories`}.`,
  })

/** The layer of every chat, with Beads, in which the command creates issues. */
export const layer = (options: ChatLayer.Options) =>
  Layer.provideMerge(
    Layer.suspend(() => Beads.layer(processEnvironment())),
    ChatLayer.layer(options),
  )
