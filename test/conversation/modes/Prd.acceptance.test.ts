/** An answer that only looks like a PRD: it is asked about, and saved once the user accepts it. */

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Forest from "../../../src/forest/Forest.ts"
import { afterwards, dark, inMemory, marked, review, talk, toTheEnd } from "../../utils/PrdSessions.ts"
import { texts } from "../../utils/ScriptedUser.ts"

describe("an answer that only looks like a PRD", () => {
  const unclosed = `Here it is.\n\n[PRD]\n${dark("dark")}\n`

  const question = [
    "Noted: That looks like a PRD, but its end mark [/PRD] is missing. It is not saved.",
    'Dark Mode: 14 lines, 2 user stories, from "# PRD: Dark Mode" to "**Depends on:** US-001"',
    "/accept saves it as prd-dark-mode.md; anything else goes on.",
  ].join("\n")

  const savedText = "Noted: PRD saved to: tasks/prd-dark-mode.md"

  it.effect("is asked about, and saved by /accept", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [unclosed] })
      yield* afterwards(talking.user, "Dark mode")
      assert.isUndefined(yield* talking.output.read("tasks/prd-dark-mode.md"))
      assert.deepStrictEqual(yield* toTheEnd(talking, "/accept"), [question, savedText, `Noted: ${review}`])
      assert.strictEqual(yield* talking.output.read("tasks/prd-dark-mode.md"), `${dark("dark")}\n`)
    }).pipe(inMemory),
  )

  it.effect("is saved by /accept in a pipe, too", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [unclosed], isInteractive: false })
      assert.deepStrictEqual(yield* toTheEnd(talking, "Dark mode", "/accept", "1"), [
        question,
        savedText,
        `Noted: ${review}`,
        "Noted: JSON saved to: tasks/prd.json, 2 user stories",
        "Noted: [3] Done\nAnything else changes the PRD.",
      ])
    }).pipe(inMemory),
  )

  it.effect("is not saved where the conversation goes on, and can be accepted later", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [unclosed, "Which of both?", marked(dark("black"))] })
      const told = yield* toTheEnd(talking, "Dark mode", "Wait", "/accept", "Make it black")
      assert.deepStrictEqual(
        told.filter((text) => text.includes("saved to")),
        [savedText, `${savedText} (updated)`],
      )
      assert.strictEqual(yield* talking.output.read("tasks/prd-dark-mode.md"), `${dark("black")}\n`)
    }).pipe(inMemory),
  )

  it.effect("is asked about again where the conversation is resumed, unless it was accepted", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [unclosed] })
      yield* toTheEnd(talking, "Dark mode")
      const from = (yield* (yield* Forest.Forest).leaves(1))[0]?.id
      const again = yield* talk({ from })
      assert.deepStrictEqual(yield* toTheEnd(again, "/accept"), [question, savedText, `Noted: ${review}`])
      const accepted = (yield* (yield* Forest.Forest).leaves(1))[0]?.id
      assert.notStrictEqual(accepted, from)
      assert.deepStrictEqual(yield* toTheEnd(yield* talk({ from: accepted })), [savedText, `Noted: ${review}`])
    }).pipe(inMemory),
  )

  it.effect.each<readonly [why: string, answer: string, question: string]>([
    [
      "in a code block",
      `Like this?\n\n\`\`\`\n${dark("dark")}\n\`\`\`\nShall I go on?`,
      "it is a code block among other words, as an example would be",
    ],
    ["not marked", `Sure.\n\n${dark("dark").replace("PRD: ", "")}`, "it is not marked as one"],
  ])("is not lost where it is %s", ([, answer, why]) =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [answer] })
      const [asked, ...rest] = yield* toTheEnd(talking, "Dark mode", "/accept")
      assert.include(asked, `That looks like a PRD, but ${why}. It is not saved.`)
      assert.deepStrictEqual(rest, [savedText, `Noted: ${review}`])
    }).pipe(inMemory),
  )

  it.effect("is saved whole where the user says so, once they have seen what it is", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: ["A plan.\n\nIt is dark."] })
      assert.deepStrictEqual(yield* toTheEnd(talking, "Dark mode", "/accept all", "/accept all"), [
        'Noted: Untitled Feature: 2 lines, 0 user stories, from "A plan." to "It is dark."\n/accept all again saves it as prd-untitled-feature.md; anything else goes on.',
        "Noted: PRD saved to: tasks/prd-untitled-feature.md",
        `Noted: ${review}`,
      ])
      assert.strictEqual(yield* talking.output.read("tasks/prd-untitled-feature.md"), "A plan.\n\nIt is dark.\n")
    }).pipe(inMemory),
  )

  it.effect("needs an answer, and says so", () =>
    Effect.gen(function* () {
      const { user } = yield* talk({ script: ["What for?", marked(dark("dark"))] })
      const failure = (text: string) => Effect.map(afterwards(user, text, "Failed"), (entries) => texts(entries).at(-1))
      assert.strictEqual(yield* failure("/accept x"), "Failed: /accept takes nothing, or the word all")
      assert.strictEqual(yield* failure("/accept all"), "Failed: there is no answer yet that could be saved")
      yield* afterwards(user, "Dark mode", "Answered")
      assert.strictEqual(
        yield* failure("/accept"),
        "Failed: no answer looks like a PRD; /accept all saves the last answer as it is",
      )
      yield* afterwards(user, "At night")
      yield* user.waitFor("Noted")
      assert.deepStrictEqual(texts(yield* afterwards(user, "/accept")), [
        "Noted: The PRD of that answer is saved already; /accept all saves all of it",
      ])
    }).pipe(inMemory),
  )
})
