/** The review of a PRD: what is offered below it, prd.json and Beads issues. */

import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import * as Beads from "../../../src/conversation/prd/Beads.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { afterwards, dark, empty, inMemory, marked, project, review, talk, toTheEnd } from "../../utils/PrdSessions.ts"
import { texts } from "../../utils/ScriptedUser.ts"

const left = "[3] Done\nAnything else changes the PRD."

const withBeads = "[1] JSON (prd.json)\n[2] Beads issues\n[3] Done\nAnything else changes the PRD."

describe("the review of a PRD", () => {
  it.effect("ends the session when the user is done", () =>
    Effect.gen(function* () {
      const { running, user } = yield* talk({ script: [marked(dark("dark"))] })
      yield* afterwards(user, "Dark mode")
      yield* user.sends(" 3\t")
      yield* Fiber.join(running)
    }).pipe(inMemory),
  )

  it.effect("says what Beads issues need where the project has no tracker", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [marked(dark("dark"))] })
      assert.deepStrictEqual((yield* toTheEnd(talking, "Dark mode", "2")).slice(1), [
        `Noted: ${review}`,
        "Noted: 2 makes Beads issues, and needs bd in this project: 'npm install --global @beads/bd' installs it, 'bd init' sets it up here.",
        `Noted: ${review}`,
      ])
    }).pipe(inMemory),
  )

  it.effect("is offered again below an answer without a PRD, with what is left, and its numbers go on", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [marked(dark("dark")), "Mobile, too?", "Yes."] })
      assert.deepStrictEqual(
        (yield* toTheEnd(talking, "Dark mode", "What about mobile?", "1", "Fine?")).slice(1),
        [review, review, "JSON saved to: tasks/prd.json, 2 user stories", left, left].map((text) => `Noted: ${text}`),
      )
      const again = yield* talk({ script: [marked(dark("dark")), "Mobile, too?"] })
      for (const text of ["Dark mode", "What about mobile?", "3"]) yield* again.user.sends(text)
      yield* Fiber.join(again.running)
    }).pipe(inMemory),
  )

  it.effect("is offered again where a conversation resumes below an answer without a PRD", () =>
    Effect.gen(function* () {
      const files = empty()
      const first = yield* talk({ script: [marked(dark("dark")), "Mobile, too?"], files })
      yield* toTheEnd(first, "Dark mode", "What about mobile?")
      const forest = yield* Forest.Forest
      const again = yield* talk({ files, from: (yield* forest.leaves(1))[0]?.id })
      assert.deepStrictEqual(yield* toTheEnd(again, "1"), [
        "Noted: PRD saved to: tasks/prd-dark-mode.md (unchanged)",
        `Noted: ${review}`,
        "Noted: JSON saved to: tasks/prd.json, 2 user stories",
        `Noted: ${left}`,
      ])
    }).pipe(inMemory),
  )

  it.effect("is not offered before the message that led to it", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const model = yield* Scripted.make((request) => {
        requests.push(request)
        return requests.length === 1 ? marked(dark("dark")) : "Go on?"
      })
      const talking = yield* talk({ model })
      yield* toTheEnd(talking, "Dark mode", "/new", "Light mode", "3")
      assert.lengthOf(requests, 3)
    }).pipe(inMemory),
  )

  it.effect("sends anything but an offered number to the model", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const model = yield* Scripted.make((request) => {
        requests.push(request)
        return requests.length === 1 ? marked(dark("dark")) : "Go on?"
      })
      const talking = yield* talk({ model })
      yield* toTheEnd(talking, "Dark mode", "2", "3A", "31", "/nothing")
      const said = requests.map(({ messages }) => Message.text(messages.at(-1) ?? Message.user("")))
      assert.deepStrictEqual(said, ["Dark mode", "3A", "31"])
    }).pipe(inMemory),
  )

  it.effect("writes the stories as prd.json, and is offered again with what is left", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [marked(dark("dark"))] })
      const told = yield* toTheEnd(talking, "Dark mode", "1", "1")
      assert.deepStrictEqual(told.slice(2), [
        "Noted: JSON saved to: tasks/prd.json, 2 user stories",
        "Noted: [3] Done\nAnything else changes the PRD.",
        "Noted: [3] Done\nAnything else changes the PRD.",
      ])
      const json = JSON.parse((yield* talking.output.read("tasks/prd.json")) ?? "")
      assert.deepStrictEqual(json, {
        name: "Dark Mode",
        description: "A theme that is dark.",
        branchName: "feature/dark-mode",
        userStories: [
          {
            id: "US-001",
            title: "Add a switch",
            description: "A switch.",
            acceptanceCriteria: ["It is there", "It toggles"],
            priority: 1,
            passes: false,
            labels: [],
            dependsOn: [],
          },
          {
            id: "US-002",
            title: "Remember it",
            description: "It stays.",
            acceptanceCriteria: ["It stays"],
            priority: 2,
            passes: false,
            labels: [],
            dependsOn: ["US-001"],
          },
        ],
        metadata: { createdAt: "1970-01-01T00:00:00.000Z", version: "1.0.0", sourcePrd: "tasks/prd-dark-mode.md" },
      })
    }).pipe(inMemory),
  )

  it.effect("says what of the document prd.json lacks", () =>
    Effect.gen(function* () {
      const content =
        "# PRD: A\n\nWords.\n\n## User Stories\n\n### US-001: One\n1. a\n\n### [US-001] Two\n\n### Three\n- b"
      const talking = yield* talk({ script: [marked(content)] })
      const told = yield* toTheEnd(talking, "A", "1", "3")
      assert.deepStrictEqual(
        told[2],
        [
          "Noted: JSON saved to: tasks/prd.json, 2 user stories",
          "No acceptance criteria were found for US-001-2",
          "US-001 is the id of several stories: one of them is US-001-2 now",
          'Not taken as a story, since it lacks an id such as US-001 in a heading of level 2 to 4: "Three"',
        ].join("\n"),
      )
    }).pipe(inMemory),
  )

  it.effect("replaces a prd.json of its own, and none in which work was done", () =>
    Effect.gen(function* () {
      const script = [marked(dark("dark")), marked(dark("black")), marked(dark("blue"))]
      const talking = yield* talk({ script })
      const { output, user } = talking
      for (const text of ["Dark mode", "1", "Black", "1"]) yield* user.sends(text)
      yield* user.waitFor("Printed")
      for (const _ of ["the review", "the tasks", "what is left"]) yield* user.waitFor("Noted")
      const json = (yield* output.read("tasks/prd.json")) ?? ""
      assert.include(json, "black")
      yield* Effect.orDie(output.write("tasks/prd.json", json.replace('"passes": false', '"passes": true')))
      const told = yield* toTheEnd(talking, "Blue", "1")
      assert.include(
        told,
        "Noted: JSON saved to: tasks/prd-dark-mode.json, 2 user stories, since tasks/prd.json holds something else, and stays as it is",
      )
      assert.include(yield* output.read("tasks/prd.json"), "black")
    }).pipe(inMemory),
  )

  it.effect("makes tasks of the file as the user has changed it", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: [marked(dark("dark"))] })
      yield* afterwards(talking.user, "Dark mode")
      yield* Effect.orDie(
        talking.output.write("tasks/prd-dark-mode.md", dark("dim").replace("Add a switch", "Add a knob")),
      )
      yield* toTheEnd(talking, "1")
      assert.include(yield* talking.output.read("tasks/prd.json"), "Add a knob")
    }).pipe(inMemory),
  )

  it.effect("reports a PRD without user stories, and continues", () =>
    Effect.gen(function* () {
      const talking = yield* talk({ script: ["[PRD]\n# PRD: Dark Mode\n\nNo stories.\n[/PRD]", marked(dark("dark"))] })
      const told = yield* toTheEnd(talking, "Dark mode", "1", "Add some")
      assert.deepStrictEqual(told.slice(2, 4), [
        "Noted: No user stories were found in it: ask for some, or write them into the file.",
        `Noted: ${review}`,
      ])
      assert.include(told, "Noted: PRD saved to: tasks/prd-dark-mode.md (updated)")
      assert.isUndefined(yield* talking.output.read("tasks/prd.json"))
    }).pipe(inMemory),
  )

  it.effect("is offered again when the conversation resumes, also after the user has changed the file", () =>
    Effect.gen(function* () {
      const files = empty()
      yield* Effect.flatMap(talk({ script: [marked(dark("dark"))], files }), (talking) =>
        toTheEnd(talking, "Dark mode"),
      )
      const forest = yield* Forest.Forest
      const from = (yield* forest.leaves(1))[0]?.id
      const again = yield* talk({ files, from })
      assert.deepStrictEqual(yield* toTheEnd(again), [
        "Noted: PRD saved to: tasks/prd-dark-mode.md (unchanged)",
        `Noted: ${review}`,
      ])
      yield* Effect.orDie(again.output.write("tasks/prd-dark-mode.md", "changed\n"))
      const later = yield* talk({ files, from })
      assert.deepStrictEqual(yield* toTheEnd(later), [
        "Noted: The PRD is kept in this conversation; tasks/prd-dark-mode.md holds something else.",
        `Noted: ${review}`,
      ])
      assert.strictEqual(yield* later.output.read("tasks/prd-dark-mode.md"), "changed\n")
    }).pipe(inMemory),
  )

  it.effect("recognises its own file when the conversation continues", () =>
    Effect.gen(function* () {
      const files = empty()
      yield* Effect.flatMap(talk({ script: [marked(dark("dark"))], files }), (talking) =>
        toTheEnd(talking, "Dark mode"),
      )
      const forest = yield* Forest.Forest
      const from = (yield* forest.leaves(1))[0]?.id
      const again = yield* talk({ files, from, script: [marked(dark("black"))] })
      assert.include(yield* toTheEnd(again, "Blacker"), "Noted: PRD saved to: tasks/prd-dark-mode.md (updated)")
      const other = yield* talk({ files, script: [marked(dark("blue"))] })
      assert.include(
        yield* toTheEnd(other, "Another dark mode"),
        "Noted: PRD saved to: tasks/prd-dark-mode-2.md, since tasks/prd-dark-mode.md holds something else, and stays as it is",
      )
    }).pipe(inMemory),
  )
})

/** Counts its issues, and fails once at the given one. */
const counting = (failsAt?: number) => {
  const calls: Array<string> = []
  let count = 0
  const beads: Beads.Service = {
    create: ({ title }) =>
      Effect.suspend(() => {
        calls.push(`create ${title}`)
        return calls.length === failsAt
          ? new Beads.BeadsError({ reason: new Beads.NotMade({ why: "bd failed: no" }) })
          : Effect.succeed(`bd-${++count}`)
      }),
    depend: (id, on) => Effect.sync(() => void calls.push(`depend ${id} ${on}`)),
  }
  return { beads, calls }
}

describe("Beads issues of a PRD", () => {
  it.effect("are made of its stories, with what waits for what", () =>
    Effect.gen(function* () {
      const { beads, calls } = counting()
      const talking = yield* talk({ script: [marked(dark("dark"))], files: project(), beads })
      const told = yield* toTheEnd(talking, "Dark mode", "2", "3")
      assert.deepStrictEqual(told.slice(1), [
        `Noted: ${withBeads}`,
        "Noted: Making Beads issues of 2 user stories...",
        "Noted: Beads issues: bd-1 (US-001), bd-2 (US-002)",
        `Noted: ${review}`,
      ])
      assert.deepStrictEqual(calls, ["create US-001: Add a switch", "create US-002: Remember it", "depend bd-2 bd-1"])
    }).pipe(inMemory),
  )

  it.effect("are created once: after a failure, after a change, and when the conversation continues", () =>
    Effect.gen(function* () {
      const { beads, calls } = counting(2)
      const files = project()
      const third = `${dark("dark")}\n\n### US-003: Explain it\n\nIn words.`
      const talking = yield* talk({ script: [marked(dark("dark")), marked(third)], files, beads })
      const { user } = talking
      yield* user.sends("Dark mode")
      yield* user.sends("2")
      const failure = texts(yield* user.waitFor("Failed")).at(-1)
      assert.strictEqual(failure, "Failed: bd failed: no; made are bd-1 (US-001)")
      const told = yield* toTheEnd(talking, "2", "One more", "2")
      assert.includeMembers([...told], ["Noted: Beads issues: bd-2 (US-002)", "Noted: Beads issues: bd-3 (US-003)"])

      const from = (yield* talking.forest.leaves(1))[0]?.id
      const again = yield* talk({ files, from, beads })
      assert.include(yield* toTheEnd(again, "2"), "Noted: All of them are Beads issues already.")
      assert.deepStrictEqual(calls, [
        "create US-001: Add a switch",
        "create US-002: Remember it",
        "create US-002: Remember it",
        "depend bd-2 bd-1",
        "create US-003: Explain it",
      ])
    }).pipe(inMemory),
  )

  it.effect("are known to the model when the conversation resumes", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const model = yield* Scripted.make((request) => {
        requests.push(request)
        return requests.length === 1 ? marked(dark("dark")) : "Go on?"
      })
      const talking = yield* talk({ model, files: project(), beads: counting().beads })
      yield* toTheEnd(talking, "Dark mode", "2", "Thanks")
      const notice = requests[1]?.messages.find((message) => Message.text(message).includes("[Beads issues of"))
      assert.include(
        Option.getOrElse(Option.map(Option.fromNullable(notice), Message.text), () => ""),
        "[Beads issues of prd-dark-mode.md]\nUS-001 is bd-1\nUS-002 is bd-2\nbd-2 waits for bd-1",
      )
    }).pipe(inMemory),
  )
})
