/** A conversation beside a file: what the user saves, what the model changes, and the messages to both about it. */

import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { systemPrompt } from "../../../src/conversation/document/ReviseDocument.ts"
import type { SlashCommand } from "../../../src/conversation/slash/SlashCommand.ts"
import * as View from "../../../src/conversation/View.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { disk, edit, heard, noted, talk, told, whole } from "../../utils/DocumentSessions.ts"
import { withScript } from "../../utils/Looms.ts"
import { texts } from "../../utils/ScriptedUser.ts"

describe("Document mode", () => {
  it.scoped("shows a message with the node at which it is stored, also after the notice of an edit", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { noticed, says } = yield* talk(file, ["Yes.", "Yes."])
      const forest = yield* Forest.Forest
      for (const text of ["first", "second"]) {
        const asked = (yield* says(text)).find(({ _tag }) => _tag === "Asked")
        assert.ok(asked?._tag === "Asked")
        assert.deepStrictEqual((yield* forest.node(asked.node)).message, Message.user(text))
        file.save("two\n")
        yield* noticed
      }
    }).pipe(withScript([])),
  )

  it.scoped("shows what the model changes, and writes it", () =>
    Effect.gen(function* () {
      const file = disk("one\ntwo\nthree\n")
      const { says } = yield* talk(file, [edit("two", "2"), "Done."])
      assert.deepStrictEqual(noted(yield* says("Numbers")), [
        "Printed: --- /here/plan.md\n+++ /here/plan.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
      ])
      assert.strictEqual(yield* file.text, "one\n2\nthree\n")
    }).pipe(withScript([])),
  )

  it.scoped("ends every request with the text, and announces a save by one notice before the next", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { requests, script } = heard(["Yes.", "I see."])
      const { noticed, says, user } = yield* talk(file, script)
      yield* says("Is it short?")
      assert.deepStrictEqual(told(requests[0]), ['[current prompt: "one\n"]'])
      file.save("one\ntwo\n")
      yield* noticed
      file.save("one\ntwo\nthree\n")
      yield* noticed
      assert.deepStrictEqual(noted(yield* user.waitFor("Noted")), [
        "Noted: You saved /here/plan.md: the model will see the changes",
      ])
      yield* says("And now?")
      assert.deepStrictEqual(told(requests[1]), [
        '[user edited prompt to: "one\ntwo\nthree\n"]',
        '[current prompt: "one\ntwo\nthree\n"]',
      ])
    }).pipe(withScript([])),
  )

  it.scoped("announces a save that the watcher missed, also in the middle of a turn", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { requests, script } = heard([
        () => {
          file.save("one\nmine\n")
          return Scripted.calls(["revise_document", { edits: [{ find: "nowhere", replace: "" }] }])
        },
        "I see.",
      ])
      const { says } = yield* talk(file, script)
      file.save("one\ntwo\n")
      yield* says("Look")
      assert.deepStrictEqual(told(requests[0]), [
        '[user edited prompt to: "one\ntwo\n"]',
        '[current prompt: "one\ntwo\n"]',
      ])
      assert.deepStrictEqual(told(requests[1]).slice(-2), [
        '[user edited prompt to: "one\nmine\n"]',
        '[current prompt: "one\nmine\n"]',
      ])
    }).pipe(withScript([])),
  )

  it.scoped("merges what both changed in different places", () =>
    Effect.gen(function* () {
      const file = disk("one\ntwo\nthree\n")
      const { script } = heard([
        () => {
          file.save("one\ntwo\nthree\nmine\n")
          return edit("one", "1")
        },
        "Done.",
      ])
      const { says } = yield* talk(file, script)
      yield* says("Numbers")
      assert.strictEqual(yield* file.text, "1\ntwo\nthree\nmine\n")
    }).pipe(withScript([])),
  )

  /** Both change the same line. */
  const conflict = Effect.gen(function* () {
    const file = disk("one\ntwo\nthree\n")
    const { requests, script } = heard([
      () => {
        file.save("one\nmine\nthree\n")
        return edit("two", "2")
      },
      "I see.",
    ])
    const { says, user } = yield* talk(file, script)
    const entries = yield* says("Numbers")
    return { file, requests, says, user, entries }
  })

  it.scoped("keeps the user's lines where both changed the same, and shows the model's", () =>
    Effect.gen(function* () {
      const { entries, file, requests } = yield* conflict
      assert.strictEqual(yield* file.text, "one\nmine\nthree\n")
      assert.deepStrictEqual(noted(entries), [
        "Noted: You saved /here/plan.md: the model will see the changes",
        "Noted: You and the model both changed 1 place of /here/plan.md: your lines stand.",
        "Printed: --- /here/plan.md\n+++ /here/plan.md\n@@ -1,3 +1,3 @@\n one\n-mine\n+2\n three",
        "Noted: This is the model's version: /theirs takes its lines, /mine keeps yours, or ask the model for a change",
      ])
      const result = requests[1]?.messages.find(({ role }) => role === "tool")
      assert.include(result === undefined ? "" : Message.text(result), "there the user's lines stand")
      assert.strictEqual(told(requests[1]).at(-1), '[current prompt: "one\nmine\nthree\n"]')
    }).pipe(withScript([])),
  )

  it.scoped("takes the model's lines on /theirs, and keeps what the user wrote since", () =>
    Effect.gen(function* () {
      const { file, says } = yield* conflict
      file.save("one\nmine\nthree\nfour\n")
      yield* says("/theirs")
      assert.strictEqual(yield* file.text, "one\n2\nthree\nfour\n")
    }).pipe(withScript([])),
  )

  it.scoped("keeps the user's lines on /mine, and then has no conflict left", () =>
    Effect.gen(function* () {
      const { file, says } = yield* conflict
      assert.deepStrictEqual(noted(yield* says("/mine")), ["Noted: Your lines stand"])
      assert.deepStrictEqual(noted(yield* says("/theirs")), ["Noted: there is nothing to decide"])
      assert.strictEqual(yield* file.text, "one\nmine\nthree\n")
    }).pipe(withScript([])),
  )

  it.scoped("makes a file that is not there with the first change, and not before", () =>
    Effect.gen(function* () {
      const file = disk(undefined)
      const { requests, script } = heard(["Empty.", whole("# Plan"), "Done."])
      const { says } = yield* talk(file, script)
      yield* says("What is there?")
      assert.deepStrictEqual(told(requests[0]), [])
      assert.strictEqual((yield* Effect.flip(file.text)).reason._tag, "NotFound")
      yield* says("Begin")
      assert.strictEqual(yield* file.text, "# Plan\n")
    }).pipe(withScript([])),
  )

  it.scoped("does not create a deleted file again, except on /write", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { says, user } = yield* talk(file, [edit("one", "1"), "Done."])
      file.now.isGone = true
      yield* user.sends("Numbers")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(noted(yield* user.waitFor("Answered")), [
        "Noted: /here/plan.md is gone; its text is kept here, and /write makes it again",
        "Printed: --- /here/plan.md\n+++ /here/plan.md\n@@ -1,1 +1,1 @@\n-one\n+1",
        "Noted: /here/plan.md is not made again by itself: /write makes it, with what the model changed",
      ])
      assert.isTrue(file.now.isGone)
      yield* says("/write")
      assert.deepStrictEqual([file.now.isGone, yield* file.text], [false, "1\n"])
    }).pipe(withScript([])),
  )

  it.scoped("keeps what it cannot write, merges it with later edits of the user, and tries again", () =>
    Effect.gen(function* () {
      const file = disk("one\ntwo\n")
      const { says } = yield* talk(file, [edit("one", "1"), "Done."])
      file.now.isReadOnly = true
      const entries = noted(yield* says("Numbers"))
      assert.include(entries.at(-1) ?? "", "/here/plan.md: cannot be written. What the model changed is kept here")
      assert.strictEqual(yield* file.text, "one\ntwo\n")
      file.now.isReadOnly = false
      file.save("one\ntwo\nmine\n")
      yield* says("/write")
      assert.strictEqual(yield* file.text, "1\ntwo\nmine\n")
    }).pipe(withScript([])),
  )

  it.scoped("reports once that the file has become something else, and does not touch that", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { says } = yield* talk(file, [edit("one", "1"), "Done.", "Still."])
      file.save("\0")
      const entries = noted(yield* says("Numbers"))
      assert.strictEqual(entries[0], "Noted: /here/plan.md: binary, 1 bytes; the text as it stands is kept here")
      assert.deepStrictEqual(noted(yield* says("And?")), [])
      assert.strictEqual(yield* file.text, "\0")
    }).pipe(withScript([])),
  )

  it.scoped("takes a whole text from an answer without tools", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { says } = yield* talk(file, ["So:\n<document>\n# One\n\n- 1\n</document>"])
      yield* says("Anew")
      assert.strictEqual(yield* file.text, "# One\n\n- 1\n")
    }).pipe(withScript([])),
  )

  it.scoped("does not treat quoted text in an answer as a change", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { says } = yield* talk(file, ["Prompt: something else"])
      yield* says("What would you write?")
      assert.strictEqual(yield* file.text, "one\n")
    }).pipe(withScript([])),
  )

  it.scoped("announces a save once where the conversation is reopened in between", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { requests, script } = heard(["Yes.", edit("one", "1"), "Done.", "Nothing new.", "I see."])
      // As `/model` does.
      const anew: SlashCommand = {
        name: "anew",
        argument: undefined,
        summary: "",
        run: ({ cursor, moveTo: move, view }) =>
          Effect.flatMap(cursor, move).pipe(
            Effect.zipRight(view.show(View.Entry.Noted({ text: "anew" }))),
            Effect.as("continue"),
          ),
      }
      const { says } = yield* talk(file, script, undefined, [anew])
      const notices = (request: Request | undefined) => told(request).filter((text) => text.startsWith("[user edited"))
      file.save("one\ntwo\n")
      yield* says("Look")
      yield* says("Numbers")
      yield* says("/anew")
      yield* says("And?")
      assert.deepStrictEqual(notices(requests[3]), ['[user edited prompt to: "one\ntwo\n"]'])
      file.save("1\ntwo\nthree\n")
      yield* says("/anew")
      yield* says("And now?")
      assert.deepStrictEqual(notices(requests[4]).slice(1), ['[user edited prompt to: "1\ntwo\nthree\n"]'])
    }).pipe(withScript([])),
  )

  it.scoped("shows the text on /document and what changed since the beginning on /diff", () =>
    Effect.gen(function* () {
      const file = disk("one\n")
      const { says, user } = yield* talk(file, [edit("one", "1"), "Done."])
      assert.deepStrictEqual(noted(yield* says("/diff")), ["Noted: nothing has changed in /here/plan.md"])
      yield* says("Numbers")
      yield* user.sends("/document")
      assert.deepStrictEqual(texts(yield* user.waitFor("Printed")), ["Printed: 1\n"])
      yield* user.sends("/diff")
      assert.include(texts(yield* user.waitFor("Printed"))[0] ?? "", "-one\n+1")
    }).pipe(withScript([])),
  )

  it.scoped("keeps the texts of both sides on the tree, owned by the real path of the file", () =>
    Effect.gen(function* () {
      const { says } = yield* conflict
      yield* says("/mine")
      const forest = yield* Forest.Forest
      const [root] = yield* forest.roots("document:/here/plan.md")
      const nodes = root === undefined ? [] : yield* forest.subtree(root.id)
      const all = JSON.stringify(nodes)
      for (const line of ["mine", '"replace":"2"', "Numbers"]) assert.include(all, line)
    }).pipe(withScript([])),
  )
})

describe("DocumentPrompt", () => {
  it("names the tool that it has, and what it is shown", () => {
    for (const words of ["revise_document", "[current prompt:", "[user edited prompt to:", "<document>"]) {
      assert.include(systemPrompt, words)
    }
  })
})
