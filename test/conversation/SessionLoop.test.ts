import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Option, Ref, Schema, TestClock } from "effect"
import * as Failure from "../../src/cli/Failure.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as DraftStorage from "../../src/conversation/DraftStorage.ts"
import * as Chat from "../../src/conversation/modes/Chat.ts"
import * as SessionLoop from "../../src/conversation/SessionLoop.ts"
import type { SlashCommand } from "../../src/conversation/slash/SlashCommand.ts"
import * as SlashCommands from "../../src/conversation/slash/SlashCommands.ts"
import * as View from "../../src/conversation/View.ts"
import { DiskError, Unwritable } from "../../src/disk/DiskError.ts"
import * as Forest from "../../src/forest/Forest.ts"
import { ForestError, NotFound } from "../../src/forest/ForestError.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, Unauthorized } from "../../src/model/ModelError.ts"
import * as ModelRegistry from "../../src/model/ModelRegistry.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../src/tool/ToolServers.ts"
import { withScript } from "../utils/Looms.ts"
import { makeUser, type Options, type ScriptedUser, texts } from "../utils/ScriptedUser.ts"
import * as TurnEvents from "../utils/TurnEvents.ts"

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1])
const picture = Block.image("image/png", Buffer.from(png).toString("base64"))

const files = Files.makeMemory({
  "/here/a.ts": "const a = 1\n",
  "/here/picture.png": new Uint8Array([0, 1, 2]),
  "/here/shot.png": png,
})

interface Given extends Options {
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
const startSession = ({
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
const makeDrafts = (typed: string) =>
  Effect.map(Ref.make(typed), (kept) => {
    const unsent: DraftStorage.DraftStorage = {
      take: Ref.getAndSet(kept, ""),
      put: (text) => (text === "" ? Effect.succeed(false) : Effect.as(Ref.set(kept, text), true)),
    }
    return { kept, unsent }
  })

/** Answers with a number, and remembers what it was asked. */
const counting = () => {
  const requests: Array<Request> = []
  const model = LanguageModel.make(new ModelId({ provider: "test", name: "counting" }), (request, say) =>
    say([
      Part.Text({ text: `answer ${requests.push(request)}` }),
      Part.Finish({ reason: "stop", usage: { inputTokens: 10, outputTokens: 2, cachedTokens: 0, thinkingTokens: 0 } }),
    ]),
  )
  return { requests, model: { ...model, price: { input: 1, output: 2 } } }
}

const requestTexts = (request: Request | undefined) =>
  request?.messages.map((message) => `${message.role}: ${Message.text(message)}`) ?? []

/** Says something, and never comes to its end. */
const endless = LanguageModel.make(new ModelId({ provider: "test", name: "endless" }), (_, say) =>
  Effect.zipRight(say([Part.Text({ text: "Once upon" })]), Effect.never),
)

const leaving = ({
  running,
  user,
}: {
  readonly running: Fiber.RuntimeFiber<void, unknown>
  readonly user: ScriptedUser
}) => Effect.zipRight(user.closes, Fiber.join(running))

const inMemory = withScript([])

describe("SessionLoop", () => {
  it.effect("answers each message with the history before it, and shows its tokens, its cost and that of all", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.asks("one")
      yield* user.sends("two")
      const last = (yield* user.waitFor("Answered")).at(-1)
      assert.deepStrictEqual(requestTexts(requests[1]), ["user: one", "assistant: answer 1", "user: two"])
      assert.ok(last?._tag === "Answered")
      assert.strictEqual(last.text, "answer 2")
      assert.deepStrictEqual([last.account.usage.inputTokens, last.account.usage.outputTokens], [10, 2])
      assert.deepStrictEqual([last.account.cost, last.account.sessionCost], [0.000_014, 0.000_028])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("ignores a blank message", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      yield* talking.user.sends("  \n ")
      yield* leaving(talking)
      assert.lengthOf(requests, 0)
    }).pipe(inMemory),
  )

  it.effect("shows a message as asked once it is stored, with its node", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const arrived = yield* Effect.makeLatch()
      const go = yield* Effect.makeLatch()
      const append: Forest.Service["append"] = (...args) =>
        arrived.open.pipe(Effect.zipRight(go.await), Effect.zipRight(forest.append(...args)))
      const talking = yield* Effect.provideService(startSession({ model: counting().model }), Forest.Forest, {
        ...forest,
        append,
      })
      const { user } = talking
      yield* user.sends("one")
      yield* arrived.await
      assert.deepStrictEqual(texts(yield* user.shown), ["Titled"])
      yield* go.open
      const asked = (yield* user.waitFor("Asked")).at(-1)
      assert.ok(asked?._tag === "Asked")
      assert.strictEqual(Message.text((yield* forest.node(asked.node)).message), "one")
      yield* user.waitFor("Answered")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("does not show a message as asked that cannot be stored, and puts it back into the input field", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const talking = yield* Effect.provideService(startSession({ model: counting().model }), Forest.Forest, {
        ...forest,
        append: () => new ForestError({ reason: new NotFound({ id: NodeId.make("gone") }) }),
      })
      const { user } = talking
      yield* user.sends("one")
      assert.deepStrictEqual(texts(yield* user.waitFor("Failed")).slice(0, 1), ["Titled"])
      assert.notInclude(texts(yield* user.shown).join(), "Asked")
      yield* leaving(talking)
      assert.strictEqual(yield* Ref.get(user.draft), "one")
    }).pipe(inMemory),
  )

  it.effect("puts a message back into the input field that is stopped before it is stored", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const arrived = yield* Effect.makeLatch()
      const talking = yield* Effect.provideService(startSession({ model: counting().model }), Forest.Forest, {
        ...forest,
        append: () => Effect.zipRight(arrived.open, Effect.interruptible(Effect.never)),
      })
      const { user } = talking
      yield* user.sends("one")
      yield* arrived.await
      yield* user.stops
      yield* user.waitFor("Stopped")
      yield* leaving(talking)
      assert.notInclude(texts(yield* user.shown).join(), "Asked")
      assert.strictEqual(yield* Ref.get(user.draft), "one")
    }).pipe(inMemory),
  )

  it.effect("queues messages sent during an answer, and answers them in order", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({
        model: {
          ...model,
          generate: (request, observer) => Effect.zipRight(Effect.yieldNow(), model.generate(request, observer)),
        },
      })
      const { user } = talking
      yield* user.sends("one")
      yield* user.waitFor("Asked")
      yield* user.sends("two")
      yield* user.sends("three")
      yield* leaving(talking)
      assert.deepStrictEqual(
        requestTexts(requests[2]).filter((text) => text.startsWith("user")),
        ["user: one", "user: two", "user: three"],
      )
      assert.includeMembers([...texts(yield* user.shown)], ["Queued: two", "Queued: three", "Answered: answer 3"])
    }).pipe(inMemory),
  )

  it.effect("passes messages sent during tool calls to the model, and queues commands", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const running = yield* Effect.makeLatch()
      const go = yield* Effect.makeLatch()
      const look = Tool.make({
        name: "look",
        description: "Looks around.",
        parameters: Schema.Struct({}),
        readOnly: true,
        run: () => Effect.as(Effect.zipRight(running.open, go.await), { text: "nothing here" }),
      })
      const model = LanguageModel.make(new ModelId({ provider: "test", name: "looking" }), (request, say) =>
        requests.push(request) === 1
          ? say([
              Part.ToolUse({ id: "c1", name: "look", parameters: {} }),
              Part.Finish({ reason: "tool_calls", usage: Usage.none }),
            ])
          : say([Part.Text({ text: "Done." }), Part.Finish({ reason: "stop", usage: Usage.none })]),
      )
      const talking = yield* startSession({ model, tools: ToolRegistry.make([look]) })
      const { user } = talking
      yield* user.sends("look around")
      yield* running.await
      yield* user.sends("behind the door, too")
      yield* user.sends("/undo")
      yield* user.waitFor("Queued")
      yield* user.waitFor("Queued")
      yield* go.open
      const told = texts(yield* user.waitFor("Answered"))
      assert.include(told, "Steered: behind the door, too")
      assert.deepStrictEqual(requestTexts(requests[1]).slice(-1), ["user: behind the door, too"])
      yield* leaving(talking)
      assert.lengthOf(requests, 2)
    }).pipe(inMemory),
  )

  it.effect("stops an answer on request, stores the part that arrived, and continues after it", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const heard = yield* Effect.makeLatch()
      const talking = yield* startSession({
        model: endless,
        others: [model],
        onEvent: TurnEvents.onPart(() => heard.open),
      })
      const { user } = talking
      yield* user.sends("tell me a story")
      yield* heard.await
      yield* user.stops
      yield* user.waitFor("Stopped")
      yield* user.sends("/model test/counting")
      yield* user.asks("go on")
      assert.deepStrictEqual(requestTexts(requests[0]), [
        "user: tell me a story",
        "assistant: Once upon",
        "user: go on",
      ])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("puts messages that wait back into the input field when the user stops the answer, and sends none", () =>
    Effect.gen(function* () {
      const heard = yield* Effect.makeLatch()
      const talking = yield* startSession({ model: endless, onEvent: TurnEvents.onPart(() => heard.open) })
      const { user } = talking
      yield* user.sends("tell me a story")
      yield* heard.await
      for (const text of ["of a dog", "/model", "and a cat"]) {
        yield* user.sends(text)
        yield* user.waitFor("Queued")
      }
      yield* Ref.set(user.draft, "and a")
      yield* user.stops
      const told = texts(yield* user.waitFor("Stopped"))
      assert.deepStrictEqual(told.slice(0, 4), [
        "Dequeued: of a dog",
        "Dequeued: /model",
        "Dequeued: and a cat",
        "Noted: 2 messages that waited are back in the input: Enter sends them together, Ctrl-C drops them\nnot run, since the answer was stopped: /model (Up recalls it)",
      ])
      yield* leaving(talking)
      assert.lengthOf(
        texts(yield* user.shown).filter((text) => text.startsWith("Asked")),
        1,
      )
      assert.strictEqual(yield* Ref.get(user.draft), "of a dog\nand a cat\nand a")
    }).pipe(inMemory),
  )

  it.effect("exits at the second request in a row, and not with a message between them", () =>
    Effect.gen(function* () {
      const { user, running } = yield* startSession({ model: counting().model })
      yield* user.requestsExit
      yield* user.asks("hello")
      yield* user.requestsExit
      yield* user.waitFor("ExitHint")
      yield* user.requestsExit
      const exit = yield* Fiber.await(running)
      assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
    }).pipe(inMemory),
  )

  it.effect("keeps a message whose answer failed, and answers it again on /retry", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const failing = LanguageModel.make(
        new ModelId({ provider: "test", name: "failing" }),
        () => new ModelError({ model: "test/failing", reason: new Unauthorized({ message: "the key was refused" }) }),
      )
      const talking = yield* startSession({ model: failing, others: [model] })
      const { forest, user } = talking
      yield* user.sends("hello")
      const told = texts(yield* user.waitFor("Noted"))
      assert.match(told.join("\n"), /Failed: test\/failing: the key was refused.*\n.*\/retry/s)
      yield* user.sends("/model test/counting")
      yield* user.asks("/retry")
      assert.deepStrictEqual(requestTexts(requests[0]), ["user: hello"])
      const [root] = yield* forest.roots("chat")
      assert.lengthOf(yield* forest.subtree(root?.id ?? assert.fail("there is no tree")), 2)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("puts a message back into the input field that could not be sent", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.sends("look at @picture.png please")
      const told = texts(yield* user.waitFor("Failed"))
      assert.strictEqual(told.at(-1), "Failed: picture.png: binary, 3 bytes")
      assert.strictEqual(yield* Ref.get(user.draft), "look at @picture.png please")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("fails where the view is not interactive", () =>
    Effect.gen(function* () {
      const { running, user } = yield* startSession({ model: counting().model, isInteractive: false })
      yield* user.sends("look at @picture.png please")
      const exit = yield* Fiber.await(running)
      assert.isTrue(Exit.isFailure(exit))
    }).pipe(inMemory),
  )

  describe("with a position that is deleted meanwhile", () => {
    /** Deletes everything while it answers. */
    const deleting = (forest: Forest.Service, text: string) =>
      LanguageModel.make(new ModelId({ provider: "test", name: "deleting" }), (_, say) =>
        Effect.gen(function* () {
          for (const { id } of yield* forest.roots("chat")) {
            for (const node of yield* forest.children(id)) yield* forest.remove(node.id, "cascade")
          }
          yield* say([Part.Text({ text }), Part.Finish({ reason: "stop", usage: Usage.none })])
        }).pipe(Effect.catchTag("ForestError", Effect.die)),
      )

    it.effect("shows the answer, gives the message back, continues from what is left, and fails at the end", () =>
      Effect.gen(function* () {
        const { model, requests } = counting()
        const forest = yield* Forest.Forest
        const talking = yield* startSession({ model: deleting(forest, "It is so."), others: [model] })
        const { running, user } = talking
        yield* user.sends("one")
        yield* user.waitFor("Failed")
        const told = texts(yield* user.waitFor("Noted"))
        assert.include(texts(yield* user.shown), "NotPersisted: It is so.")
        assert.match(
          texts(yield* user.shown).join("\n"),
          /Failed: the answer is printed and not kept: the message that it answers was deleted or undone meanwhile \(node n-\d\)/,
        )
        assert.include(told.at(-1) ?? "", "deleted or undone elsewhere")
        assert.strictEqual(yield* Ref.get(user.draft), "one")
        yield* user.sends("/model test/counting")
        yield* user.asks("two")
        assert.deepStrictEqual(requestTexts(requests[0]), ["user: two"])
        yield* user.closes
        const exit = yield* Fiber.await(running)
        assert.include(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), "AnswerNotKept")
      }).pipe(inMemory),
    )

    it.effect("continues from the last message that still exists", () =>
      Effect.gen(function* () {
        const { model, requests } = counting()
        const talking = yield* startSession({ model })
        const { forest, user } = talking
        yield* user.asks("one")
        yield* user.asks("two")
        const [leaf] = yield* forest.leaves(1)
        const { nodes } = yield* forest.path(leaf?.id ?? assert.fail("nothing was kept"))
        yield* forest.remove(nodes[2]?.id ?? assert.fail("there is no second message"), "cascade")
        yield* user.sends("three")
        yield* user.waitFor("Noted")
        assert.strictEqual(yield* Ref.get(user.draft), "three")
        yield* user.asks("three")
        assert.deepStrictEqual(requestTexts(requests[2]), ["user: one", "assistant: answer 1", "user: three"])
        yield* leaving(talking)
      }).pipe(inMemory),
    )

    it.effect("shows the answer and fails where the view is not interactive, and says what was not sent", () =>
      Effect.gen(function* () {
        const { kept, unsent } = yield* makeDrafts("left by a user")
        const forest = yield* Forest.Forest
        const { running, user } = yield* startSession({ model: deleting(forest, "So."), isInteractive: false, unsent })
        yield* user.sends("one")
        yield* user.sends("two")
        const exit = yield* Fiber.await(running)
        assert.include(texts(yield* user.shown), "NotPersisted: So.")
        assert.include(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), "AnswerNotKept")
        assert.strictEqual(yield* Ref.get(kept), "left by a user")
        assert.include(texts(yield* user.shown), "Noted: the input was not sent, beginning with: two")
      }).pipe(inMemory),
    )

    it.effect("names the messages of a program from the one that could not be stored on, and keeps none", () =>
      Effect.gen(function* () {
        const { kept, unsent } = yield* makeDrafts("")
        const { forest, running, user } = yield* startSession({ model: counting().model, isInteractive: false, unsent })
        yield* user.asks("one")
        const [root] = yield* forest.roots("chat")
        for (const { id } of yield* forest.children(root?.id ?? assert.fail("there is no tree"))) {
          yield* forest.remove(id, "cascade")
        }
        yield* user.sends("two")
        yield* user.sends("three")
        const exit = yield* Fiber.await(running)
        assert.include(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), "Node not found")
        assert.strictEqual(yield* Ref.get(kept), "")
        assert.include(texts(yield* user.shown), "Noted: the input was not sent, beginning with: two")
      }).pipe(inMemory),
    )

    it.effect("shows drafts that cannot be stored, and fails", () =>
      Effect.gen(function* () {
        const lost = new DiskError({ path: "/x", reason: new Unwritable({ cause: "" }) })
        const unsent: DraftStorage.DraftStorage = {
          take: Effect.succeed(""),
          put: (text) => (text === "" ? Effect.succeed(false) : lost),
        }
        const { running, user } = yield* startSession({ model: counting().model, unsent })
        yield* user.asks("one")
        yield* Ref.set(user.draft, "half a sen")
        yield* user.closes
        const exit = yield* Fiber.await(running)
        assert.isTrue(Exit.isFailure(exit))
        assert.include(texts(yield* user.shown).at(-1) ?? "", "half a sen")
      }).pipe(inMemory),
    )
  })

  it.effect("sends a mentioned file to the model, and shows the message without it", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.sends("What is in @a.ts?")
      const told = texts(yield* user.waitFor("Answered"))
      assert.deepStrictEqual(requestTexts(requests[0]), [
        'user: <file path="a.ts">\nconst a = 1\n</file>\n\nWhat is in @a.ts?',
      ])
      assert.include(told, "Asked: What is in @a.ts?")
      yield* user.asks("/edit And @nobody?")
      assert.deepStrictEqual(requestTexts(requests[1]), ["user: And @nobody?"])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says that a mentioned path is no file, and sends the words", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.sends("What is in @src/b.ts?")
      assert.deepStrictEqual(texts(yield* user.waitFor("Answered")).slice(-3, -1), [
        "Asked: What is in @src/b.ts?",
        "Noted: @src/b.ts: no such file here; sent as plain words",
      ])
      assert.deepStrictEqual(requestTexts(requests[0]), ["user: What is in @src/b.ts?"])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("exports to the path that the user types, outside the folder and into new folders, too", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.asks("one")
      for (const file of ["/elsewhere/new/x.html", "../y.md", "notes/z.md"]) {
        yield* user.sends(`/export ${file}`)
        assert.strictEqual(texts(yield* user.waitFor("Noted")).at(-1), `Noted: wrote ${file}`)
      }
      for (const file of ["/elsewhere/new/x.html", "/y.md", "/here/notes/z.md"]) yield* files.stat(file)
      yield* user.sends("/export /y.md")
      assert.include(texts(yield* user.waitFor("Failed")).at(-1), "/y.md is there already")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says with /save that there is no message where the conversation begins", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.asks("one")
      yield* user.sends("/undo")
      yield* user.sends("/save here")
      assert.strictEqual(texts(yield* user.waitFor("Failed")).at(-1), "Failed: there is no message yet")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("offers with /model the one in use first, with what is known of it, also if it is in no list", () =>
    Effect.gen(function* () {
      const menus: Array<View.Menu> = []
      const model = LanguageModel.make(new ModelId({ provider: "fake", name: "mine" }), () => Effect.never)
      const talking = yield* startSession({
        model: { ...model, price: { input: 0, output: 0 }, limits: { context: 32_000, output: 100 } },
        known: [counting().model],
        picks: (menu) => {
          menus.push(menu)
          return undefined
        },
      })
      yield* talking.user.sends("/model")
      yield* talking.user.waitFor("Noted")
      assert.deepStrictEqual(menus[0]?.choices, [
        { label: "fake/mine", about: "free · 32k" },
        { label: "test/counting", about: "" },
      ])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  describe("with tool servers", () => {
    const served: ToolServers.Opened = {
      tools: [
        {
          server: "web",
          origin: "the tool get of web",
          tool: Tool.fromJsonSchema({
            name: "web_get",
            description: "Gets it.",
            parameters: { type: "object" },
            run: () => Effect.succeed("got"),
          }),
        },
      ],
      costs: ["tool server web: 1 tool"],
      notes: ["tool server old is not used: it ended"],
    }

    /** Servers that answer when the latch opens, and how often they were ended. */
    const slow = Effect.map(Effect.makeLatch(), (latch) => {
      let isOpen = false
      const closed = { times: 0 }
      const servers: ToolServers.Service = {
        prefixes: ["web_"],
        open: Effect.as(latch.await, served),
        starting: Effect.sync(() => (isOpen ? [] : ["web"])),
        close: Effect.sync(() => {
          closed.times += 1
        }),
      }
      const answer = Effect.suspend(() => {
        isOpen = true
        return latch.open
      })
      return { servers, answer, closed }
    })

    const toolsOf = (request: Request | undefined) => request?.tools.map(({ name }) => name)

    it.effect(
      "shows itself at once, says after a second which of them it waits for, and sends a message with their tools",
      () =>
        Effect.gen(function* () {
          const { model, requests } = counting()
          const { answer, servers } = yield* slow
          const talking = yield* startSession({ model, servers })
          const { user } = talking
          yield* user.waitFor("Titled")
          yield* user.sends("hello")
          yield* Effect.yieldNow()
          yield* TestClock.adjust("1 second")
          assert.include(texts(yield* user.waitFor("Noted")), "Noted: starting tool server web…")
          assert.lengthOf(requests, 0)
          yield* answer
          assert.include(
            texts(yield* user.waitFor("Noted")),
            "Noted: tool server web: 1 tool\ntool server old is not used: it ended",
          )
          yield* user.waitFor("Answered")
          assert.deepStrictEqual(toolsOf(requests[0]), ["web_get"])
          yield* leaving(talking)
        }).pipe(inMemory),
    )

    it.effect("offers both tools if one of theirs has the name of another", () =>
      Effect.gen(function* () {
        const { answer, servers } = yield* slow
        yield* answer
        const { model, requests } = counting()
        const [own] = served.tools.map(({ tool }) => tool)
        const tools = ToolRegistry.make(own === undefined ? [] : [own])
        const talking = yield* startSession({ model, servers, tools })
        yield* talking.user.asks("hello")
        const [first = "", second = ""] = toolsOf(requests[0]) ?? []
        assert.strictEqual(first, "web_get")
        assert.match(second, /^web_get_\w+$/)
        yield* leaving(talking)
      }).pipe(inMemory),
    )

    it.effect("lets the user stop a message that waits for them, and then sends it without", () =>
      Effect.gen(function* () {
        const { model, requests } = counting()
        const { servers } = yield* slow
        const talking = yield* startSession({ model, servers })
        const { user } = talking
        yield* user.sends("hello")
        yield* Effect.yieldNow()
        yield* TestClock.adjust("1 second")
        yield* user.waitFor("Noted")
        yield* user.stops
        yield* user.waitFor("Stopped")
        assert.include(texts(yield* user.waitFor("Noted")).at(-1) ?? "", "messages no longer wait for tool server web")
        assert.strictEqual(yield* Ref.get(user.draft), "hello")
        yield* Ref.set(user.draft, "")
        yield* user.asks("hello")
        assert.deepStrictEqual(toolsOf(requests[0]), [])
        yield* leaving(talking)
      }).pipe(inMemory),
    )

    it.effect("ends at /quit while a message waits for them", () =>
      Effect.gen(function* () {
        const { servers } = yield* slow
        const { running, user } = yield* startSession({ model: counting().model, servers })
        yield* user.sends("hello")
        yield* user.sends("/quit")
        assert.isTrue(Exit.isSuccess(yield* Fiber.await(running)))
      }).pipe(inMemory),
    )

    it.effect("counts tools on /tools on, names a failed server once, and ends the servers on /tools off", () =>
      Effect.gen(function* () {
        const { answer, closed, servers } = yield* slow
        yield* answer
        const talking = yield* startSession({ model: counting().model, offeredServers: servers })
        const { user } = talking
        yield* user.sends("/tools on")
        const [, summary] = texts(yield* user.waitFor("Noted"))
        assert.match(
          summary ?? "",
          /^Noted: tools are on: 0 of vibe, 1 of web \(about \d+ tokens a request\)\ntool server old is not used: it ended$/,
        )
        yield* user.sends("/tools")
        assert.deepStrictEqual(texts(yield* user.waitFor("Noted")), ["Noted: web_get: Gets it."])
        yield* user.sends("/tools off")
        assert.match(texts(yield* user.waitFor("Noted"))[0] ?? "", /the model has no tools/)
        assert.strictEqual(closed.times, 1)
        yield* leaving(talking)
      }).pipe(inMemory),
    )
  })

  it.effect("branches off on /fork and comes back on /tree, with both branches kept", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({
        model,
        picks: ({ choices }) => choices.findIndex(({ label }) => label.includes("answer 2")),
      })
      const { forest, user } = talking
      yield* user.sends("one")
      yield* user.sends("two")
      yield* user.sends("/fork 1")
      yield* user.waitFor("History")
      assert.strictEqual(yield* Ref.get(user.draft), "one")
      yield* user.asks("uno")
      yield* user.sends("/tree")
      yield* user.asks("three")
      assert.deepStrictEqual(requestTexts(requests[2]), ["user: uno"])
      assert.deepStrictEqual(requestTexts(requests[3]), [
        "user: one",
        "assistant: answer 1",
        "user: two",
        "assistant: answer 2",
        "user: three",
      ])
      const [root] = yield* forest.roots("chat")
      assert.lengthOf(yield* forest.leaves(10, root?.id), 2)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect(
    "has a message that an edit has divided as one in menus, drafts and copies, and goes back before all of it",
    () =>
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "S" })
        const source = { type: "user" } as const
        const [poem, roses] = yield* forest.append(
          root.id,
          [
            Message.user("Write a poem"),
            { role: "assistant" as const, content: [Block.text("Roses are red")] as const },
            Message.user("Thanks"),
          ].map((message) => ({
            message,
            source,
          })),
        )
        const longer = yield* forest.edit(poem?.id ?? root.id, "Write a longer poem")
        const violets = yield* forest.edit(roses?.id ?? root.id, "Roses are blue")
        const { model, requests } = counting()
        const menus: Array<ReadonlyArray<string>> = []
        const userAfter = (line: string, from: NodeId) =>
          Effect.gen(function* () {
            const picks: Options["picks"] = ({ choices }) => {
              menus.push(choices.map(({ label }) => label))
              return choices.findIndex(({ label }) => label.includes("Write a longer poem"))
            }
            const talking = yield* startSession({ model, from, picks })
            yield* talking.user.sends(line)
            yield* talking.user.asks("Another")
            yield* leaving(talking)
            return talking.user
          })
        for (const [line, from] of [
          ["/tree", violets.id],
          ["/search longer", violets.id],
          ["/fork", longer.id],
          [`/tree ${longer.id}`, violets.id],
          ["/edit", longer.id],
          ["/undo", longer.id],
        ] as const) {
          const { draft } = yield* userAfter(line, from)
          if (line !== "/undo") assert.strictEqual(yield* Ref.get(draft), "Write a longer poem", line)
          assert.deepStrictEqual(requestTexts(requests.at(-1)), ["user: Another"], line)
        }
        assert.deepStrictEqual(menus, [
          [
            '├─ user "Write a poem"',
            '│  ├─ assistant "Roses are red"',
            '│  │  user "Thanks"',
            '│  └─ assistant "Roses are blue"',
            '└─ user "Write a longer poem"',
          ],
          ['user "Write a longer poem"'],
          ["Write a longer poem"],
        ])
        const { clipboard } = yield* userAfter("/copy", violets.id)
        assert.strictEqual(yield* Ref.get(clipboard), "Roses are blue")
        yield* userAfter("/retry", longer.id)
        assert.deepStrictEqual(requestTexts(requests.at(-2)), ["user: Write a longer poem"])
      }).pipe(inMemory),
  )

  it.effect("shows on /tree what was said, and no calls of tools in between", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "S" })
      const call = Block.toolUse("c1", "look", {})
      const nodes = yield* forest.append(
        root.id,
        [
          Message.user("Look around"),
          { role: "assistant" as const, content: [Block.text("I look."), call] as const },
          Message.toolResult(call, "nothing here", false),
          { role: "assistant" as const, content: [Block.text("There is nothing.")] as const },
        ].map((message) => ({ message, source: { type: "user" as const } })),
      )
      const menus: Array<View.Menu> = []
      const talking = yield* startSession({
        model: counting().model,
        from: nodes.at(-1)?.id ?? root.id,
        picks: (menu) => menus.push(menu) - 2,
      })
      yield* talking.user.sends("/tree")
      yield* leaving(talking)
      assert.deepStrictEqual(
        menus.map(({ choices }) => choices),
        [
          [
            { label: 'user "Look around"', about: undefined },
            { label: 'assistant "There is nothing."', about: "you are here" },
          ],
        ],
      )
    }).pipe(inMemory),
  )

  it.effect("answers a message several times, each answer a branch", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { forest, user } = talking
      yield* user.sends("one")
      yield* user.sends("/retry -n 2")
      yield* leaving(talking)
      assert.deepStrictEqual(requests.map(requestTexts), [["user: one"], ["user: one"], ["user: one"]])
      const [root] = yield* forest.roots("chat")
      const [question] = yield* forest.children(root?.id ?? assert.fail("there is no tree"))
      assert.lengthOf(yield* forest.children(question?.id ?? assert.fail("there is no question")), 3)
    }).pipe(inMemory),
  )

  it.effect("resumes a conversation, and shows the end of it", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const before = yield* startSession({ model })
      yield* before.user.sends("one")
      yield* leaving(before)
      const [leaf] = yield* before.forest.leaves(1)
      const talking = yield* startSession({ model, from: leaf?.id ?? assert.fail("nothing was kept") })
      const earlier = (yield* talking.user.waitFor("History")).at(-1)
      assert.ok(earlier?._tag === "History")
      assert.deepStrictEqual(
        earlier.nodes.map(({ message }) => Message.text(message)),
        ["one", "answer 1"],
      )
      yield* talking.user.sends("two")
      yield* leaving(talking)
      assert.lengthOf(requests[1]?.messages ?? [], 3)
    }).pipe(inMemory),
  )

  it.effect("keeps text that was not sent, and starts the next session with it", () =>
    Effect.gen(function* () {
      const { kept, unsent } = yield* makeDrafts("left from before")
      const heard = yield* Effect.makeLatch()
      const { running, user } = yield* startSession({
        model: endless,
        unsent,
        onEvent: TurnEvents.onPart(() => heard.open),
      })
      yield* user.sends("one")
      yield* heard.await
      assert.strictEqual(yield* Ref.get(user.draft), "left from before")
      yield* user.sends("two")
      yield* user.waitFor("Queued")
      yield* Ref.set(user.draft, "half a sen")
      // As when the terminal is lost.
      yield* Fiber.interrupt(running)
      assert.strictEqual(yield* Ref.get(kept), "two\n\nhalf a sen")
      assert.include(texts(yield* user.shown), "Noted: You had not sent this when your last session here ended:")
    }).pipe(inMemory),
  )

  it.effect("counts an answer that was stopped, by an estimate, and shows it with /cost", () =>
    Effect.gen(function* () {
      const heard = yield* Effect.makeLatch()
      const model = { ...endless, price: { input: 1000, output: 1000 } }
      const talking = yield* startSession({ model, onEvent: TurnEvents.onPart(() => heard.open) })
      const { user } = talking
      yield* user.sends("tell me a story")
      yield* heard.await
      yield* user.stops
      const stopped = (yield* user.waitFor("Stopped")).at(-1)
      const account = stopped?._tag === "Stopped" ? stopped.account : assert.fail("it was not stopped")
      assert.isTrue(account.isEstimated)
      assert.isAbove(account.usage.inputTokens, 0)
      assert.strictEqual(account.cost, (account.usage.inputTokens + account.usage.outputTokens) / 1000)
      yield* user.sends("/cost")
      const shown = texts(yield* user.waitFor("Noted")).at(-1) ?? ""
      assert.match(
        shown,
        /^Noted: session +1 answer: \d+ tokens read, \d+ written, about \$0\.\d+; of stopped answers an estimate$/m,
      )
      assert.match(shown, /^context +about \d+ tokens of test\/endless$/m)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("shows with /cost the session, its last answer and how full the context is", () =>
    Effect.gen(function* () {
      const { model } = counting()
      const talking = yield* startSession({ model: { ...model, limits: { context: 1200, output: 100 } } })
      const { user } = talking
      yield* user.asks("one")
      yield* user.asks("two")
      yield* user.sends("/cost")
      assert.strictEqual(
        texts(yield* user.waitFor("Noted")).at(-1),
        [
          "Noted: session      2 answers: 20 tokens read, 4 written, about $0.000028",
          "last answer  10 tokens read, 2 written, about $0.000014",
          "context      12 of 1,200 tokens (1 %) of test/counting",
        ].join("\n"),
      )
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says how much context is used, and not of how much, where the window is not known", () =>
    Effect.gen(function* () {
      const { model } = counting()
      const limits = { context: Number.POSITIVE_INFINITY, output: 100 }
      const talking = yield* startSession({ model: { ...model, limits } })
      const { user } = talking
      yield* user.sends("one")
      const answered = (yield* user.waitFor("Answered")).at(-1)
      const account = answered?._tag === "Answered" ? answered.account : assert.fail("there is no answer")
      assert.deepStrictEqual(account.context, { used: 12, window: undefined, isEstimated: false })
      yield* user.sends("/cost")
      assert.match(texts(yield* user.waitFor("Noted")).at(-1) ?? "", /^context +12 tokens of test\/counting$/m)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says the same of the context below an answer that was stopped and with /cost, also at the second", () =>
    Effect.gen(function* () {
      let heard = yield* Effect.makeLatch()
      const tool = Tool.make({
        name: "look",
        description: "Looks at whatever there is to look at, and says what that is.",
        parameters: Schema.Struct({ path: Schema.String }),
        run: () => Effect.succeed("nothing"),
      })
      const talking = yield* startSession({
        model: endless,
        tools: ToolRegistry.make([tool]),
        onEvent: TurnEvents.onPart(() => heard.open),
      })
      const { user } = talking
      for (const message of ["tell me a story", "another"]) {
        yield* user.sends(message)
        yield* heard.await
        yield* user.stops
        const stopped = (yield* user.waitFor("Stopped")).at(-1)
        const context = stopped?._tag === "Stopped" ? stopped.account.context : assert.fail("it was not stopped")
        assert.isAbove(context?.used ?? 0, 50)
        yield* user.sends("/cost")
        const shown = texts(yield* user.waitFor("Noted")).at(-1)
        assert.include(shown, `context      about ${context?.used} tokens of test/endless`)
        heard = yield* Effect.makeLatch()
      }
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("does not round a part of the context below one percent", () =>
    Effect.gen(function* () {
      const { model } = counting()
      const talking = yield* startSession({ model: { ...model, limits: { context: 1_048_576, output: 100 } } })
      const { user } = talking
      yield* user.asks("one")
      yield* user.sends("/cost")
      assert.include(texts(yield* user.waitFor("Noted")).at(-1), "of 1,048,576 tokens (under 1 %)")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("copies the last answer, also after a message without one, and says where there is none", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.sends("/copy")
      assert.strictEqual(texts(yield* user.waitFor("Failed")).at(-1), "Failed: there is no answer yet")
      yield* user.asks("one")
      yield* user.sends("/copy")
      assert.strictEqual(texts(yield* user.waitFor("Noted")).at(-1), "Noted: copied")
      assert.strictEqual(yield* Ref.get(user.clipboard), "answer 1")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("summarises with /compact what came before the last message, and counts what that cost", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      for (const text of ["one", "two", "three"]) {
        yield* user.asks(text)
      }
      yield* user.sends("/compact the numbers")
      assert.deepStrictEqual(texts(yield* user.waitFor("Noted")), [
        "Noted: test/counting summarises 4 earlier messages...",
      ])
      assert.match(
        texts(yield* user.waitFor("Noted")).at(-1) ?? "",
        /^Noted: 4 earlier messages summarised in about \d+ tokens, as you asked; \/tree has them all$/,
      )
      assert.match(requests[3]?.system ?? "", /to keep in mind above all: the numbers$/)
      yield* user.asks("four")
      assert.deepStrictEqual(requestTexts(requests[4]), [
        "system: [Summary of 4 earlier messages of this conversation, which no longer fit:]\nanswer 4",
        "user: three",
        "assistant: answer 3",
        "user: four",
      ])
      yield* user.sends("/cost")
      assert.match(texts(yield* user.waitFor("Noted")).at(-1) ?? "", /4 answers: 50 tokens read, 10 written/)
      yield* user.sends("/undo")
      yield* user.waitFor("Noted")
      yield* user.sends("/undo")
      yield* user.waitFor("Noted")
      yield* user.asks("else")
      // Before the summary was made the messages are as they were.
      assert.deepStrictEqual(requestTexts(requests[5]), [
        "user: one",
        "assistant: answer 1",
        "user: two",
        "assistant: answer 2",
        "user: else",
      ])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says with /compact that there is nothing to summarise", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.sends("/compact")
      assert.match(texts(yield* user.waitFor("Failed")).at(-1) ?? "", /nothing before your last message to summarise/)
      yield* user.asks("one")
      yield* user.sends("/compact")
      assert.match(texts(yield* user.waitFor("Failed")).at(-1) ?? "", /nothing before your last message to summarise/)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("clears the screen and begins a new conversation with /clear", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.asks("one")
      yield* user.sends("/clear")
      yield* user.sends("two")
      assert.include(texts(yield* user.waitFor("Answered")), "Cleared")
      assert.deepStrictEqual(requestTexts(requests[1]), ["user: two"])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("offers the models with /model, and goes on with the one that is picked", () =>
    Effect.gen(function* () {
      const { model } = counting()
      const menus: Array<View.Menu> = []
      const talking = yield* startSession({
        model: endless,
        others: [model],
        picks: (menu) => {
          menus.push(menu)
          return 1
        },
      })
      const { user } = talking
      yield* user.sends("/model")
      assert.strictEqual(texts(yield* user.waitFor("Noted")).at(-1), "Noted: test/counting answers from here on")
      assert.deepStrictEqual(
        [menus[0]?.choices.map(({ label }) => label), menus[0]?.preselected],
        [["test/endless", "test/counting"], 0],
      )
      yield* user.sends("/model 1")
      assert.strictEqual(texts(yield* user.waitFor("Noted")).at(-1), "Noted: test/counting answers from here on")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("sends pictures that were pasted or mentioned before the words, and shows what they are", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.sends("Is [picture 1] like @shot.png?", [picture])
      const entries = yield* user.waitFor("Answered")
      const asked = entries.find((entry) => entry._tag === "Asked")
      assert.deepStrictEqual(asked?._tag === "Asked" && asked.pictures, ["image/png, 1 kB", "image/png, 1 kB"])
      const text = Block.text("Is [picture 1] like @shot.png?")
      assert.deepStrictEqual(requests[0]?.messages, [{ role: "user", content: [picture, picture, text] }])
      yield* user.asks("/edit And now?")
      assert.deepStrictEqual(requests[1]?.messages[0]?.content.length, 3)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("refuses pictures before they are sent to a model that reads none, and leaves the words in the field", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model: { ...model, modalities: { input: [], output: [] } } })
      const { user } = talking
      yield* user.sends("What is @shot.png?")
      assert.strictEqual(
        texts(yield* user.waitFor("Failed")).at(-1),
        "Failed: test/counting reads no pictures: choose another model with /model, or leave them out",
      )
      assert.strictEqual(yield* Ref.get(user.draft), "What is @shot.png?")
      assert.lengthOf(requests, 0)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("takes a command that waited off the queue before it runs", () =>
    Effect.gen(function* () {
      const heard = yield* Effect.makeLatch()
      const talking = yield* startSession({ model: endless, onEvent: TurnEvents.onPart(() => heard.open) })
      const { user } = talking
      yield* user.sends("one")
      yield* heard.await
      yield* user.sends("/save here")
      yield* user.waitFor("Queued")
      yield* user.stops
      assert.deepStrictEqual(texts(yield* user.waitFor("Noted")).slice(-2), [
        "Dequeued: /save here",
        'Noted: saved: vibe chat --resume="here" continues from here',
      ])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("explains a wrong command, and points to /help", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      for (const line of ["/nope", "/retry -n 0", "/undo", "/save", "/export x.pdf", "/tree 7", "/search", "/help"]) {
        yield* user.sends(line)
      }
      yield* leaving(talking)
      const told = texts(yield* user.shown)
      assert.deepStrictEqual(told.slice(1, 7), [
        "Failed: there is no /nope; /help lists the commands",
        "Failed: /retry takes -n and a number from 1 to 20",
        "Failed: there is no message yet",
        "Failed: /save takes a title",
        "Failed: there is no message yet",
        "Failed: there is no message yet",
      ])
      assert.include(told.at(-1) ?? "", "/help")
      assert.lengthOf(requests, 0)
    }).pipe(inMemory),
  )

  it.effect("treats a path as a message, not as a command", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      yield* talking.user.sends("/usr/bin/env is what?")
      yield* leaving(talking)
      assert.deepStrictEqual(requestTexts(requests[0]), ["user: /usr/bin/env is what?"])
    }).pipe(inMemory),
  )
})

describe("SessionLoop.eventOf", () => {
  const immediate: SlashCommand = {
    name: "cost",
    aliases: ["price"],
    argument: undefined,
    summary: "",
    isImmediate: true,
    run: () => Effect.succeed("continue"),
  }
  const commands = [immediate, { ...immediate, name: "undo", aliases: [], isImmediate: false }]

  it.each([
    ["/cost", true],
    [" /price now", true],
    ["/undo", false],
    ["/unknown", false],
    ["/cost/of/files", false],
    ["What does /cost do?", false],
  ])("says whether %j is handled at once", (text, isImmediate) => {
    const event = SessionLoop.eventOf(View.Input.Sent({ text }), commands)
    assert.deepInclude(event, { _tag: "Sent", text, isImmediate })
  })

  it("closes the input of the session with that of the view", () => {
    assert.deepStrictEqual(SessionLoop.eventOf(View.Input.Closed(), commands), { _tag: "InputClosed" })
  })
})
