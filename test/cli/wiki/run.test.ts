import { assert, describe, it } from "@effect/vitest"
import { noSuchPage, pageNamed } from "../../../src/cli/wiki/run.ts"
import type { Page, PageKind } from "../../../src/wiki/Page.ts"

const page = (kind: PageKind, name: string, title: string): Page => ({ kind, name, title, sections: [] })

const pages = [page("part", "loader", "The loader of plugins"), page("start", "index", "lazy.nvim")]

describe("vibe wiki TEXT", () => {
  it("finds a page by its name, its file and its title, in any case", () => {
    for (const asked of ["loader", "Loader.md", "the loader of plugins"]) {
      assert.strictEqual(pageNamed(pages, asked)?.name, "loader", asked)
    }
    assert.strictEqual(pageNamed(pages, "lazy.nvim")?.name, "index")
    assert.isUndefined(pageNamed(pages, "how are plugins loaded"))
  })

  it("names the page that is near what was typed", () => {
    assert.strictEqual(
      noSuchPage(pages, "lodaer").message,
      "the wiki has no page 'lodaer' and says nothing of it; near it: loader",
    )
  })

  it("lists all pages if none is near, and says which one is the start page", () => {
    const names = "loader, index (the start page)"
    assert.strictEqual(
      noSuchPage(pages, "start").message,
      `the wiki has no page 'start' and says nothing of it; its pages: ${names}`,
    )
  })

  it("does not repeat a long question", () => {
    assert.isBelow(noSuchPage(pages, "word ".repeat(10_000)).message.length, 200)
  })
})
