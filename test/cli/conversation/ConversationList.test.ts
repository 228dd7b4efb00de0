import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import * as ConversationList from "../../../src/cli/conversation/ConversationList.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Conversations from "../../../src/conversation/Conversations.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Operation from "../../../src/forest/Operation.ts"
import * as Message from "../../../src/message/Message.ts"
import { withScript } from "../../utils/Looms.ts"

const say = (text: string) => ({ message: Message.user(text), source: { type: "user" } }) as const

/** A conversation of a session of the page. */
const inPage = (session: string, folder: string) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const root = yield* forest.root({ owner: `session:${session}`, systemPrompt: "S", key: "session" })
    yield* forest.append(root.id, [say("hello")])
  }).pipe(Effect.locally(Operation.folder, folder))

const listed = (options: { readonly all?: boolean; readonly owner?: string; readonly json?: boolean } = {}) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const { all = false, json = false, owner = "chat" } = options
    const to = json ? "out" : "err"
    yield* ConversationList.newest({ owner, program: "vibe chat", json, all }).pipe(
      Effect.locally(Operation.folder, "/home/me/app"),
      Effect.provide(Layer.merge(Screen.layerMemory(written), Files.layerMemory({}))),
    )
    return (yield* Ref.get(written)).filter(({ to: stream }) => stream === to).map(({ text }) => text)
  })

describe("vibe chat --list", () => {
  it.effect("has title and last words of messages whole that an edit has divided", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const own = yield* forest.startConversation({ owner: "chat", systemPrompt: "S", folder: "/home/me/app" })
      const [poem] = yield* forest.append(own.id, [say("Write a poem"), say("Roses")])
      yield* forest.edit(poem?.id ?? own.id, "Write a longer poem")
      const [text = ""] = yield* listed({ json: true })
      const [conversation] = JSON.parse(text).conversations
      assert.deepStrictEqual([conversation.title, conversation.lastWords], ["Write a poem", "Write a longer poem"])
    }).pipe(withScript([])),
  )

  it.effect("has the conversations of other programs, by their folder or without one, and finds their titles", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const imported = (owner: string, title: string, createdAt: number) =>
        Effect.gen(function* () {
          const messages = [{ parent: undefined, draft: { ...say("hello"), createdAt } }]
          const { root } = yield* forest.appendTree({ owner, systemPrompt: "", key: title }, messages)
          yield* forest.rename(root, title)
        }).pipe(Effect.locally(Operation.folder, undefined))
      yield* imported("chatgpt", "Tax return", 3)
      yield* imported("claude-code:/home/me/app", "A talk", 2)
      yield* imported("codex:/elsewhere", "Fix the build", 1)
      yield* imported("index:/home/me/app", "No chat", 4)
      const titles = (options: { readonly all?: boolean; readonly owner?: string } = {}) =>
        Effect.map(listed({ ...options, json: true }), ([text = ""]) =>
          JSON.parse(text).conversations.map(({ title }: { readonly title: string }) => title),
        )
      assert.deepStrictEqual(yield* titles(), ["Tax return", "A talk"])
      assert.deepStrictEqual(yield* titles({ all: true }), ["Tax return", "A talk", "Fix the build"])
      assert.deepStrictEqual(yield* titles({ owner: "discover:/home/me/app" }), [])
      const found = yield* Conversations.search("chat", "hello", 9)
      assert.lengthOf(found, 3)
      const titled = yield* Conversations.findByTitle("the build", { owner: "chat", limit: 9 })
      assert.deepStrictEqual(
        titled.map(({ title }) => title),
        ["Fix the build"],
      )
      assert.deepStrictEqual(yield* Conversations.findByTitle("no chat", { owner: "chat", limit: 9 }), [])
    }).pipe(withScript([])),
  )

  it.effect("says how many conversations of the folder were held in the page", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      yield* inPage("a", "/home/me/app")
      assert.deepStrictEqual(yield* listed(), [
        "there are no conversations yet in /home/me/app\n",
        "1 more was held in the page: vibe serve shows it\n",
      ])
      const own = yield* forest.startConversation({ owner: "chat", systemPrompt: "S", folder: "/home/me/app" })
      yield* forest.append(own.id, [say("Why?")])
      yield* inPage("b", "/home/me/app")
      yield* inPage("c", "/elsewhere")
      assert.deepStrictEqual(yield* listed(), ["2 more were held in the page: vibe serve shows them\n"])
      assert.deepStrictEqual(yield* listed({ all: true }), ["3 more were held in the page: vibe serve shows them\n"])
      assert.notInclude((yield* listed({ owner: "document:/home/me/app/a.md" })).join(""), "in the page")
    }).pipe(withScript([])),
  )
})
