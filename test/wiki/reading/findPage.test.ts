import { assert, describe, it } from "@effect/vitest"
import type { Page } from "../../../src/wiki/Page.ts"
import * as findPage from "../../../src/wiki/reading/findPage.ts"

const page = (name: string, title: string, ...texts: ReadonlyArray<string>): Page => ({
  name,
  kind: name === "index" ? "start" : "part",
  title,
  sections: [
    { form: "text", blocks: texts.map((text) => [{ text, kind: "claim", author: "project", citations: [] }]) },
  ],
})

const pages = [
  page("index", "Shop", "Sells things to customers.", "Orders are stored and mails are sent."),
  page("loader", "Loader", "Plugins are loaded when an event asks for them."),
  page("orders", "Orders", "An order is stored before its mail is sent."),
]

describe("findPage.forQuestion", () => {
  const nameFor = (question: string) => findPage.forQuestion(question, pages)[0]?.page.name

  it("has first the page whose statements have the words of a question about the whole", () => {
    assert.strictEqual(nameFor("How are plugins loaded?"), "loader")
    assert.strictEqual(nameFor("What happens when an order is stored?"), "orders")
    assert.strictEqual(nameFor("explain how orders are stored and mails are sent"), "orders")
  })

  it("has the statements that answer, within the limits", () => {
    const answers = findPage.forQuestion("What happens when an order is stored?", pages, {
      limits: { statements: 1, characters: 0 },
    })
    const texts = answers.flatMap(({ blocks }) =>
      blocks.flatMap(({ statements }) => statements.map(({ text }) => text)),
    )
    assert.deepStrictEqual(texts, ["An order is stored before its mail is sent."])
  })

  it("has none for a symbol, for a question about a place, and if too few words match", () => {
    assert.isUndefined(nameFor("How does loadPlugin work?"))
    assert.isUndefined(nameFor("How are plugins loaded by Loader.load?"))
    assert.isUndefined(nameFor("plugins loaded"))
    assert.isUndefined(nameFor("where plugins are loaded"))
    assert.isUndefined(nameFor("How are passwords hashed and stored?"))
    assert.isUndefined(nameFor("How does it work?"))
    assert.isUndefined(nameFor(""))
  })
})

describe("findPage.ofFolder", () => {
  const part = (name: string, ...files: ReadonlyArray<string>) => ({ name, title: name, line: "", files })
  const plan = { parts: [part("loader", "src/load/a.ts", "src/load/b.ts", "src/run.ts"), part("git", "src/git/a.ts")] }

  it("is the start page for the root, and the part that has most files of a folder", () => {
    assert.strictEqual(findPage.ofFolder(".", plan), "index")
    assert.strictEqual(findPage.ofFolder("src/load", plan), "loader")
    assert.strictEqual(findPage.ofFolder("src/git/", plan), "git")
    assert.strictEqual(findPage.ofFolder("src", plan), "loader")
  })

  it("is none for a folder that parts share, or that none has", () => {
    const shared = { parts: [part("one", "src/a.ts"), part("two", "src/b.ts")] }
    assert.isUndefined(findPage.ofFolder("src", shared))
    assert.isUndefined(findPage.ofFolder("sr", shared))
    assert.isUndefined(findPage.ofFolder("docs", shared))
  })
})
