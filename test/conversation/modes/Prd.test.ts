/** A PRD that is written in a conversation: what of it is saved, offered and made. */

import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import * as Summary from "../../../src/agent/Summary.ts"
import * as Failure from "../../../src/cli/Failure.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Output from "../../../src/code/Output.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as DraftStorage from "../../../src/conversation/DraftStorage.ts"
import * as Prd from "../../../src/conversation/modes/Prd.ts"
import * as Beads from "../../../src/conversation/prd/Beads.ts"
import * as SessionLoop from "../../../src/conversation/SessionLoop.ts"
import { newConversation } from "../../../src/conversation/slash/conversationCommands.ts"
import { retry } from "../../../src/conversation/slash/messageCommands.ts"
import type * as View from "../../../src/conversation/View.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import type { NodeId } from "../../../src/message/NodeId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as SubmitPrd from "../../../src/toolbox/SubmitPrd.ts"
import { countedInto, layerOf, withScript } from "../../utils/Looms.ts"
import { makeUser, type Options, type ScriptedUser, texts } from "../../utils/ScriptedUser.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

/** A PRD of two stories; the second depends on the first. */
const dark = (how: string) => `# PRD: Dark Mode

A theme that is ${how}.

## User Stories

### US-001: Add a switch

A switch.

**Acceptance Criteria:**
- [ ] It is there
- [ ] It toggles

**Priority:** P1

### US-002: Remember it

It stays.

**Acceptance Criteria:**
- [ ] It stays

**Depends on:** US-001`

const answer = (at: number): Message.Message => ({ role: "assistant", content: [Block.text(`answer ${at}`)] })

const marked = (content: string) => `Here it is.\n\n[PRD]\n${content}\n[/PRD]`

const review = "[1] JSON (prd.json)\n[3] Done\nAnything else changes the PRD."

const left = "[3] Done\nAnything else changes the PRD."

const withBeads = "[1] JSON (prd.json)\n[2] Beads issues\n[3] Done\nAnything else changes the PRD."

interface Given extends Options {
  readonly model?: LanguageModel.Service
  readonly script?: Scripted.Script
  readonly files?: Files.Service
  readonly from?: NodeId | undefined
  readonly beads?: Beads.Service
}

const noBeads: Beads.Service = { create: () => Effect.die("no Beads"), depend: () => Effect.die("no Beads") }

/** A running conversation about a PRD in `/here`, and its user. */
const talk = ({ beads = noBeads, files = empty(), from, model, script = [], ...options }: Given) =>
  Effect.gen(function* () {
    const user = yield* makeUser(options)
    const kind = yield* Prd.make({
      owner: "prd",
      systemPrompt: "S",
      project: "/here",
      destination: { output: yield* Output.open("/here", "tasks"), displayPath: (file) => file },
    })
    const running = yield* SessionLoop.run({
      mode: kind,
      model: model ?? (yield* Scripted.make(script)),
      tools: ToolRegistry.make([SubmitPrd.make]),
      from,
      title: "vibe prd",
      facts: [],
      commands: [...kind.commands, retry, newConversation],
      workspace: yield* Workspace.open("/here"),
      files: () => Effect.succeed([]),
      drafts: DraftStorage.none,
      first: undefined,
      describeFailure: Failure.sentence,
    }).pipe(Effect.provide(user.layer), Effect.fork)
    return { user, running, forest: yield* Forest.Forest, output: yield* Output.open("/here", ".") }
  }).pipe(Effect.provideService(Files.Files, files), Effect.provideService(Beads.Beads, beads))

const empty = () => Files.makeMemory({ "/here/a.ts": "a\n" })

const inMemory = withScript([])

/** Sends a text, and returns the entries until the conversation ends or, by default, until the review is offered. */
const afterwards = (user: ScriptedUser, text: string, until: View.Entry["_tag"] = "Noted") =>
  Effect.zipRight(user.sends(text), user.waitFor(until))

/** Says all of it, and gives what was noted and printed by the end. */
const toTheEnd = (
  { running, user }: { user: ScriptedUser; running: Fiber.RuntimeFiber<void, unknown> },
  ...messages: string[]
) =>
  Effect.gen(function* () {
    for (const message of messages) yield* user.sends(message)
    yield* user.closes
    yield* Fiber.join(running)
    return texts((yield* user.shown).filter(({ _tag }) => _tag === "Noted" || _tag === "Printed"))
  })

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

const project = () => Files.makeMemory({ "/here/.beads/config.yaml": "" })

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
