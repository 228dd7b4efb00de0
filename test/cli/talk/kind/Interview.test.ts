/** An interview in the terminal: what the person is told of the files that come of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as ConversationEngine from "../../../../src/chat/ConversationEngine.ts"
import * as Interview from "../../../../src/cli/talk/kind/Interview.ts"
import * as Talk from "../../../../src/cli/talk/Talk.ts"
import * as Files from "../../../../src/code/Files.ts"
import * as Output from "../../../../src/code/Output.ts"
import * as Workspace from "../../../../src/code/Workspace.ts"
import * as Forest from "../../../../src/forest/Forest.ts"
import * as Message from "../../../../src/message/Message.ts"
import type { NodeId } from "../../../../src/message/NodeId.ts"
import * as Scripted from "../../../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../../../src/tool/ToolRegistry.ts"
import * as FileRead from "../../../../src/toolbox/FileRead.ts"
import * as SessionComplete from "../../../../src/toolbox/SessionComplete.ts"
import * as WriteJtbd from "../../../../src/toolbox/WriteJtbd.ts"
import * as WriteSpec from "../../../../src/toolbox/WriteSpec.ts"
import { withScript } from "../../../utils/Looms.ts"
import { type Options, person, words } from "../../../utils/Talking.ts"

interface Given extends Options {
  readonly files?: Files.Service
  readonly from?: NodeId | undefined
}

const here = () => Files.makeMemory({ "/here/a.ts": "Wrote it.\n", "/here/jobs/old/jtbd.md": "# Old\nslow\n" })

/** An interview about `/here` that runs, and the person in it. */
const interview = (script: Scripted.Script, { files = here(), from, ...options }: Given = {}) =>
  Effect.gen(function* () {
    const who = yield* person(options)
    const workspace = yield* Workspace.open("/here")
    const output = yield* Output.open("/here", "jobs")
    const kind = yield* Interview.make({ codebase: "/here", systemPrompt: "S", named: (file) => `./${file}` })
    const running = yield* Talk.run({
      kind,
      model: yield* Scripted.make(script),
      tools: ToolRegistry.make([
        FileRead.make(workspace),
        WriteJtbd.make(output),
        WriteSpec.make(output),
        SessionComplete.make,
      ]),
      from,
      title: "vibe discover",
      facts: [],
      commands: kind.commands,
      workspace,
      files: () => Effect.succeed([]),
      unsent: { take: Effect.succeed(""), put: () => Effect.void },
      first: undefined,
    }).pipe(Effect.provide(who.layer), Effect.fork)
    return { who, running, forest: yield* Forest.Forest }
  }).pipe(Effect.provideService(Files.Files, files))

const jtbd = (slug: string, content: string) => ["write_jtbd", { slug, content }] as const
const spec = (job: string, spec: string) => ["write_spec", { job, spec, content: "# S\n" }] as const
const complete = Scripted.calls(["session_complete"])

describe("an interview", () => {
  it.effect("tells of each file as it is written, before the answer, and of nothing that was only read", () =>
    Effect.gen(function* () {
      const { who } = yield* interview([
        Scripted.calls(["file_read", { path: "a.ts" }], jtbd("search", "# Search\n")),
        "Is that right?",
      ])
      yield* who.says("Search is slow")
      assert.deepStrictEqual(words(yield* who.hears("Answered")), [
        "Titled",
        "Asked: Search is slow",
        "Noted: 📄 Wrote ./jobs/search/jtbd.md",
        "Answered: Is that right?",
      ])
    }).pipe(withScript([])),
  )

  it.effect("tells of each message by the node that it is stored at, the first and the next", () =>
    Effect.gen(function* () {
      const { forest, who } = yield* interview(["One?", "Two?"])
      for (const text of ["first", "second"]) {
        yield* who.says(text)
        const asked = (yield* who.hears("Answered")).find(({ _tag }) => _tag === "Asked")
        assert.ok(asked?._tag === "Asked")
        assert.deepStrictEqual((yield* forest.node(asked.node)).message, Message.user(text))
      }
    }).pipe(withScript([])),
  )

  it.effect("shows what changed in a file that was there", () =>
    Effect.gen(function* () {
      const { who } = yield* interview([Scripted.calls(jtbd("old", "# Old\nfast\n")), "Better?"])
      yield* who.says("Change it")
      const printed = (yield* who.hears("Answered")).filter(({ _tag }) => _tag === "Printed")
      assert.deepStrictEqual(printed, [
        {
          _tag: "Printed",
          form: "diff",
          text: "--- jobs/old/jtbd.md\n+++ jobs/old/jtbd.md\n@@ -1,2 +1,2 @@\n # Old\n-slow\n+fast",
        },
      ])
    }).pipe(withScript([])),
  )

  it.effect("says which files there are and ends, once the model says that it is complete", () =>
    Effect.gen(function* () {
      const { running, who } = yield* interview(
        [Scripted.calls(jtbd("a", "# A\n")), "Go on?", Scripted.calls(spec("a", "b")), "Done?", complete, "Goodbye!"],
        { isInteractive: false },
      )
      for (const words of ["one", "two", "three", "never heard"]) yield* who.says(words)
      yield* Fiber.join(running)
      assert.deepStrictEqual(words(yield* who.told).slice(-2), [
        "Answered: Goodbye!",
        "Noted: The session is complete: 2 files written\n  ./jobs/a/jtbd.md\n  ./jobs/a/specs/b.md",
      ])
    }).pipe(withScript([])),
  )

  it.effect("says so where none were written", () =>
    Effect.gen(function* () {
      const { running, who } = yield* interview([complete, "Goodbye!"])
      yield* who.says("Never mind")
      yield* Fiber.join(running)
      assert.include(words(yield* who.told), "Noted: The session is complete; no files were written")
    }).pipe(withScript([])),
  )

  it.effect("does not end by words", () =>
    Effect.gen(function* () {
      const { running, who } = yield* interview(["Session complete.", "You are still here."])
      yield* who.says("Hello")
      yield* who.hears("Answered")
      yield* who.says("And?")
      yield* who.hears("Answered")
      yield* who.leaves
      yield* Fiber.join(running)
    }).pipe(withScript([])),
  )

  it.effect("lists on /files what this conversation has written, also what it wrote before it was left", () =>
    Effect.gen(function* () {
      const files = here()
      const first = yield* interview([Scripted.calls(jtbd("a", "# A\n")), "More?"], { files })
      yield* first.who.says("/files")
      assert.deepStrictEqual(words(yield* first.who.hears("Noted")), [
        "Titled",
        "Noted: no files have been written yet",
      ])
      yield* first.who.says("one")
      const from = (yield* first.who.hears("Answered")).flatMap((entry) =>
        entry._tag === "Answered" ? [entry.node] : [],
      )[0]
      yield* first.who.leaves
      yield* Fiber.join(first.running)

      const { who } = yield* interview([Scripted.calls(spec("a", "b")), "Done?"], { files, from })
      yield* who.says("two")
      yield* who.hears("Answered")
      yield* who.says("/files")
      assert.deepStrictEqual(words(yield* who.hears("Printed")), ["Printed: ./jobs/a/jtbd.md\n./jobs/a/specs/b.md"])
    }).pipe(withScript([])),
  )

  it.effect("is kept for the owner that the engine names, so that it is listed and found", () =>
    Effect.gen(function* () {
      const { forest, who } = yield* interview(["Hello"])
      yield* who.says("Hi")
      yield* who.hears("Answered")
      assert.lengthOf(yield* forest.roots(ConversationEngine.owner("/here")), 1)
      assert.strictEqual(ConversationEngine.owner("/here"), "conversation:/here")
    }).pipe(withScript([])),
  )
})
