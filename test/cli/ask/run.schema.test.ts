import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Usage from "../../../src/message/Usage.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { lastWords, one, session } from "./session.ts"

describe("vibe ask --schema", () => {
  const schema = Effect.map(temporaryFolder, (folder) => {
    const file = path.join(folder, "schema.json")
    fs.writeFileSync(file, '{"type":"object","required":["name"]}')
    return file
  })

  it.scoped("prints valid JSON, after sending the schema to the model", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const ended = yield* vibe("Who?", "--schema", yield* schema, ...one)
          assert.deepStrictEqual(ended, { code: 0, out: '{"name":"Ada"}\n', err: "" })
          assert.include(lastWords(requests[0]), '{"type":"object","required":["name"]}')
          assert.deepStrictEqual(requests[0]?.answerSchema, { type: "object", required: ["name"] })
        }),
      { isTerminal: true, says: { one: ['```json\n{"name":"Ada"}\n```'] } },
    ),
  )

  it.scoped("takes JSON in a block with words around it", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const { out } = yield* vibe("Who?", "--schema", yield* schema, ...one)
          assert.deepStrictEqual([out, requests.length], ['{"name":"Ada"}\n', 1])
        }),
      { says: { one: ['Here you are:\n```json\n{"name":"Ada"}\n```\nAda wrote it.'] } },
    ),
  )

  it.scoped.each([
    '{"name":"Ada"}\n\nHope this helps!',
    'Here it is: {"name":"Ada"}. It is {short}.',
    'Of [1, 2] and {a} the answer is\n{"name":"Ada"}',
  ])("takes JSON with a sentence beside it: %j", (answer) =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const { code, out } = yield* vibe("Who?", "--schema", yield* schema, ...one)
          assert.deepStrictEqual([code, out], [0, '{"name":"Ada"}\n'])
          assert.lengthOf(requests, 1)
        }),
      { says: { one: [answer] } },
    ),
  )

  it.scoped("sends an invalid answer back once, and counts the usage of both", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const { code, out } = yield* vibe("Who?", "--json", "--schema", yield* schema, ...one)
          const { text, usage } = JSON.parse(out)
          assert.deepStrictEqual([code, text, usage.inputTokens], [0, '{"name":"Ada"}', 3])
          assert.include(lastWords(requests[1]), "Your answer is not valid: ")
        }),
      {
        says: {
          one: [
            { text: "{}", usage: { ...Usage.none, inputTokens: 1 } },
            { text: '{"name":"Ada"}', usage: { ...Usage.none, inputTokens: 2 } },
          ],
        },
      },
    ),
  )

  it.scoped("fails where the second answer is no better, and prints none", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Who?", "--schema", yield* schema, ...one)
          assert.deepStrictEqual([code, out], [1, ""])
          assert.match(err, /^vibe: the answer is not valid by the schema: .*name.*\n$/)
          assert.lengthOf(requests, 2)
        }),
      { says: { one: ["{}", "{}"] } },
    ),
  )
})

describe("vibe ask --extract", () => {
  const says = { one: ["Try this:\n```sh\nls -l\n```\nIt lists."], two: ["pwd"] }

  it.scoped("prints only the code, at a terminal too; the forest stores the whole answer", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* vibe("List", "-x", ...one), { code: 0, out: "ls -l\n", err: "" })
          const forest = yield* Forest.Forest
          const [leaf] = yield* forest.leaves(1)
          assert.include(leaf && Message.text(leaf.message), "It lists.")
        }),
      { isTerminal: true, says },
    ),
  )

  it.scoped("takes an answer without a block for code, and each model's for itself", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { out } = yield* vibe("Where?", "--extract", "--json", "--model", "test/one", "--model", "test/two")
          const { answers } = JSON.parse(out)
          assert.deepStrictEqual(
            answers.map(({ text }: { readonly text: string }) => text),
            ["ls -l\n", "pwd"],
          )
        }),
      { says },
    ),
  )
})
