import { assert, describe, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import * as Progress from "../../../src/cli/index/Progress.ts"
import { IndexEvent } from "../../../src/indexing/IndexEvent.ts"

const usage = { inputTokens: 12_000, outputTokens: 345, cachedTokens: 0, thinkingTokens: 0 }

const reading = (path: string) => IndexEvent.ToolStarted({ name: "read_file", parameters: { path } })

/** In the midst of a run, at a tool that looks at `path`. */
const busy = (path: string): Progress.Progress =>
  [
    IndexEvent.Structured({ files: 265, symbols: 1916, parsed: 265, hidden: 0 }),
    IndexEvent.Asked({ iteration: 12, limit: 20 }),
    IndexEvent.Answered({ text: "", total: usage }),
    IndexEvent.ToolFinished({ name: "create_index_entry", text: "", isError: false }),
    IndexEvent.Recorded({ purposesWritten: 340 }),
    reading(path),
  ].reduce(Progress.next, Progress.start)

const line = (path: string, columns: number) => Progress.line(busy(path), Duration.seconds(62), columns)

describe("Progress.line", () => {
  it("shows the step and the counts so far", () => {
    assert.strictEqual(
      line("src/main.ts", 120),
      "[12/20] read_file src/main.ts · 1916 symbols · 340 purposes · 1 tool call · 12.3k tokens · 1:02",
    )
  })

  it("does without the tool calls where there is little room, and then without the end of the step", () => {
    assert.strictEqual(line("a.ts", 80), "[12/20] read_file a.ts · 1916 symbols · 340 purposes · 12.3k tokens · 1:02")
    assert.strictEqual(
      line("src/indexing/IndexStore.ts", 80),
      "[12/20] read_file src/inde… · 1916 symbols · 340 purposes · 12.3k tokens · 1:02",
    )
  })

  it("does without the purposes where they leave no room for the step", () => {
    assert.strictEqual(
      line("src/indexing/IndexStore.ts", 70),
      "[12/20] read_file src/indexing/… · 1916 symbols · 12.3k tokens · 1:02",
    )
  })

  it("waits for another run, and then reads the code", () => {
    const waiting = Progress.next(Progress.start, IndexEvent.Waiting({ process: 12 }))
    const started = Progress.next(waiting, IndexEvent.Started({ root: "/r", model: "scripted/test" }))
    assert.deepStrictEqual(
      [waiting, started].map((progress) => Progress.line(progress, Duration.seconds(1), 80)),
      ["waiting for another vibe index · 0:01", "reading the code · 0:01"],
    )
  })

  it.prop(
    "is never as wide as the terminal",
    [FastCheck.string(), FastCheck.integer({ min: 1, max: 200 })],
    ([path, columns]) => {
      assert.isBelow(line(path, columns).length, columns)
    },
  )
})
