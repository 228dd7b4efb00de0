import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolResult from "../../src/tool/ToolResult.ts"
import * as ReadFile from "../../src/toolbox/ReadFile.ts"

const context = { node: NodeId.make("n-1"), callId: "c1", model: new ModelId({ provider: "scripted", name: "test" }) }

/** The text that a model gets for a file with this content. */
const given = (content: Files.Content, parameters: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const files = Files.makeMemory({ "/repo/file": content })
    const workspace = yield* Effect.provideService(Workspace.open("/repo"), Files.Files, files)
    const call = Block.toolUse("c1", "read_file", { path: "file", ...parameters })
    const { text } = yield* ToolRegistry.make([ReadFile.make(workspace, { isNumbered: true })]).execute(call, context)
    assert.isAtMost(Buffer.byteLength(text), ToolResult.limit)
    assert.isTrue(text.isWellFormed())
    return text
  })

describe("read_file", () => {
  it.effect("shows the beginning of a very long line, and its length", () =>
    Effect.gen(function* () {
      const text = yield* given(`first\n${"x".repeat(1_900_000)}\nlast\n`)
      assert.strictEqual(text, `1\tfirst\n2\t${"x".repeat(2_000)} … (1900000 characters)\n3\tlast`)
    }),
  )

  it.effect("cuts at a line where the text is of many bytes a character, and says where to go on", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 1_000 }, () => "語".repeat(100))
      const text = yield* given(lines.join("\n"))
      const [, next = ""] = /go on with startLine (\d+)\)$/.exec(text) ?? assert.fail(text.slice(-200))
      assert.notInclude(text, "left out")
      assert.isAbove(Number(next), 150)
      assert.isTrue((yield* given(lines.join("\n"), { startLine: Number(next) })).startsWith(`${next}\t語`))
    }),
  )

  it.effect("reads UTF-16, and what is broken as well as it can be", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* given(new Uint8Array(Buffer.from("\ufeffgrün\r\n🌱", "utf16le"))), "1\tgrün\n2\t🌱")
      assert.strictEqual(yield* given(new Uint8Array([0x61, 0xff, 0x0a, 0xe2, 0x82])), "1\ta\ufffd\n2\t\ufffd")
    }),
  )

  it.effect("says in a line what is empty, binary or too large", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* given(""), "(empty file)")
      assert.include(yield* given(new Uint8Array([1, 0, 2])), "file: binary, 3 bytes")
      assert.include(yield* given("x".repeat(2_000_001)), "file: larger than 2000000 bytes")
      assert.strictEqual(yield* given(`${" \n".repeat(9_000)}\0`, { startLine: 9_001 }), "[binary, 6 bytes]")
    }),
  )
})
