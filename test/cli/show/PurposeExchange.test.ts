import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { answered, asked, call, inBatch, request, result, why } from "./exchanges.ts"

describe("vibe show --why", () => {
  it.effect("prints of a batch the symbol's own source, line of the answer and part of the result", () =>
    Effect.gen(function* () {
      const drafts = [
        asked(request),
        answered(inBatch),
        result(
          inBatch,
          "recorded 3 of 3 entries\nweak, to be written once more, better:\n- §1 open: too short\n- §10 x: no",
        ),
      ]
      const lines = yield* why(drafts, ["open", "src/house/door.ts", "Lets guests in."], ["", "  evidence"])
      assert.deepStrictEqual(lines.slice(0, -3), [
        "",
        "  written",
        "    2026-11-23 15:20:00Z by google/gemini-2.5-flash, in a batch of 3 symbols from src/house",
        "",
        "  sent as §1 of src/house/door.ts",
        "    §1 used by enter",
        "    export function open() {",
        "      knock()",
        "    }",
        "",
        "  the model's answer",
        "    1: Lets guests in.",
        "",
        "  the tool's result",
        "    recorded 3 of 3 entries",
        "    weak: §1 open: too short",
        "",
        "  evidence",
        "",
      ])
      assert.strictEqual(lines.at(-3), "  all of it")
      assert.match(lines.at(-2) ?? "", /^ {4}request: vibe loom show \S+$/)
      assert.match(lines.at(-1) ?? "", /^ {4}answer: {2}vibe loom show \S+$/)
    }),
  )

  it.effect("cuts long source after forty lines, and says how much there is besides", () =>
    Effect.gen(function* () {
      const lines = yield* why([asked(request), answered(inBatch)], ["build", "src/house/door.ts", "Makes a house."])
      const source = lines.slice(lines.indexOf("  sent as §2 of src/house/door.ts") + 1)
      assert.strictEqual(source.indexOf("    … 21 lines"), 40)
      assert.notInclude(lines.join("\n"), "window")
    }),
  )

  it.effect("finds the source in the request for the batch where the symbol was asked for once more", () =>
    Effect.gen(function* () {
      const again = call([{ purposes: ["§3 - Lets air in."] }], "d")
      const drafts = [
        asked(request),
        answered(call([{ purposes: ["1: Lets guests in."] }])),
        asked("Not explained yet: §3. Explain it as asked above."),
        answered(again),
        result(again, "recorded 1 of 1 entry"),
      ]
      const lines = yield* why(drafts, ["open", "src/house/window.ts", "Lets air in."])
      assert.include(lines, "  sent as §3 of src/house/window.ts")
      assert.include(lines, "    §3: Lets air in.")
      assert.include(lines, "    recorded 1 of 1 entry")
    }),
  )

  it.effect("says of which file the source was where a copy has the same purpose", () =>
    Effect.gen(function* () {
      const lines = yield* why([asked(request), answered(inBatch)], ["open", "src/copy.ts", "Lets air in."])
      assert.include(lines, "  sent as §3 of src/house/window.ts, which has the same source")
    }),
  )

  it.effect("prints of an entry by name that entry alone, of the right call, and what was asked", () =>
    Effect.gen(function* () {
      const other = call([{ path: "src/b.ts", symbol: "b", purpose: "Counts guests." }], "d")
      const own = call(
        [
          { path: "src/b.ts", symbol: "open", purpose: "Lets guests in." },
          { path: "src/a.ts", symbol: "open", purpose: "Lets  guests in." },
        ],
        "e",
      )
      const drafts = [
        asked("Begin by exploring the codebase at '.'.\n\nIt has 3 files."),
        answered(other, own),
        result(other, "recorded 1 of 1 entry"),
        result(own, "recorded 2 of 3 entries\nrefused: src/a.ts shut: no such symbol"),
      ]
      const lines = yield* why(drafts, ["open", "src/a.ts", "Lets guests in."])
      assert.include(lines[2], ", asked: Begin by exploring the codebase at '.'.")
      assert.deepStrictEqual(lines.slice(4, 9), [
        "  the model's answer",
        "    src/a.ts open: Lets guests in.",
        "",
        "  the tool's result",
        "    recorded 2 of 3 entries",
      ])
      assert.notInclude(lines.join("\n"), "shut")
      assert.notInclude(lines.join("\n"), "sent as")
    }),
  )

  it.effect("is no wider than the terminal", () =>
    Effect.gen(function* () {
      const lines = yield* why(
        [asked(request), answered(inBatch)],
        ["open", "src/house/door.ts", "Lets guests in."],
        [],
        40,
      )
      assert.isTrue(lines.every((line) => line.length <= 40))
    }),
  )
})
