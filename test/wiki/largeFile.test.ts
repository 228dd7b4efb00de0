import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FileGraph from "../../src/wiki/FileGraph.ts"
import type { Plan } from "../../src/wiki/Plan.ts"
import * as ProjectFacts from "../../src/wiki/ProjectFacts.ts"
import * as ProjectPages from "../../src/wiki/ProjectPages.ts"
import * as States from "../../src/wiki/States.ts"
import * as PartMaterial from "../../src/wiki/writing/PartMaterial.ts"
import * as PlanMaterial from "../../src/wiki/writing/PlanMaterial.ts"
import * as PlanRequest from "../../src/wiki/writing/PlanRequest.ts"
import { readProject } from "../../src/wiki/writing/readProject.ts"
import * as Wiki from "./writing/Wiki.fixture.ts"

/** A class with methods, each of which calls something else. */
const classOf = (name: string, methods: number, uses: string, base = "") => {
  const bodies = Array.from({ length: methods }, (_, at) => `  step${name}${at}(): number {\n    return ${uses}\n  }\n`)
  return `/** ${name} of the program. */\nexport class ${name}${base} {\n${bodies.join("\n")}}\n`
}

const project = {
  ...Wiki.shop,
  "src/core/core.ts": [
    classOf("Context", 30, "1"),
    classOf("Command", 20, "new Context().stepContext0()"),
    classOf("Group", 10, "new Command().stepCommand0()", " extends Command"),
    classOf("Parameter", 20, "2"),
    classOf("Option", 10, "new Parameter().stepParameter1()", " extends Parameter"),
  ].join("\n"),
  "test/core.test.ts":
    'import { Option } from "../src/core/core.ts"\nit("reads an option", () => new Option().stepOption0())\n',
}

const opened = Wiki.openedOnce(project)

const path = "src/core/core.ts"

const planOf = (parts: Plan["parts"]): Plan => ({ parts, flows: [], undescribed: [], model: "a/b" })

const part = (name: string, files: ReadonlyArray<string>, ...names: ReadonlyArray<string>) => ({
  name,
  title: name,
  line: "",
  files,
  ...(names.length > 0 && { symbols: [{ path, names }] }),
})

const others = Object.keys(Wiki.shop).filter((file) => file.startsWith("src/"))

const divided = planOf([
  part("contexts", [path], "Context"),
  part("commands", [path], "Command", "Group"),
  part("options", [path, ...others], "Parameter", "Option"),
])

describe("A wiki of a project with a large file", () => {
  it.scoped("offers its classes to the plan in units of their own, with what they use of each other", () =>
    Effect.gen(function* () {
      const { project: read } = yield* opened
      const sections = read.units.filter(({ files }) => files.includes(path))
      assert.deepStrictEqual(
        sections.map(({ symbols }) => symbols?.[0]?.names),
        [["Context"], ["Command"], ["Group"], ["Parameter"], ["Option"]],
      )
      const message = PlanRequest.messageOf(yield* PlanMaterial.gather(read, 7_500))
      const [context, command] = sections
      assert.include(message, `${command?.number}. ${path} (only Command): 1 file`)
      assert.match(message, new RegExp(`only Command\\).*uses ${context?.number} \\(`))
    }),
  )

  it.scoped("divides a class of a hundred methods by its banners, calls and names, and keeps what a plan gave", () =>
    Effect.gen(function* () {
      const method = (name: string, body: string) => `  ${name}(): number {\n    return ${body}\n  }\n`
      const banner = (title: string) => `\n  /* ${"-".repeat(20)} */\n  /* ${title} */\n  /* ${"-".repeat(20)} */\n\n`
      const some = (name: string) =>
        Array.from({ length: 20 }, (_, at) => method(`${name}${at}`, at === 0 ? "1" : `this.${name}0()`)).join("\n")
      const huge = `export class Context {\n${["flow", "query", "render"].map((name) => banner(name) + some(name)).join("\n")}}\n`
      const files = { ...Wiki.shop, [path]: huge }
      const { index, project: read, workspace } = yield* Wiki.open(files)
      const names = read.units.flatMap(({ symbols = [] }) => symbols.map(({ names }) => names))
      assert.isAtLeast(names.length, 3)
      for (const own of names) {
        const stems = new Set(own.map((name) => /\.([a-z]+)/.exec(name)?.[1] ?? "flow"))
        assert.strictEqual(stems.size, 1, own.join(" "))
      }
      const ofQuery = names.filter((own) => own.some((name) => name.startsWith("Context.query"))).flat()
      const rest = names.flat().filter((name) => !ofQuery.includes(name))
      const plan = planOf([part("query", [path], ...ofQuery), part("shop", [path, ...others], ...rest)])
      const [query] = plan.parts
      if (query === undefined) return assert.fail()
      const again = yield* readProject(index, workspace, plan)
      const gathered = yield* PartMaterial.gather(again, query, plan.parts, 20_000)
      assert.deepStrictEqual(
        gathered.material.items.filter(({ entry }) => !/^Context\.query\d/.test(entry?.qualifiedName ?? "")),
        [],
      )
    }),
  )

  it.scoped("shows the request for a part only what belongs to it, and counts uses between parts of one file", () =>
    Effect.gen(function* () {
      const { project: read } = yield* opened
      const [contexts, commands] = divided.parts
      if (contexts === undefined || commands === undefined) return assert.fail()
      const gathered = yield* PartMaterial.gather(read, commands, divided.parts, 1_820)
      const names = gathered.material.items.flatMap(({ entry }) => entry?.qualifiedName ?? [])
      assert.include(names, "Command")
      assert.isTrue(names.every((name) => /^(?:Command|Group)/.test(name)))
      assert.match(gathered.edges.join("\n"), /^- uses contexts: \d+ \((?:Command|\[\d+\]).* → Context/)
      const others = yield* PartMaterial.gather(read, contexts, divided.parts, 1_820)
      assert.match(others.edges.join("\n"), /^- used by commands: \d+$/)
    }),
  )

  it.scoped("lists without a model what a part has of the file, its own tests, and the arrows between the parts", () =>
    Effect.gen(function* () {
      const { index, workspace } = yield* opened
      const graph = yield* FileGraph.read(index, divided)
      const facts = yield* ProjectFacts.read(index, workspace, divided, graph)
      const pages = ProjectPages.make(facts, { flows: [], whyNone: undefined })
      const textOf = (name: string) => {
        const page = pages.find((page) => page.name === name)
        return (page === undefined ? [] : States.statementsOf(page)).map(({ text }) => text).join("\n")
      }
      assert.include(textOf("contexts"), "`core.ts`: of which this part has `Context`")
      assert.notInclude(textOf("contexts"), "Command:")
      assert.notInclude(textOf("contexts"), "reads an option")
      assert.include(textOf("options"), "reads an option")
      assert.deepStrictEqual(
        facts.edges.filter(({ from }) => from === "commands").map(({ to }) => to),
        ["contexts"],
      )
    }),
  )

  it.scoped("offers every class of a part to a model, and lists each without one", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 20 }, (_, at) => `Type${at}`)
      const many = names.map((name) => classOf(name, 4, "1")).join("\n")
      const { index, project: read, workspace } = yield* Wiki.open({ ...Wiki.shop, "src/types/types.ts": many })
      const plan = planOf([part("types", ["src/types/types.ts"]), part("shop", others)])
      const [types] = plan.parts
      if (types === undefined) return assert.fail()
      const gathered = yield* PartMaterial.gather(read, types, plan.parts, 100)
      const [file] = gathered.files
      const last = file?.lines.at(-1) ?? ""
      assert.match(last, /^also (?:\[\d+\] Type\d+(?:, |$))+$/)
      const cited = new Set(gathered.material.items.map(({ entry }) => entry?.qualifiedName))
      assert.deepStrictEqual(
        names.filter((name) => !cited.has(name)),
        [],
      )
      const facts = yield* ProjectFacts.read(index, workspace, plan, yield* FileGraph.read(index, plan))
      const [, page] = ProjectPages.make(facts, { flows: [], whyNone: undefined })
      const text = (page === undefined ? [] : States.statementsOf(page)).map(({ text }) => text).join("\n")
      for (const name of names) assert.include(text, `\`${name}\``)
    }),
  )

  it.scoped("leaves the file to the part that an earlier plan has given all of it", () =>
    Effect.gen(function* () {
      const earlier = planOf([part("core", [path]), part("shop", others)])
      const { index, workspace } = yield* opened
      const read = yield* readProject(index, workspace, earlier)
      const [core] = earlier.parts
      if (core === undefined) return assert.fail()
      const gathered = yield* PartMaterial.gather(read, core, earlier.parts, 20_000)
      const names = new Set(gathered.material.items.map(({ entry }) => entry?.qualifiedName.split(".")[0]))
      assert.deepStrictEqual(Array.from(names).sort(), ["Command", "Context", "Group", "Option", "Parameter"])
    }),
  )
})
