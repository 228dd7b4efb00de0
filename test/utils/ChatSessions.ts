/** Sessions of a chat with a user that tests script, over a forest and files in memory. */
import { Effect, Fiber, Option, Ref } from "effect"
import * as Failure from "../../src/cli/Failure.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as DraftStorage from "../../src/conversation/DraftStorage.ts"
import * as Chat from "../../src/conversation/modes/Chat.ts"
import * as SessionLoop from "../../src/conversation/SessionLoop.ts"
import * as SlashCommands from "../../src/conversation/slash/SlashCommands.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as ModelRegistry from "../../src/model/ModelRegistry.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../src/tool/ToolServers.ts"
import { withScript } from "./Looms.ts"
import { makeUser, type Options, type ScriptedUser } from "./ScriptedUser.ts"

export const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1])

export const picture = Block.image("image/png", Buffer.from(png).toString("base64"))

export const files = Files.makeMemory({
  "/here/a.ts": "const a = 1\n",
  "/here/picture.png": new Uint8Array([0, 1, 2]),
  "/here/shot.png": png,
})

export interface Given extends Options {
  readonly model: LanguageModel.Service
  readonly from?: NodeId
  readonly unsent?: DraftStorage.DraftStorage
  readonly tools?: ToolRegistry.Service
  readonly servers?: ToolServers.Service
  /** The tool servers of `/tools on`. */
  readonly offeredServers?: ToolServers.Service
  /** Others that can be named. */
  readonly others?: ReadonlyArray<LanguageModel.Service>
  /** The models in the list of `/model`. */
  readonly known?: ReadonlyArray<LanguageModel.Service>
}

/** A running session, and its user. */
export const startSession = ({
  from,
  model,
  others = [],
  known = [...others, model],
  offeredServers = ToolServers.of(ToolServers.none),
  servers,
  tools = ToolRegistry.make([]),
  unsent,
  ...options
}: Given) =>
  Effect.gen(function* () {
    const user = yield* makeUser(options)
    const kind = yield* Chat.make({ owner: "chat", systemPrompt: "S" })
    const workspace = yield* Workspace.open("/here")
    const registry = ModelRegistry.ModelRegistry.of({
      providers: ["test"],
      known: Effect.succeed([]),
      open: (id) =>
        Option.match(Option.fromNullable(others.find((other) => String(other.id) === String(id))), {
          onNone: () => Effect.die("no such model"),
          onSome: Effect.succeed,
        }),
    })
    const commands = yield* Effect.provideService(
      SlashCommands.all({
        program: "vibe chat",
        mode: kind,
        workspace,
        offered: { tools: Effect.succeed(ToolRegistry.make([])), servers: offeredServers },
        inputHelp: "",
        models: Effect.succeed(known.map(({ id }) => ({ id, entry: {}, obstacle: undefined }))),
      }),
      ModelRegistry.ModelRegistry,
      registry,
    )
    const running = yield* SessionLoop.run({
      mode: kind,
      model,
      tools,
      servers,
      from,
      title: "vibe chat",
      facts: [],
      commands,
      workspace,
      files: () => Effect.succeed([]),
      drafts: unsent ?? DraftStorage.none,
      first: undefined,
      describeFailure: Failure.sentence,
    }).pipe(Effect.provide(user.layer), Effect.fork)
    return { user, running, forest: yield* Forest.Forest }
  }).pipe(Effect.provideService(Files.Files, files))

/** Drafts in memory, with what is there at first. */
export const makeDrafts = (typed: string) =>
  Effect.map(Ref.make(typed), (kept) => {
    const unsent: DraftStorage.DraftStorage = {
      take: Ref.getAndSet(kept, ""),
      put: (text) => (text === "" ? Effect.succeed(false) : Effect.as(Ref.set(kept, text), true)),
    }
    return { kept, unsent }
  })

/** Answers with a number, and remembers what it was asked. */
export const counting = () => {
  const requests: Array<Request> = []
  const model = LanguageModel.make(new ModelId({ provider: "test", name: "counting" }), (request, say) =>
    say([
      Part.Text({ text: `answer ${requests.push(request)}` }),
      Part.Finish({ reason: "stop", usage: { inputTokens: 10, outputTokens: 2, cachedTokens: 0, thinkingTokens: 0 } }),
    ]),
  )
  return { requests, model: { ...model, price: { input: 1, output: 2 } } }
}

export const requestTexts = (request: Request | undefined) =>
  request?.messages.map((message) => `${message.role}: ${Message.text(message)}`) ?? []

/** Says something, and never comes to its end. */
export const endless = LanguageModel.make(new ModelId({ provider: "test", name: "endless" }), (_, say) =>
  Effect.zipRight(say([Part.Text({ text: "Once upon" })]), Effect.never),
)

export const leaving = ({
  running,
  user,
}: {
  readonly running: Fiber.RuntimeFiber<void, unknown>
  readonly user: ScriptedUser
}) => Effect.zipRight(user.closes, Fiber.join(running))

export const inMemory = withScript([])
