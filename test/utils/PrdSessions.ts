/** Sessions about a PRD, with a scripted model and files in memory. */
import { Effect, Fiber } from "effect"
import * as Failure from "../../src/cli/Failure.ts"
import * as Files from "../../src/code/Files.ts"
import * as Output from "../../src/code/Output.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as DraftStorage from "../../src/conversation/DraftStorage.ts"
import * as Prd from "../../src/conversation/modes/Prd.ts"
import * as Beads from "../../src/conversation/prd/Beads.ts"
import * as SessionLoop from "../../src/conversation/SessionLoop.ts"
import { newConversation } from "../../src/conversation/slash/conversationCommands.ts"
import { retry } from "../../src/conversation/slash/messageCommands.ts"
import type * as View from "../../src/conversation/View.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Block from "../../src/message/Block.ts"
import type * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as SubmitPrd from "../../src/toolbox/SubmitPrd.ts"
import { withScript } from "./Looms.ts"
import { makeUser, type Options, type ScriptedUser, texts } from "./ScriptedUser.ts"

/** A PRD of two stories; the second depends on the first. */
export const dark = (how: string) => `# PRD: Dark Mode

A theme that is ${how}.

## User Stories

### US-001: Add a switch

A switch.

**Acceptance Criteria:**
- [ ] It is there
- [ ] It toggles

**Priority:** P1

### US-002: Remember it

It stays.

**Acceptance Criteria:**
- [ ] It stays

**Depends on:** US-001`

export const answer = (at: number): Message.Message => ({ role: "assistant", content: [Block.text(`answer ${at}`)] })

export const marked = (content: string) => `Here it is.\n\n[PRD]\n${content}\n[/PRD]`

export const review = "[1] JSON (prd.json)\n[3] Done\nAnything else changes the PRD."

export interface Given extends Options {
  readonly model?: LanguageModel.Service
  readonly script?: Scripted.Script
  readonly files?: Files.Service
  readonly from?: NodeId | undefined
  readonly beads?: Beads.Service
}

export const noBeads: Beads.Service = { create: () => Effect.die("no Beads"), depend: () => Effect.die("no Beads") }

/** A running conversation about a PRD in `/here`, and its user. */
export const talk = ({ beads = noBeads, files = empty(), from, model, script = [], ...options }: Given) =>
  Effect.gen(function* () {
    const user = yield* makeUser(options)
    const kind = yield* Prd.make({
      owner: "prd",
      systemPrompt: "S",
      project: "/here",
      destination: { output: yield* Output.open("/here", "tasks"), displayPath: (file) => file },
    })
    const running = yield* SessionLoop.run({
      mode: kind,
      model: model ?? (yield* Scripted.make(script)),
      tools: ToolRegistry.make([SubmitPrd.make]),
      from,
      title: "vibe prd",
      facts: [],
      commands: [...kind.commands, retry, newConversation],
      workspace: yield* Workspace.open("/here"),
      files: () => Effect.succeed([]),
      drafts: DraftStorage.none,
      first: undefined,
      describeFailure: Failure.sentence,
    }).pipe(Effect.provide(user.layer), Effect.fork)
    return { user, running, forest: yield* Forest.Forest, output: yield* Output.open("/here", ".") }
  }).pipe(Effect.provideService(Files.Files, files), Effect.provideService(Beads.Beads, beads))

export const empty = () => Files.makeMemory({ "/here/a.ts": "a\n" })

export const inMemory = withScript([])

/** Sends a text, and returns the entries until the conversation ends or, by default, until the review is offered. */
export const afterwards = (user: ScriptedUser, text: string, until: View.Entry["_tag"] = "Noted") =>
  Effect.zipRight(user.sends(text), user.waitFor(until))

/** Says all of it, and gives what was noted and printed by the end. */
export const toTheEnd = (
  { running, user }: { user: ScriptedUser; running: Fiber.RuntimeFiber<void, unknown> },
  ...messages: string[]
) =>
  Effect.gen(function* () {
    for (const message of messages) yield* user.sends(message)
    yield* user.closes
    yield* Fiber.join(running)
    return texts((yield* user.shown).filter(({ _tag }) => _tag === "Noted" || _tag === "Printed"))
  })

export const project = () => Files.makeMemory({ "/here/.beads/config.yaml": "" })
