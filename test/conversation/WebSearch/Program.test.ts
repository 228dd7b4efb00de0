/** A search by a program of the user, with an agent that prints what such a program prints. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Program from "../../../src/conversation/WebSearch/Program.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as AgentProgram from "../../../src/model/AgentProgram.ts"
import { ModelError, ModelNotFound, ProgramFailed, type Reason } from "../../../src/model/ModelError.ts"

const id = new ModelId({ provider: "cli", name: "web_search" })

/** Prints this, whatever it reads. */
const program = (...outputs: ReadonlyArray<AgentProgram.Output>): AgentProgram.Service =>
  speaking(() => Stream.make(...outputs))

const failing = (reason: Reason) => speaking(() => Stream.fail(new ModelError({ model: String(id), reason })))

const speaking = (ask: AgentProgram.Service["ask"]): AgentProgram.Service => ({
  id,
  name: "web_search",
  format: "xml",
  abilities: { streams: true, readsFiles: false },
  ready: Effect.void,
  ask,
})

const prints = (...texts: ReadonlyArray<string>) => Program.make(program(...texts.map((text) => stdout(text))))("cats")

const stdout = (text: string) => AgentProgram.Output.Stdout({ text })

const hit = (title: string, snippet = "") => ({ title, url: `https://${title}`, snippet })

describe("a search of the web by a program", () => {
  it.effect("passes the query on stdin, where a leading dash is not an option", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const search = Program.make(
        speaking((prompt, options) => {
          asked.push([prompt, options?.flags])
          return Stream.make(stdout("[]"))
        }),
      )
      assert.deepStrictEqual(yield* search("--output=/etc/passwd"), [])
      assert.deepStrictEqual(asked, [["--output=/etc/passwd", undefined]])
    }),
  )

  it.effect("reads an array or an object per line, in any chunks", () =>
    Effect.gen(function* () {
      const all = [hit("a", "of a"), hit("b")]
      assert.deepStrictEqual(yield* prints(JSON.stringify(all, undefined, 2)), all)
      const lines = `${JSON.stringify(all[0])}\n\n${JSON.stringify({ title: "b", url: "https://b", more: 1 })}\r\n`
      assert.deepStrictEqual(yield* prints(lines.slice(0, 9), lines.slice(9)), all)
      assert.deepStrictEqual(yield* prints(""), [])
      for (const between of ["\n", "\r\n", " \n\t", "\n \n"]) {
        assert.deepStrictEqual(yield* prints(all.map((one) => JSON.stringify(one)).join(between)), all)
      }
    }),
  )

  it.effect("ignores stderr", () =>
    Effect.gen(function* () {
      const search = Program.make(program(AgentProgram.Output.Stderr({ text: "searching\n" }), stdout("[]")))
      assert.deepStrictEqual(yield* search("cats"), [])
    }),
  )

  it.effect("describes what went wrong", () =>
    Effect.gen(function* () {
      const wrong = <A>(search: Effect.Effect<A, { readonly message: string }>) =>
        Effect.map(Effect.flip(search), ({ message }) => message)
      assert.include(yield* wrong(prints("<html>")), "is not JSON of { title, url, snippet }")
      assert.include(yield* wrong(prints('[{"title":1}]')), "is not JSON of")
      assert.include(yield* wrong(prints("[", "x".repeat(Program.MAX_CHARACTERS))), "more than 1,000,000 characters")
      const failed = failing(new ProgramFailed({ message: "it ended with exit code 3: no quota", code: 3 }))
      assert.strictEqual(
        yield* wrong(Program.make(failed)("cats")),
        "the web search failed: it ended with exit code 3: no quota",
      )
      const missing = failing(new ModelNotFound({ message: "there is no 'x' on PATH" }))
      assert.include(yield* wrong(Program.make(missing)("cats")), "is not installed")
    }),
  )

  it.effect("has a time limit of 30 seconds", () =>
    Effect.gen(function* () {
      const timeouts: Array<unknown> = []
      const search = Program.make(
        speaking((_, options) => {
          timeouts.push(options?.timeout)
          return Stream.make(stdout("[]"))
        }),
      )
      yield* search("cats")
      assert.deepStrictEqual(timeouts, [Program.TIMEOUT])
    }),
  )
})
