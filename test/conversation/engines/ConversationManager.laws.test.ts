/**
 * The law of the prompt: whatever user and model do, and in whichever order, no character that the user typed is lost.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Stream } from "effect"
import * as Document from "../../../src/conversation/document/Document.ts"
import * as ConversationManager from "../../../src/conversation/engines/ConversationManager.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { isThorough } from "../../thoroughness.ts"
import { layerOf } from "../../utils/Looms.ts"

const INTERLEAVINGS = isThorough ? 1000 : 8
const LONG_INTERLEAVINGS = isThorough ? 200 : 3

const LONG = Array.from({ length: 120 }, (_, index) => `line ${index} of a long text\n`).join("")

/** Where in a text, in thousandths of its length. */
const place = FastCheck.nat({ max: 1000 })

const ending = FastCheck.constantFrom("", "\n", " ", "\n\n")

/** Actions of the user: types something, takes some of it back or away, or puts it elsewhere. */
const typing = FastCheck.record({ type: FastCheck.constant("types" as const), place, ending })
const erasing = FastCheck.record({
  type: FastCheck.constant("erases" as const),
  place,
  length: FastCheck.nat({ max: 6 }),
})

/** Changes of the model to its version of the text: other lines for some, fewer of them, more of them, or all anew. */
const rewriting = FastCheck.record({
  type: FastCheck.constant("rewrites" as const),
  how: FastCheck.constantFrom("replaces" as const, "drops" as const, "adds" as const, "begins anew" as const),
  place,
  ending,
})

const action = FastCheck.oneof({ weight: 3, arbitrary: typing }, erasing)

/** A turn, and what the user does before it, while the model thinks, and after its answer. */
const turn = FastCheck.record({
  before: FastCheck.array(action, { maxLength: 3 }),
  meanwhile: FastCheck.array(action, { maxLength: 3 }),
  model: FastCheck.array(rewriting, { minLength: 1, maxLength: 3 }),
})

type Action = typeof action extends FastCheck.Arbitrary<infer A> ? A : never
type Rewriting = typeof rewriting extends FastCheck.Arbitrary<infer A> ? A : never

const at = (text: string, place: number) => Math.floor((text.length * place) / 1000)

/** Each stroke is a character that the model does not write. */
const strokes = () => {
  let next = 0x4e00
  const typed = new Set<string>()
  return {
    typed,
    /** The text afterwards. What the user erases is not lost: it is counted apart from what the model erases. */
    act: (text: string, action: Action) => {
      const index = at(text, action.place)
      if (action.type === "erases") {
        for (const character of text.slice(index, index + action.length)) typed.delete(character)
        return text.slice(0, index) + text.slice(index + action.length)
      }
      const character = String.fromCharCode(next++)
      typed.add(character)
      return text.slice(0, index) + character + action.ending + text.slice(index)
    },
  }
}

const rewrite = (text: string, { ending, how, place }: Rewriting) => {
  const lines = text.split("\n")
  const index = Math.min(lines.length - 1, Math.floor((lines.length * place) / 1000))
  switch (how) {
    case "replaces":
      return lines.toSpliced(index, 1, `model${ending}`).join("\n")
    case "drops":
      return lines.toSpliced(index, 1).join("\n")
    case "adds":
      return lines.toSpliced(index, 0, `model${ending}`).join("\n")
    case "begins anew":
      return `model${ending}model`
  }
}

describe("ConversationManager: laws", () => {
  it.effect(
    `loses no character of the user's in ${INTERLEAVINGS} interleavings of edits and revisions, and goes on as it was`,
    () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(turn, { minLength: 1, maxLength: 3 }), (turns) =>
            Effect.runPromise(interleaved(turns, "one\ntwo\nthree\n")),
          ),
          { numRuns: INTERLEAVINGS },
        ),
      ),
    240_000,
  )

  it.effect(
    `loses none in ${LONG_INTERLEAVINGS} interleavings about a long text, whose notices are diffs`,
    () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(turn, { minLength: 2, maxLength: 5 }), (turns) =>
            Effect.runPromise(interleaved(turns, LONG)),
          ),
          { numRuns: LONG_INTERLEAVINGS },
        ),
      ),
    240_000,
  )
})

/** A page shows the prompt, and saves it at some time after it has loaded it; the model answers at any time. */
const pageStep = FastCheck.oneof(
  FastCheck.record({ type: FastCheck.constant("types" as const), place, ending }),
  FastCheck.record({ type: FastCheck.constantFrom("saves" as const, "loads" as const, "tells" as const) }),
  FastCheck.record({ type: FastCheck.constant("answers" as const), place, isNewLine: FastCheck.boolean() }),
)

type PageStep = typeof pageStep extends FastCheck.Arbitrary<infer A> ? A : never

describe("ConversationManager: laws of edits that are made from an older version", () => {
  it.effect(
    `loses no character of either side in ${INTERLEAVINGS} orders of edits and answers`,
    () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(pageStep, { minLength: 3, maxLength: 15 }), (steps) =>
            Effect.runPromise(editedOnPage(steps)),
          ),
          { numRuns: INTERLEAVINGS },
        ),
      ),
    240_000,
  )
})

const editedOnPage = (steps: ReadonlyArray<PageStep>) =>
  Effect.gen(function* () {
    const { act, typed } = strokes()
    const manager = yield* ConversationManager.make({ ...OPTIONS, prompt: "one\ntwo\nthree\nfour\nfive\n" })
    let loaded = yield* manager.getCurrentPrompt()
    let shown = loaded
    /** The model's characters that no conflict has been reported for. */
    const written = new Set<string>()
    let next = 0xac00
    const check = (document: Document.Document) => {
      for (const character of written) {
        if (document.text.includes(character)) continue
        assert.isTrue(Document.conflicts(document).some(({ model }) => model.includes(character)))
        written.delete(character)
      }
    }
    const save = Effect.gen(function* () {
      const document = yield* manager.updatePrompt(shown, { basedOn: loaded })
      check(document)
      for (const character of typed) assert.include(document.text, character)
      loaded = document.text
      shown = document.text
    })
    for (const step of steps) {
      if (step.type === "types") shown = act(shown, step)
      if (step.type === "saves") yield* save
      if (step.type === "loads" && shown === loaded) {
        loaded = yield* manager.getCurrentPrompt()
        shown = loaded
      }
      if (step.type === "tells") yield* manager.notifyPromptEdited()
      if (step.type === "answers") {
        const { known } = yield* manager.document
        const character = String.fromCharCode(next++)
        const index = at(known, step.place)
        const prompt = known.slice(0, index) + character + (step.isNewLine ? "\n" : "") + known.slice(index)
        written.add(character)
        yield* manager.addAssistantMessage(prompt, prompt)
        check(yield* manager.document)
      }
    }
    yield* save
  }).pipe(Effect.provide(layerOf(Scripted.layer([]))))

const OPTIONS: ConversationManager.Options = { owner: "test", systemPrompt: "", extract: (answer) => answer }

type Turn = typeof turn extends FastCheck.Arbitrary<infer A> ? A : never

const interleaved = (turns: ReadonlyArray<Turn>, prompt: string) =>
  Effect.gen(function* () {
    const { act, typed } = strokes()
    const manager = yield* ConversationManager.make({ ...OPTIONS, prompt })
    const edit = (actions: ReadonlyArray<Action>) =>
      Effect.forEach(actions, (action) =>
        Effect.flatMap(manager.getCurrentPrompt(), (text) => manager.updatePrompt(act(text, action))),
      )

    for (const [index, { before, meanwhile }] of turns.entries()) {
      yield* edit(before)
      let answered = yield* manager.document
      yield* manager.respond(`turn ${index}`).pipe(
        Stream.runForEach((event) =>
          Effect.gen(function* () {
            if (event.type === "provider_request") yield* edit(meanwhile)
            if (event.type === "provider_response") answered = yield* manager.document
          }),
        ),
      )
      const after = yield* manager.document
      // What the model did not know of when it answered stands in the prompt, whatever the model made of it.
      for (const character of typed) {
        if (answered.text.includes(character) && !answered.known.includes(character)) {
          assert.include(after.text, character)
        }
      }
      const { known, text } = yield* Effect.flatMap(goingOn(manager), (again) => again.document)
      assert.deepStrictEqual({ known, text }, { known: after.known, text: after.text })
      for (const conflict of Document.conflicts(after)) {
        assert.include(Document.withConflictMarks(after), conflict.user)
        assert.include(Document.withConflictMarks(after), conflict.model)
      }
    }

    yield* manager.notifyPromptEdited()
    const tree = yield* onTree(manager)
    for (const character of typed) assert.include(tree, character)
  }).pipe(Effect.provide(layerOf(Scripted.layer(answers(turns)))))

/** Another session that goes on from where this one is. */
const goingOn = (manager: ConversationManager.Service) =>
  Effect.gen(function* () {
    const [from, prompt] = [yield* manager.cursor, yield* manager.getCurrentPrompt()]
    return yield* ConversationManager.make({ ...OPTIONS, from, prompt })
  })

/** All that is written on the tree, by user or model. */
const onTree = (manager: ConversationManager.Service) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { root } = yield* forest.path(yield* manager.cursor)
    return (yield* forest.subtree(root.id)).map(({ message }) => Message.text(message)).join("\n")
  })

/** The model of these turns: its answer is its next prompt, made from the one that it was shown. */
const answers =
  (turns: ReadonlyArray<Turn>) =>
  ({ messages }: Request, index: number) => {
    const last = messages.at(-1)
    const [, shown = ""] = /^\[current prompt: "(.*)"\]$/s.exec(last === undefined ? "" : Message.text(last)) ?? []
    const answer = (turns[index]?.model ?? []).reduce(rewrite, shown)
    return answer.trim() === "" ? "model" : answer
  }
