import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { blocks, fails, lastWords, one, session } from "./session.ts"

const two = [...one, "--model", "test/two"]

describe("vibe ask with several models", () => {
  it.scoped("prints each answer under its name", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", ...two)
          assert.deepStrictEqual([code, err], [0, ""])
          assert.sameMembers(
            out.split("\n\n").map((part) => part.trim()),
            ["scripted/one\nFirst.", "scripted/two\nSecond."],
          )
          assert.deepStrictEqual(requests.map(lastWords), ["Hi", "Hi"])
        }),
      { isTerminal: true, says: { one: ["First."], two: ["Second."] } },
    ),
  )

  it.scoped("has them in the order in which they were named, and those that fail among them", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", "--json", "--model", "test/two", ...one)
          assert.strictEqual(code, 0)
          const { answers } = JSON.parse(out)
          assert.deepStrictEqual(
            answers.map(({ error, model, text }: Record<string, unknown>) => ({ error, model, text })),
            [
              {
                model: "scripted/two",
                error: { reason: "InvalidRequest", message: "scripted/two: no" },
                text: undefined,
              },
              { model: "scripted/one", text: "First.", error: undefined },
            ],
          )
          assert.strictEqual(err, "vibe: scripted/two: no\n")
        }),
      { says: { one: ["First."], two: [fails] } },
    ),
  )

  it.scoped("fails where all of them do", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", ...two)
          const blocked = "vibe: scripted/one: blocked. Another model can be named with --model or VIBE_MODEL\n"
          assert.deepStrictEqual([code, out, err], [5, "", `${blocked}vibe: scripted/two: no\n`])
        }),
      { says: { one: [blocks], two: [fails] } },
    ),
  )

  it.scoped("has the failure of each model in JSON", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { code, out } = yield* vibe("Hi", "--json", ...two)
          assert.strictEqual(code, 5)
          const error = { reason: "Blocked", message: "scripted/one: blocked" }
          assert.deepStrictEqual(JSON.parse(out), {
            answers: [
              { model: "scripted/one", error },
              { model: "scripted/two", error: { reason: "InvalidRequest", message: "scripted/two: no" } },
            ],
            error,
          })
        }),
      { says: { one: [blocks], two: [fails] } },
    ),
  )
})
