import { assert, describe, it } from "@effect/vitest"
import { IndexEntry, type Kind } from "../../../src/index/IndexEntry.ts"
import * as AlikeFiles from "../../../src/wiki/writing/AlikeFiles.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"

const fileOf = (path: string, names: ReadonlyArray<string>, usedBy = 0, kind: Kind = "function") => ({
  path,
  items: Material.itemsOf(
    names.map(
      (name, at) =>
        new IndexEntry({
          path,
          name,
          kind,
          startLine: 10 * at + 1,
          endLine: 10 * at + 9,
          signature: `func ${name}()`,
          exported: true,
          usedBy,
          isMajor: true,
          hash: "h",
        }),
    ),
  ),
})

const formats = ["bson", "csv", "html", "json", "pdf", "text", "toml", "xml", "yaml"]
const renderers = formats.map((format) =>
  fileOf(`render/${format}.go`, ["Render", "WriteContentType"], format === "json" ? 4 : 0),
)
const writer = fileOf("writer.go", ["Status", "Size", "Written"])
const usesOf = (files: ReadonlyArray<{ readonly path: string }>, used: string) =>
  new Map(files.map(({ path }) => [path, new Map([[used, 1]])]))

describe("AlikeFiles.arrange", () => {
  it("puts the file first that most others use, and shows three of those that are alike", () => {
    const { alike, core } = AlikeFiles.arrange([...renderers, writer], usesOf(renderers, "writer.go"))
    assert.deepStrictEqual(core, ["writer.go"])
    assert.lengthOf(alike, 1)
    assert.lengthOf(alike[0]?.examples ?? [], 3)
    assert.include(alike[0]?.examples ?? [], "render/json.go")
    assert.lengthOf(alike[0]?.others ?? [], formats.length - 3)
  })

  it("takes a name that has the name of the file in it for the same", () => {
    const names = ["get_user", "add_user", "list_users", "add_order", "get_order", "pay_order"]
    const handlers = names.map((name) => fileOf(`handlers/${name}.py`, [name]))
    assert.lengthOf(AlikeFiles.arrange(handlers, new Map()).alike[0]?.others ?? [], 3)
  })

  it("never hides a file of the core, nor files that differ or are few", () => {
    const [first = assert.fail("no file"), ...others] = renderers
    const { alike } = AlikeFiles.arrange(renderers, usesOf(others, first.path))
    assert.isFalse(alike.some(({ examples, others }) => [...examples, ...others].includes(first.path)))
    assert.deepStrictEqual(AlikeFiles.arrange(renderers.slice(0, 5), new Map()).alike, [])
    const without = formats.map((format, at) => fileOf(`${format}.go`, [`one${at}`, `two${at}`]))
    assert.deepStrictEqual(AlikeFiles.arrange(without, new Map()).alike, [])
  })

  it("keeps every file: each is shown, or named beside its examples", () => {
    const files = [...renderers, writer]
    const { alike } = AlikeFiles.arrange(files, new Map())
    const named = alike.flatMap(({ examples, others }) => [...examples, ...others])
    assert.strictEqual(new Set(named).size, named.length)
    assert.sameMembers(
      [...named, writer.path],
      files.map(({ path }) => path),
    )
  })
})

describe("Material.choose", () => {
  it("shows more of the core before one symbol of each other file", () => {
    const files = [writer, ...renderers].map(({ items }) => items)
    const namesOf = (core: number) =>
      Material.choose(files, 100, core)
        .filter(({ path }) => path === writer.path)
        .map(({ entry }) => entry?.name)
    assert.deepStrictEqual(namesOf(1), ["Status", "Size", "Written"])
    assert.lengthOf(namesOf(0), 1)
  })
})
