import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Labels from "../../src/wiki/Labels.ts"
import * as Markdown from "../../src/wiki/Markdown.ts"
import { cases } from "../thoroughness.ts"
import { characters, citations, claim, documents, load, pageOf, setup } from "./randomPages.ts"

describe("Markdown", () => {
  it("prints a statement a line, and defines short citations at the end, sorted", () => {
    const page = pageOf(
      { form: "text", blocks: [[claim("Puts plugins on the path.", load, setup), claim("Runs their scripts.")]] },
      {
        title: "Order",
        form: "steps",
        blocks: [[claim("Reads specs.", setup), claim("Once.")], [claim("Loads.", load)]],
      },
      { title: "Files", form: "list", blocks: [[claim("`init.lua` begins.", { path: "lua/lazy/init.lua" })]] },
    )
    const text = Markdown.print(Markdown.fromPage(page, [{ title: "Uses", mermaid: "graph LR\n  a --> b" }]))
    assert.strictEqual(
      text,
      `# Loader

Puts plugins on the path. [load] [setup]
Runs their scripts.

## Order

1. Reads specs. [setup]
    Once.
2. Loads. [load]

## Files

- \`init.lua\` begins. [lazy/init.lua]

## Uses

\`\`\`mermaid
graph LR
  a --> b
\`\`\`

[lazy/init.lua]: ../../lua/lazy/init.lua
[load]: ../../lua/lazy/core/loader.lua "M.load"
[setup]: ../../lua/lazy/init.lua "M.setup"
`,
    )
    assert.deepStrictEqual(Markdown.parse("loader", text).page, page)
  })

  it("reads back what it prints", () => {
    FastCheck.assert(
      FastCheck.property(documents, (document) => {
        assert.deepStrictEqual(Markdown.parse("loader", Markdown.print(document)), Markdown.normalize(document))
      }),
      { numRuns: cases(500) },
    )
  })

  it("prints a page that was read and printed before as it is, whatever a person wrote", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(characters, { maxLength: 12 }), (lines) => {
        const once = Markdown.print(Markdown.parse("loader", lines.join("\n")))
        assert.strictEqual(Markdown.print(Markdown.parse("loader", once)), once)
      }),
      { numRuns: cases(500) },
    )
  })

  it("keeps tables, fenced blocks, quotations and links that a person added", () => {
    const text = `# Loader

See [the manual] and [setup] first.

| a | b |
|---|---|
| 1 | 2 |

\`\`\`sh
npm test

npm run build
\`\`\`

> Mind the gap.

[setup]: ../../a.ts "setup"
[the manual]: https://example.org/manual "The manual"
`
    assert.strictEqual(Markdown.print(Markdown.parse("loader", text)), text)
  })

  it("drops the definition of a citation whose statement was deleted", () => {
    const text = '# Loader\n\nText.\n\n[setup]: ../../a.ts "setup"\n'
    assert.strictEqual(Markdown.print(Markdown.parse("loader", text)), "# Loader\n\nText.\n")
  })

  it("reads no citation in a bracket that nothing defines, or that leads out of the project", () => {
    const text = "# Loader\n\nText [a] [b] [c]\n\n[a]: https://example.org\n[b]: ../../../etc/passwd\n"
    assert.deepStrictEqual(
      Markdown.parse("loader", text).page,
      pageOf({ form: "text", blocks: [[claim("Text [a] [b] [c]")]] }),
    )
  })

  it("reads an empty file as a page without statements", () => {
    assert.deepStrictEqual(Markdown.parse("loader", "").page, { ...pageOf(), title: "loader" })
  })
})

describe("Labels", () => {
  it("chooses the name, then the qualified name, then the file", () => {
    const labels = Labels.choose([
      setup,
      { path: "a/loader.ts", symbol: "Loader.load" },
      { path: "a/loader.ts", symbol: "Cache.load" },
      { path: "b/cache.ts", symbol: "Cache.load", ordinal: 1 },
      { path: "b/cache.ts" },
    ])
    assert.deepStrictEqual(Array.from(labels.values()).sort(), [
      "Cache.load",
      "Loader.load",
      "cache.ts",
      "load #2",
      "setup",
    ])
  })

  it("names the folder of a file that stands for it, and not the module table of Lua", () => {
    const labels = Labels.choose([
      { path: "lua/pkg/init.lua", symbol: "M.update" },
      { path: "lua/view/render.lua", symbol: "M.update" },
      { path: "src/pkg/__init__.py", symbol: "run" },
      { path: "lib/pkg/init.lua", symbol: "M.update" },
      { path: "init.lua", symbol: "M.update" },
      { path: "src/pkg/__init__.py" },
      { path: "src/index.ts" },
      { path: "main.go" },
    ])
    assert.deepStrictEqual(Array.from(labels.values()).sort(), [
      "`pkg/__init__.py`",
      "init.lua:update",
      "lib/pkg:update",
      "lua/pkg:update",
      "main.go",
      "render.lua:update",
      "run",
      "src/index.ts",
    ])
  })

  it("names a symbol of Lua's module table after its file or folder", () => {
    assert.strictEqual(Labels.nameIn("lua/core/loader.lua", "M.setup"), "loader.setup")
    assert.strictEqual(Labels.nameIn("lua/pkg/init.lua", "M.hererocks.build"), "pkg.hererocks.build")
    assert.strictEqual(Labels.nameIn("init.lua", "M.setup"), "init.setup")
    assert.strictEqual(Labels.nameIn("src/M.ts", "Map.get"), "Map.get")
  })

  it("gives no two targets labels that Markdown reads as one", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(citations), (targets) => {
        const keys = new Set(targets.map(Labels.keyOf))
        const labels = Labels.choose(targets)
        assert.strictEqual(labels.size, keys.size)
        assert.strictEqual(new Set(Array.from(labels.values(), Labels.fold)).size, keys.size)
      }),
    )
  })
})
