import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import type { Page } from "../../../src/wiki/Page.ts"
import * as Asking from "../../../src/wiki/writing/Asking.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as TouchedStatements from "../../../src/wiki/writing/TouchedStatements.ts"
import * as Wiki from "./Wiki.fixture.ts"

const texts = ["A mail is sent later.", "A mail is sent twice.", "A mail is sent.", "A mail goes to a person."]

const page: Page = {
  name: "mail",
  kind: "part",
  title: "Mail",
  sections: [
    {
      form: "text",
      blocks: texts.map((text, at) => [
        {
          text,
          kind: "claim",
          author: at === 3 ? "person" : "model",
          citations: [{ path: "src/mail/mail.ts", symbol: "send", hash: "0000000000000000" }],
        },
      ]),
    },
  ],
}

const assess = (answer: Scripted.Line) =>
  Effect.gen(function* () {
    const { project } = yield* Wiki.open()
    const { model, requests } = yield* Wiki.model({ check_statements: () => answer })
    const asking = yield* Asking.make({ model, thinking: undefined, onEvent: () => Effect.void })
    const touched = yield* TouchedStatements.find(project, [page], () => true)
    const verdicts = yield* TouchedStatements.assess(asking, project, touched, MaterialLimits.of(model))
    const byText = texts.map((text) => {
      const statement = touched.find((each) => each.statement.text === text)?.statement
      return statement && verdicts.get(statement)
    })
    return { byText, requests }
  }).pipe(Effect.scoped)

/** Judges a page with this answer, and returns it as it is kept, with what a next run would judge. */
const judge = (answer: Scripted.Line, before: Page) =>
  Effect.gen(function* () {
    const { project } = yield* Wiki.open()
    const { model, requests } = yield* Wiki.model({ check_statements: () => answer })
    const asking = yield* Asking.make({ model, thinking: undefined, onEvent: () => Effect.void })
    const limits = MaterialLimits.of(model)
    const kept = yield* Ref.make(before)
    const touched = yield* TouchedStatements.findDue(project, [before])
    const pages = new Map([[before.name, before]])
    yield* TouchedStatements.judge(asking, project, touched, pages, limits, (page) => Ref.set(kept, page))
    const after = yield* Ref.get(kept)
    return { after, next: yield* TouchedStatements.findDue(project, [after]), requests }
  }).pipe(Effect.scoped)

describe("TouchedStatements.judge", () => {
  const check = (answer: object) => Scripted.calls(["check_statements", { holds: [], partly: [], not: [], ...answer }])
  const written: Page = {
    ...page,
    sections: page.sections.map((section) => ({
      ...section,
      blocks: section.blocks.map(([statement]) => [{ ...statement, author: "person" as const }]),
    })),
  }

  it.effect("marks what a person wrote as stale, with what is true now, and leaves the words", () =>
    Effect.gen(function* () {
      const answer = { holds: [3], partly: [{ i: 1, t: "A mail is sent at once." }], not: [2] }
      const { after, next } = yield* judge(check(answer), written)
      const statements = after.sections.flatMap(({ blocks }) => blocks.flat())
      assert.deepStrictEqual(
        statements.map(({ stale, text }) => [text, stale]),
        [
          [texts[0], "A mail is sent at once."],
          [texts[1], "a model has found nothing of it true any more"],
          [texts[2], undefined],
          [texts[3], undefined],
        ],
      )
      // The one without an answer is asked about again, and the others after the next change.
      assert.deepStrictEqual(
        next.map(({ statement }) => statement.text),
        [texts[3]],
      )
    }),
  )

  it.effect("does not judge what a person wrote of a symbol that is gone", () =>
    Effect.gen(function* () {
      const gone = [{ path: "src/mail/mail.ts", symbol: "vanish", hash: "0000000000000000" }]
      const { after, requests } = yield* judge(check({ not: [1, 2, 3, 4] }), {
        ...written,
        sections: written.sections.map((section) => ({
          ...section,
          blocks: section.blocks.map(([statement]) => [{ ...statement, citations: gone }]),
        })),
      })
      assert.strictEqual(requests.length, 0)
      assert.isTrue(after.sections.every(({ blocks }) => blocks.flat().every(({ stale }) => stale === undefined)))
    }),
  )
})

describe("TouchedStatements.assess", () => {
  it.effect("says what holds and what is untrue, with the correction, and leaves the rest without a verdict", () =>
    Effect.gen(function* () {
      const { byText, requests } = yield* assess(
        Scripted.calls([
          "check_statements",
          { holds: [3, 99], partly: [{ i: 1, t: "A mail is sent at once." }], not: [2, 40] },
        ]),
      )
      assert.strictEqual(requests.length, 1)
      assert.deepStrictEqual(byText, [
        { verdict: "untrue", correction: "A mail is sent at once." },
        { verdict: "untrue", correction: undefined },
        { verdict: "holds" },
        undefined,
      ])
    }),
  )

  it.effect("has no verdict on anything if the answer names only what was not asked", () =>
    Effect.gen(function* () {
      const { byText } = yield* assess(Scripted.calls(["check_statements", { holds: [77], partly: [], not: [78] }]))
      assert.deepStrictEqual(byText, [undefined, undefined, undefined, undefined])
    }),
  )
})
