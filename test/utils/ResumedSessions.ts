/** Sessions that continue earlier conversations, and the conversations that they find. */
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as Failure from "../../src/cli/Failure.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Conversations from "../../src/conversation/Conversations.ts"
import * as DraftStorage from "../../src/conversation/DraftStorage.ts"
import * as Chat from "../../src/conversation/modes/Chat.ts"
import * as Resume from "../../src/conversation/Resume.ts"
import * as SessionLoop from "../../src/conversation/SessionLoop.ts"
import * as SlashCommands from "../../src/conversation/slash/SlashCommands.ts"
import type * as View from "../../src/conversation/View.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Operation from "../../src/forest/Operation.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import type { FinishReason } from "../../src/message/Usage.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as ModelRegistry from "../../src/model/ModelRegistry.ts"
import { Part } from "../../src/model/Reply.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { withScript } from "./Looms.ts"
import { makeUser, texts } from "./ScriptedUser.ts"

export const files = Files.makeMemory({ "/here/a.ts": "", "/there/b.ts": "" })

export const inMemory = withScript([])

export const echo = LanguageModel.make(new ModelId({ provider: "test", name: "echo" }), (request, say) =>
  say([
    Part.Text({ text: `on ${request.messages.map((message) => Message.text(message)).join("/")}` }),
    Part.Finish({ reason: "stop", usage: Usage.none }),
  ]),
)

/** A stored conversation of a question and an answer. */
export const talk = (question: string, at: number, folder: string | undefined, finish: FinishReason = "stop") =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "S", folder })
    const drafts: ReadonlyArray<Draft> = [
      { message: Message.user(question), source: { type: "user" }, createdAt: at },
      {
        message: { role: "assistant", content: [Block.text(`about ${question}`)] },
        source: { type: "model", model: "test/echo", finish, usage: Usage.none },
        createdAt: at,
      },
    ]
    const [, answer] = yield* forest.append(root.id, drafts)
    return { root, answer: answer ?? assert.fail() }
  })

export interface Given {
  readonly picks?: (menu: View.Menu, search?: View.MenuSearch) => number | undefined
  readonly isInteractive?: boolean
  /** Begins as `--resume` does. */
  readonly resumes?: "here" | "all"
}

/** Runs a session in `/here` with these lines, and returns what it shows; its failure as a line. */
export const session = (lines: ReadonlyArray<string>, { resumes, ...user }: Given = {}) =>
  Effect.gen(function* () {
    const { closes, layer, sends, shown } = yield* makeUser(user)
    const mode = yield* Chat.make({ owner: "chat", systemPrompt: "S" })
    const workspace = yield* Workspace.open("/here")
    const place = { program: "vibe chat", folder: workspace.root }
    const registry = ModelRegistry.ModelRegistry.of({
      providers: [],
      known: Effect.succeed([]),
      open: () => Effect.die("no such model"),
    })
    const commands = yield* SlashCommands.all({
      program: place.program,
      mode,
      workspace,
      offered: undefined,
      inputHelp: "",
      models: Effect.succeed([]),
    }).pipe(Effect.provideService(ModelRegistry.ModelRegistry, registry))
    const scope = Conversations.scopeOf("chat", place.folder, resumes === "all")
    const running = yield* SessionLoop.run({
      mode,
      model: echo,
      tools: ToolRegistry.make([]),
      from: undefined,
      opening:
        resumes === undefined
          ? undefined
          : (session) => Effect.provideService(Resume.start(session, scope, place), Files.Files, files),
      title: "vibe chat",
      facts: [],
      commands,
      workspace,
      files: () => Effect.succeed([]),
      drafts: DraftStorage.none,
      first: undefined,
      describeFailure: Failure.sentence,
    }).pipe(Effect.locally(Operation.folder, workspace.root), Effect.provide(layer), Effect.either, Effect.fork)
    yield* Effect.forEach(lines, (text) => sends(text))
    yield* closes
    const ended = yield* Fiber.join(running)
    const told = texts(yield* shown)
    return ended._tag === "Left" ? [...told, `ends: ${Failure.sentence(ended.left)}`] : told
  }).pipe(Effect.provideService(Files.Files, files))

/** The titles of the conversations, the one with the latest message first. */
export const titles = Effect.flatMap(Forest.Forest, (forest) =>
  Effect.map(forest.conversations({ limit: 100 }), (all) => all.map(({ messages, title }) => `${title}: ${messages}`)),
)

export const say = (text: string) => ({ message: Message.user(text), source: { type: "user" } }) as const
