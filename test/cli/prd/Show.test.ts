import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import * as Show from "../../../src/cli/prd/Show.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import type { Draft } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import type { NodeId } from "../../../src/message/NodeId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import { countedInto, layerOf, withScript } from "../../utils/Looms.ts"

const story = "### US-001: Do it\n\nDone."

const prd = (name: string, ...words: ReadonlyArray<string>) => [`# PRD: ${name}`, ...words, story].join("\n\n")

const asks = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const model = { type: "model", model: "test/test", finish: "stop", usage: Usage.none } as const

const answers = (text: string): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: model,
})

const marked = (content: string) => answers(`[PRD]\n${content}\n[/PRD]`)

/** A call of the tool, and what came of it. */
const submits = (content: string, isError: boolean): ReadonlyArray<Draft> => [
  {
    message: {
      role: "assistant",
      content: [{ type: "tool-use", id: "c-1", name: "submit_prd", parameters: { name: "Sub", content } }],
    },
    source: model,
  },
  {
    message: {
      role: "tool",
      tool_call_id: "c-1",
      name: "submit_prd",
      content: [Block.text(isError ? "no" : "kept")],
      isError,
    },
    source: { type: "tool", tool: "submit_prd" },
  },
  answers("Done."),
]

/** Puts these below a node, or at the top of a conversation of this owner. */
const said = (
  drafts: ReadonlyArray<Draft>,
  { below, owner = "prd" }: { below?: NodeId | undefined; owner?: string } = {},
) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { id } = yield* forest.root({ owner, systemPrompt: "S" })
    return yield* forest.append(below ?? id, drafts)
  })

/** What is printed on each stream. */
const printed = <E, R>(effect: Effect.Effect<unknown, E, R | Screen.Screen>) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    yield* Effect.provide(effect, Screen.layerMemory(written))
    const texts = yield* written
    const of = (stream: Screen.Written["to"]) => texts.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
    return { out: of("out"), err: of("err") }
  })

const list = (json = false) => printed(Show.list("prd", json))

const inMemory = withScript([])

describe("the list of PRDs", () => {
  it.effect("prints a notice where there are none", () =>
    Effect.gen(function* () {
      yield* said([asks("Dark mode"), answers("What is your PRD for?")])
      assert.deepStrictEqual(yield* list(), { out: "", err: "there are no PRDs yet\n" })
      assert.deepStrictEqual((yield* list(true)).out, '{"prds":[]}\n')
    }).pipe(inMemory),
  )

  it.effect("has every version of every conversation, and what branches share once", () =>
    Effect.gen(function* () {
      const first = yield* said([asks("Dark mode"), marked(prd("Dark", "One.")), asks("More")])
      const below = first.at(-1)?.id
      yield* said([marked(prd("Dark", "Two.")), asks("Again"), marked(prd("Dark", "Two."))], { below })
      yield* said([marked(prd("Dark", "Three."))], { below })
      yield* said([asks("Other"), ...submits(prd("Sub"), true)])
      yield* said([asks("Another"), ...submits(prd("Sub"), false)])
      yield* said([asks("Chat"), marked(prd("Not mine"))], { owner: "chat" })
      const { prds } = JSON.parse((yield* list(true)).out)
      assert.deepStrictEqual(
        prds
          .map(({ name, userStories, version }: { name: string; version: number; userStories: number }) => [
            name,
            version,
            userStories,
          ])
          .sort(),
        [
          ["Dark", 1, 1],
          ["Dark", 2, 1],
          ["Dark", 2, 1],
          ["Sub", 1, 1],
        ],
      )
      assert.match((yield* list()).out, /^\S{3,18} {2}1970-01-01 00:00:00Z {2}v\d {2}(?:Dark|Sub) {2}1 user story\n/)
    }).pipe(inMemory),
  )

  it.effect("reads no conversation that has none", () => {
    const reads: Array<number> = []
    return Effect.gen(function* () {
      const talk = Array.from({ length: 50 }, (_, at) => [asks(`one ${at}`), answers("Is this for your PRD?")]).flat()
      yield* said(talk)
      yield* said([asks("two"), marked(prd("Dark"))])
      reads.length = 0
      yield* list(true)
      assert.deepStrictEqual(reads, [2])
    }).pipe(Effect.provide(layerOf(Scripted.layer([]), countedInto(reads))))
  })
})

describe("the difference of PRDs", () => {
  const two = Effect.map(
    said([asks("a"), marked(prd("Dark", "One.")), asks("b"), marked(prd("Dark", "Two.")), asks("c"), answers("Fine?")]),
    (nodes) => nodes.map(({ id }) => id),
  )

  it.effect("is that of the newest to the version before, in a unified diff", () =>
    Effect.gen(function* () {
      const [, one, , other] = yield* two
      const { out } = yield* printed(Show.diff("prd", [], false))
      assert.strictEqual(
        out,
        `--- ${one} v1 Dark\n+++ ${other} v2 Dark\n@@ -1,6 +1,6 @@\n # PRD: Dark\n \n-One.\n+Two.\n \n ### US-001: Do it\n \n`,
      )
      const json = JSON.parse((yield* printed(Show.diff("prd", [], true))).out)
      assert.deepStrictEqual(json, { a: one, b: other, diff: out.slice(0, -1) })
    }).pipe(inMemory),
  )

  it.effect("takes any node for the PRD that was there by then", () =>
    Effect.gen(function* () {
      const [, one, between, other, , last] = yield* two
      const diff = (...names: ReadonlyArray<string>) => printed(Show.diff("prd", names, true))
      const sides = (text: string) => [JSON.parse(text).a, JSON.parse(text).b]
      assert.deepStrictEqual(sides((yield* diff(last ?? "")).out), [one, other])
      assert.deepStrictEqual(sides((yield* diff(other ?? "", between ?? "")).out), [other, one])
      assert.strictEqual(
        (yield* printed(Show.diff("prd", [other ?? "", last ?? ""], false))).err,
        "they say the same\n",
      )
    }).pipe(inMemory),
  )

  it.effect("needs two", () =>
    Effect.gen(function* () {
      const message = (names: ReadonlyArray<string>) =>
        Effect.map(Effect.flip(printed(Show.diff("prd", names, false))), ({ message }) => message)
      assert.strictEqual(yield* message([]), "there are no PRDs yet")
      const [, one] = yield* said([asks("a"), marked(prd("Dark"))])
      assert.strictEqual(yield* message([]), `there is no version before ${one?.id}`)
      const [chat] = yield* said([asks("a")], { owner: "chat" })
      assert.strictEqual(yield* message([chat?.id ?? ""]), `there is no PRD at ${chat?.id}`)
      assert.strictEqual(yield* message(["a", "b", "c"]), "'prd --diff' takes two nodes at the most")
    }).pipe(inMemory),
  )
})

describe("one PRD", () => {
  it.effect("is printed without what a terminal obeys", () =>
    Effect.gen(function* () {
      yield* said([asks("a"), marked(prd("Da\u001b[31mrk"))])
      const { out } = yield* printed(Show.show("prd", [], false))
      assert.strictEqual(out, `# PRD: Dark\n\n${story}\n`)
      const json = JSON.parse((yield* printed(Show.show("prd", [], true))).out)
      assert.include(json.content, "# PRD: Da")
      assert.strictEqual(json.version, 1)
    }).pipe(inMemory),
  )
})
