import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as SubmitPrd from "../../src/toolbox/SubmitPrd.ts"

const submit = (parameters: Block.ToolUse["parameters"]) =>
  ToolRegistry.make([SubmitPrd.make]).execute(Block.toolUse("c", "submit_prd", parameters), {
    node: NodeId.make("n"),
    callId: "c",
    model: new ModelId({ provider: "scripted", name: "test" }),
  })

describe("submit_prd", () => {
  it.effect("takes a document with stories, and gives it back as data", () =>
    Effect.gen(function* () {
      const prd = { name: "Dark Mode", content: "# PRD: Dark Mode\n\n### US-001: A switch\n\n- [ ] it is there" }
      assert.deepStrictEqual(yield* submit(prd), { text: "kept the PRD 'Dark Mode', user stories: 1", data: prd })
    }),
  )

  it.effect("refuses a PRD without user stories, and says what is missing", () =>
    Effect.gen(function* () {
      const { isError, text } = yield* submit({ name: "X", content: "# PRD: X\n\nWords." })
      assert.isTrue(isError)
      assert.include(text, "it has no user stories: each needs a heading such as '### US-001: Title'")
    }),
  )

  it.effect("refuses a document without a name or words", () =>
    Effect.gen(function* () {
      const { isError, text } = yield* submit({ name: " ", content: "" })
      assert.isTrue(isError)
      assert.include(text, "it has no name")
      assert.include(text, "it says nothing")
    }),
  )
})
