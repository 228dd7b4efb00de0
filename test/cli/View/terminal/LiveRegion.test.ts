import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, TestContext } from "effect"
import { Entry } from "../../../../src/conversation/View.ts"
import { NodeId } from "../../../../src/message/NodeId.ts"
import { cases } from "../../../thoroughness.ts"
import * as VirtualTerminal from "./VirtualTerminal.ts"

/** An event of a session. */
type Step =
  | { readonly does: "note" | "say"; readonly lines: number }
  | { readonly does: "open" | "close" | "wait" }
  | { readonly does: "resize"; readonly columns: number; readonly rows: number }

const entries = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.record({ does: FastCheck.constant("note" as const), lines: FastCheck.nat(12) }) },
  { weight: 4, arbitrary: FastCheck.record({ does: FastCheck.constant("say" as const), lines: FastCheck.nat(40) }) },
  FastCheck.record({ does: FastCheck.constantFrom("open" as const, "close" as const, "wait" as const) }),
)

const resizes = FastCheck.record({
  does: FastCheck.constant("resize" as const),
  columns: FastCheck.integer({ min: 20, max: 300 }),
  rows: FastCheck.integer({ min: 5, max: 60 }),
})

/** Shows lines with unique marks. Returns the marks on the terminal at the end, and the expected ones. */
const run = (steps: ReadonlyArray<Step>, rows: number) =>
  Effect.gen(function* () {
    const terminal = yield* VirtualTerminal.open({ columns: 60, rows })
    let count = 0
    const marks = (lines: number) => Array.from({ length: lines + 1 }, () => `m${count++}.`)
    for (const step of steps) {
      switch (step.does) {
        case "note":
          yield* terminal.view.show(Entry.Noted({ text: marks(step.lines).join("\n") }))
          break
        case "say":
          // A paragraph is one block: it may be higher than the screen.
          yield* VirtualTerminal.streamText(terminal, `${marks(step.lines).join("\n")}\n\n`)
          break
        case "open":
          yield* terminal.view.show(Entry.Asked({ text: marks(0).join(), model: "test", node: NodeId.make("n1") }))
          break
        case "close":
          yield* terminal.view.show(Entry.Answered({ text: "", node: undefined, account: VirtualTerminal.account }))
          break
        case "wait":
          yield* terminal.wait()
          break
        case "resize":
          yield* terminal.resize(step.columns, step.rows)
      }
    }
    yield* terminal.view.show(Entry.Answered({ text: "", node: undefined, account: VirtualTerminal.account }))
    const text = (yield* terminal.all).join("\n")
    const found = [...text.matchAll(/m(\d+)\./g)].map(([, mark]) => Number(mark))
    return { found, expected: Array.from({ length: count }, (_, mark) => mark), text }
  }).pipe(Effect.scoped, Effect.provide(TestContext.TestContext))

describe("LiveRegion", () => {
  it("leaves every line to the scrollback, once and in order", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(entries, { maxLength: 25 }),
        FastCheck.integer({ min: 5, max: 40 }),
        (steps, rows) =>
          Effect.runPromise(
            Effect.map(run(steps, rows), ({ expected, found, text }) => assert.deepStrictEqual(found, expected, text)),
          ),
      ),
      { numRuns: cases(25) },
    ))

  // An open block may be there twice: a terminal that becomes lower pushes it into its scrollback.
  it("loses no line when the size of the terminal changes", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(FastCheck.oneof({ weight: 3, arbitrary: entries }, resizes), { maxLength: 20 }),
        (steps) =>
          Effect.runPromise(
            Effect.map(run(steps, 24), ({ expected, found, text }) =>
              assert.deepStrictEqual(
                [...new Set(found)].sort((a, b) => a - b),
                expected,
                text,
              ),
            ),
          ),
      ),
      { numRuns: cases(25) },
    ))
})
