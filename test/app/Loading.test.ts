/** Modules are loaded when a command needs them, not before. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const src = path.resolve(import.meta.dirname, "../../src")

/** The modules that are loaded with a module: by static imports, not by dynamic ones or those of types. */
const loaded = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  const source = fs.readFileSync(path.join(src, file), "utf8")
  for (const [, target] of source.matchAll(
    /^(?:import|export)\s(?!type\s)[^"=;]*?(?:\bfrom\s)?"(\.{1,2}\/[^"]+\.ts)"/gm,
  )) {
    loaded(path.posix.join(path.posix.dirname(file), target ?? ""), seen)
  }
  return seen
}

/** The packages that a module imports by itself. */
const packagesOf = (file: string): ReadonlyArray<string> =>
  Array.from(
    fs
      .readFileSync(path.join(src, file), "utf8")
      .matchAll(/^(?:import|export)\s(?!type\s)[^"=;]*?(?:\bfrom\s)?"([^."][^"]*)"/gm),
    ([, name]) => name ?? "",
  )

/** The commands that answer in less time than some packages take to load, with their layers. */
const quick = [
  "main.ts",
  "cli/layers/CodeLayer.ts",
  ...["query", "show"].map((command) => `cli/${command}/layer.ts`),
  ...["query", "show", "status", "map"].map((command) => `cli/${command}/run.ts`),
]

const inside = (file: string, ...folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...loaded(file)].filter((module) => folders.some((folder) => module.startsWith(`${folder}/`)))

/** The commands of `vibe loom`. */
const verbs = fs
  .readdirSync(path.join(src, "cli/loom"))
  .filter((file) => /^[a-z]+\.ts$/.test(file))
  .map((file) => `cli/loom/${file}`)

describe("loading", () => {
  it("loads none of the rooms of commands with the program", () => {
    assert.deepStrictEqual(
      [...loaded("main.ts")].filter((module) => module.endsWith("/run.ts")),
      [],
    )
    assert.deepStrictEqual(
      inside("main.ts", "cli/job", "code", "disk", "forest", "indexing", "loom", "provider", "tool", "toolbox"),
      // How a DiskError is printed, and the author of changes of the forest.
      ["forest/Operation.ts", "forest/Position.ts", "disk/DiskError.ts"],
    )
  })

  it.each(["cli/layers/CodeLayer.ts", "cli/query/run.ts", "cli/show/run.ts", "cli/status/run.ts"])(
    "loads no exploration for reading an index: %s",
    (file) => {
      assert.deepStrictEqual(inside(file, "forest", "loom", "provider", "tool", "toolbox"), [])
    },
  )

  it.each(quick)("loads neither schemas nor @effect/cli nor settings for a quick answer: %s", (file) => {
    const all = [...loaded(file)]
    const slow =
      /^@effect\/(?!platform-node\/NodeRuntime$)|^effect$|^effect\/(?:Arbitrary|ParseResult|Schema|SchemaAST|Stream)$/
    assert.deepStrictEqual(
      all.filter((module) => packagesOf(module).some((name) => slow.test(name))),
      [],
    )
    assert.notIncludeMembers(all, ["config/AppConfig.ts", "config/Settings.ts", "cli/arguments/effectCli.ts"])
  })

  it("loads the parsers with the first outline", () => {
    assert.notInclude([...loaded("cli/layers/CodeLayer.ts")], "code/Symbols/TreeSitter.ts")
    assert.notInclude([...loaded("cli/layers/CodeLayer.ts")], "code/Symbols/Workers.ts")
  })

  it.each(["cli/mcp/layer.ts", "cli/mcp/run.ts"])(
    "loads neither forest nor models for the tools of mcp: %s",
    (file) => {
      assert.deepStrictEqual(inside(file, "agent", "forest", "provider"), [])
    },
  )

  it("loads what reads a language at the first of its files", () => {
    assert.deepStrictEqual(
      inside("cli/layers/CodeLayer.ts", "code/languages", "code/internal/routes").filter((module) =>
        /\/(?:outline|references|routes|RouteSource)\.ts$/.test(module),
      ),
      [],
    )
  })

  it("loads the catalogue and the parser of configuration files when they are needed", () => {
    for (const file of ["main.ts", "cli/index/layer.ts", "cli/layers/CodeLayer.ts"]) {
      assert.notInclude([...loaded(file)], "model/internal/modelsDev.ts")
      assert.notInclude([...loaded(file)], "config/ConfigFile.ts")
    }
  })

  it.each(["cli/layers/ForestLayer.ts", ...verbs.filter((file) => !file.endsWith("/generate.ts"))])(
    "loads neither models nor parsers for the forest: %s",
    (file) => {
      // The port that reads files which the user names, and the sum of tokens and cost, which loads nothing else.
      const port = new Set(["code/Files.ts", "code/FileError.ts", "agent/Spending.ts"])
      const others = inside(file, "code", "indexing", "loom", "provider", "tool", "toolbox")
      assert.deepStrictEqual(
        others.filter((module) => !port.has(module)),
        [],
      )
    },
  )

  it("loads the database and the engine of a cluster for its commands alone", () => {
    for (const file of ["main.ts", "cli/index/layer.ts", "app/Indexing.ts", "cli/index/run.ts"]) {
      assert.deepStrictEqual(inside(file, "cluster"), [])
    }
    // They are imported there, and nowhere else.
    const importers = fs
      .globSync("**/*.ts", { cwd: src })
      .filter((file) =>
        /"@effect\/(?:cluster|workflow|sql-pg|sql|rpc)\b/.test(fs.readFileSync(path.join(src, file), "utf8")),
      )
    assert.isAbove(importers.length, 0)
    assert.deepStrictEqual(
      importers.filter((file) => !file.startsWith(`cluster${path.sep}`)),
      [],
    )
  })

  it("loads a provider when one of its models is opened", () => {
    assert.deepStrictEqual(inside("cli/index/layer.ts", "provider"), [])
    assert.deepStrictEqual(inside("cli/ask/layer.ts", "provider"), [])
  })
})
