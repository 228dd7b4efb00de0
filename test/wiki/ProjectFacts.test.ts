import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FileGraph from "../../src/wiki/FileGraph.ts"
import * as ProjectFacts from "../../src/wiki/ProjectFacts.ts"
import * as Wiki from "./writing/Wiki.fixture.ts"

describe("ProjectFacts.read", () => {
  it.scoped("reads no more files than it names as entries, though every file has the name of one", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 40 }, (_, at) => `src/p${at}/index.ts`)
      const files = Object.fromEntries(names.map((path, at) => [path, `export const value${at} = () => ${at}\n`]))
      const { index, workspace } = yield* Wiki.open(files)
      const texts = new Set<unknown>()
      const observed: typeof workspace = {
        ...workspace,
        read: (asked) => Effect.tap(workspace.read(asked), ({ path }) => Effect.sync(() => texts.add(path))),
      }
      const plan = { parts: [], flows: [], undescribed: [], model: "a/b" }
      const facts = yield* ProjectFacts.read(index, observed, plan, yield* FileGraph.read(index))
      assert.deepStrictEqual(
        facts.entries.map(({ item }) => item.path),
        names.toSorted().slice(0, ProjectFacts.MAX_CENTRAL),
      )
      assert.isAtMost(texts.size, 2 * ProjectFacts.MAX_CENTRAL)
    }),
  )

  it.scoped("names no language of templates first, however many files it has", () =>
    Effect.gen(function* () {
      const { index, workspace } = yield* Wiki.open({
        "lib/a.ex": "defmodule A do\n  def go, do: 1\nend\n",
        "lib/a.eex": "<%= A.go() %>\n",
        "lib/b.eex": "<%= A.go() %>\n",
        "assets/a.js": "export const a = () => 1\n",
      })
      const plan = { parts: [], flows: [], undescribed: [], model: "a/b" }
      const facts = yield* ProjectFacts.read(index, workspace, plan, yield* FileGraph.read(index))
      assert.deepStrictEqual(facts.languages, ["elixir", "eex", "javascript"])
    }),
  )
})
