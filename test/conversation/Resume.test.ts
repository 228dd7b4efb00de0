import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Conversations from "../../src/conversation/Conversations.ts"
import { historyEntry, SHOWN_NODES } from "../../src/conversation/Resume.ts"
import type * as View from "../../src/conversation/View.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Message from "../../src/message/Message.ts"
import type { FinishReason } from "../../src/message/Usage.ts"
import { withScript } from "../utils/Looms.ts"
import { inMemory, say, session, talk, titles } from "../utils/ResumedSessions.ts"

describe("--resume", () => {
  it.effect("offers the conversations of this folder, the newest first, and continues the one that is picked", () =>
    Effect.gen(function* () {
      yield* talk("one", -120_000, "/here")
      yield* talk("two", -60_000, "/here")
      yield* talk("elsewhere", -1, "/there")
      const menus: Array<View.Menu> = []
      const picks = (menu: View.Menu) => menus.push(menu)
      const told = yield* session(["more"], { picks, resumes: "here" })
      assert.deepStrictEqual(
        menus.map(({ choices }) => choices),
        [
          [
            { label: "two", about: "1 min ago, 2 messages · echo · about two" },
            { label: "one", about: "2 min ago, 2 messages · echo · about one" },
          ],
        ],
      )
      assert.deepStrictEqual(told, ["Titled", "History", "Asked: more", "Answered: on one/about one/more"])
      assert.deepStrictEqual(yield* titles, ["one: 4", "elsewhere: 2", "two: 2"])
    }).pipe(inMemory),
  )

  it.effect("finds conversations by words in their messages, of which the last may be unfinished", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { answer } = yield* talk("one", -120_000, "/here")
      yield* forest.append(answer.id, [
        { message: Message.user("Where do penguins breed?"), source: { type: "user" }, createdAt: -110_000 },
        { message: Message.user("Of what"), source: { type: "user" }, createdAt: -100_000 },
      ])
      yield* talk("two", -60_000, "/here")
      const listed = yield* Conversations.newest({ owner: "chat" }, 9)
      const found = (words: string) => Conversations.findByMessages(listed, { owner: "chat", words, limit: 9 })
      assert.deepStrictEqual(yield* found("penguins bre"), [1])
      assert.deepStrictEqual(yield* found("about "), [0, 1])
      assert.deepStrictEqual(yield* found("breed what"), [], "no message has both")
      assert.deepStrictEqual(yield* found("?!"), [])
      const searches: Array<View.MenuSearch> = []
      const picks = (_menu: View.Menu, search?: View.MenuSearch) => {
        if (search !== undefined) searches.push(search)
        return undefined
      }
      yield* session([], { picks, resumes: "here" })
      assert.deepStrictEqual(
        searches.map(({ label }) => label),
        ["in a message"],
      )
      assert.deepStrictEqual(yield* searches[0]?.find("penguins") ?? Effect.succeed([]), [1])
    }).pipe(inMemory),
  )

  it.effect("leaves where nothing is picked", () =>
    Effect.gen(function* () {
      yield* talk("one", 0, "/here")
      assert.deepStrictEqual(yield* session(["more"], { resumes: "here" }), ["Titled"])
      assert.deepStrictEqual(yield* titles, ["one: 2"])
    }).pipe(inMemory),
  )

  it.effect("continues the newest of this folder if it cannot ask, and says which", () =>
    Effect.gen(function* () {
      yield* talk("one", -9_000_000, "/here")
      yield* talk("elsewhere", -1, "/there")
      const told = yield* session(["more"], { isInteractive: false, resumes: "here" })
      assert.deepStrictEqual(told, [
        "Titled",
        'Noted: continues "one" (2 h ago, 2 messages)',
        "History",
        "Asked: more",
        "Answered: on one/about one/more",
      ])
    }).pipe(inMemory),
  )

  it.effect("says where there are conversations, if there is none in this folder", () =>
    Effect.gen(function* () {
      const none = yield* session([], { resumes: "here" })
      assert.deepStrictEqual(none.slice(1), ["ends: there is no conversation yet that could go on"])
      yield* talk("elsewhere", 0, "/there")
      const told = yield* session([], { resumes: "here" })
      assert.deepStrictEqual(told.slice(1), [
        "ends: no conversation was begun in /here; 'vibe chat --resume --all' has those of other folders",
      ])
    }).pipe(inMemory),
  )

  it.effect("--all offers those of all folders, with the folder of each", () =>
    Effect.gen(function* () {
      yield* talk("one", -5, "/there")
      yield* talk("two", -4, "/gone")
      yield* talk("three", -3, undefined)
      const menus: Array<View.Menu> = []
      const told = yield* session([], {
        picks: (menu) => {
          menus.push(menu)
          return 1
        },
        resumes: "all",
      })
      assert.deepStrictEqual(
        menus[0]?.choices.map(({ about }) => about?.split(" · ")[0]),
        ["folder unknown", "/gone (moved or removed)", "/there"],
      )
      assert.deepStrictEqual(told.slice(1), [
        "History",
        "Noted: This conversation was begun in /gone, which was moved or removed; it is listed in /here now",
      ])
      const unknown = yield* session([], { picks: () => 0, resumes: "all" })
      assert.deepStrictEqual(unknown.slice(1), [
        "History",
        "Noted: It is not known where this conversation was begun; it is listed in /here now",
      ])
      const forest = yield* Forest.Forest
      const here = yield* forest.conversations({ folder: "/here", limit: 9 })
      assert.deepStrictEqual(
        here.map(({ title }) => title),
        ["three", "two"],
      )
    }).pipe(inMemory),
  )

  it.effect("begins with the end of the folder, and has the whole of it behind everything else", () =>
    Effect.gen(function* () {
      yield* talk("one", -60_000, "/home/me/work/shop")
      const menus: Array<View.Menu> = []
      yield* session([], { picks: (menu) => menus.push(menu) - 2, resumes: "all" })
      assert.strictEqual(
        menus[0]?.choices[0]?.about,
        "…/work/shop (moved or removed) · 1 min ago, 2 messages · echo · about one · /home/me/work/shop (moved or removed)",
      )
    }).pipe(inMemory),
  )

  it.effect.each<[FinishReason, string]>([
    ["interrupted", "The last answer was stopped before its end: /retry requests another"],
    ["length", "The last answer has no end: it reached the limit of its length"],
  ])("says of an answer with the finish %s what it lacks", ([finish, text]) =>
    Effect.gen(function* () {
      yield* talk("one", 0, "/here", finish)
      const told = yield* session([], { picks: () => 0, resumes: "here" })
      assert.deepStrictEqual(told.slice(1), ["History", `Noted: ${text}`])
    }).pipe(inMemory),
  )

  it.effect("says that the last message is not answered", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { answer } = yield* talk("one", 0, "/here")
      yield* forest.append(answer.id, [{ message: Message.user("and?"), source: { type: "user" } }])
      const told = yield* session([], { picks: () => 0, resumes: "here" })
      assert.deepStrictEqual(told.slice(1), [
        "History",
        "Noted: The last message is not answered: /retry requests an answer",
      ])
    }).pipe(inMemory),
  )
})

describe("/resume", () => {
  it.effect("goes to another conversation by a menu, by its number, or by a node", () =>
    Effect.gen(function* () {
      const { answer } = yield* talk("one", -9, "/here")
      yield* talk("two", -8, "/here")
      yield* talk("three", -7, "/there")
      const told = yield* session(
        ["/resume", "a", "/resume 2", "b", `/resume ${answer.id}`, "c", "/resume --all 3", "d"],
        {
          picks: () => 0,
        },
      )
      assert.deepStrictEqual(
        told.filter((line) => line.startsWith("Answered")),
        [
          "Answered: on two/about two/a",
          "Answered: on one/about one/b",
          "Answered: on one/about one/c",
          "Answered: on three/about three/d",
        ],
      )
      const refused = yield* session(["/resume 9"])
      assert.deepStrictEqual(refused.slice(1), ["Failed: there is no 9; there are 2"])
    }).pipe(inMemory),
  )
})

describe("A new conversation", () => {
  it.effect("has a tree of its own from its first message on, in its folder, also after /new", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      yield* session(["/title", "/new"])
      assert.deepStrictEqual(yield* forest.roots(), [])
      yield* session(["one", "two", "/new", "three", "/retry -n 2"])
      assert.lengthOf(yield* forest.roots("chat"), 2)
      assert.deepStrictEqual(yield* titles, ["three: 4", "one: 4"])
      const [newest] = yield* forest.conversations({ folder: "/here", limit: 1 })
      assert.strictEqual(newest?.title, "three")
    }).pipe(inMemory),
  )

  it.effect("is taken away as a whole by an undo of its only message", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      yield* session(["one"])
      yield* forest.undo()
      assert.deepStrictEqual(yield* forest.roots(), [])
      yield* forest.redo()
      assert.deepStrictEqual(yield* titles, ["one: 2"])
    }).pipe(inMemory),
  )
})

describe("/tree", () => {
  it.effect("begins at the first message of this conversation, and shows no other", () =>
    Effect.gen(function* () {
      yield* talk("another", 0, "/here")
      const menus: Array<View.Menu> = []
      const picks = (menu: View.Menu) => void menus.push(menu)
      yield* session(["one", "/tree"], { picks })
      assert.deepStrictEqual(
        menus[0]?.choices.map(({ label }) => label),
        ['user "one"', 'assistant "on one"'],
      )
    }).pipe(inMemory),
  )

  it.effect("shows one conversation of a tree that several share", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "chat", systemPrompt: "S" })
      for (const text of ["one", "two"]) {
        yield* forest.append(id, [{ message: Message.user(text), source: { type: "user" }, createdAt: -1 }])
      }
      const [two] = yield* forest.conversations({ limit: 1 })
      const menus: Array<View.Menu> = []
      const picks = (menu: View.Menu) => void menus.push(menu)
      yield* session([`/resume ${two?.leaf}`, "/tree"], { picks })
      assert.deepStrictEqual(
        menus[0]?.choices.map(({ label }) => label),
        ['user "two"'],
      )
    }).pipe(inMemory),
  )
})

describe("/title", () => {
  it.effect("shows the title of the conversation, and changes it", () =>
    Effect.gen(function* () {
      const lines = ["one", "/title", "/title  The sky\tand more ", "/title"]
      const told = yield* session(lines, { isInteractive: false })
      assert.deepStrictEqual(
        told.filter((line) => line.startsWith("Noted")),
        ["Noted: one", "Noted: The title is now: The sky and more", "Noted: The sky and more"],
      )
      assert.deepStrictEqual(yield* titles, ["The sky and more: 2"])
    }).pipe(inMemory),
  )

  it.effect("says that there is no message yet", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* session(["/title x"])).slice(1), ["Failed: there is no message yet"])
    }).pipe(inMemory),
  )
})

describe("History.entry", () => {
  it.effect("has a message whole that an edit has divided", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "S" })
      const [poem] = yield* forest.append(root.id, [say("Write a poem"), say("Roses")])
      const { id } = yield* forest.edit(poem?.id ?? root.id, "Write a longer poem")
      const entry = yield* historyEntry(forest, id, SHOWN_NODES)
      if (entry._tag !== "History") assert.fail()
      assert.deepStrictEqual(
        entry.nodes.map(({ message }) => Message.text(message)),
        ["Write a longer poem"],
      )
      assert.isFalse(entry.more)
    }).pipe(withScript([])),
  )
})
