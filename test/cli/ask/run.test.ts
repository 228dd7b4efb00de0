/** `vibe ask` on a forest in memory, at a terminal and in a pipe. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { lastWords, look, one, session } from "./session.ts"

describe("vibe ask", () => {
  it.scoped("prints the answer and nothing else", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* vibe("How", "are you?", ...one), { code: 0, out: "Hello.\n", err: "" })
        assert.deepStrictEqual(requests.map(lastWords), ["How are you?"])
        assert.strictEqual(requests[0]?.system, "")
        assert.isEmpty(requests[0]?.tools)
      }),
    ),
  )

  it.scoped("prints the same at a terminal, in pieces", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* vibe("Hi", ...one), { code: 0, out: "Once upon a time.\n", err: "" })
        }),
      { isTerminal: true, says: { one: ["Once upon a time."] } },
    ),
  )

  it.scoped("answers in the one object that programs read", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", "--json", ...one)
          assert.deepStrictEqual([code, err], [0, ""])
          assert.deepStrictEqual(JSON.parse(out), {
            text: "Hello.",
            toolCalls: [],
            finishReason: "stop",
            usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 2, reasoningTokens: 1 },
            cost: null,
            model: "scripted/one",
            node: "n-2",
          })
        }),
      {
        says: {
          one: [{ text: "Hello.", usage: { inputTokens: 9, outputTokens: 3, cachedTokens: 2, thinkingTokens: 1 } }],
        },
      },
    ),
  )

  it.scoped("sends the given system prompt and sampling options", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        yield* vibe("Hi", "--system", "Be brief", "--temperature", "0.2", "--max-tokens", "50", ...one)
        const [{ maxOutputTokens, system, temperature } = assert.fail()] = requests
        assert.deepStrictEqual(
          { maxOutputTokens, system, temperature },
          { maxOutputTokens: 50, system: "Be brief", temperature: 0.2 },
        )
      }),
    ),
  )

  it.scoped("takes what comes on stdin for what the question is about, and for the question where there is none", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          yield* vibe("What failed?", ...one)
          yield* vibe(...one)
          assert.deepStrictEqual(requests.map(lastWords), ["<stdin>\na log\n</stdin>\n\nWhat failed?", "a log"])
        }),
      { stdin: "a log\n" },
    ),
  )

  it.scoped("shows pictures with the question", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        const file = path.join(yield* temporaryFolder, "a.txt")
        const png = Buffer.from("\x89PNG\r\n\x1a\n....", "latin1")
        fs.writeFileSync(file, png)
        const { code, err } = yield* vibe("What is it?", "--image", file, ...one)
        assert.strictEqual(code, 0, err)
        assert.deepStrictEqual(requests[0]?.messages.at(-1)?.content, [
          { type: "image", media_type: "image/png", data: png.toString("base64") },
          { type: "text", text: "What is it?" },
        ])
      }),
    ),
  )

  it.scoped("reports the calls of a model that has no tools, and runs none", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const text = yield* vibe("Hi", ...one)
          assert.deepStrictEqual(text, { code: 0, out: "", err: 'vibe: calls rm {"path":"/"}, which is not run\n' })
          const { toolCalls, finishReason } = JSON.parse((yield* vibe("Hi", "--json", ...one)).out)
          assert.deepStrictEqual([toolCalls, finishReason], [[{ name: "rm", arguments: { path: "/" } }], "tool_calls"])
          assert.lengthOf(requests, 2)
        }),
      { says: { one: [Scripted.calls(["rm", { path: "/" }])] } },
    ),
  )

  it.scoped("asks a model that keeps calling tools for a final answer, and fails all the same", () => {
    const look = (n: number) => Scripted.calls(["look", { n }])
    const tool = Tool.fromJsonSchema({
      name: "look",
      description: "",
      parameters: { type: "object" },
      run: (args) => Effect.succeed(JSON.stringify(args)),
    })
    const lines = [...Array.from({ length: 19 }, (_, n) => look(n)), "So far so good."]
    return session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", "--tools", ...one)
          assert.deepStrictEqual([code, out], [6, "So far so good.\n"])
          assert.include(err, "vibe: Exceeded maximum tool iterations (20).")
          assert.lengthOf(requests, 20)
          assert.deepStrictEqual(
            requests.slice(-2).map(({ messages, toolChoice }) => [toolChoice, messages.at(-1)?.role]),
            [
              [undefined, "tool"],
              ["none", "system"],
            ],
          )
          const json = yield* vibe("Hi", "--tools", "--json", "--model", "test/two")
          const { error, text } = JSON.parse(json.out)
          assert.deepStrictEqual(
            [json.code, text, error.reason],
            [6, "So far so good.", "ToolIterationLimitExceededError"],
          )
          const both = yield* vibe("Hi", "--tools", "--model", "test/three", "--model", "test/four")
          assert.strictEqual(both.code, 0)
          assert.include(both.err, "vibe: Exceeded maximum tool iterations (20).")
        }),
      { says: { one: lines, two: lines, three: lines, four: ["Hello."] }, tools: [tool] },
    )
  })

  it.scoped("says what is in the folder with the tools, unless the user or the conversation has a system prompt", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          yield* vibe("Hi", "--tools", "--system", "Be brief.", ...one)
          yield* vibe("Hi again", "--tools", "--continue", ...one)
          yield* vibe("Hi", "--tools", ...one)
          yield* vibe("Hi", ...one)
          assert.deepStrictEqual(
            requests.map(({ system }) => system),
            ["Be brief.", "Be brief.", "A folder and tools.", ""],
          )
        }),
      { tools: [look] },
    ),
  )

  it.scoped(
    "offers the tools of tool servers after the others, says on stderr what they cost, and not without --tools",
    () => {
      const origin = "the tool look of web"
      const web = { server: "web", tool: { ...look, name: "web_look" }, origin }
      const served = { tools: [web], costs: ["tool server web: 1 tool"], notes: [] }
      return session(
        ({ requests, vibe }) =>
          Effect.gen(function* () {
            const { err, out } = yield* vibe("Hi", "--tools", "--json", ...one)
            assert.strictEqual(err, "vibe: tool server web: 1 tool\n")
            assert.strictEqual(JSON.parse(out).text, "Hello.")
            assert.strictEqual((yield* vibe("Hi", ...one)).err, "")
            assert.deepStrictEqual(
              requests.map(({ tools }) => tools.map(({ name }) => name)),
              [["look", "web_look"], []],
            )
          }),
        { tools: [look], served },
      )
    },
  )

  it.scoped("lets a model use the tools that it is given, and prints its last word", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", "--tools", ...one)
          assert.deepStrictEqual([code, out, err], [0, "It is so.\n", "calls look\n"])
          assert.strictEqual(requests[0]?.system, "A folder and tools.")
          const { text, toolCalls } = JSON.parse((yield* vibe("Hi", "--tools", "--json", ...one)).out)
          assert.deepStrictEqual([text, toolCalls], ["It is so.", [{ name: "look", arguments: {} }]])
        }),
      {
        says: { one: [{ text: "I look.", ...Scripted.calls(["look"]) }, "It is so."] },
        tools: [look],
      },
    ),
  )

  it.scoped.each([[], ["--json"], ["-x"]])("fails if a model says nothing after its tools (%j)", (options) =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", "--tools", ...options, ...one)
          assert.strictEqual(code, 1)
          assert.match(err, /the answer was empty/)
          assert.notInclude(out, "no final answer")
          if (!options.includes("--json")) assert.strictEqual(out, "")
        }),
      {
        says: { one: [{ text: "I look.", ...Scripted.calls(["look"]) }, "", ""] },
        tools: [look],
      },
    ),
  )

  it.scoped("prints remarks on an answer after its last line, at a terminal", () =>
    session(
      ({ shown, vibe }) =>
        Effect.gen(function* () {
          yield* vibe("Hi", ...one)
          assert.strictEqual(
            yield* shown,
            'I call.\nvibe: calls rm {"path":"/"}, which is not run\nvibe: the answer is cut off: the output limit was reached\n',
          )
        }),
      {
        isTerminal: true,
        says: { one: [{ text: "I call.", ...Scripted.calls(["rm", { path: "/" }]), finish: "length" }] },
      },
    ),
  )

  it.scoped("prints remarks on an incomplete answer", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", ...one)
          assert.deepStrictEqual([code, out], [0, "Once upon\n"])
          assert.strictEqual(err, "vibe: the answer is cut off: the output limit was reached\n")
          const refused = yield* vibe("Hi", "--model", "test/two")
          assert.deepStrictEqual([refused.code, refused.out], [5, ""])
        }),
      { says: { one: [{ text: "Once upon", finish: "length" }], two: [{ text: "No", finish: "content_filter" }] } },
    ),
  )
})
