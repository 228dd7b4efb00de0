import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope } from "effect"
import { Entry } from "../../../src/conversation/View.ts"
import { isThorough, some } from "../../thoroughness.ts"
import { answered, asked, inputField, markdown, text } from "./terminal/entries.ts"
import * as VirtualTerminal from "./terminal/VirtualTerminal.ts"

const { keys } = VirtualTerminal

/** So many questions and answers are far more than the screen has room for. */
const TURNS = isThorough ? 200 : 60

describe("Terminal, as a device", () => {
  it.scoped("redraws the live region at the new width after a resize", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.view.show(Entry.Noted({ text: "What was said before." }))
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, `It is ${"so ".repeat(30)}`)
      yield* seen.wait()
      for (const [columns, rows] of [
        [40, 24],
        [120, 30],
        [60, 12],
        [20, 24],
        [100, 24],
      ] as const) {
        yield* seen.resize(columns, rows)
        const shown = yield* text(seen.all)
        assert.strictEqual(shown.match(/What was said/g)?.length, 1)
        assert.strictEqual(shown.match(/so/g)?.length, 30, shown)
        assert.include(shown, inputField("", { columns, model: "test/model · " }).join("\n"))
        assert.strictEqual(shown.match(/─ /g)?.length, 1, shown)
      }
      assert.notInclude(yield* seen.raw, "\u001b[3J")
    }),
  )

  it.scoped("works in a window of a few columns and rows", () =>
    Effect.gen(function* () {
      const sizes = [
        [1, 1],
        [2, 3],
        [5, 2],
      ] as const
      for (const [columns, rows] of some(sizes, 0, 2)) {
        const seen = yield* VirtualTerminal.open({ columns, rows })
        yield* asked(seen, markdown)
        yield* VirtualTerminal.streamText(seen, `${markdown}\n\n> - quoted\n`)
        yield* seen.type("漢字 🎉")
        yield* seen.wait()
        const choices = [{ label: "漢字", about: "one" }]
        const fiber = yield* Effect.fork(seen.view.choose({ title: "Which", choices, preselected: 0, command: "/x" }))
        yield* seen.wait()
        yield* seen.press(keys.enter)
        assert.deepStrictEqual(yield* fiber, Option.some(0))
        yield* answered(seen)
        yield* seen.resize(80, 24)
        assert.include(yield* text(seen.screen), inputField("漢字 🎉", { model: "test/model · " }).join("\n"))
      }
    }),
  )

  it.scoped("keeps few lines that can change, however long the session is", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      for (let turn = 0; turn < TURNS; turn++) {
        yield* asked(seen, `question ${turn}`)
        yield* VirtualTerminal.streamText(seen, `answer ${turn}\n\n- a\n- b\n`)
        yield* answered(seen)
      }
      const all = yield* seen.all
      assert.deepStrictEqual(
        all.filter((line) => /^> |^answer/.test(line)),
        Array.from({ length: TURNS }, (_, turn) => [`> question ${turn}`, `answer ${turn}`]).flat(),
      )
      const before = (yield* seen.raw).length
      yield* seen.view.show(Entry.Noted({ text: "short" }))
      assert.isBelow((yield* seen.raw).length - before, 1000)
    }),
  )

  it.effect("is restored at the end, with the whole session on it", () =>
    Effect.gen(function* () {
      for (const exit of [Exit.void, Exit.interrupt("none" as never), Exit.die("broken")]) {
        const scope = yield* Scope.make()
        const seen = yield* Scope.extend(VirtualTerminal.open(), scope)
        yield* asked(seen)
        yield* VirtualTerminal.streamText(seen, "Half an ans")
        yield* seen.type("unsent")
        yield* Scope.close(scope, exit)
        assert.isTrue((yield* seen.modes).isStopped)
        assert.deepStrictEqual(yield* seen.all, ["", "> What is it?", "", "Half an ans"])
        assert.deepStrictEqual((yield* seen.modes).cursor, [0, 4])
        assert.match(yield* seen.raw, /\[\?7h.*\[\?25h.*\[\?2004l$/s)
      }
    }),
  )
})
