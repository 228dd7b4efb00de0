/** `vibe ask` on a forest in memory, at a terminal and in a pipe. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, Option, Ref, type Scope } from "effect"
import * as Logging from "../../../src/app/Logging.ts"
import { ask } from "../../../src/cli/ask/command.ts"
import * as Cli from "../../../src/cli/Cli.ts"
import { entryWithoutLayer } from "../../../src/cli/Table.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as Stdin from "../../../src/cli/terminal/Stdin.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as OfferedTools from "../../../src/conversation/OfferedTools.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import { ForestError, Full } from "../../../src/forest/ForestError.ts"
import * as SqliteForestStore from "../../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../../src/forest/ForestStore.ts"
import type { Block } from "../../../src/message/Block.ts"
import * as Ids from "../../../src/message/Ids.ts"
import * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { Blocked, InvalidRequest, ModelError } from "../../../src/model/ModelError.ts"
import * as ModelRegistry from "../../../src/model/ModelRegistry.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import { LocalModels } from "../../../src/model/ServerModels.ts"
import type { Line } from "../../../src/provider/scripted/Scripted.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../../src/tool/ToolServers.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { tableWith } from "../../utils/commands.ts"
import * as Local from "../../utils/Local.ts"

const look = Tool.fromJsonSchema({
  name: "look",
  description: "",
  parameters: { type: "object" },
  run: () => Effect.succeed("so"),
})

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

interface Situation {
  /** The answers of each model, by its name. */
  readonly says?: Readonly<Record<string, ReadonlyArray<Line>>>
  readonly stdin?: string
  readonly isTerminal?: boolean
  readonly tools?: ReadonlyArray<Tool.Tool>
  /** What the user's tool servers have. */
  readonly served?: ToolServers.Opened
  readonly store?: Layer.Layer<ForestStore.ForestStore>
}

interface Session {
  /** What the last run showed on both streams, as it came. */
  readonly shown: Effect.Effect<string>
  /** What was logged, so far. */
  readonly logged: ReadonlyArray<string>
  readonly vibe: (...argv: ReadonlyArray<string>) => Effect.Effect<Ended>
  /** What models were asked, oldest first. */
  readonly requests: ReadonlyArray<Request>
}

const session = <E>(
  use: (session: Session) => Effect.Effect<void, E, Forest.Forest | Scope.Scope>,
  { isTerminal = false, says = {}, stdin, store = SqliteForestStore.layerMemory, tools = [], served }: Situation = {},
) =>
  Effect.gen(function* () {
    const requests: Array<Request> = []
    const logged: Array<string> = []
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const registry = ModelRegistry.ModelRegistry.of({
      providers: ["test"],
      known: Effect.succeed([]),
      open: ({ name }) =>
        Effect.map(Scripted.make(says[name] ?? ["Hello."], name), (model) =>
          LanguageModel.make(model.id, (request, say) =>
            Effect.suspend(() => {
              requests.push(request)
              return Effect.flatMap(model.generate(request), ({ blocks, finish, usage }) =>
                say([...blocks.flatMap(spoken), Part.Finish({ reason: finish, usage })]),
              )
            }),
          ),
        ),
    })
    const layer = Layer.mergeAll(
      Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Ids.layerSequence)),
      SqliteForestStore.layerFallback,
      Layer.succeed(Stdin.Stdin, { text: Effect.succeed(Option.fromNullable(stdin)) }),
      Layer.succeed(ModelRegistry.ModelRegistry, registry),
      Layer.succeed(LocalModels, { provider: "test", all: Effect.succeedNone }),
      Layer.succeed(OfferedTools.OfferedTools, () =>
        Effect.succeed({
          tools: ToolRegistry.make(tools),
          findSymbols: look,
          project: "A folder.",
          prompt: (served) => ["A folder and tools.", ...served].join(" "),
        }),
      ),
      Layer.succeed(ToolServers.ToolServers, ToolServers.of(served ?? ToolServers.none)),
      NodeFiles.layer,
      Screen.layerMemory(written, { isTerminal }),
      Logger.replace(
        Logger.defaultLogger,
        Logger.map(Logging.line, (line) => void logged.push(line)),
      ),
      Local.none,
      NodeContext.layer,
    )
    yield* Effect.gen(function* () {
      const context = yield* Effect.context<Layer.Layer.Success<typeof layer>>()
      yield* use({
        logged,
        requests,
        shown: Effect.map(Ref.get(written), (all) => all.map(({ text }) => text).join("")),
        vibe: (...argv) =>
          Effect.gen(function* () {
            yield* Ref.set(written, [])
            const code = yield* Cli.run(vibe, { argv: ["ask", ...argv], version: "1.2.3" })
            const all = yield* Ref.get(written)
            const on = (stream: "out" | "err") => all.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
            return { code, out: on("out"), err: on("err") }
          }).pipe(Effect.provide(context), Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))),
      })
    }).pipe(Effect.provide(layer))
  })

const vibe = tableWith(entryWithoutLayer({ command: ask, run: () => import("../../../src/cli/ask/run.ts") }))

/** A word at a time, as a provider streams it. */
const spoken = (block: Block): ReadonlyArray<Part> => {
  switch (block.type) {
    case "text":
      return (block.text.match(/\S+\s*|\s+/g) ?? []).map((text) => Part.Text({ text }))
    case "tool-use":
      return [Part.ToolUse({ id: block.id, name: block.name, parameters: block.parameters })]
    default:
      return []
  }
}

const one = ["--model", "test/one"]
const two = [...one, "--model", "test/two"]

const blocks = new ModelError({ model: "scripted/one", reason: new Blocked({ message: "blocked" }) })
const fails = new ModelError({ model: "scripted/two", reason: new InvalidRequest({ message: "no" }) })

/** The last text of the user in a request. */
const lastWords = (request: Request | undefined) => {
  const message = request?.messages.findLast(({ role }) => role === "user")
  return message === undefined ? "" : Message.text(message)
}

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

describe("vibe ask --continue", () => {
  it.scoped("goes on from the newest question", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        yield* vibe("First", "--system", "Be brief", ...one)
        yield* vibe("Second", "--continue", ...one)
        const [, second] = requests
        assert.strictEqual(second?.system, "Be brief")
        assert.deepStrictEqual(second?.messages.map(Message.text), ["First", "Hello.", "Second"])
      }),
    ),
  )

  it.scoped("goes on from the node that is named, and leaves what came after it out", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        yield* vibe("First", ...one)
        yield* vibe("Second", "--continue", ...one)
        yield* vibe("Third", "--continue", "@~2", ...one)
        assert.deepStrictEqual(requests.at(-1)?.messages.map(Message.text), ["First", "Hello.", "Third"])
      }),
    ),
  )

  it.scoped("goes on from a bookmark that is joined to the option, and asks back where it stands apart", () =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        yield* vibe("First", ...one)
        yield* forest.bookmark("draft", NodeId.make("n-2"))
        yield* vibe("Second", ...one)
        const { code, err } = yield* vibe("--continue", "draft", "and now?", ...one)
        assert.strictEqual(code, 2)
        assert.include(err, "--continue=draft")
        assert.strictEqual((yield* vibe("--continue=draft", "and now?", ...one)).code, 0)
        assert.deepStrictEqual(requests.at(-1)?.messages.map(Message.text), ["First", "Hello.", "and now?"])
      }),
    ),
  )

  it.scoped("asks a question again if its answer failed", () =>
    session(
      ({ requests, vibe }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* vibe("First", "--model", "test/two")).code, 1)
          const { code, out } = yield* vibe("--continue", ...one)
          assert.deepStrictEqual([code, out], [0, "Hello.\n"])
          assert.deepStrictEqual(requests.at(-1)?.messages.map(Message.text), ["First"])
          assert.strictEqual((yield* vibe("--continue", ...one)).code, 2)
        }),
      { says: { two: [fails] } },
    ),
  )
})

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

describe("vibe ask on a disk that is full", () => {
  /** Has room for so many writes. */
  const roomFor = (writes: number) =>
    Layer.effect(
      ForestStore.ForestStore,
      Effect.map(ForestStore.ForestStore, (store) => {
        let left = writes
        return ForestStore.ForestStore.of({
          ...store,
          write: (body) =>
            Effect.suspend(() => {
              left--
              return left < 0 ? new ForestError({ reason: new Full({ cause: "ENOSPC" }) }) : store.write(body)
            }),
        })
      }),
    ).pipe(Layer.provide(SqliteForestStore.layerMemory))

  it.scoped.each<readonly [what: string, writes: number]>([
    ["tree", 0],
    ["question", 1],
    ["answer", 2],
  ])("answers with one warning when the disk is full for the %s", ([, writes]) =>
    session(
      ({ logged, vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", "--json", ...one)
          assert.deepStrictEqual([code, err], [0, ""])
          assert.deepInclude(JSON.parse(out), { text: "Hello.", node: null })
          assert.deepStrictEqual(logged, [
            "vibe: warn: the conversation of this run is not kept (reason: the conversation cannot be saved: the disk is full)",
          ])
        }),
      { store: roomFor(writes) },
    ),
  )
})

describe("vibe ask with bad input", () => {
  it.scoped.each<readonly [argv: ReadonlyArray<string>, word: string]>([
    [[], "needs QUESTION"],
    [["  "], "needs QUESTION"],
    [["--file", "a.txt"], "needs QUESTION"],
    [["--continue"], "nothing has been asked"],
    [["--continue", "why?"], "nothing has been asked"],
    [["--continue=nowhere", "why?"], "no node 'nowhere'"],
    [["--continue", "--system", "Be brief", "why?"], "has its system prompt already"],
    [["why?", "--file", "../secret.txt"], "../secret.txt: outside the workspace"],
    [["why?", "--file", "nowhere.txt"], "nowhere.txt: no such file"],
    [["why?", "--file", ".env"], ".env: outside the workspace or not allowed"],
    [["why?", "--image", "nowhere.png"], "nowhere.png: no such file"],
    [["why?", "--image", "package.json"], "package.json: is no picture"],
    [["why?", "--image", "/dev/zero"], "/dev/zero: neither a regular file nor a pipe"],
    [["why?", "-x", "--schema", "nowhere.json"], "'--extract' and '--schema' do not go together"],
    [["why?", "--schema", "nowhere.json"], "nowhere.json: no such file"],
    [["why?", "--schema", "README.md"], "README.md: is no JSON"],
    [["why?", "--schema", "/dev/zero"], "/dev/zero: neither a regular file nor a pipe"],
    [["why?", "--model", "/x"], "a model is written PROVIDER/NAME"],
    [["why?", "--temperature", "warm"], "'--temperature' takes a number"],
    [["why?", "--max-tokens", "0"], "'--max-tokens' takes"],
    [["why?", "--max-retries", "-1"], "'--max-retries'"],
    [["why?", "--max-retries", "1.5"], "'--max-retries' takes"],
    [["why?", "--max-wait", "soon"], "'--max-wait' takes"],
    [["why?", "--preset", "none"], "vibe: --preset: there is no preset 'none'"],
    [["why?", "--no-steram"], "did you mean '--no-stream'?"],
  ])("says in a line what is wrong, and asks nobody: %j", ([argv, word]) =>
    session(({ requests, vibe }) =>
      Effect.gen(function* () {
        const { code, err, out } = yield* vibe(...argv, ...(argv.includes("--model") ? [] : one))
        assert.deepStrictEqual([code, out], [2, ""], err)
        assert.lengthOf(err.trimEnd().split("\n"), 1, err)
        assert.include(err, word)
        assert.isEmpty(requests)
      }),
    ),
  )

  it.scoped("refuses a stdin that is no text", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { code, err } = yield* vibe("why?", ...one)
          assert.strictEqual(code, 2)
          assert.include(err, "stdin is no text")
        }),
      { stdin: "\0PNG" },
    ),
  )
})
