/** The forest as a page reads and changes it, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type * as Forest from "../../src/forest/Forest.ts"
import * as Block from "../../src/message/Block.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Serving from "../utils/Serving.ts"

const user = (text: string) =>
  ({ message: { role: "user", content: [Block.text(text)] }, source: { type: "user" } }) as const

/** A conversation with a question that has three answers, the second of which goes on. */
const plant = Effect.fnUntraced(function* (forest: Forest.Service) {
  const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" })
  const [question] = yield* forest.append(root.id, [user("How are requests retried?")])
  const id = question?.id ?? root.id
  const [one] = yield* forest.append(id, [user("With a policy.")])
  const [two, more] = yield* forest.append(id, [user("Three times <script>alert(1)</script>"), user("And then?")])
  const [three] = yield* forest.append(id, [user("Never.")])
  return {
    root: root.id,
    question: id,
    one: one?.id ?? id,
    two: two?.id ?? id,
    more: more?.id ?? id,
    three: three?.id ?? id,
  }
})

const serve = Effect.gen(function* () {
  const client = yield* Serving.serve({ model: Serving.scripted([]) })
  return { client, ids: yield* plant(client.forest) }
})

describe("the forest over HTTP", () => {
  it.scopedLive("lists conversations, runs, children and the path to a message", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      yield* Effect.promise(async () => {
        const { more, rows } = await client.get("/forest/conversations")
        assert.deepStrictEqual([more, rows.length, rows[0].id, rows[0].about.messages], [false, 1, ids.root, 5])
        const run = await client.get(`/forest/run?of=${ids.root}`)
        assert.deepStrictEqual(
          run.rows.map((row: { id: string; children: number }) => [row.id, row.children]),
          [[ids.question, 3]],
        )
        const children = await client.get(`/forest/children?of=${ids.question}&offset=1`)
        assert.deepStrictEqual([children.total, children.rows[0].id, children.rows[0].children], [3, ids.two, 1])
        const path = await client.get(`/forest/path?to=${ids.more}`)
        assert.deepStrictEqual(
          path.rows.map((row: { id: string; position: number; siblings: number }) => [
            row.id,
            row.position,
            row.siblings,
          ]),
          [
            [ids.question, 0, 1],
            [ids.two, 1, 3],
            [ids.more, 0, 1],
          ],
        )
        assert.isFalse(path.earlier)
        assert.strictEqual(path.conversation.id, ids.root)
      })
    }),
  )

  it.scopedLive("lists what people have said, and other kinds of conversations where they are asked for", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      const { id } = yield* client.forest.startConversation({ owner: "index", systemPrompt: "", folder: "/project" })
      const { id: elsewhere } = yield* client.forest.startConversation({
        owner: "chat",
        systemPrompt: "",
        folder: "/b",
      })
      for (const [root, text] of [
        [id, "Explain all."],
        [elsewhere, "Hello"],
      ] as const) {
        yield* client.forest.append(root, [user(text)])
      }
      yield* Effect.promise(async () => {
        const list = async (query: string) =>
          (await client.get(`/forest/conversations${query}`)).rows.map(({ id }: { id: string }) => id).sort()
        const all = [ids.root, id, elsewhere].sort()
        assert.deepStrictEqual(await list(""), [ids.root, elsewhere].sort())
        assert.deepStrictEqual(await list("?folder=this"), [ids.root])
        assert.deepStrictEqual(await list("?kinds=all"), all)
      })
    }),
  )

  it.scopedLive("shows the folder of a conversation, and the model of a reply alone", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const { forest } = client
      const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" })
      const homeless = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
      const model = { type: "model", model: "scripted/a\u001b[31mb", finish: "stop", usage: Usage.none } as const
      const reply = { message: { role: "assistant", content: [Block.text("Thrice.")] }, source: model } as const
      yield* forest.append(root.id, [user("How often?"), reply])
      yield* forest.append(homeless.id, [user("Where?")])
      yield* Effect.promise(async () => {
        const { rows } = await client.get("/forest/conversations")
        assert.deepStrictEqual(
          Object.fromEntries(
            rows.map(({ about, id }: { about: { folder?: string }; id: string }) => [id, "folder" in about]),
          ),
          { [root.id]: true, [homeless.id]: false },
        )
        const run = await client.get(`/forest/run?of=${root.id}`)
        assert.deepStrictEqual(
          run.rows.map((row: { kind: string; model?: string }) => [row.kind, row.model]),
          [
            ["user", undefined],
            ["assistant", "scripted/ab"],
          ],
        )
      })
    }),
  )

  it.scopedLive("finds messages as one types, with the words around the first hit", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      yield* Effect.promise(async () => {
        const hits = await client.get("/forest/search?text=three%20ti")
        assert.deepStrictEqual(
          hits.map((hit: { row: { id: string }; excerpt: string }) => [hit.row.id, hit.excerpt]),
          [[ids.two, "Three times <script>alert(1)</script>"]],
        )
        const titles = await client.get("/forest/search?text=retried")
        assert.strictEqual(titles[0].row.kind, "conversation")
        assert.deepStrictEqual(await client.get("/forest/search?text=%20"), [])
      })
    }),
  )

  it.scopedLive("finds words as they begin only if no message has them whole", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      yield* client.forest.append(ids.three, [user("A threefold answer.")])
      yield* Effect.promise(async () => {
        const find = async (text: string) =>
          (await client.get(`/forest/search?text=${text}`)).map(({ row }: { row: { id: string } }) => row.id)
        assert.deepStrictEqual(await find("three"), [ids.two])
        assert.lengthOf(await find("thre"), 2)
      })
    }),
  )

  it.scopedLive("shows a text whole that a row only begins, and how much there is of one that is cut", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      const long = "word ".repeat(200).trim()
      const [longer, longest] = yield* client.forest.append(ids.three, [user(long), user("x".repeat(50_001))])
      yield* Effect.promise(async () => {
        const read = (id: string | undefined) => client.get(`/forest/text?of=${id}`)
        const whole = await read(longer?.id)
        assert.isBelow(whole.row.text.length, long.length)
        assert.deepStrictEqual([whole.text, whole.isCut], [long, false])
        const cut = await read(longest?.id)
        assert.deepStrictEqual([cut.text.length, cut.isCut], [50_000, true])
      })
    }),
  )

  it.scopedLive("lists 200 conversations at once, and says whether there are more", () =>
    Effect.gen(function* () {
      const { client } = yield* serve
      const begin = (count: number) =>
        Effect.forEach(Array.from({ length: count }), (_, n) =>
          Effect.flatMap(client.forest.startConversation({ owner: "chat", systemPrompt: "" }), ({ id }) =>
            client.forest.append(id, [user(`Hello ${n}`)]),
          ),
        )
      const listed = Effect.promise(async () => {
        const { more, rows } = await client.get("/forest/conversations")
        return [rows.length, more]
      })
      yield* begin(199)
      assert.deepStrictEqual(yield* listed, [200, false])
      yield* begin(1)
      assert.deepStrictEqual(yield* listed, [200, true])
    }),
  )

  it.scopedLive("goes on with a list of conversations after the last one that a page has", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      const newer = yield* client.forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" })
      yield* client.forest.append(newer.id, [user("Something else")])
      yield* Effect.promise(async () => {
        const idsOf = ({ rows }: { rows: ReadonlyArray<{ id: string }> }) => rows.map(({ id }) => id)
        const all = await client.get("/forest/conversations")
        assert.sameMembers(idsOf(all), [newer.id, ids.root])
        const [first, second] = all.rows
        const rest = await client.get(`/forest/conversations?before=${first.id}&changed=${first.at}`)
        assert.deepStrictEqual(idsOf(rest), [second.id])
      })
    }),
  )

  it.scopedLive("shows a message whole that an edit has divided", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      const longer = yield* client.forest.edit(ids.two, "Three times, then five")
      yield* Effect.promise(async () => {
        const textsOf = ({ rows }: { rows: ReadonlyArray<{ text: string }> }) => rows.map(({ text }) => text)
        const [before, after] = ["Three times <script>alert(1)</script>", "Three times, then five"]
        assert.include(textsOf(await client.get(`/forest/children?of=${ids.question}`)), "Three times …")
        assert.deepStrictEqual(textsOf(await client.get(`/forest/children?of=${longer.parent}`)), [before, after])
        const path = textsOf(await client.get(`/forest/path?to=${longer.id}`))
        assert.deepStrictEqual(path.slice(1), ["Three times …", after])
        assert.strictEqual((await client.get(`/forest/text?of=${longer.id}`)).text, after)
        const { texts } = await client.get(`/forest/compare?of=${longer.parent}`)
        assert.deepStrictEqual(
          texts.map(({ text }: { text: string }) => text),
          [before, after],
        )
        const [hit] = await client.get("/forest/search?text=five")
        assert.deepStrictEqual([hit.row.text, hit.excerpt], [after, after])
      })
    }),
  )

  it.scopedLive("sets, moves and removes a bookmark", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      yield* Effect.promise(async () => {
        await client.put("/forest/bookmarks", { title: "good", node: ids.one })
        await client.put("/forest/bookmarks", { title: "  good ", node: ids.two })
        const marks = await client.get("/forest/bookmarks")
        assert.deepStrictEqual([marks.length, marks[0].title, marks[0].row.id], [1, "good", ids.two])
        const { rows } = await client.get(`/forest/children?of=${ids.question}`)
        assert.deepStrictEqual(
          rows.map((row: { bookmarks: ReadonlyArray<string> }) => row.bookmarks),
          [[], ["good"], []],
        )
        const gone = await client.send("DELETE", "/api/forest/bookmarks?title=good")
        assert.strictEqual(gone.status, 200)
        const again = await client.send("DELETE", "/api/forest/bookmarks?title=good")
        assert.deepStrictEqual([again.status, typeof again.body.message], [400, "string"])
      })
    }),
  )

  it.scopedLive("removes a branch, says what undo and redo did, and tells all pages", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      yield* Effect.promise(async () => {
        const heard = await client.listen()
        const removed = await client.send("DELETE", `/api/forest/nodes/${ids.two}`)
        assert.deepStrictEqual(removed.body, { message: "Removed 2 messages." })
        await heard.until(({ type }) => type === "forest")
        assert.strictEqual((await client.get(`/forest/children?of=${ids.question}`)).total, 2)
        const undone = await client.post("/forest/undo", {})
        assert.deepStrictEqual(undone, { message: "Undone, what this view did: 2 messages brought back." })
        assert.strictEqual((await client.get(`/forest/children?of=${ids.question}`)).total, 3)
        const redone = await client.send("POST", "/api/forest/redo")
        assert.deepStrictEqual(redone.body, { message: "Redone, what this view did: 2 messages taken away." })
        const [last] = await client.get("/forest/history")
        assert.strictEqual(last.author, "serve forest")
        heard.close()
      })
    }),
  )

  it.scopedLive("never undoes by itself what something else did, but by its number", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      yield* Effect.promise(async () => {
        const refused = await client.send("POST", "/api/forest/undo", {})
        assert.strictEqual(refused.status, 400)
        const history = await client.get("/forest/history")
        const { id } = history[0]
        await client.post("/forest/undo", { operation: id })
        assert.strictEqual((await client.get(`/forest/children?of=${ids.question}`)).total, 2)
      })
    }),
  )

  it.scopedLive("removes a conversation, which undo brings back", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      yield* Effect.promise(async () => {
        await client.send("DELETE", `/api/forest/nodes/${ids.root}`)
        assert.deepStrictEqual((await client.get("/forest/conversations")).rows, [])
        await client.post("/forest/undo", {})
        assert.strictEqual((await client.get("/forest/conversations")).rows.length, 1)
      })
    }),
  )

  it.scopedLive("exports as files to keep, in which scripts are text", () =>
    Effect.gen(function* () {
      const { client, ids } = yield* serve
      yield* Effect.promise(async () => {
        const html = await client.send("GET", `/api/forest/export?of=${ids.two}&format=html`)
        assert.include(html.headers["content-disposition"] ?? "", "attachment")
        assert.include(html.body, "&lt;script&gt;alert(1)")
        assert.notInclude(html.body, "<script>")
        const markdown = await client.send("GET", `/api/forest/export?of=${ids.two}&format=markdown`)
        assert.include(markdown.body, "And then?")
        assert.notInclude(markdown.body, "Never.")
        const json = await client.send("GET", `/api/forest/export?of=${ids.root}&format=json`)
        assert.strictEqual(json.body.nodes.length, 5)
        // From a message within it: the path to it, and what is below, each once.
        const within = await client.send("GET", `/api/forest/export?of=${ids.two}&format=json`)
        assert.deepStrictEqual(
          within.body.nodes.map(({ id }: { id: string }) => id),
          [ids.question, ids.two, ids.more],
        )
      })
    }),
  )

  it.scopedLive("answers with a sentence where a node is not there, or a request is none", () =>
    Effect.gen(function* () {
      const { client } = yield* serve
      yield* Effect.promise(async () => {
        for (const path of ["children?of=nothing", "run?of=nothing", "path?to=nothing", "text?of=nothing"]) {
          const { body, status } = await client.send("GET", `/api/forest/${path}`)
          assert.deepStrictEqual([status, typeof body.message], [404, "string"], path)
        }
        assert.strictEqual((await client.send("GET", "/api/forest/children?of=x&offset=-1")).status, 400)
        assert.strictEqual((await client.send("GET", "/api/forest/export?of=x&format=exe")).status, 400)
      })
    }),
  )

  it.scopedLive("reads a part of a wide and of a deep tree alone", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const { forest } = client
      const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
      const deep = yield* forest.append(
        root.id,
        Array.from({ length: 1_000 }, (_, n) => user(`message ${n}`)),
      )
      const end = deep.at(-1)?.id ?? root.id
      yield* forest.operation(
        Effect.forEach(
          Array.from({ length: 300 }, (_, n) => n),
          (n) => forest.append(end, [user(`answer ${n}`)]),
        ),
      )
      yield* Effect.promise(async () => {
        assert.strictEqual((await client.get(`/forest/run?of=${root.id}`)).rows.length, 200)
        const path = await client.get(`/forest/path?to=${end}`)
        assert.deepStrictEqual([path.rows.length, path.earlier, path.rows.at(-1).children], [100, true, 300])
        const part = await client.get(`/forest/children?of=${end}&offset=250`)
        assert.deepStrictEqual([part.rows.length, part.total, part.rows[0].text], [50, 300, "answer 250"])
      })
    }),
  )
})
