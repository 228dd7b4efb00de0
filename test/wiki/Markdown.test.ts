import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Labels from "../../src/wiki/Labels.ts"
import * as Markdown from "../../src/wiki/Markdown.ts"
import type { Page, Section, Statement } from "../../src/wiki/Page.ts"
import * as StatementText from "../../src/wiki/StatementText.ts"
import { cases } from "../thoroughness.ts"

const claim = (text: string, ...citations: Statement["citations"]): Statement => ({
  text,
  kind: "claim",
  author: "person",
  citations,
})

const pageOf = (...sections: ReadonlyArray<Section>): Page => ({
  name: "loader",
  kind: "part",
  title: "Loader",
  sections,
})

const setup = { path: "lua/lazy/init.lua", symbol: "M.setup" }
const load = { path: "lua/lazy/core/loader.lua", symbol: "M.load" }

const characters = FastCheck.stringOf(
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constantFrom(..."ab_ `[]()\\#-*+~>|<1.:!\n\r\t&\"'/%é") },
    {
      weight: 1,
      arbitrary: FastCheck.constantFrom("[a]", "[a.ts]", "```", "~~~", "\n\n", "## ", "- ", "1. ", "[x]: y"),
    },
    { weight: 1, arbitrary: FastCheck.fullUnicode() },
  ),
  { maxLength: 14 },
)
const names = FastCheck.constantFrom(
  "a",
  "A",
  "b.a",
  "c.a",
  "B.a",
  "a.ts:a",
  "__init__",
  "x #2",
  "operator[]",
  'say "hi"',
  "a\\b",
)
const paths = FastCheck.constantFrom(
  "a.ts",
  "src/a.ts",
  "lib/a.ts",
  "src/A.ts",
  "a (1).ts",
  "ä %2F.ts",
  "x/y#z?.ts",
  "[id].tsx",
)
const citations = FastCheck.record(
  { path: paths, symbol: names, ordinal: FastCheck.constantFrom(0, 1, 2) },
  { requiredKeys: ["path"] },
)
const statements = FastCheck.record({
  text: FastCheck.oneof(
    characters.map((text) => text || "…"),
    characters.map((text) => StatementText.sanitize(text) || "…"),
    FastCheck.constantFrom("```sh\nnpm test\n\nnpm run x\n```", "~~~\n[a]: b\n~~~", "See [a] and [a.ts]", "[a]"),
  ),
  citations: FastCheck.array(citations, { maxLength: 3 }),
}).map(({ citations, text }) => claim(text, ...citations))
const blocks = FastCheck.tuple(statements, FastCheck.array(statements, { maxLength: 2 })).map(
  ([first, others]): Section["blocks"][number] => [first, ...others],
)
const sections = FastCheck.record(
  {
    title: FastCheck.constantFrom("Parts", "Where to change what", "#", " x #"),
    form: FastCheck.constantFrom("text" as const, "list" as const, "steps" as const),
    blocks: FastCheck.array(blocks, { maxLength: 3 }),
  },
  { requiredKeys: ["form", "blocks"] },
)
const documents = FastCheck.record({
  sections: FastCheck.array(sections, { maxLength: 4 }),
  pictures: FastCheck.array(
    FastCheck.record({
      title: FastCheck.constantFrom("How they depend", "Calls"),
      mermaid: FastCheck.constantFrom("graph LR\n  a --> b", "graph TD\n\n  x", "```"),
    }),
    { maxLength: 2 },
  ),
}).map(({ pictures, sections }) => Markdown.fromPage(pageOf(...sections), pictures))

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
