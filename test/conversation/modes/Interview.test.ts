/** An interview: what the user is shown of the files that it writes. */

import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as Failure from "../../../src/cli/Failure.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Output from "../../../src/code/Output.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as DraftStorage from "../../../src/conversation/DraftStorage.ts"
import * as ConversationEngine from "../../../src/conversation/engines/ConversationEngine.ts"
import * as SessionComplete from "../../../src/conversation/engines/SessionComplete.ts"
import * as Interview from "../../../src/conversation/modes/Interview.ts"
import * as SessionLoop from "../../../src/conversation/SessionLoop.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import type { NodeId } from "../../../src/message/NodeId.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as OutputTools from "../../../src/toolbox/OutputTools.ts"
import * as ReadFile from "../../../src/toolbox/ReadFile.ts"
import { withScript } from "../../utils/Looms.ts"
import { makeUser, type Options, texts } from "../../utils/ScriptedUser.ts"

interface Given extends Options {
  readonly files?: Files.Service
  readonly from?: NodeId | undefined
}

const here = () => Files.makeMemory({ "/here/a.ts": "Wrote it.\n", "/here/jobs/old/jtbd.md": "# Old\nslow\n" })

/** A running interview about `/here`, and its user. */
const interview = (script: Scripted.Script, { files = here(), from, ...options }: Given = {}) =>
  Effect.gen(function* () {
    const user = yield* makeUser(options)
    const workspace = yield* Workspace.open("/here")
    const output = yield* Output.open("/here", "jobs")
    const kind = yield* Interview.make({
      codebase: "/here",
      systemPrompt: "S",
      displayPath: (file) => `./${file}`,
      read: output.read,
    })
    const running = yield* SessionLoop.run({
      mode: kind,
      model: yield* Scripted.make(script),
      tools: ToolRegistry.make([
        ReadFile.makeFileRead(workspace),
        OutputTools.writeJtbd(output),
        OutputTools.writeSpec(output),
        SessionComplete.make,
      ]),
      from,
      title: "vibe discover",
      facts: [],
      commands: kind.commands,
      workspace,
      files: () => Effect.succeed([]),
      drafts: DraftStorage.none,
      first: undefined,
      describeFailure: Failure.sentence,
    }).pipe(Effect.provide(user.layer), Effect.fork)
    return { user, running, forest: yield* Forest.Forest }
  }).pipe(Effect.provideService(Files.Files, files))

const jtbd = (slug: string, content: string) => ["write_jtbd", { slug, content }] as const
const spec = (job: string, spec: string) => ["write_spec", { job, spec, content: "# S\n" }] as const
const complete = Scripted.calls(["session_complete"])

describe("Interview mode", () => {
  it.effect("shows each file when it is written, before the answer, and none that was only read", () =>
    Effect.gen(function* () {
      const { user } = yield* interview([
        Scripted.calls(["file_read", { path: "a.ts" }], jtbd("search", "# Search\n")),
        "Is that right?",
      ])
      yield* user.sends("Search is slow")
      assert.deepStrictEqual(texts(yield* user.waitFor("Answered")), [
        "Titled",
        "Asked: Search is slow",
        "Noted: 📄 Wrote ./jobs/search/jtbd.md",
        "Answered: Is that right?",
      ])
    }).pipe(withScript([])),
  )

  it.effect("shows each message with the node at which it is stored", () =>
    Effect.gen(function* () {
      const { forest, user } = yield* interview(["One?", "Two?"])
      for (const text of ["first", "second"]) {
        yield* user.sends(text)
        const asked = (yield* user.waitFor("Answered")).find(({ _tag }) => _tag === "Asked")
        assert.ok(asked?._tag === "Asked")
        assert.deepStrictEqual((yield* forest.node(asked.node)).message, Message.user(text))
      }
    }).pipe(withScript([])),
  )

  it.effect("shows a diff of a file that existed before", () =>
    Effect.gen(function* () {
      const { user } = yield* interview([Scripted.calls(jtbd("old", "# Old\nfast\n")), "Better?"])
      yield* user.sends("Change it")
      const printed = (yield* user.waitFor("Answered")).filter(({ _tag }) => _tag === "Printed")
      assert.deepStrictEqual(printed, [
        {
          _tag: "Printed",
          form: "diff",
          text: "--- jobs/old/jtbd.md\n+++ jobs/old/jtbd.md\n@@ -1,2 +1,2 @@\n # Old\n-slow\n+fast",
        },
      ])
    }).pipe(withScript([])),
  )

  it.effect("lists the files and exits once the model calls session_complete", () =>
    Effect.gen(function* () {
      const { running, user } = yield* interview(
        [Scripted.calls(jtbd("a", "# A\n")), "Go on?", Scripted.calls(spec("a", "b")), "Done?", complete, "Goodbye!"],
        { isInteractive: false },
      )
      for (const words of ["one", "two", "three", "never heard"]) yield* user.sends(words)
      yield* Fiber.join(running)
      assert.deepStrictEqual(texts(yield* user.shown).slice(-3), [
        "Answered: Goodbye!",
        "Noted: The session is complete: 2 files written\n  ./jobs/a/jtbd.md\n  ./jobs/a/specs/b.md",
        "Noted: the input was not sent, beginning with: never heard",
      ])
    }).pipe(withScript([])),
  )

  const openJob = "# A\n\n## Open\n- Which database?\n- Who pays\n"

  const open = [
    "Noted: Still open:",
    "  ./jobs/a/jtbd.md",
    "    - Which database?",
    "    - Who pays",
    "  asked last, and not answered",
    "    - Shall we look at the index, too?",
  ].join("\n")

  const summary = "Noted: The session is complete: 1 file written\n  ./jobs/a/jtbd.md"

  it.effect("lists what is open before it completes, and lets the user go on or end it", () =>
    Effect.gen(function* () {
      const script = [
        Scripted.calls(jtbd("a", openJob)),
        "Done?",
        complete,
        "Goodbye!\nShall we look at the index, too?",
        "Then tell me.",
        complete,
        "Goodbye!",
      ]
      const { running, user } = yield* interview(script)
      yield* user.asks("one")
      yield* user.asks("yes")
      assert.deepStrictEqual(texts(yield* user.waitFor("Noted")), [
        `${open}\n[1] Done\nAnything else goes on with the interview.`,
      ])
      yield* user.sends("Postgres")
      assert.include(texts(yield* user.waitFor("Answered")), "Answered: Then tell me.")
      // The number counts only where it is offered.
      yield* user.sends("1")
      yield* user.waitFor("Noted")
      yield* user.sends("1")
      yield* Fiber.join(running)
      assert.strictEqual(texts(yield* user.shown).at(-1), summary)
    }).pipe(withScript([])),
  )

  it.effect("lists what is open and completes without a user", () =>
    Effect.gen(function* () {
      const script = [
        Scripted.calls(jtbd("a", openJob)),
        "Done?",
        complete,
        "Goodbye!\nShall we look at the index, too?",
      ]
      const { running, user } = yield* interview(script, { isInteractive: false })
      for (const words of ["one", "/open", "yes"]) yield* user.sends(words)
      yield* Fiber.join(running)
      const noted = texts(yield* user.shown).filter(
        (text) => text.startsWith("Noted: S") || text.startsWith("Noted: T"),
      )
      assert.deepStrictEqual(noted, [open.replace("Shall we look at the index, too?", "Done?"), open, summary])
    }).pipe(withScript([])),
  )

  it.effect("reads what is open in the files as they are now", () =>
    Effect.gen(function* () {
      const files = here()
      const { user } = yield* interview([Scripted.calls(jtbd("a", openJob)), "Done."], { files })
      yield* user.asks("one")
      yield* files.write("/here/jobs/a/jtbd.md", "# A\n\n## Open\nNone.\n").pipe(Effect.orDie)
      yield* user.sends("/open")
      assert.deepStrictEqual(texts(yield* user.waitFor("Noted")), ["Noted: nothing is marked as open"])
    }).pipe(withScript([])),
  )

  it.effect("says that no files were written", () =>
    Effect.gen(function* () {
      const { running, user } = yield* interview([complete, "Goodbye!"])
      yield* user.sends("Never mind")
      yield* Fiber.join(running)
      assert.include(texts(yield* user.shown), "Noted: The session is complete; no files were written")
    }).pipe(withScript([])),
  )

  it.effect("does not exit because of the text of a reply", () =>
    Effect.gen(function* () {
      const { running, user } = yield* interview(["Session complete.", "You are still here."])
      yield* user.asks("Hello")
      yield* user.asks("And?")
      yield* user.closes
      yield* Fiber.join(running)
    }).pipe(withScript([])),
  )

  it.effect("lists on /files what the conversation has written, also before it was resumed", () =>
    Effect.gen(function* () {
      const files = here()
      const first = yield* interview([Scripted.calls(jtbd("a", "# A\n")), "More?"], { files })
      yield* first.user.sends("/files")
      assert.deepStrictEqual(texts(yield* first.user.waitFor("Noted")), [
        "Titled",
        "Noted: no files have been written yet",
      ])
      yield* first.user.sends("one")
      const from = (yield* first.user.waitFor("Answered")).flatMap((entry) =>
        entry._tag === "Answered" ? [entry.node] : [],
      )[0]
      yield* first.user.closes
      yield* Fiber.join(first.running)

      const { user } = yield* interview([Scripted.calls(spec("a", "b")), "Done?"], { files, from })
      yield* user.asks("two")
      yield* user.sends("/files")
      assert.deepStrictEqual(texts(yield* user.waitFor("Printed")), ["Printed: ./jobs/a/jtbd.md\n./jobs/a/specs/b.md"])
    }).pipe(withScript([])),
  )

  it.effect("stores the conversation under the owner by which it is listed and found", () =>
    Effect.gen(function* () {
      const { forest, user } = yield* interview(["Hello"])
      yield* user.asks("Hi")
      assert.lengthOf(yield* forest.roots(ConversationEngine.OWNER("/here")), 1)
      assert.strictEqual(ConversationEngine.OWNER("/here"), "conversation:/here")
    }).pipe(withScript([])),
  )
})
