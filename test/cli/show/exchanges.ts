/** Explorations as a forest keeps them, with the exchanges in which purposes were recorded. */
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

export const request = [
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

export const call = (entries: unknown, id = "c"): Block.ToolUse => ({
  type: "tool-use",
  id,
  name: "create_index_entry",
  parameters: { entries },
})

export const asked = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

export const answered = (...calls: ReadonlyArray<Block.ToolUse>): Draft => ({
  message: { role: "assistant", content: [Block.text("Here."), ...calls] },
  source: {
    type: "model",
    model: "google/gemini-2.5-flash",
    finish: "stop",
    usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 },
  },
  createdAt: Date.UTC(2026, 10, 23, 15, 20),
})

export const result = (of: Block.ToolUse, text: string): Draft => ({
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

/** The text that is printed of a symbol if the last answer of a conversation has its purpose. */
export const why = (
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

export const inBatch = call([{ purposes: ["1: Lets guests in.", "2: Makes a house.", "3: Lets air in."] }])
