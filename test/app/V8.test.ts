import { syncBuiltinESMExports } from "node:module"
import v8 from "node:v8"
import { Worker } from "node:worker_threads"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { runParse } from "../../src/app/V8.ts"

const off = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]
const on = ["--wasm-tier-up", "--wasm-dynamic-tiering"]

describe("V8", () => {
  let flags: Array<string> = []

  beforeEach(() => {
    flags = []
    vi.spyOn(v8, "setFlagsFromString").mockImplementation((flag) => void flags.push(flag))
    syncBuiltinESMExports()
  })

  afterEach(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })

  it("optimises no large grammar while it parses, and others again after that", () => {
    runParse("cpp", () => {
      assert.deepStrictEqual(flags, off)
      return undefined
    })
    assert.deepStrictEqual(flags, [...off, ...on])
  })

  it("optimises small grammars", () => {
    runParse("python", () => undefined)
    assert.deepStrictEqual(flags, [])
  })

  it("optimises again after a parse that breaks down", () => {
    assert.throws(() =>
      runParse("cpp", () => {
        throw new Error("out of memory")
      }),
    )
    assert.deepStrictEqual(flags, [...off, ...on])
  })

  it("optimises no large grammar that one thread still parses when another has ended", async () => {
    const state = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
    const [TOLD, DONE, ALLOWED] = [0, 1, 2]
    const thread = new Worker(new URL("./V8.thread.ts", import.meta.url), { workerData: state })
    const parseThere = () => {
      const done = Atomics.load(state, DONE)
      Atomics.add(state, TOLD, 1)
      Atomics.notify(state, TOLD)
      assert.notStrictEqual(Atomics.wait(state, DONE, done, 60_000), "timed-out")
    }
    try {
      runParse("cpp", () => {
        parseThere()
        return undefined
      })
      assert.strictEqual(Atomics.load(state, ALLOWED), 0, "this thread was within a parse")
      assert.deepStrictEqual(flags, [...off, ...on])
      parseThere()
      assert.strictEqual(Atomics.load(state, ALLOWED), 1)
    } finally {
      await thread.terminate()
    }
  })
})
