/** How a run of an exploration ends, and what a page keeps of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as IndexRuns from "../../src/server/IndexRuns.ts"
import * as Serving from "../utils/Serving.ts"

const report = {
  batches: 4,
  failedBatches: 0,
  failures: [],
  coveredSymbols: 7,
  majorSymbols: 9,
  purposesWritten: 3,
} as const
const failures = [{ reason: "busy\u001b[31m", batches: 2 }]

describe("IndexRuns.describeEnd", () => {
  it.each([
    [{ outcome: "complete" }, ""],
    [{ outcome: "truncated" }, ""],
    [{ outcome: "limit" }, " The requests of one exploration are used up."],
    [{ outcome: "budget" }, " The budget of this run is used up."],
    [{ outcome: "partial", failedBatches: 2, failures }, " However, 2 of 4 batches were not explained: busy"],
    [
      { outcome: "unexplained", failedBatches: 4, failures },
      " The run ended early: none of 4 batches was explained: busy",
    ],
  ] as const)("says of %o '%s'", (end, why) => {
    assert.strictEqual(
      IndexRuns.describeEnd({ ...report, ...end }),
      `3 purposes written; 7 of 9 symbols have one.${why}`,
    )
  })

  it("counts one purpose as one", () => {
    assert.match(IndexRuns.describeEnd({ ...report, outcome: "complete", purposesWritten: 1 }), /^1 purpose written;/)
  })
})

/** Begins a run, and returns its last state with the events that came until then. */
const run = (client: Serving.Client, model: string) =>
  Effect.promise(async () => {
    const heard = await client.listen()
    const begun = await client.post("/index/run", { model, all: true })
    let { run } = await client.get("/index")
    while (run.state === "running") {
      await new Promise((resolve) => setImmediate(resolve))
      run = (await client.get("/index")).run
    }
    await heard.until(({ type }) => type === "index")
    heard.close()
    return { begun, run }
  })

describe("a run of an exploration", () => {
  it.scopedLive("keeps the latest thirty purposes, the newest first", () =>
    Effect.gen(function* () {
      let purposes = 0
      const model = Serving.scripted(({ messages }) => {
        const asked = JSON.stringify(messages.at(-1))
        const numbers = [...new Set(asked.match(/§\d+/g) ?? [])].map((mark) => mark.slice(1))
        return numbers.length === 0 || asked.includes("recorded")
          ? "A drawer of numbers."
          : Scripted.calls([
              "create_index_entry",
              {
                entries: [
                  { purposes: numbers.map((n) => `${n}: Keeps the number ${purposes++} for the \u001b[31mdrawer.`) },
                ],
              },
            ])
      })
      const client = yield* Serving.serve({
        model: Serving.scripted([]),
        others: [model],
        files: {
          "/project/numbers.ts": Array.from(
            { length: 33 },
            (_, n) => `export function keep${n}(): number { return drawer.slot${n} }\n`,
          ).join(""),
        },
      })
      const { begun, run: last } = yield* run(client, String(model.id))
      assert.deepStrictEqual([begun.state, begun.found, begun.written], ["running", [], 0])
      assert.deepStrictEqual([last.state, last.written, last.found.length], ["done", 34, 30])
      const kept = last.found.map(({ text }: { text: string }) => Number(/\d+/.exec(text)?.[0]))
      assert.deepStrictEqual(
        kept,
        kept.toSorted((one: number, other: number) => other - one),
      )
      assert.strictEqual(kept[0], purposes - 1)
      for (const { line, name, path, text } of last.found) {
        assert.match(text, /^Keeps the number \d+ for the drawer\.$/)
        if (path === "numbers.ts") assert.strictEqual(name, `keep${line - 1}`)
      }
    }),
  )

  it.scopedLive("has failed if the model has, says why, and can be begun again", () =>
    Effect.gen(function* () {
      const model = Serving.scripted([])
      const client = yield* Serving.serve({
        model: Serving.scripted([]),
        others: [model],
        files: { "/project/a.ts": "export function a(): void {}\n" },
      })
      for (let n = 0; n < 2; n++) {
        const { run: last } = yield* run(client, String(model.id))
        assert.strictEqual(last.state, "failed")
        assert.match(last.activity, /no more lines/)
        assert.isAtLeast(last.endedAt, last.startedAt)
      }
    }),
  )
})
