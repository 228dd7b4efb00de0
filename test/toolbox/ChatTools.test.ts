/** The tools of an interview, as a model meets them: by name, through the registry. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Output from "../../src/code/Output.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as ChatTools from "../../src/conversation/ChatTools.ts"
import * as DiscoveryPrompt from "../../src/conversation/DiscoveryPrompt.ts"
import * as ConversationEngine from "../../src/conversation/engines/ConversationEngine.ts"
import * as WebSearch from "../../src/conversation/WebSearch.ts"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ChatToolbox from "../../src/toolbox/ChatTools.ts"
import { withScript } from "../utils/Looms.ts"

const context = { node: NodeId.make("n-1"), callId: "c1", model: new ModelId({ provider: "scripted", name: "test" }) }

const codebase = {
  "/base/root.txt": "at the top",
  "/base/src/app.ts": "export const port = 8080\nexport const host = 'here'\n",
  "/base/src/deep/nested.ts": "// port of the nested one\n",
  "/base/src/image.bin": "port \0 of no text",
  "/base/link.ts": { link: "/base-evil/secret.txt" },
  "/base/jobs/old/jtbd.md": "# Old\n\none\ntwo\nthree\nfour\nfive\nsix\n",
  "/base-evil/secret.txt": "secret",
  "/etc/passwd": "secret",
}

/** The tools over a codebase and its `jobs` folder, with what it takes to call them and to look at the files. */
const toolbox = Effect.gen(function* () {
  const files = Files.makeMemory(codebase)
  const over = yield* ChatTools.ChatTools
  const workspace = yield* Effect.provideService(Workspace.open("/base"), Files.Files, files)
  const output = yield* Effect.provideService(Output.open("/base", "jobs"), Files.Files, files)
  const registry = over(workspace, output)
  const call = (name: string, parameters: Readonly<Record<string, unknown>>) =>
    registry.execute(Block.toolUse("c1", name, parameters), context)
  const fails = (name: string, parameters: Readonly<Record<string, unknown>>) =>
    Effect.map(call(name, parameters), ({ filesWritten, isError, text }) => {
      assert.deepStrictEqual([isError, filesWritten], [true, undefined])
      return text
    })
  const content = (path: string) =>
    Effect.map(files.readReal(path, 10_000), ({ bytes }) => new TextDecoder().decode(bytes))
  return { registry, call, fails, content, files }
})

const withTools = Effect.provide(ChatToolbox.layer)

const named = (tools: ReadonlyArray<Tool.Tool>) => tools.map(({ name }) => name)

describe("file_read", () => {
  it.effect.each([
    ["of a relative path", "root.txt", "at the top"],
    ["of a nested path", "src/deep/nested.ts", "// port of the nested one"],
    ["of an absolute path inside", "/base/root.txt", "at the top"],
    ["of a path that goes up and stays inside", "src/../root.txt", "at the top"],
  ] as const)("gives the text %s", ([, path, text]) =>
    Effect.gen(function* () {
      const { call } = yield* toolbox
      assert.deepStrictEqual(yield* call("file_read", { path }), { text: `1\t${text}` })
    }).pipe(withTools),
  )

  it.effect.each([
    ["a path that climbs out", "../../etc/passwd"],
    ["an absolute path outside", "/etc/passwd"],
    ["a neighbour whose name begins like the base", "/base-evil/secret.txt"],
    ["the same by a relative path", "../base-evil/secret.txt"],
    ["a link that leaves the base", "link.ts"],
  ] as const)("refuses %s", ([, path]) =>
    Effect.gen(function* () {
      const { fails } = yield* toolbox
      const text = yield* fails("file_read", { path })
      assert.match(text, /outside the codebase/)
      assert.notInclude(text, "\tsecret")
    }).pipe(withTools),
  )

  it.effect("says that a file is missing, or is a directory", () =>
    Effect.gen(function* () {
      const { fails } = yield* toolbox
      assert.include(yield* fails("file_read", { path: "src/none.ts" }), "File not found: src/none.ts")
      assert.include(yield* fails("file_read", { path: "app.ts" }), "File not found: app.ts; nearest: src/app.ts")
      assert.include(yield* fails("file_read", { path: "root.txt/none.ts" }), "File not found")
      assert.include(yield* fails("file_read", { path: "src" }), "src is a directory")
      assert.include(yield* fails("file_read", { path: "src/image.bin" }), "binary")
    }).pipe(withTools),
  )
})

describe("file_search", () => {
  it.effect("shows path, line and text, in all folders and files", () =>
    Effect.gen(function* () {
      const { call } = yield* toolbox
      const { text } = yield* call("file_search", { pattern: "port|here" })
      assert.deepStrictEqual(text.split("\n").slice(0, 5), [
        "src/app.ts",
        "1: export const port = 8080",
        "2: export const host = 'here'",
        "src/deep/nested.ts",
        "1: // port of the nested one",
      ])
      // The binary file, by a match that it would have.
      assert.notInclude(text, "image.bin")
    }).pipe(withTools),
  )

  it.effect("takes a regular expression, and says that nothing matches", () =>
    Effect.gen(function* () {
      const { call } = yield* toolbox
      assert.include((yield* call("file_search", { pattern: "\\d+" })).text, "src/app.ts\n1: export const port = 8080")
      assert.match((yield* call("file_search", { pattern: "nowhere" })).text, /^no match for nowhere/)
    }).pipe(withTools),
  )

  it.effect("names an invalid pattern", () =>
    Effect.gen(function* () {
      const { fails } = yield* toolbox
      assert.include(yield* fails("file_search", { pattern: "[unclosed" }), "[unclosed")
    }).pipe(withTools),
  )
})

describe("write_jtbd and write_spec", () => {
  it.effect("write exactly what they are given, and say where", () =>
    Effect.gen(function* () {
      const { call, content } = yield* toolbox
      const text = "# Sign in\r\n\n  by magic 🪄, no line feed at the end"
      assert.deepInclude(yield* call("write_jtbd", { slug: "sign-in", content: text }), {
        text: "Wrote jobs/sign-in/jtbd.md",
        filesWritten: ["jobs/sign-in/jtbd.md"],
      })
      assert.strictEqual(yield* content("/base/jobs/sign-in/jtbd.md"), text)
    }).pipe(withTools),
  )

  it.effect("writes each specification into the folder of its job", () =>
    Effect.gen(function* () {
      const { call, content, files } = yield* toolbox
      const spec = (spec: string) => call("write_spec", { job: "sign-in", spec, content: `# ${spec}` })
      assert.strictEqual((yield* spec("magic-link")).text, "Wrote jobs/sign-in/specs/magic-link.md")
      assert.deepStrictEqual((yield* spec("session2")).filesWritten, ["jobs/sign-in/specs/session2.md"])
      assert.strictEqual(yield* content("/base/jobs/sign-in/specs/magic-link.md"), "# magic-link")
      assert.lengthOf((yield* files.list("/base/jobs/sign-in/specs")).entries, 2)
    }).pipe(withTools),
  )

  it.effect("replaces an existing file, and shows the diff", () =>
    Effect.gen(function* () {
      const { call, content } = yield* toolbox
      const after = "# Old\n\none\ntwo\nTHREE\nfour\nfive\nsix\n"
      const { data, text } = yield* call("write_jtbd", { slug: "old", content: after })
      assert.strictEqual(
        text,
        [
          "Wrote jobs/old/jtbd.md",
          "--- jobs/old/jtbd.md",
          "+++ jobs/old/jtbd.md",
          "@@ -2,7 +2,7 @@",
          " ",
          " one",
          " two",
          "-three",
          "+THREE",
          " four",
          " five",
          " six",
        ].join("\n"),
      )
      assert.deepStrictEqual(data, { path: "jobs/old/jtbd.md", diff: text.slice(text.indexOf("\n") + 1) })
      assert.strictEqual(yield* content("/base/jobs/old/jtbd.md"), after)
    }).pipe(withTools),
  )

  it.effect.each(["MyJob", "my job", "my_job!", "", "-a", "a-", "a--b", "../up", "a/b", "über", "a\n", "x".repeat(81)])(
    "refuse the name %j, say how names are, and write nothing",
    (name) =>
      Effect.gen(function* () {
        const { fails, files } = yield* toolbox
        const refusals = [
          yield* fails("write_jtbd", { slug: name, content: "x" }),
          yield* fails("write_spec", { job: name, spec: "a", content: "x" }),
          yield* fails("write_spec", { job: "a", spec: name, content: "x" }),
        ]
        for (const text of refusals) assert.match(text, /lower-case letters|at most 80/)
        assert.lengthOf((yield* files.list("/base/jobs")).entries, 1)
      }).pipe(withTools),
  )

  it.effect.each([
    ["no name", { content: "x" }],
    ["no content", { slug: "a", job: "a", spec: "a" }],
    ["empty content", { slug: "a", job: "a", spec: "a", content: "" }],
    ["blank content", { slug: "a", job: "a", spec: "a", content: " \n" }],
  ] as const)("refuse %s", ([, { job, slug, spec, ...content }]: readonly [string, Arguments]) =>
    Effect.gen(function* () {
      const { fails, files } = yield* toolbox
      const given = (parameters: object) =>
        Object.fromEntries(Object.entries({ ...parameters, ...content }).filter(([, value]) => value !== undefined))
      assert.match(yield* fails("write_jtbd", given({ slug })), /slug|content/)
      assert.match(yield* fails("write_spec", given({ job, spec })), /job|content/)
      assert.lengthOf((yield* files.list("/base/jobs")).entries, 1)
    }).pipe(withTools),
  )
})

interface Arguments {
  readonly slug?: string
  readonly job?: string
  readonly spec?: string
  readonly content?: string
}

describe("file_write", () => {
  it.effect("writes in the output folder, by the path that other tools read it by", () =>
    Effect.gen(function* () {
      const { call } = yield* toolbox
      const { filesWritten, text } = yield* call("file_write", { path: "jobs/old/notes.md", content: "note\n" })
      assert.deepStrictEqual([filesWritten, text], [["jobs/old/notes.md"], "Wrote jobs/old/notes.md"])
      assert.strictEqual((yield* call("file_read", { path: "jobs/old/notes.md" })).text, "1\tnote")
    }).pipe(withTools),
  )

  it.effect("shows nothing where nothing changed, and the last line where it alone did", () =>
    Effect.gen(function* () {
      const { call } = yield* toolbox
      const write = (content: string) =>
        Effect.map(call("file_write", { path: "jobs/a.md", content }), ({ text }) => text.split("\n").slice(1))
      assert.deepStrictEqual(yield* write("a\n"), [])
      assert.deepStrictEqual(yield* write("a\n"), [])
      const heading = ["--- jobs/a.md", "+++ jobs/a.md"]
      const mark = "\\ No newline at end of file"
      assert.deepStrictEqual(yield* write("a"), [...heading, "@@ -1,1 +1,1 @@", "-a", "+a", mark])
      assert.deepStrictEqual(yield* write("a\nb\n"), [...heading, "@@ -1,1 +1,2 @@", "-a", mark, "+a", "+b"])
      assert.deepStrictEqual(yield* write("b\n"), [...heading, "@@ -1,2 +1,1 @@", "-a", " b"])
    }).pipe(withTools),
  )

  it.effect.each(["src/app.ts", "../jobs/a.md", "/etc/passwd", "jobs/../src/a.ts", "jobs/.env", "jobs"])(
    "refuses %j",
    (path) =>
      Effect.gen(function* () {
        const { fails } = yield* toolbox
        assert.include(yield* fails("file_write", { path, content: "x" }), `${path} is outside jobs/ or not allowed`)
      }).pipe(withTools),
  )
})

describe("web_search", () => {
  const found: WebSearch.Service = (query) =>
    query === "broken"
      ? Tool.fail("the engine does not answer")
      : Effect.succeed(
          query === "nothing"
            ? []
            : [
                { title: "One", snippet: "the first", url: "https://one.example/" },
                { title: "Two", snippet: "", url: "https://two.example/" },
              ],
        )

  const withSearch = Effect.provide(Layer.provide(ChatToolbox.layer, Layer.succeed(WebSearch.WebSearch, found)))

  it.effect("numbers titles, words and addresses, and says when there are none", () =>
    Effect.gen(function* () {
      const { call, fails } = yield* toolbox
      assert.strictEqual(
        (yield* call("web_search", { query: "one" })).text,
        "1. One\n   the first\n   https://one.example/\n\n2. Two\n   https://two.example/",
      )
      assert.strictEqual((yield* call("web_search", { query: "nothing" })).text, "no results for nothing")
      assert.include(yield* fails("web_search", { query: "broken" }), "the engine does not answer")
    }).pipe(withSearch),
  )

  it.effect("is not offered where there is no engine", () =>
    Effect.gen(function* () {
      const without = yield* Effect.provide(toolbox, ChatToolbox.layer)
      const reads = ["file_read", "file_search"]
      const writes = ["file_write", "write_jtbd", "write_spec", "session_complete"]
      assert.deepStrictEqual(named(without.registry.tools), [...reads, ...writes])
      const { registry } = yield* toolbox
      assert.deepStrictEqual(named(registry.tools), [...reads, "web_search", ...writes])
    }).pipe(withSearch),
  )
})

describe("session_complete", () => {
  it.effect("accepts any arguments, and does nothing", () =>
    Effect.gen(function* () {
      const { call, registry } = yield* toolbox
      const tool = registry.tools.find(({ name }) => name === "session_complete")
      assert.deepStrictEqual(tool?.parameters, { type: "object", properties: {} })
      for (const parameters of [{}, { summary: "all done" }]) {
        assert.deepStrictEqual(yield* call("session_complete", parameters), { text: "Session complete." })
      }
    }).pipe(withTools),
  )
})

describe("An interview", () => {
  it.effect("ends in a folder that holds the job and its specs, each told in its turn", () =>
    Effect.gen(function* () {
      const { content, registry } = yield* toolbox
      const model = yield* Scripted.make([
        Scripted.calls(["file_search", { pattern: "port" }]),
        "I see that the port is fixed in src/app.ts. What should choose it?",
        Scripted.calls(
          ["write_jtbd", { slug: "choose-port", content: "# Choose the port" }],
          ["write_spec", { job: "choose-port", spec: "environment", content: "# From the environment" }],
        ),
        "I wrote both. Is anything missing?",
        Scripted.calls(["session_complete"]),
        "Goodbye.",
      ])
      const config = { model, tools: registry, systemPrompt: DiscoveryPrompt.systemPrompt, codebasePath: "/base" }
      const { respond, start } = yield* ConversationEngine.make(config)
      assert.deepStrictEqual(yield* start("The port is wrong"), {
        text: "I see that the port is fixed in src/app.ts. What should choose it?",
        done: false,
      })
      assert.deepStrictEqual((yield* respond("The environment")).files_written, [
        "jobs/choose-port/jtbd.md",
        "jobs/choose-port/specs/environment.md",
      ])
      assert.deepStrictEqual(yield* respond("No"), { text: "Goodbye.", done: true })
      assert.strictEqual(yield* content("/base/jobs/choose-port/jtbd.md"), "# Choose the port")
      for (const { name } of registry.tools) assert.include(DiscoveryPrompt.systemPrompt, name)
    }).pipe(withTools, withScript([])),
  )
})
