/** A PRD that is written in a conversation: what of it is saved. */

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Summary from "../../../src/agent/Summary.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { Part } from "../../../src/model/Reply.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { countedInto, layerOf } from "../../utils/Looms.ts"
import { afterwards, answer, dark, empty, inMemory, marked, review, talk, toTheEnd } from "../../utils/PrdSessions.ts"
import { texts } from "../../utils/ScriptedUser.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

describe("Prd mode", () => {
  it.effect("saves a PRD as soon as the model gives it, and offers a review", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: ["What for?", marked(dark("dark"))] })
      assert.deepStrictEqual(yield* toTheEnd(talking, "Dark mode", "At night"), [
        "Noted: PRD saved to: tasks/prd-dark-mode.md",
        `Noted: ${review}`,
      ])
      assert.strictEqual(yield* talking.output.read("tasks/prd-dark-mode.md"), `${dark("dark")}\n`)
    }).pipe(inMemory),
  )

  it.effect("saves a PRD that the model submits by its tool, and none that was refused", () =>
    Effect.gen(function* () {
      const submit = (content: string) => Scripted.calls(["submit_prd", { name: "Dark Mode", content }])
      const talking = yield* talk({ script: [submit("# PRD: Dark Mode\n\nNo stories."), "Sorry."] })
      assert.deepStrictEqual(yield* toTheEnd(talking, "Dark mode"), [])
      const again = yield* talk({ script: [submit(dark("dark")), "Done."] })
      assert.deepStrictEqual(yield* toTheEnd(again, "Dark mode"), [
        "Noted: PRD saved to: tasks/prd-dark-mode.md",
        `Noted: ${review}`,
      ])
    }).pipe(inMemory),
  )

  it.effect("saves a PRD though the answer was stopped after it, or failed", () =>
    Effect.gen(function* () {
      const heard = yield* Effect.makeLatch()
      const endless = LanguageModel.make(new ModelId({ provider: "test", name: "endless" }), (_, say) =>
        Effect.zipRight(say([Part.Text({ text: `${marked(dark("dark"))}\nAnd now` })]), Effect.never),
      )
      const stopped = yield* talk({ model: endless, onEvent: TurnEvents.onPart(() => heard.open) })
      yield* stopped.user.sends("Dark mode")
      yield* heard.await
      yield* stopped.user.stops
      yield* stopped.user.waitFor("Stopped")
      assert.include(yield* toTheEnd(stopped), "Noted: PRD saved to: tasks/prd-dark-mode.md")

      const failed = yield* talk({
        script: [Scripted.calls(["submit_prd", { name: "Dark Mode", content: dark("dark") }])],
      })
      assert.include(yield* toTheEnd(failed, "Dark mode"), "Noted: PRD saved to: tasks/prd-dark-mode.md")
    }).pipe(inMemory),
  )

  it.effect("replaces its own file when the PRD changes, and shows the diff", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [marked(dark("dark")), marked(dark("very dark"))] })
      const told = yield* toTheEnd(talking, "Dark mode", "Make it very dark")
      assert.deepStrictEqual(told.slice(2), [
        "Noted: PRD saved to: tasks/prd-dark-mode.md (updated)",
        [
          "Printed: --- tasks/prd-dark-mode.md",
          "+++ tasks/prd-dark-mode.md",
          "@@ -1,6 +1,6 @@",
          " # PRD: Dark Mode",
          " ",
          "-A theme that is dark.",
          "+A theme that is very dark.",
          " ",
          " ## User Stories",
          " ",
        ].join("\n"),
        `Noted: ${review}`,
      ])
      assert.strictEqual(yield* talking.output.read("tasks/prd-dark-mode.md"), `${dark("very dark")}\n`)
    }).pipe(inMemory),
  )

  it.effect("replaces its own file by another answer to the same, and not by that of another conversation", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [marked(dark("dark")), marked(dark("black")), marked(dark("blue"))] })
      const told = yield* toTheEnd(talking, "Dark mode", "/retry", "/new", "Dark mode, too")
      assert.deepStrictEqual(
        told.filter((text) => text.includes("saved")),
        [
          "Noted: PRD saved to: tasks/prd-dark-mode.md",
          "Noted: PRD saved to: tasks/prd-dark-mode.md (updated)",
          "Noted: PRD saved to: tasks/prd-dark-mode-2.md, since tasks/prd-dark-mode.md holds something else, and stays as it is",
        ],
      )
    }).pipe(inMemory),
  )

  it.effect("writes nothing where the model gives the same again", () =>
    Effect.gen(function* () {
      const files = empty()
      const writes: Array<string> = []
      const counted: Files.Service = {
        ...files,
        write: (path, text) =>
          Effect.zipRight(
            Effect.sync(() => writes.push(path)),
            files.write(path, text),
          ),
      }
      const talking = yield* talk({ script: [marked(dark("dark")), marked(dark("dark"))], files: counted })
      const told = yield* toTheEnd(talking, "Dark mode", "Once more")
      assert.deepStrictEqual(told.slice(2), [
        "Noted: PRD saved to: tasks/prd-dark-mode.md (unchanged)",
        `Noted: ${review}`,
      ])
      assert.deepStrictEqual(writes, ["/here/tasks/prd-dark-mode.md"])
    }).pipe(inMemory),
  )

  it.effect("leaves other files, and files that the user has changed, as they are", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({
        "/here/tasks/prd-dark-mode.md": "mine\n",
        "/here/tasks/prd-dark-mode-2.md/x": "",
      })
      const talking = yield* talk({ script: [marked(dark("dark")), marked(dark("black"))], files })
      const { output, user } = talking
      yield* afterwards(user, "Dark mode")
      yield* output.write("tasks/prd-dark-mode-3.md", "changed\n").pipe(Effect.orDie)
      assert.deepStrictEqual(
        (yield* toTheEnd(talking, "Darker")).filter((text) => text.includes("saved")),
        [
          "Noted: PRD saved to: tasks/prd-dark-mode-3.md, since tasks/prd-dark-mode.md to tasks/prd-dark-mode-2.md hold something else, and stay as they are",
          "Noted: PRD saved to: tasks/prd-dark-mode-4.md, since tasks/prd-dark-mode.md to tasks/prd-dark-mode-3.md hold something else, and stay as they are",
        ],
      )
      assert.strictEqual(yield* output.read("tasks/prd-dark-mode.md"), "mine\n")
      assert.strictEqual(yield* output.read("tasks/prd-dark-mode-3.md"), "changed\n")
    }).pipe(inMemory),
  )

  it.effect("keeps control sequences out of its file, and a name of any script in its name", () =>
    Effect.gen(function* () {
      const hostile = "# PRD: 暗い\u001b[31mモード\u001b[0m/../../etc\n\nA \u001b]0;title\u0007theme\u202e.\u0000\n"
      const talking = yield* talk({ script: [`[PRD]\n${hostile}\n[/PRD]`] })
      assert.include(yield* toTheEnd(talking, "Dark mode"), "Noted: PRD saved to: tasks/prd-暗いモードetc.md")
      const text = yield* talking.output.read("tasks/prd-暗いモードetc.md")
      assert.strictEqual(text, "# PRD: 暗いモード/../../etc\n\nA theme.\n")
    }).pipe(inMemory),
  )

  it.effect("reports a PRD that cannot be saved, and keeps it in the conversation", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({ "/here/tasks": "a file in the way\n" })
      const talking = yield* talk({ script: [marked(dark("dark"))], files })
      yield* talking.user.sends("Dark mode")
      const told = texts(yield* talking.user.waitFor("Failed")).slice(-2)
      assert.strictEqual(told[0], "Noted: The PRD is kept in this conversation: vibe prd --show prints it.")
      assert.match(told[1] ?? "", /^Failed: tasks\/prd-dark-mode\.md: /)
    }).pipe(inMemory),
  )

  it.effect("reads a long conversation only down to its last summary while there is no PRD", () => {
    const reads: Array<number> = []
    return Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "prd", systemPrompt: "S" })
      const said = Array.from({ length: 3000 }, (_, at) => ({
        message: at % 2 === 0 ? Message.user(`question ${at}`) : answer(at),
        source: { type: "user" as const },
      }))
      const nodes = yield* forest.append(id, said)
      const summary = {
        message: Summary.messageOf(2990, "many questions and answers"),
        source: {
          type: "summary" as const,
          upTo: nodes.at(-11)?.id ?? id,
          keeps: 10,
          messages: 2990,
          model: "test/a",
          usage: Usage.none,
        },
      }
      const from = (yield* forest.append(nodes.at(-1)?.id ?? id, [summary])).at(-1)?.id
      reads.length = 0
      const talking = yield* talk({ script: ["Go on.", "And?"], from })
      assert.deepStrictEqual(yield* toTheEnd(talking, "one", "two"), [])
      assert.isAtMost(Math.max(...reads), 1000)
    }).pipe(Effect.provide(layerOf(Scripted.layer([]), countedInto(reads))))
  })
})
