import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../src/tool/ToolServers.ts"

const tool = (name: string) =>
  Tool.fromJsonSchema({ name, description: "", parameters: { type: "object" }, run: () => Effect.succeed(name) })

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

  it("leaves out a tool whose name is taken, and says which tools they are", () => {
    const joined = ToolServers.join(own, {
      tools: [
        { server: "web", tool: tool("web_get"), origin: "the tool get of web" },
        { server: "web", tool: tool("web_get"), origin: "the tool ge:t of web" },
        { server: "web", tool: tool("read_file"), origin: "the tool file of read" },
      ],
      costs: [],
      notes: [],
    })
    assert.deepStrictEqual(namesOf(joined), ["read_file", "web_get"])
    assert.deepStrictEqual(joined.notes.slice(1), [
      "the tool ge:t of web is left out: its name here would be web_get, as that of the tool get of web",
      "the tool file of read is left out: its name here would be read_file, as that of a tool of vibe",
    ])
  })
})
