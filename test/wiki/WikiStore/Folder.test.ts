import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import * as Files from "../../../src/code/Files.ts"
import * as Markdown from "../../../src/wiki/Markdown.ts"
import type { Page, Statement } from "../../../src/wiki/Page.ts"
import * as Folder from "../../../src/wiki/WikiStore/Folder.ts"
import * as WikiStore from "../../../src/wiki/WikiStore.ts"

const statement: Statement = {
  text: "Says hello.",
  kind: "claim",
  author: "model",
  model: "a/b",
  citations: [{ path: "greet.ts", symbol: "greet", hash: "h" }],
}
const page = (name: string, ...statements: ReadonlyArray<Statement>): Page => ({
  name,
  kind: Markdown.kindOf(name),
  title: name,
  sections: [{ form: "text", blocks: statements.map((each) => [each] as const) }],
})
const documents = (...pages: ReadonlyArray<Page>) => pages.map((each) => Markdown.fromPage(each))
const plan = { parts: [{ name: "greet", title: "Greet", line: "", files: ["greet.ts"] }], flows: [], undescribed: [] }

const at = (name: string) => `/repo/.vibe/wiki/${name}`

const readText = (path: string) =>
  Effect.flatMap(Files.Files, (files) =>
    Effect.map(files.read(path, { most: 1_000_000 }), (bytes) => new TextDecoder().decode(bytes)),
  )
const writeText = (path: string, text: string) => Effect.flatMap(Files.Files, (files) => files.write(path, text))

const withWiki = <A, E>(
  body: (wiki: WikiStore.Wiki) => Effect.Effect<A, E, Files.Files>,
  files: Readonly<Record<string, Files.Content>> = { "/repo/greet.ts": "" },
) =>
  Effect.gen(function* () {
    const store = yield* WikiStore.WikiStore
    return yield* body(yield* store.open("/repo"))
  }).pipe(Effect.provide(Folder.layer), Effect.provide(Files.layerMemory(files)))

/** Files whose operations let others run first, as those of a disk do. */
const slowFiles = Layer.effect(
  Files.Files,
  Effect.map(Files.Files, (files) => ({
    ...files,
    readReal: (...file: Parameters<Files.Service["readReal"]>) =>
      Effect.zipRight(Effect.yieldNow(), files.readReal(...file)),
    write: (...file: Parameters<Files.Service["write"]>) => Effect.zipRight(Effect.yieldNow(), files.write(...file)),
  })),
).pipe(Layer.provideMerge(Files.layerMemory({ "/repo/greet.ts": "" })))

describe("WikiStore in a folder", () => {
  it.effect("reads back what it keeps, and writes nothing that is there already", () =>
    withWiki((wiki) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* wiki.read, { pages: [], plan: undefined, flaws: [] })
        const pages = documents(page("greet", statement), page("index", statement))
        const kept = yield* wiki.keep({ pages, plan })
        assert.deepStrictEqual(kept, { written: ["greet", "index"], removed: [], left: [] })
        assert.deepStrictEqual(yield* wiki.read, { pages, plan, flaws: [] })
        assert.deepStrictEqual((yield* wiki.keep({ pages, plan })).written, [])
      }),
    ),
  )

  it.effect("keeps the evidence of all pages that are written at the same time", () => {
    const pages = Array.from({ length: 8 }, (_, at) =>
      page(`part-${at}`, statement, { ...statement, text: `Is ${at}.` }),
    )
    return Effect.gen(function* () {
      const wiki = yield* Effect.flatMap(WikiStore.WikiStore, (store) => store.open("/repo"))
      const keepOne = (each: Page) => wiki.keep({ pages: documents(each) })
      yield* Effect.forEach(pages, keepOne, { concurrency: "unbounded" })
      assert.deepStrictEqual((yield* wiki.read).pages, documents(...pages))
    }).pipe(Effect.provide(Folder.layer), Effect.provide(slowFiles))
  })

  it.effect("removes pages with their evidence", () =>
    withWiki((wiki) =>
      Effect.gen(function* () {
        yield* wiki.keep({ pages: documents(page("greet", statement), page("index", statement)) })
        assert.deepStrictEqual((yield* wiki.keep({ remove: ["greet", "other"] })).removed, ["greet"])
        assert.deepStrictEqual((yield* wiki.read).pages, documents(page("index", statement)))
        assert.notInclude(yield* readText(at("statements.jsonl")), '"greet","digest"')
      }),
    ),
  )

  it.effect("leaves a page as it is that a person has changed since it was read", () =>
    withWiki((wiki) =>
      Effect.gen(function* () {
        yield* wiki.keep({ pages: documents(page("greet", statement)) })
        yield* writeText(at("greet.md"), "# Mine\n")
        const kept = yield* wiki.keep({
          pages: documents(page("greet", { ...statement, text: "New." }), page("index", statement)),
        })
        assert.deepStrictEqual(kept, { written: ["index"], removed: [], left: ["greet"] })
        assert.strictEqual(yield* readText(at("greet.md")), "# Mine\n")
      }),
    ),
  )

  it.effect("reports a page in conflict, and leaves it as it is", () =>
    withWiki((wiki) =>
      Effect.gen(function* () {
        yield* wiki.keep({ pages: documents(page("greet", statement)) })
        const conflict = "# Greet\n\n<<<<<<< ours\nA.\n=======\nB.\n>>>>>>> theirs\n"
        yield* writeText(at("greet.md"), conflict)
        const { flaws, pages } = yield* wiki.read
        assert.deepStrictEqual(pages, [])
        assert.deepStrictEqual(flaws, [
          { path: ".vibe/wiki/greet.md", flaw: "has the marks of a merge conflict", page: "greet" },
        ])
        assert.deepStrictEqual((yield* wiki.keep({ pages: documents(page("greet", statement)) })).left, ["greet"])
        assert.strictEqual(yield* readText(at("greet.md")), conflict)
      }),
    ),
  )

  it.effect("fails before it writes anything over a plan that is damaged", () =>
    withWiki((wiki) =>
      Effect.gen(function* () {
        yield* wiki.keep({ pages: documents(page("greet", statement)), plan })
        yield* writeText(at("plan.json"), "{")
        assert.deepStrictEqual((yield* wiki.read).flaws, [
          { path: ".vibe/wiki/plan.json", flaw: "is no plan of a wiki" },
        ])
        const error = yield* Effect.flip(wiki.keep({ pages: documents(page("greet")), plan }))
        assert.strictEqual(
          error.message,
          `${at("plan.json")}: is no plan of a wiki; mend it, or remove it to have it written anew`,
        )
        assert.include(yield* readText(at("greet.md")), "Says hello.")
      }),
    ),
  )

  it.effect.each([
    "../../AGENTS",
    "../../../home/me/.claude/CLAUDE",
    "/home/me/notes",
    "..\\..\\AGENTS",
    "folder/page",
    "..",
    "Greet",
    "a.b",
    "a\0b",
  ])("refuses a plan that calls a part or a flow %j, and a page of that name", (name) =>
    Effect.gen(function* () {
      const [part] = plan.parts
      const flow = { name, title: "Greet", start: { path: "greet.ts" } }
      for (const foreign of [
        { ...plan, parts: [{ ...part, name }] },
        { ...plan, flows: [flow] },
      ]) {
        const text = JSON.stringify({ version: 1, plan: foreign })
        yield* withWiki(
          (wiki) =>
            Effect.gen(function* () {
              const read = yield* wiki.read
              assert.deepStrictEqual(read, {
                pages: [],
                plan: undefined,
                flaws: [{ path: ".vibe/wiki/plan.json", flaw: "is no plan of a wiki" }],
              })
              const kept = yield* Effect.exit(wiki.keep({ pages: documents(page(name, statement)) }))
              assert.isTrue(Exit.isFailure(kept))
              const files = yield* Files.Files
              for (const folder of ["/repo", "/home/me"]) {
                const { entries } = yield* files.list(folder)
                assert.deepStrictEqual(
                  entries.map((entry) => entry.name).filter((entry) => /agents|claude|notes/i.test(entry)),
                  [],
                )
              }
            }),
          { "/repo/greet.ts": "", "/home/me/mine.md": "", [at("plan.json")]: text },
        )
      }
    }),
  )

  it.effect("reads a plan with a byte order mark", () =>
    withWiki((wiki) => Effect.map(wiki.read, (read) => assert.deepStrictEqual(read, { pages: [], plan, flaws: [] })), {
      [at("plan.json")]: `\uFEFF${JSON.stringify({ version: 1, plan })}`,
    }),
  )

  it.effect("keeps the evidence of both sides of a merge conflict, which is no flaw", () =>
    withWiki((wiki) =>
      Effect.gen(function* () {
        const pages = documents(page("greet", statement), page("index", statement))
        yield* wiki.keep({ pages })
        const [ours = "", theirs = ""] = (yield* readText(at("statements.jsonl"))).split("\n")
        yield* writeText(at("statements.jsonl"), `<<<<<<< a\n${ours}\n=======\n${theirs}\n>>>>>>> b\n`)
        assert.deepStrictEqual(yield* wiki.read, { pages, plan: undefined, flaws: [] })
        yield* wiki.keep({ pages })
        assert.strictEqual(yield* readText(at("statements.jsonl")), `${ours}\n${theirs}\n`)
      }),
    ),
  )

  it.effect("leaves the wiki of a newer version alone", () =>
    withWiki(
      (wiki) =>
        Effect.gen(function* () {
          const [reading, keeping] = [yield* Effect.flip(wiki.read), yield* Effect.flip(wiki.keep({ plan }))]
          assert.deepStrictEqual([reading._tag, keeping._tag], ["NewerWiki", "NewerWiki"])
          assert.include(reading.message, "written by a newer version of vibe (format 2)")
        }),
      { [at("plan.json")]: '{"version":2,"plan":{"chapters":[]}}' },
    ),
  )

  it.effect("keeps lines of the evidence that it does not understand", () =>
    withWiki((wiki) =>
      Effect.gen(function* () {
        yield* wiki.keep({ pages: documents(page("greet", statement)) })
        yield* writeText(at("statements.jsonl"), `${yield* readText(at("statements.jsonl"))}{"half":\n`)
        assert.deepStrictEqual((yield* wiki.read).flaws, [
          { path: ".vibe/wiki/statements.jsonl", flaw: "has lines that are damaged (1)" },
        ])
        yield* wiki.keep({ pages: documents(page("greet", { ...statement, text: "New." })) })
        assert.include(yield* readText(at("statements.jsonl")), '{"half":\n')
      }),
    ),
  )

  it.effect("refuses a link in place of its folder", () =>
    withWiki((wiki) => Effect.map(Effect.flip(wiki.read), ({ message }) => assert.include(message, "not a folder")), {
      "/home/me/secret.md": "",
      "/repo/.vibe/wiki": { link: "/home/me" },
    }),
  )
})
