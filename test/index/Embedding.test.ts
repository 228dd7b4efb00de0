import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, TestClock } from "effect"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import * as VectorStore from "../../src/embedding/VectorStore.ts"
import * as Embedding from "../../src/index/Embedding.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { ContextOverflow, ModelError, RateLimited, Unauthorized } from "../../src/model/ModelError.ts"
import { RetryPolicy } from "../../src/model/Retry.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as HashedWords from "../utils/HashedWords.ts"
import * as Indexing from "../utils/Indexing.ts"
import * as VectorRoot from "../utils/VectorRoot.ts"

const repository = {
  "/repo/src/retry.ts": [
    "/** Decides how long to wait before asking again. */",
    "export const backoff = (attempt: number) => {",
    "  const longest = 2 ** attempt",
    "  return longest",
    "}",
    "export const wait = () => backoff(1)",
  ].join("\n"),
  "/repo/src/other.ts": 'import { backoff } from "./retry.ts"\n\nexport function pause() {\n  return backoff(2)\n}\n',
  "/repo/test/retry.test.ts": "export function testsNothing() {}\n",
}

const texts = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const index = yield* (yield* IndexStore.IndexStore).open(yield* Workspace.open("/repo"))
    yield* index.refresh
    return yield* Embedding.textsOf(index)
  }).pipe(Effect.scoped, Effect.provide(Indexing.layer(files, Scripted.layer([]))))

/** Texts that need no index. */
const invented = (count: number, prefix = "symbol"): Embedding.Texts => ({
  texts: Array.from({ length: count }, (_, n) => ({
    key: `${prefix} ${n}`,
    text: `${prefix} ${"abcdefghijklmnopqrstuvwxyz".charAt(n % 26)}${n}`,
    symbols: [{ qualifiedName: `${prefix}${n}`, hash: "h" }],
  })),
  symbols: count,
  beyond: 0,
})

const settings = {
  parallel: 1,
  onProgress: () => Effect.void,
}

const linked = (root: string) =>
  Effect.scoped(
    Effect.map(VectorStore.openToRead(root), (database) =>
      Sqlite.statements(database)("select qualified from linked order by qualified")
        .all()
        .map(({ qualified }) => String(qualified)),
    ),
  )

const rateLimited = new ModelError({
  model: "test/words",
  reason: new RateLimited({ message: "slow down", retryAfter: Duration.seconds(5) }),
})
const refused = new ModelError({ model: "test/words", reason: new Unauthorized({ message: "no" }) })
const tooLong = new ModelError({ model: "test/words", reason: new ContextOverflow({ message: "too long" }) })

describe("Embedding.textsOf", () => {
  it.effect(
    "has names, signature, comment and callers of the symbols of the code, major ones first, and no tests",
    () =>
      Effect.gen(function* () {
        const { symbols, texts: found } = yield* texts(repository)
        assert.strictEqual(symbols, found.length)
        const names = found.flatMap(({ symbols }) => symbols.map(({ qualifiedName }) => qualifiedName))
        assert.notInclude(names, "testsNothing")
        assert.isBelow(names.indexOf("pause"), names.indexOf("wait"))
        assert.strictEqual(
          found.find(({ symbols }) => symbols[0]?.qualifiedName === "backoff")?.text,
          [
            "function backoff",
            "export const backoff = (attempt: number)",
            "Decides how long to wait before asking again.",
            "used by pause, wait",
          ].join("\n"),
        )
      }),
  )

  it.effect("has the same keys for the same symbols in other files and lines", () =>
    Effect.gen(function* () {
      const moved = Object.fromEntries(
        Object.entries(repository).map(([path, text]) => [path.replace("/src/", "/lib/"), `// a line more\n\n${text}`]),
      )
      const keys = (found: Embedding.Texts) => found.texts.map(({ key }) => key).sort()
      assert.deepStrictEqual(keys(yield* texts(moved)), keys(yield* texts(repository)))
    }),
  )

  it.effect("bounds a text, whatever signature, comment and names it has", () =>
    Effect.gen(function* () {
      const name = "veryLongName".repeat(40)
      const comment = "Wartet geduldig und lange. ".repeat(200)
      const chinese = "等待提供者再次可用之前的时间。".repeat(200)
      const files = {
        "/repo/a.ts": `/** ${comment} */\nexport function ${name}(${"argument: string, ".repeat(60)}) {}\n`,
        "/repo/b.ts": `/** ${chinese} */\nexport function b() {}\n`,
      }
      for (const { text } of (yield* texts(files)).texts) {
        assert.isBelow(text.length, 661)
        assert.isTrue(text.isWellFormed())
      }
    }),
  )
})

describe("Embedding.run", () => {
  it.scoped("embeds what has no vector, and nothing a second time", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const { embedder, requests } = HashedWords.make()
      const first = yield* Embedding.run({ ...settings, root, embedder, texts: invented(10) })
      assert.deepInclude(first, { symbols: 10, left: 0, embedded: 10, tokens: 100, failure: undefined })
      assert.deepStrictEqual(
        requests.map(({ length }) => length),
        [4, 4, 2],
      )
      const second = yield* Embedding.run({ ...settings, root, embedder, texts: invented(11) })
      assert.deepInclude(second, { symbols: 11, embedded: 1 })
      assert.lengthOf(requests, 4)
      assert.lengthOf(yield* linked(root), 11)
    }),
  )

  it.scoped("embeds nothing anew after a change of branches and back", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const { embedder, requests } = HashedWords.make({ maxTexts: 100 })
      for (const prefix of ["main", "branch", "main"]) {
        yield* Embedding.run({ ...settings, root, embedder, texts: invented(2, prefix) })
      }
      assert.lengthOf(requests, 2)
      assert.deepStrictEqual(yield* linked(root), ["main0", "main1"])
    }),
  )

  it.scoped("says before what it will send, and sends nothing for that", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const { embedder, requests } = HashedWords.make()
      const before = yield* Embedding.estimate(invented(10), root, embedder)
      assert.deepInclude(before, { symbols: 10, known: 0, texts: 10 })
      assert.isAbove(before.tokens, 20)
      assert.lengthOf(requests, 0)
      yield* Embedding.run({ ...settings, root, embedder, texts: invented(8) })
      assert.deepInclude(yield* Embedding.estimate(invented(10), root, embedder), { symbols: 10, known: 8, texts: 2 })
    }),
  )

  it.scoped("sends nothing if a newer version of vibe wrote the vectors, and leaves them as they are", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const { embedder, requests } = HashedWords.make()
      yield* Embedding.run({ ...settings, root, embedder, texts: invented(2) })
      const file = VectorStore.fileIn(root)
      const database = new DatabaseSync(file)
      database.exec("pragma user_version = 1000")
      database.close()
      const before = fs.readFileSync(file)
      const error = yield* Effect.flip(Embedding.run({ ...settings, root, embedder, texts: invented(4) }))
      assert.strictEqual(error.message, `${file}: the index was written by a newer version of vibe (format 1000)`)
      assert.lengthOf(requests, 1)
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  it.scoped("keeps what was embedded before a failure, and goes on from there", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const failing = HashedWords.make({ fail: (_, request) => (request === 3 ? refused : undefined) })
      const outcome = yield* Embedding.run({ ...settings, root, embedder: failing.embedder, texts: invented(20) })
      assert.deepInclude(outcome, { symbols: 8, left: 12, embedded: 8 })
      assert.strictEqual(outcome.failure?.reason._tag, "Unauthorized")
      const { embedder, requests } = HashedWords.make()
      yield* Embedding.run({ ...settings, root, embedder, texts: invented(20) })
      assert.strictEqual(requests.flat().length, 12)
    }),
  )

  it.scoped("keeps what was embedded before an interrupt", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const third = yield* Deferred.make<void>()
      let count = 0
      const before = Effect.suspend(() =>
        ++count < 3 ? Effect.void : Deferred.succeed(third, undefined).pipe(Effect.zipRight(Effect.never)),
      )
      const { embedder } = HashedWords.make({ before })
      const fiber = yield* Effect.fork(Embedding.run({ ...settings, root, embedder, texts: invented(20) }))
      yield* Deferred.await(third)
      yield* Fiber.interrupt(fiber)
      assert.lengthOf(yield* linked(root), 8)
    }),
  )

  it.scoped("sends half as many requests at a time once the provider limits the rate", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      let underWay = 0
      let most = 0
      const before = Effect.suspend(() => {
        most = Math.max(most, ++underWay)
        return Effect.sleep("1 second").pipe(Effect.ensuring(Effect.sync(() => underWay--)))
      })
      const fail = (_: ReadonlyArray<string>, request: number) => (request === 4 ? rateLimited : undefined)
      const { embedder } = HashedWords.make({ before, fail, maxTexts: 1 })
      const fiber = yield* Effect.fork(Embedding.run({ ...settings, root, embedder, parallel: 4, texts: invented(30) }))
      yield* TestClock.adjust("6500 millis")
      assert.strictEqual(most, 4)
      most = 0
      yield* TestClock.adjust("60 seconds")
      const { embedded, failure } = yield* Fiber.join(fiber)
      assert.deepStrictEqual([embedded, failure, most], [30, undefined, 2])
    }),
  )

  it.scoped("sends a batch that is too long in halves, and passes over a text that is too long alone", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const { embedder, requests } = HashedWords.make({
        maxTexts: 8,
        fail: (texts) => (texts.some((text) => text.endsWith("f5")) ? tooLong : undefined),
      })
      const outcome = yield* Embedding.run({ ...settings, root, embedder, texts: invented(8) })
      assert.deepInclude(outcome, { symbols: 7, left: 1, failure: undefined })
      assert.deepStrictEqual(
        requests.map(({ length }) => length),
        [8, 4, 4, 2, 1, 1, 2],
      )
    }),
  )

  it.scoped("embeds all anew where the server returns other dimensions than those of the index", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* Embedding.run({ ...settings, root, embedder: HashedWords.make().embedder, texts: invented(6) })
      const { embedder, requests } = HashedWords.make({ dimensions: () => 32 })
      const outcome = yield* Embedding.run({ ...settings, root, embedder, texts: invented(8) })
      assert.deepInclude(outcome, { symbols: 8, left: 0, embedded: 8, failure: undefined })
      // The two that were missing, and then all.
      assert.strictEqual(requests.flat().length, 10)
      assert.lengthOf(yield* linked(root), 8)
    }),
  )

  it.scoped("ends with a clear error where the server changes its dimensions again and again", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const { embedder } = HashedWords.make({ dimensions: (request) => (request < 3 ? 64 : 32) })
      const { failure, symbols } = yield* Embedding.run({ ...settings, root, embedder, texts: invented(20) })
      assert.strictEqual(symbols, 8)
      assert.strictEqual(
        failure?.message,
        "test/words: the server changes the dimensions of its vectors, from 64 to 32",
      )
    }),
  )

  it.scoped("keeps the vectors of another embedder until the new one has answered", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* Embedding.run({ ...settings, root, embedder: HashedWords.make().embedder, texts: invented(6) })
      const failing = HashedWords.make({ fail: () => refused })
      const other = { ...failing.embedder, id: "test/other/own/1" }
      yield* Embedding.run({ ...settings, root, embedder: other, texts: invented(6) })
      assert.lengthOf(yield* linked(root), 6)
      const working = { ...HashedWords.make().embedder, id: "test/other/own/1" }
      yield* Embedding.run({ ...settings, root, embedder: working, texts: invented(4) })
      assert.lengthOf(yield* linked(root), 4)
    }),
  )

  it.scoped("reports progress in texts, and says nothing where all have vectors", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      const seen: Array<Embedding.Progress> = []
      const onProgress = (progress: Embedding.Progress) => Effect.sync(() => void seen.push(progress))
      const { embedder } = HashedWords.make()
      const run = Embedding.run({ ...settings, root, embedder, onProgress, texts: invented(6) })
      yield* Effect.provideService(run, RetryPolicy, { maxRetries: 0, maxWait: Duration.zero })
      assert.deepStrictEqual(
        seen.map(({ done, total }) => [done, total]),
        [
          [0, 6],
          [4, 6],
          [6, 6],
        ],
      )
      yield* run
      assert.lengthOf(seen, 3)
    }),
  )
})
