/** Random pages of a wiki, and the parts that they consist of. */
import { FastCheck } from "effect"
import * as Markdown from "../../src/wiki/Markdown.ts"
import type { Page, Section, Statement } from "../../src/wiki/Page.ts"
import * as StatementText from "../../src/wiki/StatementText.ts"

export const claim = (text: string, ...citations: Statement["citations"]): Statement => ({
  text,
  kind: "claim",
  author: "person",
  citations,
})

export const pageOf = (...sections: ReadonlyArray<Section>): Page => ({
  name: "loader",
  kind: "part",
  title: "Loader",
  sections,
})

export const setup = { path: "lua/lazy/init.lua", symbol: "M.setup" }

export const load = { path: "lua/lazy/core/loader.lua", symbol: "M.load" }

export const characters = FastCheck.stringOf(
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

export const citations = FastCheck.record(
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

export const documents = FastCheck.record({
  sections: FastCheck.array(sections, { maxLength: 4 }),
  pictures: FastCheck.array(
    FastCheck.record({
      title: FastCheck.constantFrom("How they depend", "Calls"),
      mermaid: FastCheck.constantFrom("graph LR\n  a --> b", "graph TD\n\n  x", "```"),
    }),
    { maxLength: 2 },
  ),
}).map(({ pictures, sections }) => Markdown.fromPage(pageOf(...sections), pictures))
