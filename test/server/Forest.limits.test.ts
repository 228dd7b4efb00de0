/** How much of the forest a page gets at once, and what it is told of the rest, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Text from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Serving from "../utils/Serving.ts"

const user = (text: string) => ({ message: Text.user(text), source: { type: "user" } }) as const

const texts = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => user(text(n)))

/** A server with an empty conversation, to whose root `below` appends messages beside each other. */
const serve = Effect.gen(function* () {
  const client = yield* Serving.serve({ model: Serving.scripted([]) })
  const { forest } = client
  const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "Be brief.", folder: "/project" })
  const below = (parent: NodeId, messages: ReturnType<typeof texts>) =>
    Effect.map(forest.operation(Effect.forEach(messages, (message) => forest.append(parent, [message]))), (all) =>
      all.flat(),
    )
  return { client, forest, id: root.id, below }
})

const textsIn = (rows: ReadonlyArray<{ readonly text: string }>) => rows.map(({ text }) => text)

describe("the forest over HTTP, a part at a time", () => {
  it.scopedLive("has the last hundred messages of a path, and says whether there are earlier ones", () =>
    Effect.gen(function* () {
      const { client, forest, id } = yield* serve
      const nodes = yield* forest.append(
        id,
        texts(101, (n) => `message ${n}`),
      )
      yield* Effect.promise(async () => {
        for (const [count, earlier] of [
          [99, false],
          [100, false],
          [101, true],
        ] as const) {
          const path = await client.get(`/forest/path?to=${nodes[count - 1]?.id}`)
          assert.deepStrictEqual(
            [path.earlier, path.rows.length, path.rows[0].text, path.rows.at(-1).text],
            [earlier, Math.min(count, 100), `message ${count - Math.min(count, 100)}`, `message ${count - 1}`],
          )
        }
        const root = await client.get(`/forest/path?to=${id}`)
        assert.deepStrictEqual([root.rows, root.earlier, root.conversation.id], [[], false, id])
      })
    }),
  )

  it.scopedLive("compares eight messages at once, from any of them on", () =>
    Effect.gen(function* () {
      const { below, client, id } = yield* serve
      yield* below(
        id,
        texts(10, (n) => `answer ${n}`),
      )
      yield* Effect.promise(async () => {
        const first = await client.get(`/forest/compare?of=${id}`)
        assert.deepStrictEqual(
          [textsIn(first.texts), first.total],
          [Array.from({ length: 8 }, (_, n) => `answer ${n}`), 10],
        )
        const rest = await client.get(`/forest/compare?of=${id}&offset=8`)
        assert.deepStrictEqual([textsIn(rest.texts), rest.total], [["answer 8", "answer 9"], 10])
      })
    }),
  )

  it.scopedLive("finds ten titles and forty messages", () =>
    Effect.gen(function* () {
      const { below, client, forest, id } = yield* serve
      yield* below(
        id,
        texts(41, (n) => `zebra ${n}`),
      )
      for (let n = 0; n < 11; n++) {
        const { id } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
        yield* forest.append(id, [user("Something else")])
        yield* forest.rename(id, `On zebras, zebra ${n}`)
      }
      yield* Effect.promise(async () => {
        const hits: ReadonlyArray<{ excerpt?: string; title: string; row: { kind: string; text: string } }> =
          await client.get("/forest/search?text=zebra")
        const kinds = hits.map(({ row }) => row.kind)
        assert.deepStrictEqual(kinds, [
          ...Array.from({ length: 10 }, () => "conversation"),
          ...Array.from({ length: 40 }, () => "user"),
        ])
        assert.isTrue(hits.slice(0, 10).every(({ excerpt, row, title }) => title === row.text && excerpt === undefined))
        assert.isTrue(hits.slice(10).every(({ excerpt, row, title }) => excerpt === row.text && title !== ""))
        // A sign ends the word before it, which is then no prefix.
        assert.lengthOf(await client.get("/forest/search?text=zebr"), 50)
        assert.deepStrictEqual(await client.get("/forest/search?text=zebr%20%3F"), [])
      })
    }),
  )

  it.scopedLive("has the latest fifty operations, each with its author", () =>
    Effect.gen(function* () {
      const { client, forest, id } = yield* serve
      for (let n = 0; n < 51; n++) yield* forest.append(id, [user(`message ${n}`)])
      yield* Effect.promise(async () => {
        const history = await client.get("/forest/history")
        assert.strictEqual(history.length, 50)
        const { author, id: number, isUndone, isUnderWay, what } = history[0]
        assert.deepStrictEqual([author, isUndone, isUnderWay], ["library", false, false])
        assert.match(what, /1 message in 1 conversation$/)
        await client.post("/forest/undo", { operation: number })
        const [undo, undone] = await client.get("/forest/history")
        assert.deepStrictEqual([undo.author, undone.id, undone.isUndone], ["serve forest", number, true])
      })
    }),
  )

  it.scopedLive("shows 50,000 characters of a text, and the tokens of a reply alone", () =>
    Effect.gen(function* () {
      const { client, forest, id } = yield* serve
      const reply = (usage: Partial<Usage.Usage>, finish: "stop" | "interrupted") =>
        ({
          message: { role: "assistant", content: [Block.text("Yes")] },
          source: { type: "model", model: "a/b", finish, usage: { ...Usage.none, ...usage } },
        }) as const
      const [long, counted, stopped] = yield* forest.append(id, [
        user("x".repeat(50_000)),
        reply({ inputTokens: 3, outputTokens: 2 }, "stop"),
        reply({}, "interrupted"),
      ])
      yield* Effect.promise(async () => {
        const read = (of: string | undefined) => client.get(`/forest/text?of=${of}`)
        const { isCut, text, tokens } = await read(long?.id)
        assert.deepStrictEqual([text.length, isCut, tokens], [50_000, false, undefined])
        const reply = await read(counted?.id)
        assert.deepStrictEqual([reply.tokens, reply.estimated], [{ input: 3, output: 2 }, undefined])
        const part = await read(stopped?.id)
        assert.isTrue(part.estimated)
        assert.isAbove(part.tokens.input, 0)
        const conversation = await read(id)
        assert.deepStrictEqual(
          [conversation.row.kind, conversation.text, conversation.tokens],
          ["conversation", conversation.row.text, undefined],
        )
      })
    }),
  )

  it.scopedLive("says what was removed: messages, and bookmarks if there were any", () =>
    Effect.gen(function* () {
      const { below, client, forest, id } = yield* serve
      const [one, two, three] = yield* below(
        id,
        texts(3, (n) => `answer ${n}`),
      )
      if (one === undefined || two === undefined || three === undefined) return assert.fail()
      yield* forest.append(two.id, [user("more")])
      yield* forest.bookmark("good", two.id)
      yield* forest.bookmark("better", two.id)
      yield* Effect.promise(async () => {
        const marks = await client.get("/forest/bookmarks")
        assert.deepStrictEqual(
          marks.map(({ row, title }: { row: { kind: string }; title: string }) => [title, row.kind]).sort(),
          [
            ["better", "user"],
            ["good", "user"],
          ],
        )
        const [listed] = (await client.get("/forest/conversations")).rows
        assert.deepStrictEqual([listed.bookmarks, listed.children, listed.about.kind], [[], 3, "chat"])
        const remove = async (node: string) => (await client.send("DELETE", `/api/forest/nodes/${node}`)).body.message
        assert.strictEqual(await remove(one.id), "Removed 1 message.")
        assert.strictEqual(await remove(two.id), "Removed 2 messages and 2 bookmarks.")
        const { message } = await client.put("/forest/bookmarks", { title: " again ", node: three.id })
        assert.strictEqual(message, "Bookmarked as “again”.")
        const gone = await client.send("DELETE", "/api/forest/bookmarks?title=again")
        assert.strictEqual(gone.body.message, "The bookmark “again” is gone.")
        assert.strictEqual(await remove(id), "Removed 1 message.")
      })
    }),
  )

  it.scopedLive("shows the root of a tree that conversations share by its first words", () =>
    Effect.gen(function* () {
      const { below, client, forest } = yield* serve
      const { id: shared } = yield* forest.startConversation({ owner: "shared", systemPrompt: "Be brief." })
      yield* below(
        shared,
        texts(2, (n) => `beginning ${n}`),
      )
      yield* Effect.promise(async () => {
        const { row } = await client.get(`/forest/text?of=${shared}`)
        assert.deepStrictEqual([row.id, row.parent, row.kind, row.children], [shared, shared, "conversation", 2])
        assert.deepStrictEqual([typeof row.text, row.bookmarks], ["string", []])
      })
    }),
  )

  it.scopedLive("exports each format under its name and type, with the bookmarks of what it has", () =>
    Effect.gen(function* () {
      const { below, client, forest, id } = yield* serve
      const [one, two] = yield* below(
        id,
        texts(2, (n) => `answer ${n}`),
      )
      if (one === undefined || two === undefined) return assert.fail()
      yield* forest.bookmark("one", one.id)
      yield* forest.bookmark("two", two.id)
      yield* Effect.promise(async () => {
        for (const [format, extension, type] of [
          ["markdown", "md", "text/markdown"],
          ["html", "html", "text/html"],
          ["json", "json", "application/json"],
        ] as const) {
          const { headers } = await client.send("GET", `/api/forest/export?of=${one.id}&format=${format}`)
          assert.deepStrictEqual(
            [headers["content-type"], headers["content-disposition"]],
            [`${type}; charset=utf-8`, `attachment; filename="conversation.${extension}"`],
          )
        }
        const { body } = await client.send("GET", `/api/forest/export?of=${one.id}&format=json`)
        assert.deepStrictEqual(
          body.bookmarks.map(({ title }: { title: string }) => title),
          ["one"],
        )
        const whole = await client.send("GET", `/api/forest/export?of=${id}&format=json`)
        assert.lengthOf(whole.body.nodes, 2)
        assert.lengthOf(whole.body.bookmarks, 2)
      })
    }),
  )
})
