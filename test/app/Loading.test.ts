/** What is loaded before it is needed: nothing. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const src = path.resolve(import.meta.dirname, "../../src")

/** The modules that loading one loads with it; types and dynamic imports load nothing. */
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

const inside = (file: string, ...folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...loaded(file)].filter((module) => folders.some((folder) => module.startsWith(`${folder}/`)))

/** The commands of `vibe loom`. */
const verbs = fs
  .readdirSync(path.join(src, "cli/loom"))
  .filter((file) => /^[a-z]+\.ts$/.test(file))
  .map((file) => `cli/loom/${file}`)

describe("loading", () => {
  it("leaves the work of every command to the command", () => {
    assert.deepStrictEqual(
      [...loaded("main.ts")].filter((module) => module.endsWith("/run.ts")),
      [],
    )
    assert.deepStrictEqual(
      inside("main.ts", "cli/job", "code", "disk", "forest", "indexing", "loom", "provider", "tool", "toolbox"),
      // What is printed of a failure of the disk, and which command it is that changes of the forest are noted by.
      ["forest/Operation.ts", "disk/DiskError.ts"],
    )
  })

  it.each(["app/Code.ts", "cli/query/run.ts", "cli/show/run.ts", "cli/status/run.ts"])(
    "reads an index without what explores: %s",
    (file) => {
      assert.deepStrictEqual(inside(file, "forest", "loom", "provider", "tool", "toolbox"), [])
    },
  )

  it("parses with what the first outline loads", () => {
    assert.notInclude([...loaded("app/Code.ts")], "code/Symbols/TreeSitter.ts")
    assert.notInclude([...loaded("app/Code.ts")], "code/Symbols/Workers.ts")
  })

  it("loads what is known of models, and what reads a configuration file, when it is needed", () => {
    for (const file of ["main.ts", "app/Exploring.ts", "app/Code.ts"]) {
      assert.notInclude([...loaded(file)], "model/internal/modelsDev.ts")
      assert.notInclude([...loaded(file)], "config/ConfigFile.ts")
    }
  })

  it.each(["app/Conversing.ts", ...verbs.filter((file) => !file.endsWith("/generate.ts"))])(
    "reads and writes the forest without what asks a model, or parses: %s",
    (file) => {
      // The port that reads files which the user names, and the sum of tokens and cost, which loads nothing else.
      const port = new Set(["code/Files.ts", "code/FileError.ts", "loom/Spending.ts"])
      const others = inside(file, "code", "indexing", "loom", "provider", "tool", "toolbox")
      assert.deepStrictEqual(
        others.filter((module) => !port.has(module)),
        [],
      )
    },
  )

  it("loads a provider when one of its models is opened", () => {
    assert.deepStrictEqual(inside("app/Exploring.ts", "provider"), [])
    assert.deepStrictEqual(inside("app/Generating.ts", "provider"), [])
  })
})
