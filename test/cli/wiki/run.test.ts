import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { findPage } from "../../../src/cli/wiki/run.ts"
import type { Page, PageKind } from "../../../src/wiki/Page.ts"

const page = (kind: PageKind, name: string, title: string): Page => ({ kind, name, title, sections: [] })

const pages = [page("part", "loader", "The loader of plugins"), page("start", "index", "lazy.nvim")]

const found = (asked: string) => Effect.map(findPage(pages, asked), ({ name }) => name)

const message = (asked: string) => Effect.map(Effect.flip(findPage(pages, asked)), ({ message }) => message)

describe("vibe wiki PAGE", () => {
  it.effect("finds a page by its name, its file and its title, in any case", () =>
    Effect.gen(function* () {
      for (const asked of ["loader", "Loader.md", "the loader of plugins"]) {
        assert.strictEqual(yield* found(asked), "loader", asked)
      }
      assert.strictEqual(yield* found("lazy.nvim"), "index")
    }),
  )

  it.effect("names the page that is near what was typed", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* message("lodaer"), "no page 'lodaer' in the wiki; near it: loader")
    }),
  )

  it.effect("lists all pages if none is near, and says which one is the start page", () =>
    Effect.gen(function* () {
      const pages = "loader, index (the start page)"
      assert.strictEqual(yield* message("start"), `no page 'start' in the wiki; its pages: ${pages}`)
    }),
  )
})
