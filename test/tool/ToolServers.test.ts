import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../src/tool/ToolServers.ts"

const tool = (name: string) =>
  Tool.fromJsonSchema({ name, description: "", parameters: { type: "object" }, run: () => Effect.succeed(name) })

const context = {
  node: NodeId.make("n-1"),
  callId: "c",
  model: new ModelId({ provider: "scripted", name: "test" }),
}

const own = ToolRegistry.make([tool("read_file")], ["a note"])

const namesOf = ({ tools }: ToolRegistry.Service) => tools.map(({ name }) => name)

describe("ToolServers.join", () => {
  it("adds tools and notes after those of the registry", () => {
    const joined = ToolServers.join(own, {
      tools: [{ server: "web", tool: tool("web_get"), origin: "the tool get of web" }],
      costs: [],
      notes: ["another note"],
    })
    assert.deepStrictEqual(namesOf(joined), ["read_file", "web_get"])
    assert.deepStrictEqual(joined.notes, ["a note", "another note"])
    assert.deepStrictEqual(namesOf(ToolServers.join(own, ToolServers.none)), ["read_file"])
  })

  it("has at most 128 tools, those of vibe included, and says of which servers tools are left out", () => {
    const many = (server: string) =>
      Array.from({ length: 100 }, (_, n) => ({
        server,
        tool: tool(`${server}_${n}`),
        origin: `the tool ${n} of ${server}`,
      }))
    const joined = ToolServers.join(own, { tools: [...many("web"), ...many("files")], costs: [], notes: [] })
    assert.lengthOf(joined.tools, 128)
    assert.strictEqual(namesOf(joined).at(-1), "files_26")
    assert.deepStrictEqual(joined.notes.slice(1), [
      "73 tools of tool server files are left out: a request has at most 128 tools, those of vibe included; name those that you need with 'only'",
    ])
  })

  it("keeps tools whose names are the same by a digest, and leaves out one that is listed twice", () => {
    const joined = ToolServers.join(own, {
      tools: [
        { server: "web", tool: tool("web_get"), origin: "the tool get of web" },
        { server: "web", tool: tool("web_get"), origin: "the tool ge:t of web" },
        { server: "read", tool: tool("read_file"), origin: "the tool file of read" },
        { server: "web", tool: tool("web_get"), origin: "the tool get of web" },
      ],
      costs: [],
      notes: [],
    })
    assert.deepStrictEqual(namesOf(joined), ["read_file", "web_get", "web_get_e66fbf7c", "read_file_d4292c5f"])
    assert.deepStrictEqual(joined.notes.slice(1), [
      "the tool get of web is left out: there is another one of that name",
    ])
  })

  const served = (...names: ReadonlyArray<string>) =>
    names.map((name) => ({
      server: "web",
      tool: tool(`web_${name.replaceAll(/\W/g, "_")}`),
      origin: `the tool ${name} of web`,
    }))

  /** Tools that `list` replaces, as servers do once `refresh` asks for them. */
  const changingTools = (...names: ReadonlyArray<string>) => {
    let announced = served(...names)
    let tools = announced
    return {
      opened: {
        tools,
        costs: [],
        notes: [],
        changes: { tools: () => tools, refresh: Effect.sync(() => (tools = announced)) },
      },
      list: (...names: ReadonlyArray<string>) => {
        announced = served(...names)
      },
    }
  }

  it.effect("has the tools of servers that change them, in registries that are made of it, too", () =>
    Effect.gen(function* () {
      const { list, opened } = changingTools("get", "old")
      // As commands pass it on: with other costs and notes, and joined with tools of their own.
      const joined = ToolServers.join(own, { ...opened, notes: [] })
      const whole = ToolRegistry.join(joined, ToolRegistry.make([tool("submit")]))
      const chosen = ToolRegistry.select(whole, ["web_get", "submit"])
      assert.deepStrictEqual(namesOf(whole), ["read_file", "web_get", "web_old", "submit"])
      const before = whole.tools
      yield* whole.refresh ?? Effect.void
      assert.strictEqual(whole.tools, before)
      list("new", "get", "submit")
      yield* whole.refresh ?? Effect.void
      assert.deepStrictEqual(namesOf(whole), ["read_file", "web_new", "web_get", "web_submit", "submit"])
      assert.deepStrictEqual(namesOf(chosen), ["web_get", "submit"])
      const run = (name: string) =>
        Effect.map(whole.execute({ type: "tool-use", id: "c", name, parameters: {} }, context), ({ text }) => text)
      assert.deepStrictEqual(
        [yield* run("web_new"), yield* run("submit"), yield* run("web_old")],
        [
          "web_new",
          "submit",
          "Error: tool 'web_old' not found. The tools are: read_file, web_new, web_get, web_submit, submit",
        ],
      )
    }),
  )

  it.effect("gives the name of a tool that is gone to no other one", () =>
    Effect.gen(function* () {
      const { list, opened } = changingTools("a.b", "a b")
      const joined = ToolServers.join(own, opened)
      const [, first, second] = namesOf(joined)
      list("a b")
      yield* joined.refresh ?? Effect.void
      assert.deepStrictEqual(namesOf(joined), ["read_file", second])
      list("a b", "a.b")
      yield* joined.refresh ?? Effect.void
      assert.deepStrictEqual(namesOf(joined), ["read_file", second, first])
    }),
  )
})
