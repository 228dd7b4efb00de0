/** What becomes of the prompt where a conversation continues after another node. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rebase } from "../../../src/conversation/document/Merge.ts"
import * as ConversationManager from "../../../src/conversation/engines/ConversationManager.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { withScript } from "../../utils/Looms.ts"

const made = (options: Partial<ConversationManager.Options> = {}) =>
  ConversationManager.make({ owner: "test", systemPrompt: "Help.", ...options })

describe("ConversationManager.moveTo", () => {
  it.effect("has the version of the other path, and leaves behind what a model has changed on this one", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("draw")
      const asked = yield* manager.cursor
      yield* manager.addAssistantMessage("Prompt: a cat", "a cat")
      const cat = yield* manager.cursor
      yield* manager.moveTo(asked)
      assert.strictEqual((yield* manager.document).text, "a cat")
      yield* manager.addAssistantMessage("Prompt: a dog", "a dog")
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a dog")
      assert.strictEqual((yield* manager.moveTo(cat)).text, "a cat")
      assert.isFalse(yield* manager.isPromptEdited())
    }).pipe(withScript([])),
  )

  it.effect("takes the user's edits along, those that the model was told of and those that it was not", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("plan")
      yield* manager.addAssistantMessage("Prompt: one", "one\ntwo\nthree\nfour\nfive\n")
      const planned = yield* manager.cursor
      yield* manager.updatePrompt("ONE\ntwo\nthree\nfour\nfive\n")
      yield* manager.notifyPromptEdited()
      yield* manager.addUserMessage("more")
      yield* manager.updatePrompt("ONE\ntwo\nthree\nfour\nFIVE\n")
      assert.strictEqual((yield* manager.moveTo(planned)).text, "ONE\ntwo\nthree\nfour\nFIVE\n")
      assert.isTrue(yield* manager.isPromptEdited())
    }).pipe(withScript([])),
  )

  it.effect("keeps the text where the other path has no version of it", () =>
    Effect.gen(function* () {
      const manager = yield* made({ prompt: "mine" })
      const root = yield* manager.cursor
      yield* manager.addUserMessage("draw")
      yield* manager.moveTo(root)
      assert.strictEqual(yield* manager.getCurrentPrompt(), "mine")
    }).pipe(withScript([])),
  )

  it.effect("fails for a node of another tree, and for one that is not there", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      const forest = yield* Forest.Forest
      const other = yield* forest.root({ owner: "other", systemPrompt: "" })
      for (const id of [other.id, NodeId.make("nowhere")]) {
        const error = yield* Effect.flip(manager.moveTo(id))
        assert.strictEqual(error.reason._tag, "NotFound")
      }
    }).pipe(withScript([])),
  )

  it.effect("lists the versions of its path with their authors", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addAssistantMessage("Prompt: a cat", "a cat")
      yield* manager.updatePrompt("a tabby cat")
      yield* manager.notifyPromptEdited()
      const versions = yield* manager.versions
      assert.deepStrictEqual(
        versions.map(({ by, text }) => [by, text]),
        [
          ["model", "a cat"],
          ["user", "a tabby cat"],
        ],
      )
    }).pipe(withScript([])),
  )
})

describe("rebase", () => {
  it("returns the other version where there are no edits", () => {
    assert.strictEqual(rebase([], "theirs"), "theirs")
    assert.strictEqual(rebase([{ before: "same", after: "same" }], "theirs"), "theirs")
  })
  it("keeps the user's lines where the other version has changed them as well", () => {
    assert.strictEqual(rebase([{ before: "a\nb\n", after: "a\nmine\n" }], "a\ntheirs\n"), "a\nmine\n")
  })
})
