import { assert, describe, it } from "@effect/vitest"
import * as Style from "../../src/base/Style.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import type { Page, Statement } from "../../src/wiki/Page.ts"
import * as PageText from "../../src/wiki/PageText.ts"
import { linkToPage } from "../../src/wiki/StatementText.ts"

const statement = (text: string): Statement => ({ text, kind: "pointer", author: "project", citations: [] })

const entryAt = (startLine: number) =>
  new IndexEntry({
    path: "a.ts",
    name: "a",
    container: undefined,
    kind: "function",
    startLine,
    endLine: 90,
    signature: "a()",
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "1",
  })

const lineOf = (text: string): string | undefined => {
  const page: Page = {
    kind: "start",
    name: "index",
    title: "Shop",
    sections: [{ title: "Parts", form: "list", blocks: [[statement(text)]] }],
  }
  return PageText.lines(page, {
    states: {
      of: () => {
        throw new Error("nothing is cited")
      },
    },
    style: Style.plain,
    columns: undefined,
    displayPath: (path) => path,
  }).at(-1)
}

const tools = linkToPage("Tools", "tools")
const pair = linkToPage("Config and app", "config")
const many = linkToPage("Server, model and 14 more", "forest")
const loader = linkToPage("The loader of plugins", "loader")

describe("PageText.lines", () => {
  it.each([40, 60, 100])("fits a statement and its places into %d columns", (columns) => {
    const citations = ["nested/a.ts", "nested/deeper/b.ts", "c.ts"].map((path) => ({
      path: `src/wiki/reading/${path}`,
    }))
    const text = "A statement that says so much of the code that it takes some lines."
    const page: Page = {
      kind: "part",
      name: "reading",
      title: "Reading",
      sections: [{ form: "list", blocks: [[{ ...statement(text), citations }]] }],
    }
    const lines = PageText.lines(page, {
      states: { of: (citation) => ({ citation, entry: undefined, state: "holds" }) },
      style: Style.plain,
      columns,
      displayPath: (path) => path,
    })
    for (const line of lines) assert.isAtMost(line.length, columns, line)
    for (const { path } of citations) assert.include(lines.join("\n"), path)
  })

  it.each([
    ["a title with the name of its page", `${loader}: loads.`, "- The loader of plugins (loader): loads."],
    ["a title alone that is the name", `${tools}: help.`, "- Tools: help."],
    ["a title of two words that begins the line", `${pair}: \`main\`.`, "- Config and app (config): main."],
    ["one title among others", `${tools} uses ${loader}.`, "- Tools uses The loader of plugins (loader)."],
    [
      "a title with `and` among others by its name",
      `Most use ${tools}, ${pair} and ${many}.`,
      "- Most use Tools, config and forest.",
    ],
    ["a title with a comma behind another by its name", `${tools} uses ${many}.`, "- Tools uses forest."],
  ])("writes %s", (_, text, line) => assert.strictEqual(lineOf(text)?.replaceAll("`", ""), line))
})

describe("statements in a row that cite the same", () => {
  it("have their places behind the last of them", () => {
    const citing = (text: string, ...paths: ReadonlyArray<string>): Statement => ({
      ...statement(text),
      citations: paths.map((path) => ({ path })),
    })
    const block = [
      citing("One.", "a.ts"),
      citing("Two.", "a.ts"),
      citing("Three.", "b.ts", "a.ts"),
      citing("Four."),
      citing("Five.", "a.ts"),
    ] as const
    const page: Page = {
      kind: "part",
      name: "a",
      title: "A",
      sections: [{ form: "list", blocks: [block, [block[4]]] }],
    }
    const lines = PageText.lines(page, {
      states: { of: (citation) => ({ citation, entry: undefined, state: "holds" }) },
      style: Style.plain,
      columns: undefined,
      displayPath: (path) => path,
    })
    assert.deepStrictEqual(lines.slice(-6), [
      "- One.",
      "  Two.  a.ts",
      "  Three.  b.ts, a.ts",
      "  Four.",
      "  Five.  a.ts",
      "- Five.  a.ts",
    ])
  })
})

describe("PageText.answerLines", () => {
  it("leaves out a path that is that of the place before, and keeps a line for what has no name", () => {
    const cite = (text: string, path: string, symbol: string) => ({ ...statement(text), citations: [{ path, symbol }] })
    const statements = [
      cite("One.", "a.ts", "A.one"),
      cite("Two.", "a.ts", "A.two"),
      cite("`three` is.", "a.ts", "A.three"),
      cite("Four.", "b.ts", "four"),
      cite("Five.", "a.ts", "A.five"),
    ] as const
    const section = { form: "list", blocks: [statements] } as const
    const page: Page = { kind: "part", name: "a", title: "A", sections: [section] }
    const lines = PageText.answerLines(
      { page, blocks: statements.map((each, at) => ({ section, at, statements: [each] })) },
      {
        states: { of: (citation) => ({ citation, entry: entryAt(7), state: "holds" }) },
        style: Style.plain,
        columns: undefined,
        displayPath: (path) => path,
      },
    )
    assert.deepStrictEqual(lines, [
      "A",
      "- One.  a.ts:7 A.one",
      "- Two.  A.two",
      "- `three` is.  :7",
      "- Four.  b.ts:7 four",
      "- Five.  a.ts:7 A.five",
    ])
  })
})
