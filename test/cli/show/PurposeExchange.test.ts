import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Style from "../../../src/base/Style.ts"
import * as PurposeExchange from "../../../src/cli/show/PurposeExchange.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../../src/forest/ForestStore/Sqlite.ts"
import type { Draft } from "../../../src/forest/Node.ts"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Ids from "../../../src/message/Ids.ts"
import * as Message from "../../../src/message/Message.ts"

const layer = Forest.layer.pipe(Layer.provide([SqliteForestStore.layerMemory, Ids.layer]))

const long = Array.from({ length: 60 }, (_, n) => `  step${n}()`)

const request = [
  "A map of the project:",
  '"""',
  "A house.",
  '"""',
  "",
  "Explain every marked symbol.",
  "",
  "From src/house, 3 symbols to explain:",
  "",
  "== src/house/door.ts",
  "§1 used by enter",
  "export function open() {",
  "  knock\u001b[2J()",
  "}",
  "§2",
  "export function build() {",
  ...long,
  "== src/house/window.ts",
  "§3",
  "export function open() {}",
].join("\n")

const call = (entries: unknown, id = "c"): Block.ToolUse => ({
  type: "tool-use",
  id,
  name: "create_index_entry",
  parameters: { entries },
})

const asked = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const answered = (...calls: ReadonlyArray<Block.ToolUse>): Draft => ({
  message: { role: "assistant", content: [Block.text("Here."), ...calls] },
  source: {
    type: "model",
    model: "google/gemini-2.5-flash",
    finish: "stop",
    usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 },
  },
  createdAt: Date.UTC(2026, 10, 23, 15, 20),
})

const result = (of: Block.ToolUse, text: string): Draft => ({
  message: Message.toolResult(of, text, false),
  source: { type: "tool", tool: of.name },
})

const entry = (name: string, path: string, text: string, node: string) =>
  new IndexEntry({
    path,
    name,
    kind: "function",
    startLine: 1,
    endLine: 3,
    signature: `${name}()`,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
    purpose: { text, origin: "model", model: "google/gemini-2.5-flash", node, stale: false },
  })

/** What is printed of a symbol if the last answer of a conversation has its purpose. */
const why = (
  drafts: ReadonlyArray<Draft>,
  symbol: readonly [name: string, path: string, text: string],
  evidence: ReadonlyArray<string> = [],
  columns = Number.POSITIVE_INFINITY,
) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const root = yield* forest.root({ owner: "index:/repo", systemPrompt: "Explore." })
    const nodes = yield* forest.append(root.id, drafts)
    const answer = nodes.findLast(({ message }) => message.role === "assistant")
    const lines = yield* PurposeExchange.toText(entry(...symbol, answer?.id ?? ""), {
      style: Style.plain,
      columns,
      evidence,
    })
    return lines
  }).pipe(Effect.provide(layer))

const inBatch = call([{ purposes: ["1: Lets guests in.", "2: Makes a house.", "3: Lets air in."] }])

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
