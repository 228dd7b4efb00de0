import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Modules from "../../../../src/code/Modules.ts"
import * as EntryPoints from "../../../../src/index/IndexStore/internal/references/EntryPoints.ts"
import { withIndex } from "../../IndexStore.fixture.ts"
import { layer, type Project } from "./References.fixture.ts"

const central = (files: Project, path?: string) =>
  withIndex("/p", files, (index) =>
    Effect.map(index.central(100, path), (all) => all.map(({ path, qualifiedName }) => `${path} ${qualifiedName}`)),
  ).pipe(Effect.provide(layer))

/** Types and helpers that everything uses, of which there are more than of ways in. */
const helpers = Object.fromEntries(
  ["a", "b", "c", "d"].map((name) => [
    `src/${name}.ts`,
    `export interface ${name.toUpperCase()} { n: number }\nexport const ${name} = (x: ${name.toUpperCase()}): ${name.toUpperCase()} => x\n`,
  ]),
)
const imports = ["a", "b", "c", "d"].map((name) => `import { ${name} } from "./${name}"\n`).join("")
const calls = "a({ n: 1 })\n  b({ n: 1 })\n  c({ n: 1 })\n  d({ n: 1 })"
const core = `${imports}export const run = () => {\n  ${calls}\n}\n`
const other = `${imports}export const other = () => {\n  ${calls}\n}\n`

describe("central symbols", () => {
  it.effect("are modules of Elixir, which hold its functions, as classes of other languages do", () =>
    Effect.gen(function* () {
      const order = yield* central({
        "lib/store.ex":
          "defmodule Store do\n  def open(name), do: name\n  def read(name), do: name\n  def close(name), do: name\nend\n",
        "lib/a.ex": "defmodule A do\n  def run(name), do: Store.read(Store.open(name))\nend\n",
        "lib/b.ex": "defmodule B do\n  def run(name), do: Store.close(Store.open(name))\nend\n",
      })
      assert.isAtMost(order.indexOf("lib/store.ex Store"), 1, order.join(", "))
      assert.notInclude(yield* central({ "a.rb": "module A\n  def self.go\n  end\nend\n" }), "a.rb A")
    }),
  )
})

describe("EntryPoints", () => {
  it.effect("the function that sets the rest going comes before the helpers that all use", () =>
    Effect.gen(function* () {
      const order = yield* central({ ...helpers, "src/core.ts": core, "src/other.ts": other })
      assert.include(order.slice(0, 4), "src/core.ts run")
    }),
  )

  it.effect("what the entry file of a package exports comes before its like", () =>
    Effect.gen(function* () {
      const files = { ...helpers, "src/core.ts": core, "src/other.ts": other }
      const [first] = yield* central({
        ...files,
        "package.json": '{"name": "p", "exports": {".": {"import": "./dist/server.js"}}}',
        "src/server.ts": 'export { other } from "./other"\n',
      })
      assert.strictEqual(first, "src/other.ts other")
      assert.strictEqual(
        (yield* central({ ...files, "src/index.ts": 'export * as core from "./core"\n' }))[0],
        "src/core.ts run",
      )
    }),
  )

  it.effect("what a program calls outside of all functions comes before its like", () =>
    Effect.gen(function* () {
      const [first] = yield* central({
        ...helpers,
        "src/core.ts": core,
        "src/other.ts": other,
        "package.json": '{"name": "p", "bin": {"p": "./dist/start.js"}}',
        "src/start.ts": 'import { other } from "./other"\nother()\n',
      })
      assert.strictEqual(first, "src/other.ts other")
    }),
  )

  it.effect("tests are no way in", () =>
    Effect.gen(function* () {
      const order = yield* central({ ...helpers, "src/core.ts": core, "test/all.test.ts": `${core}` })
      assert.isTrue(order.every((symbol) => symbol.startsWith("src/")))
      assert.strictEqual(order[0], "src/core.ts run")
    }),
  )
})

describe("EntryPoints.filesOf", () => {
  it("are those that manifests name, and the topmost with a name that a language enters, of each extension", () => {
    assert.deepStrictEqual(
      EntryPoints.filesOf(
        ["cmd/tool/main.go", "lib/start.ts", "src/index.ts", "src/web/index.ts", "pkg/__init__.py", "pkg/__main__.py"],
        ["lib/start.ts", "dist/gone.js"],
      ),
      ["lib/start.ts", "cmd/tool/main.go", "src/index.ts", "pkg/__init__.py", "pkg/__main__.py"],
    )
  })

  it("are the modules of Lua that `require` finds by the name of a project, not those of its folders", () => {
    const paths = ["lua/lazy/init.lua", "lua/lazy/manage/init.lua", "lua/lazy/core/loader.lua"]
    assert.deepStrictEqual(EntryPoints.filesOf(paths, []), ["lua/lazy/init.lua"])
  })

  it("are none where nothing is named so", () => {
    assert.deepStrictEqual(EntryPoints.filesOf(["src/domain.ts"], []), [])
  })
})

describe("Modules.entriesOf", () => {
  const entriesOf = (paths: ReadonlyArray<string>, configurations: Project) =>
    Modules.entriesOf({
      has: (path) => paths.includes(path),
      filesIn: () => [],
      declared: () => [],
      extended: () => [],
      extensions: () => ({ methods: [], isMember: false }),
      projectImports: () => [],
      unitOf: () => undefined,
      all: () => paths,
      configurations: new Map(Object.entries(configurations)),
    })

  it("are the sources of what the topmost package exports and starts", () => {
    assert.deepStrictEqual(
      entriesOf(["src/api.ts", "src/bin.ts", "web/main.ts"], {
        "package.json": '{"main": "./dist/api.js", "bin": {"p": "./dist/bin.js"}}',
        "web/package.json": '{"main": "main.ts"}',
      }),
      ["src/api.ts", "src/bin.ts"],
    )
  })

  it("are none where a manifest is missing or cannot be read", () => {
    assert.deepStrictEqual(entriesOf(["src/api.ts"], {}), [])
    assert.deepStrictEqual(entriesOf(["src/api.ts"], { "package.json": "{" }), [])
  })
})
