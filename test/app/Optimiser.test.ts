import v8 from "node:v8"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import * as Optimiser from "../../src/app/Optimiser.ts"
import { IsOwnProcess } from "../../src/app/OwnProcess.ts"

const postpone = (isOwnProcess: boolean): void =>
  Effect.runSync(Effect.provideService(Optimiser.postpone, IsOwnProcess, isOwnProcess))

const off = ["--no-maglev", "--no-turbofan", "--no-incremental-marking"]
const on = ["--maglev", "--turbofan", "--incremental-marking"]

describe("Optimiser", () => {
  let flags: Array<string> = []
  const { NODE_OPTIONS } = process.env
  const { execArgv } = process
  const versions = Object.getOwnPropertyDescriptor(process, "versions")

  beforeEach(() => {
    flags = []
    vi.spyOn(v8, "setFlagsFromString").mockImplementation((flag) => void flags.push(flag))
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    Object.defineProperty(process, "versions", { value: { ...process.versions, v8: "13.6.1" }, configurable: true })
  })

  afterEach(() => {
    Optimiser.allow()
    vi.restoreAllMocks()
    vi.useRealTimers()
    if (versions !== undefined) Object.defineProperty(process, "versions", versions)
    process.execArgv = execArgv
    if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = NODE_OPTIONS
  })

  it("lets V8 optimise again when it is told to, once", () => {
    postpone(true)
    assert.deepStrictEqual(flags, off)
    Optimiser.allow()
    Optimiser.allow()
    assert.deepStrictEqual(flags, [...off, ...on])
    vi.advanceTimersByTime(60_000)
    assert.deepStrictEqual(flags, [...off, ...on])
  })

  it("lets V8 optimise again in a command that takes long", () => {
    postpone(true)
    vi.advanceTimersByTime(60_000)
    assert.deepStrictEqual(flags, [...off, ...on])
  })

  it("leaves a process alone that embeds vibe", () => {
    postpone(false)
    Optimiser.allow()
    assert.deepStrictEqual(flags, [])
  })

  it.each([
    "--jitless",
    "--no-maglev",
    "--no-turbofan",
    "--no-incremental-marking",
    "--no_incremental_marking",
    "--noincremental_marking",
    "--incremental_marking",
  ])("leaves the user's %s", (option) => {
    process.execArgv = ["--max-old-space-size=500", option]
    postpone(true)
    Optimiser.allow()
    assert.deepStrictEqual(flags, [])
  })

  it("leaves the one of these that Node takes from the environment", () => {
    process.env.NODE_OPTIONS = "--max-old-space-size=500 --jitless"
    postpone(true)
    Optimiser.allow()
    assert.deepStrictEqual(flags, [])
  })

  it("turns nothing on that a version of V8 has off by default", () => {
    Object.defineProperty(process, "versions", { value: { ...process.versions, v8: "12.4.254" }, configurable: true })
    postpone(true)
    Optimiser.allow()
    assert.deepStrictEqual(flags, [])
  })
})
