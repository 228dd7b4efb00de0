/** What a page is told of an index in each state, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { FileError, Moved, Unreadable } from "../../src/code/FileError.ts"
import { IndexEntry, type Purpose } from "../../src/index/IndexEntry.ts"
import { AtWork, IndexError } from "../../src/index/IndexError.ts"
import type * as IndexStore from "../../src/index/IndexStore.ts"
import * as RunProgress from "../../src/index/RunProgress.ts"
import * as Block from "../../src/message/Block.ts"
import * as Text from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Failed, GitError, NotARepository, OtherOwner, type Reason } from "../../src/review/GitError.ts"
import * as Serving from "../utils/Serving.ts"

const files = {
  "/project/src/cart.ts": `/** Adds up the prices of all items of a cart. */
export function total(items: ReadonlyArray<number>): number {
  return items.reduce((sum, item) => sum + item, 0)
}
`,
  "/project/src/test/cart.test.ts":
    'import { total } from "../cart.ts"\nexport function checkTotal(): void { total([]) }\n',
}

/** A store of indexes in which a part of each is replaced. */
const replacing =
  (replace: (index: IndexStore.Index) => Partial<IndexStore.Index>) =>
  (store: IndexStore.Service): Partial<IndexStore.Service> => ({
    openExisting: (workspace, options) =>
      Effect.map(store.openExisting(workspace, options), (existing) => ({
        ...existing,
        index: { ...existing.index, ...replace(existing.index) },
      })),
  })

const serve = (options: Partial<Serving.Options> = {}) =>
  Effect.gen(function* () {
    const client = yield* Serving.serve({ model: Serving.scripted([]), files, ...options })
    yield* Effect.promise(() => client.post("/index/structure", undefined))
    return client
  })

const place = "path=src/cart.ts&line=2"

describe("the status of an index", () => {
  it.scopedLive("is nothing but zeros before there is one", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]), files })
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await client.get("/index"), {
          root: "/project",
          indexed: false,
          files: 0,
          symbols: 0,
          major: 0,
          covered: 0,
          stale: 0,
          weak: 0,
          byModel: 0,
          byComment: 0,
          classes: [],
          isElsewhere: false,
          isRefreshing: false,
        })
        for (const path of [`symbol?${place}`, `graph?${place}`, `why?${place}`, `history?${place}`, "place?path="]) {
          const { body, status } = await client.send("GET", `/api/index/${path}`)
          assert.deepStrictEqual([status, body.message], [404, "This folder has no index."], path)
        }
        const search = await client.send("GET", "/api/index/search?text=cart")
        assert.deepStrictEqual([search.status, search.body.message], [404, "This folder has no index."])
        assert.deepStrictEqual(await client.get("/index/search?text=%20"), [])
      })
    }),
  )

  it.scopedLive("counts its files by their classes, of which it has those with a file, and has its map", () =>
    Effect.gen(function* () {
      const client = yield* serve({
        index: replacing(() => ({ map: Effect.succeed("A shop.\u001b[31m\nIt sells.") })),
      })
      yield* Effect.promise(async () => {
        const { classes, map, ...status } = await client.get("/index")
        assert.deepStrictEqual(
          classes.map(({ files, name }: { files: number; name: string }) => [name, files]),
          [
            ["code", 1],
            ["tests", 1],
            ["documentation", 1],
          ],
        )
        assert.strictEqual(map, "A shop.\nIt sells.")
        const { byComment, byModel, files, isElsewhere, isRefreshing, stale, weak } = status
        assert.deepStrictEqual(
          { byComment, byModel, files, isElsewhere, isRefreshing, stale, weak },
          { byComment: 1, byModel: 0, files: 3, isElsewhere: false, isRefreshing: false, stale: 0, weak: 0 },
        )
        for (const key of ["notice", "run", "elsewhere"]) assert.notProperty(status, key)
      })
    }),
  )

  it.scopedLive("says in a sentence why it may be out of date", () =>
    Effect.gen(function* () {
      const cause = new FileError({ path: "src/a\u001b[31m.ts", reason: new Unreadable({ cause: undefined }) })
      let isFailing = false
      const client = yield* serve({
        index: replacing(({ refresh, refreshPaths }) => ({
          refresh: Effect.suspend(() => (isFailing ? Effect.fail(cause) : refresh)),
          refreshPaths: (paths) => Effect.suspend(() => (isFailing ? Effect.fail(cause) : refreshPaths(paths))),
        })),
      })
      yield* Effect.promise(async () => {
        assert.notProperty(await client.get("/index"), "notice")
        isFailing = true
        const { notice } = await client.post("/index/structure", undefined)
        assert.match(notice, /^The index may be out of date: .*src\/a\.ts.*\.$/)
      })
    }),
  )

  it.scopedLive("is that of an index that is opened once, and again after its folder was moved", () =>
    Effect.gen(function* () {
      for (const [reason, again] of [
        [new Unreadable({ cause: undefined }), 0],
        [new Moved(), 1],
      ] as const) {
        let opens = 0
        let isFailing = false
        const failing = Effect.fail(new FileError({ path: "/project", reason }))
        const client = yield* serve({
          index: (store) => ({
            openExisting: (workspace, options) => {
              opens++
              return Effect.map(store.openExisting(workspace, options), (existing) => {
                const { refresh, refreshPaths } = existing.index
                const index = {
                  ...existing.index,
                  refresh: Effect.suspend(() => (isFailing ? failing : refresh)),
                  refreshPaths: (paths: ReadonlyArray<string>) =>
                    Effect.suspend(() => (isFailing ? failing : refreshPaths(paths))),
                }
                return { ...existing, index }
              })
            },
          }),
        })
        yield* Effect.promise(async () => {
          await client.get("/index")
          const before = opens
          isFailing = true
          await client.post("/index/structure", undefined)
          isFailing = false
          for (let n = 0; n < 2; n++) await client.get("/index")
          assert.strictEqual(opens - before, again, reason._tag)
        })
      }
    }),
  )

  it.scopedLive("has the run of another process in plain lines, unless a run is under way here", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const endless = LanguageModel.make(new ModelId({ provider: "scripted", name: "endless" }), () =>
        Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
      )
      const progress = {
        ...RunProgress.start(new ModelId({ provider: "scripted", name: "other" }), 1000),
        model: "a/\u001b[31mb",
        activity: "explains\u202e it",
      }
      let isElsewhere = true
      const client = yield* serve({
        others: [endless],
        index: (store) => ({
          claim: (workspace) =>
            isElsewhere
              ? Effect.fail(new IndexError({ path: "/project/.vibe", reason: new AtWork({ process: 7 }) }))
              : store.claim(workspace),
          progressOf: () => Effect.succeed(progress),
        }),
      })
      yield* Effect.promise(async () => {
        const { elsewhere } = await client.get("/index")
        assert.deepStrictEqual(elsewhere, {
          ...progress,
          model: "a/b",
          activity: "explains it",
          state: "running",
          found: [],
        })
        isElsewhere = false
        assert.strictEqual((await client.send("DELETE", "/api/index/run")).body.message, "No run is under way.")
        await client.post("/index/run", { model: String(endless.id), all: false })
        await Effect.runPromise(Deferred.await(begun))
        const again = await client.send("POST", "/api/index/run", { model: String(endless.id), all: false })
        assert.deepStrictEqual([again.status, again.body.message], [400, "A run is under way already."])
        isElsewhere = true
        const here = await client.get("/index")
        assert.deepStrictEqual([here.run.state, here.isElsewhere, here.elsewhere], ["running", false, undefined])
        const stopped = await client.send("DELETE", "/api/index/run")
        assert.strictEqual(stopped.body.message, "Stopped. What was found is kept.")
        assert.isTrue((await client.get("/index")).isElsewhere)
      })
    }),
  )
})

describe("requests about an index", () => {
  it.scopedLive("name what it does not have", () =>
    Effect.gen(function* () {
      const client = yield* serve()
      yield* Effect.promise(async () => {
        for (const [path, message] of [
          ["place?path=src/no%1b[31mne", "The index has nothing at src/none."],
          ["symbol?path=src/none.ts&line=7", "The index has no symbol at src/none.ts:7."],
          ["graph?path=src/cart.ts&line=99", "The index has no symbol at src/cart.ts:99."],
          ["why?path=&line=1", "The index has no symbol at :1."],
        ] as const) {
          const { body, status } = await client.send("GET", `/api/index/${path}`)
          assert.deepStrictEqual([status, body.message], [404, message])
        }
      })
      const empty = yield* serve({ index: replacing(() => ({ filesIn: () => Effect.succeed([]) })) })
      const { body, status } = yield* Effect.promise(() => empty.send("GET", "/api/index/place?path="))
      assert.deepStrictEqual([status, body.message], [404, "The index has nothing at .."])
    }),
  )

  it.scopedLive("find twenty symbols, each with the lines of its source that the terminal would choose", () =>
    Effect.gen(function* () {
      const many = Array.from(
        { length: 22 },
        (_, n) =>
          `export function zebra${n}(): void {\n${"  walk(a, b)\n".repeat(40)}  stripe(zebra)\n${"  walk(a, b)\n".repeat(40)}}\n`,
      )
      const client = yield* serve({
        files: { "/project/zebras.ts": `${many.join("")}export function stripe(): void {}\n` },
      })
      yield* Effect.promise(async () => {
        const hits = await client.get("/index/search?text=zebra%20stripe")
        assert.lengthOf(hits, 20)
        for (const { pieces, symbol } of hits) {
          assert.isAtLeast(pieces[0].firstLine, symbol.line)
          const lines: ReadonlyArray<string> = pieces.flatMap(({ lines }: { lines: ReadonlyArray<string> }) => lines)
          assert.isBelow(lines.length, 60)
          assert.include(lines, "  stripe(zebra)")
        }
      })
    }),
  )

  it.scopedLive("find a symbol without its source if its file cannot be read", () =>
    Effect.gen(function* () {
      const moved = (entry: IndexEntry) => new IndexEntry({ ...entry, path: "src/binary.ts" })
      const client = yield* serve({
        files: { ...files, "/project/src/binary.ts": "\u0000".repeat(100) },
        index: replacing((index) => ({
          search: (text, options) =>
            Effect.map(index.search(text, options), (hits) => hits.map((hit) => ({ ...hit, entry: moved(hit.entry) }))),
          symbolsIn: () => Effect.map(index.symbolsIn("src/cart.ts"), (all) => all.map(moved)),
          callees: () => Effect.succeed([]),
        })),
      })
      yield* Effect.promise(async () => {
        const hits = await client.get("/index/search?text=prices")
        assert.isNotEmpty(hits)
        for (const { pieces, symbol } of hits) {
          assert.deepStrictEqual([symbol.path, pieces], ["src/binary.ts", []])
        }
      })
    }),
  )

  it.scopedLive("say why a purpose is as it is, with its conversation if this forest has it", () =>
    Effect.gen(function* () {
      let purpose: Purpose | undefined
      const client = yield* serve({
        index: replacing((index) => ({
          symbolsOf: (path, text) =>
            Effect.map(index.symbolsOf(path, text), (all) =>
              all.map((entry) => Object.create(entry, { purpose: { value: purpose } })),
            ),
        })),
      })
      const { id } = yield* client.forest.startConversation({ owner: "index", systemPrompt: "" })
      const nodes = yield* client.forest.append(id, [
        { message: Text.user("Explain these."), source: { type: "user" } },
        {
          message: { role: "assistant", content: [Block.text("It adds up.")] },
          source: { type: "model", model: "m/n", finish: "stop", usage: Usage.none },
        },
        {
          message: { role: "assistant", content: [Block.text("And that.")] },
          source: { type: "model", model: "m/n", finish: "stop", usage: Usage.none },
        },
      ])
      const [request, , answer] = nodes
      const written = { text: "Adds up.", origin: "model", stale: false } as const
      yield* Effect.promise(async () => {
        const why = () => client.get(`/index/why?${place}`)
        assert.deepStrictEqual(await why(), { summary: "It has no purpose yet." })
        purpose = { ...written, model: "m/\u001b[31mn", node: "n-gone" }
        assert.deepStrictEqual(await why(), {
          summary: "m/n wrote this in a conversation that is not kept here.",
        })
        purpose = { ...written, node: answer?.id }
        const { summary, ...rest } = await why()
        assert.match(summary, /^a model wrote this at .*\d.*\.$/)
        assert.deepStrictEqual(rest, { answer: answer?.id, request: request?.id })
        purpose = { ...written, node: id }
        assert.deepStrictEqual(await why(), { summary: "a model wrote this in a conversation that is not kept here." })
      })
    }),
  )

  it.scopedLive("search forty messages before an answer for the request of a purpose", () =>
    Effect.gen(function* () {
      let purpose: Purpose | undefined
      const client = yield* serve({
        index: replacing((index) => ({
          symbolsOf: (path, text) =>
            Effect.map(index.symbolsOf(path, text), (all) =>
              all.map((entry) => Object.create(entry, { purpose: { value: purpose } })),
            ),
        })),
      })
      const { id } = yield* client.forest.startConversation({ owner: "index", systemPrompt: "" })
      const reply = {
        message: { role: "assistant", content: [Block.text("On.")] },
        source: { type: "model", model: "m/n", finish: "stop", usage: Usage.none },
      } as const
      const nodes = yield* client.forest.append(id, [
        { message: Text.user("Explain these."), source: { type: "user" } },
        ...Array.from({ length: 40 }, () => reply),
      ])
      yield* Effect.promise(async () => {
        const requestOf = async (n: number) => {
          purpose = { text: "Adds up.", origin: "model", stale: false, node: nodes[n]?.id }
          return (await client.get(`/index/why?${place}`)).request
        }
        assert.strictEqual(await requestOf(39), nodes[0]?.id)
        assert.isUndefined(await requestOf(40))
      })
    }),
  )

  it.scopedLive("say why Git has no history of a purpose", () =>
    Effect.gen(function* () {
      let reason: Reason = new NotARepository({ folder: "/project" })
      const client = yield* serve({ git: { run: () => Effect.suspend(() => new GitError({ reason })) } })
      yield* Effect.promise(async () => {
        const read = async () => {
          const { notice, ...rest } = await client.get(`/index/history?${place}`)
          assert.deepStrictEqual(rest, { versions: [], more: 0 })
          return notice
        }
        assert.strictEqual(await read(), "This folder is in no Git repository, so earlier sentences are not kept.")
        reason = new OtherOwner({ folder: "/project" })
        assert.match(await read(), /^The repository of \/project belongs to another user.*\.$/)
        reason = new Failed({ detail: "it is \u001b[31mred" })
        assert.strictEqual(await read(), "Git failed: it is red.")
      })
    }),
  )
})
