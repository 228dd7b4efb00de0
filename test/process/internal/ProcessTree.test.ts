import { assert, describe, it } from "@effect/vitest"
import { make } from "../../../src/process/internal/ProcessTree.ts"

/** An operating system that only records what it is asked to do. */
const system = (platform: NodeJS.Platform) => {
  const calls: Array<string> = []
  return {
    calls,
    platform,
    kill: (pid: number, signal: NodeJS.Signals) => void calls.push(`kill ${pid} ${signal}`),
    start: (program: string, args: ReadonlyArray<string>) => void calls.push(`start ${program} ${args.join(" ")}`),
    run: (program: string, args: ReadonlyArray<string>) => void calls.push(`run ${program} ${args.join(" ")}`),
  }
}

const windows = { SystemRoot: "D:\\Windows", Path: "C:\\tools" }

describe("ProcessTree", () => {
  it("is a process group where the system has them", () => {
    const linux = system("linux")
    const tree = make(12, {}, linux)
    tree.kill("SIGTERM")
    tree.killRest()
    tree.killAtExit()
    assert.deepStrictEqual(linux.calls, ["kill -12 SIGTERM", "kill -12 SIGKILL", "kill -12 SIGKILL"])
  })

  it("does not mind that no process of the group is left", () => {
    const gone = {
      ...system("linux"),
      kill: () => {
        throw new Error("ESRCH")
      },
    }
    assert.doesNotThrow(() => make(12, {}, gone).kill("SIGTERM"))
  })

  it("is followed by Windows' own taskkill, which is waited for where this process exits", () => {
    const own = system("win32")
    const tree = make(12, windows, own)
    tree.kill("SIGTERM")
    tree.killAtExit()
    const line = "D:\\Windows\\System32\\taskkill.exe /pid 12 /T /F"
    assert.deepStrictEqual(own.calls, [`start ${line}`, `run ${line}`, "kill 12 SIGKILL"])
  })

  it("ends at least the program in Windows where taskkill did not", () => {
    const own = system("win32")
    make(12, windows, own).kill("SIGKILL")
    assert.deepStrictEqual(own.calls, ["kill 12 SIGKILL"])
  })

  it("is left alone in Windows once its program has ended, since the number may be that of another process", () => {
    const own = system("win32")
    make(12, windows, own).killRest()
    assert.deepStrictEqual(own.calls, [])
  })
})
