import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { GenerationAbortedError } from "../../src/agent/GenerateError.ts"
import { IndexError } from "../../src/index/IndexError.ts"
import { NoSuchSymbol } from "../../src/lookup/NoSuchSymbol.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as CodeIndex from "../../src/promise/CodeIndex.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"

let folder = ""

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "vibe-promise-"))
  write(
    "src/retry.ts",
    "/** Repeats a request that has failed. */\nexport const retry = () => wait()\n\nexport const wait = () => 2\n",
  )
})

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const write = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  fs.writeFileSync(path.join(folder, file), text)
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error,
  )

describe("promise/CodeIndex", () => {
  it("explores with the offline guide, reports its events, and answers", async () => {
    const events: Array<string> = []
    const report = await CodeIndex.explore(folder, {
      onEvent: ({ _tag }) => {
        events.push(_tag)
        throw new Error("ignored")
      },
    })
    assert.strictEqual(report.outcome, "complete")
    assert.deepStrictEqual([events[0], events.at(-1)], ["Started", "Finished"])

    await using index = await CodeIndex.open(folder)
    const [answer] = await index.query("where is a failed request repeated?")
    assert.strictEqual(answer?.entry.qualifiedName, "retry")
    assert.strictEqual(answer?.entry.path, "src/retry.ts")
    assert.include(answer?.excerpt?.text, "export const retry")
    const [details] = await index.show("wait")
    assert.deepStrictEqual(
      details?.references.map(({ line, symbol }) => [line, symbol]),
      [[2, "retry"]],
    )
    const [user] = await index.show("src/retry.ts:retry")
    assert.deepStrictEqual(
      user?.callees.map(({ entry }) => entry.name),
      ["wait"],
    )
    assert.include(await index.describe("retry"), "Repeats a request that has failed.")
    const { files, outdated, root } = await index.status()
    assert.deepStrictEqual([files, outdated, root], [1, undefined, folder])
  })

  it("stores the purposes that a model writes", async () => {
    const entry = { path: "src/retry.ts", symbol: "wait", purpose: "Pauses for two seconds between attempts." }
    const script = [Scripted.calls(["create_index_entry", { entries: [entry] }]), "That is all.", "Nothing."]
    const model = Scripted.unsafeMake(script)
    const report = await CodeIndex.explore(folder, { model })
    assert.strictEqual(report.purposesWritten, 1)
    const index = await CodeIndex.open(folder)
    const [found] = await index.query("pause between attempts", { limit: 1 })
    assert.strictEqual(found?.entry.purpose?.text, entry.purpose)
    await index.close()
  })

  it("takes in what has changed, and keeps to a path", async () => {
    await using index = await CodeIndex.open(folder, { create: true })
    write(
      "lib/backoff.ts",
      "/** Doubles the delay before each attempt. */\nexport const backoff = (delay: number) => delay * 2\n",
    )
    await index.refresh()
    const [found] = await index.query("double the delay", { within: "lib" })
    assert.strictEqual(found?.entry.name, "backoff")
    assert.deepStrictEqual(await index.query("double the delay", { within: "src" }), [])
  })

  it("rejects with typed errors: without an index, and for a name that is not there", async () => {
    const missing = await rejection(CodeIndex.open(folder))
    assert.strictEqual(missing instanceof IndexError && missing.reason._tag, "NotIndexed")
    await using index = await CodeIndex.open(folder, { create: true })
    const unknown = await rejection(index.show("retri"))
    assert.deepStrictEqual(unknown instanceof NoSuchSymbol && unknown.nearest, ["src/retry.ts:retry"])
    assert.instanceOf(await rejection(index.show("src")), NoSuchSymbol)
    assert.instanceOf(await rejection(index.query("retry", { within: "nowhere" })), NoSuchSymbol)
    await index.close()
    assert.include(String(await rejection(index.status())), "The index is closed.")
  })

  it("ends an aborted exploration with the typed error, and begins none if it is aborted before", async () => {
    const asked = Effect.runSync(Deferred.make<void>())
    const model = LanguageModel.make(new ModelId({ provider: "test", name: "never" }), () =>
      Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never),
    )
    const before = await rejection(CodeIndex.explore(folder, { model, signal: AbortSignal.abort() }))
    assert.instanceOf(before, GenerationAbortedError)
    assert.isFalse(fs.existsSync(path.join(folder, ".vibe")))

    const controller = new AbortController()
    const events: Array<string> = []
    const run = CodeIndex.explore(folder, {
      model,
      signal: controller.signal,
      onEvent: ({ _tag }) => events.push(_tag),
    })
    const stopped = rejection(run)
    await Effect.runPromise(Deferred.await(asked))
    controller.abort("enough")
    assert.strictEqual(String(await stopped), String(new GenerationAbortedError({ reason: "enough" })))
    assert.strictEqual(events.at(-1), "Stopped")
    // The lock is free again.
    assert.strictEqual((await CodeIndex.explore(folder)).outcome, "complete")
  })
})
