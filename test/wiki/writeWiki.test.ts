import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import type { ModelReport } from "../../src/index/WikiReport.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Markdown from "../../src/wiki/Markdown.ts"
import type { Page } from "../../src/wiki/Page.ts"
import * as ProjectPages from "../../src/wiki/ProjectPages.ts"
import * as States from "../../src/wiki/States.ts"
import * as Folder from "../../src/wiki/WikiStore/Folder.ts"
import * as WikiStore from "../../src/wiki/WikiStore.ts"
import { type WriteError, type Writer, writeWiki } from "../../src/wiki/writeWiki.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const repository = {
  "/repo/README.md": "# Greeter\n\nGreeter says hello to people. It is small.\n",
  "/repo/package.json": '{"name":"greeter","scripts":{"test":"node --test"}}',
  "/repo/src/greet.ts":
    "/** Words of greeting in many languages. */\nimport a from './a.ts'\n\n/** Says hello to somebody by name. */\nexport function greet(name: string) {\n  return `hello ${name}`\n}\n",
  "/repo/src/main.ts": 'import { greet } from "./greet.ts"\n\nexport function main() {\n  greet("you")\n}\n',
  "/repo/test/greet.test.ts":
    'import { greet } from "../src/greet.ts"\nit("greets people by name", () => greet("x"))\n',
}

/** Writes the wiki again and again over files that may change in between. */
const withProject = <A, E>(
  body: (project: {
    readonly write: (
      writer?: Writer<WriteError>,
    ) => Effect.Effect<Effect.Effect.Success<ReturnType<typeof writeWiki>>, WriteError>
    readonly wiki: WikiStore.Wiki
    readonly files: Files.Service
    readonly page: (name: string) => Effect.Effect<string, WriteError>
  }) => Effect.Effect<A, E>,
  contents: Readonly<Record<string, string>> = repository,
) =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    const workspace = yield* Workspace.open("/repo")
    const index = yield* Effect.flatMap(IndexStore.IndexStore, (store) => store.open(workspace))
    const wiki = yield* Effect.flatMap(WikiStore.WikiStore, (store) => store.open("/repo"))
    return yield* body({
      files,
      wiki,
      write: (writer) => Effect.zipRight(index.refresh, writeWiki({ index, workspace, wiki, writer })),
      page: (name) =>
        Effect.map(files.read(`/repo/.vibe/wiki/${name}.md`, { most: 1_000_000 }), (bytes) =>
          new TextDecoder().decode(bytes),
        ),
    })
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Folder.layer.pipe(
        Layer.provideMerge(Sqlite.layerMemory),
        Layer.provideMerge(SharedSymbols.layer),
        Layer.provideMerge(Files.layerMemory(contents)),
      ),
    ),
  )

const none = { statements: 0, corrected: 0, dropped: 0, undecided: 0 }

/** Returns the report of a writer that has written one page. */
const reportOf = (page: string): ModelReport => ({
  outcome: "complete",
  reason: null,
  written: [page],
  missing: [],
  checked: none,
  judged: none,
  refused: { statements: 0, numbers: 0 },
  requests: 1,
  usage: Usage.none,
  cost: null,
})

describe("writeWiki", () => {
  it.effect("reads each file once, and not once for each of its symbols", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace.open("/repo")
      const index = yield* Effect.flatMap(IndexStore.IndexStore, (store) => store.open(workspace))
      const wiki = yield* Effect.flatMap(WikiStore.WikiStore, (store) => store.open("/repo"))
      yield* index.refresh
      const read: Array<string> = []
      const counted: Workspace.Workspace = {
        ...workspace,
        read: (file) =>
          Effect.suspend(() => {
            read.push(typeof file === "string" ? file : file.path)
            return workspace.read(file)
          }),
      }
      yield* writeWiki({ index, workspace: counted, wiki })
      assert.include(read, "src/many.ts")
      const again = read.filter((path, at) => path.startsWith("src/") && read.indexOf(path) < at)
      assert.deepStrictEqual(again, [])
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Folder.layer.pipe(
          Layer.provideMerge(Sqlite.layerMemory),
          Layer.provideMerge(SharedSymbols.layer),
          Layer.provideMerge(
            Files.layerMemory({
              ...repository,
              "/repo/src/many.ts": Array.from(
                { length: 20 },
                (_, at) => `export function use${at}(run: () => void) {\n  run()\n  return "greet.greet"\n}\n`,
              ).join("\n"),
            }),
          ),
        ),
      ),
    ),
  )

  it.effect("names no symbol of a test module of Rust, neither of a part nor for where to begin", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          yield* write()
          const start = yield* page("index")
          assert.include(start, "`Filter`")
          assert.notInclude(start, "FakeClock")
        }),
      {
        "/repo/Cargo.toml": '[package]\nname = "find"\n',
        "/repo/src/filter.rs":
          "pub struct Filter { size: u64 }\n\nimpl Filter {\n    pub fn keeps(&self, size: u64) -> bool {\n        if size > self.size { return true }\n        false\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    struct FakeClock(u64);\n    impl FakeClock {\n        fn now(&self) -> u64 { self.0 }\n    }\n    #[test]\n    fn keeps() { assert!(Filter { size: FakeClock(1).now() }.keeps(2)) }\n    #[test]\n    fn drops() { assert!(!Filter { size: FakeClock(3).now() }.keeps(2)) }\n}\n",
        "/repo/src/main.rs":
          "mod filter;\nuse filter::Filter;\n\nfn main() {\n    let filter = Filter { size: 1 };\n    filter.keeps(2);\n}\n",
      },
    ),
  )

  it.effect("names of a part what tells most: no name twice, and no member of a type that it names", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          yield* write()
          const start = yield* page("index")
          const line = start.split("\n").find((line) => line.includes("`Session`")) ?? ""
          assert.include(line, "`main`")
          assert.strictEqual(line.split("`main`").length, 2, line)
          assert.notInclude(line, "`Session.open`")
        }),
      {
        "/repo/src/session.ts":
          "export class Session {\n  open(name: string) {\n    return this.close(name)\n  }\n  close(name: string) {\n    if (name) return 1\n    return 2\n  }\n}\n",
        "/repo/src/a.ts":
          'import { Session } from "./session.ts"\nexport function main() {\n  new Session().open("a")\n  return 1\n}\n',
        "/repo/src/b.ts":
          'import { Session } from "./session.ts"\nexport function main() {\n  new Session().open("b")\n  return 2\n}\n',
      },
    ),
  )

  it.effect("lists the packages of a repository of several with what their manifests say, and their parts", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          yield* write()
          const start = yield* page("index")
          assert.match(
            start,
            /## Packages\n\n- `@shop\/cart` in `packages\/cart\/`: Sums what is bought\. Its parts: \[/,
          )
          assert.match(start, /- `@shop\/mail` in `packages\/mail\/`\. Its parts: \[/)
        }),
      {
        "/repo/package.json": '{"name":"shop"}',
        "/repo/packages/cart/package.json": '{"name":"@shop/cart","description":"Sums what is bought"}',
        "/repo/packages/cart/cart.ts": "export function total(items: string[]) {\n  return items.length\n}\n",
        "/repo/packages/mail/package.json": '{"name":"@shop/mail"}',
        "/repo/packages/mail/mail.ts": "export function send(text: string) {\n  return text\n}\n",
      },
    ),
  )

  it.effect("says without a model what the project says of itself, and that no model wrote it", () =>
    withProject(({ page, write }) =>
      Effect.gen(function* () {
        const { written } = yield* write()
        assert.include(written, "index")
        const start = yield* page("index")
        assert.include(start, "# Greeter\n\nGreeter says hello to people. [README.md]\n")
        assert.include(start, ProjectPages.NOTICE)
        assert.include(start, "`npm run test` runs `node --test`.")
        const [part = ""] = written.filter((name) => name !== "index" && !name.startsWith("flow-"))
        const text = yield* page(part)
        assert.include(text, "`greet`: Says hello to somebody by name. [greet]")
        assert.include(text, "`greet.ts`: Words of greeting in many languages. [greet.ts]")
        assert.include(text, "`test/greet.test.ts`: greets people by name")
      }),
    ),
  )

  it.effect("lists documents by their folder, with titles that say more than their names, and counts many", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          yield* write()
          const [, documents = ""] = (yield* page("index")).split("## Documents\n\n")
          const [list = ""] = documents.split("\n\n")
          assert.include(list, "`contributing.md` (How to take part)")
          assert.match(list, /- In `docs\/`: `topic-00\.md`, `topic-01\.md`/)
          assert.include(list, "Further documents: 15 in `docs/`.")
        }),
      {
        ...repository,
        "/repo/contributing.md": "# How to take part\n",
        ...Object.fromEntries(
          Array.from({ length: 30 }, (_, at) => String(at).padStart(2, "0")).map((at) => [
            `/repo/docs/topic-${at}.md`,
            `# Topic ${at}\n`,
          ]),
        ),
      },
    ),
  )

  it.effect("names as not described only files of which no page tells anything, and folders of nothing else", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          yield* write()
          const [, rest = ""] = (yield* page("index")).split("## Not described\n\n")
          const [list = ""] = rest.split("\n\n")
          assert.deepStrictEqual(list.split("\n"), [
            "- Settings and data: `data/`, `scripts/colors.json` and `src/words.json`.",
            "- Documentation: `LICENSE`.",
          ])
          assert.match(yield* page("index"), /## Where the tests stand\n\n- `test\/` has \d+ source files?/)
        }),
      {
        ...repository,
        "/repo/README.md": "# greeter\n\nGreets people.\n",
        "/repo/LICENSE": "Do what you like.\n",
        "/repo/docs/use.md": "# How to greet\n",
        "/repo/src/words.json": '{"hello":"hallo"}\n',
        "/repo/data/one.json": "{}\n",
        "/repo/data/two.json": "{}\n",
        "/repo/scripts/test": "#!/bin/sh\n\nnode --test test/*.ts\n",
        "/repo/scripts/colors.json": "{}\n",
      },
    ),
  )

  it.effect("names the files at whose main a program begins, not a package that lies in cmd", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          yield* write()
          const [, entries = ""] = (yield* page("index")).split("## Entry points")
          assert.include(entries.split("##")[0], "`cmd/greeter/main.go`")
          assert.notInclude(entries.split("##")[0], "`cmd/main.go`")
          assert.notInclude(entries.split("##")[0], "`cmd/guests.go`")
        }),
      {
        "/repo/go.mod": "module example.org/greeter/v2\n",
        "/repo/cmd/main.go": "package cmd\n\nfunc Start() { greet() }\n",
        "/repo/cmd/guests.go": "package cmd\n\nfunc greet() {}\n",
        "/repo/cmd/greeter/main.go":
          'package main\n\nimport "example.org/greeter/v2/cmd"\n\nfunc main() { cmd.Start() }\n',
      },
    ),
  )

  it.effect("names the sections of a file of C by what their functions share, and each function once", () => {
    const functionsOf = (prefix: string) =>
      Array.from({ length: 24 }, (_, n) => ({
        prototype: `int ${prefix}_step${n}(int value);\n`,
        definition: `int ${prefix}_step${n}(int value) {\n  return ${n === 0 ? "value" : `${prefix}_step${n - 1}(value)`};\n}\n`,
      }))
    const all = ["box_text", "box_list"].flatMap(functionsOf)
    const header = all.map(({ prototype }) => prototype).join("")
    const users = Object.fromEntries(
      ["first", "second", "third"].map((name) => [
        `/repo/src/${name}.c`,
        `#include "box.h"\nint ${name}(void) {\n  return box_text_step9(1) + box_list_step9(2);\n}\n`,
      ]),
    )
    return withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          yield* write()
          const start = yield* page("index")
          const [, parts = ""] = start.split("## Parts")
          const listed = parts.split("##")[0] ?? ""
          assert.include(listed, "Box text")
          assert.include(listed, "Box list")
          assert.notMatch(listed, /box (?:text|list) step/i)
          for (const line of listed.split("\n")) {
            const names = Array.from(line.matchAll(/`(box_\w+)`/g), ([, name]) => name)
            assert.strictEqual(new Set(names).size, names.length, line)
          }
        }),
      {
        "/repo/README.md": "# Box\n\nBox holds texts and lists.\n",
        "/repo/src/box.h": header,
        "/repo/src/box.c": `#include "box.h"\n${all.map(({ definition }) => definition).join("")}`,
        ...users,
      },
    )
  })

  it.effect("writes nothing if nothing has changed", () =>
    withProject(({ write }) =>
      Effect.gen(function* () {
        yield* write()
        assert.deepStrictEqual((yield* write()).written, [])
      }),
    ),
  )

  it.effect("keeps what a person wrote, and says when its code is gone", () =>
    withProject(({ files, page, wiki, write }) =>
      Effect.gen(function* () {
        yield* write()
        const before = yield* page("index")
        yield* files.write(
          "/repo/.vibe/wiki/index.md",
          `${before.replace("\n## ", "\nMind the names. [mine]\n\n## ")}[mine]: ../../src/greet.ts "greet"\n`,
        )
        yield* write()
        assert.include(yield* page("index"), "Mind the names. [greet]")
        yield* files.write("/repo/src/greet.ts", "export const other = 1\n")
        const { gone } = yield* write()
        assert.strictEqual(gone, 1)
        assert.include(yield* page("index"), "Mind the names. [greet]")
        const { pages } = yield* wiki.read
        const mine = pages
          .flatMap((document) => States.statementsOf(document.page))
          .filter(({ author }) => author === "person")
        assert.deepStrictEqual(
          mine.map(({ text }) => text),
          ["Mind the names."],
        )
      }),
    ),
  )

  it.effect("writes nothing outside of its folder, whatever the plan that came with the code calls a part", () => {
    const files = ["src/greet.ts", "src/main.ts"]
    const parts = [{ name: "../../AGENTS", title: "Do as I say.", line: "", files }]
    const plan = { version: 1, plan: { parts, flows: [], undescribed: [], model: "a/b" } }
    return withProject(
      ({ files, write }) =>
        Effect.gen(function* () {
          assert.include((yield* Effect.flip(write())).message, "is no plan of a wiki")
          const { entries } = yield* files.list("/repo")
          assert.deepStrictEqual(entries.map(({ name }) => name).sort(), [
            ".vibe",
            "README.md",
            "package.json",
            "src",
            "test",
          ])
        }),
      { ...repository, "/repo/.vibe/wiki/plan.json": JSON.stringify(plan) },
    )
  })

  it.effect("says nothing twice on pages whose evidence is lost, and keeps what a person wrote on them", () =>
    withProject(({ files, page, wiki, write }) =>
      Effect.gen(function* () {
        yield* write()
        const before = yield* page("index")
        const edited = before.replace("\n## ", "\nMind the names.\n\n## ")
        yield* files.write("/repo/.vibe/wiki/index.md", edited, { bytes: new TextEncoder().encode(before) })
        const { pages } = yield* wiki.read
        const texts = new Map<string, string>()
        for (const { page: each } of pages) texts.set(each.name, yield* page(each.name))
        const evidence = yield* files.read("/repo/.vibe/wiki/statements.jsonl", { most: 1_000_000 })
        yield* files.remove("/repo/.vibe/wiki/statements.jsonl", evidence)
        yield* write()
        for (const [name, text] of texts) assert.strictEqual(yield* page(name), text)
        const persons = (yield* wiki.read).pages
          .flatMap((document) => States.statementsOf(document.page))
          .filter(({ author }) => author === "person")
        assert.deepStrictEqual(
          persons.map(({ text }) => text),
          ["Mind the names."],
        )
      }),
    ),
  )

  it.effect(
    "lists on a page of a model the types of its part of which that does not tell, also those that come later",
    () =>
      withProject(({ files, page, write }) =>
        Effect.gen(function* () {
          const types = "export class Hat {\n  lift() {}\n}\n\nexport class Bow {}\n"
          yield* files.write("/repo/src/types.ts", types)
          const claim = {
            text: "Hats are lifted.",
            kind: "claim",
            author: "model",
            model: "a/b",
            citations: [{ path: "src/types.ts", symbol: "Hat.lift" }],
          } as const
          const part: Page = {
            name: "hello",
            kind: "part",
            title: "Hello",
            sections: [{ form: "text", blocks: [[claim]] }],
          }
          yield* write(({ onPage, onPlan }) =>
            Effect.gen(function* () {
              const paths = ["src/greet.ts", "src/main.ts", "src/types.ts"]
              const parts = [{ name: "hello", title: "Hello", line: "", files: paths }]
              yield* onPlan({ parts, flows: [], undescribed: [], model: "a/b" })
              yield* onPage(part)
              return reportOf("hello")
            }),
          )
          assert.include(yield* page("hello"), "## Also in this part\n\n- `types.ts`: `Bow`. [Bow]\n")
          yield* files.write("/repo/src/types.ts", `${types}\nexport class Nod {}\n`, {
            bytes: new TextEncoder().encode(types),
          })
          yield* write()
          assert.include(yield* page("hello"), "- `types.ts`: `Bow` and `Nod`. [Bow] [Nod]\n")
        }),
      ),
  )

  it.effect("lets a writer write pages, and leaves those that a model has written", () =>
    withProject(({ page, write }) =>
      Effect.gen(function* () {
        const written: Page = {
          name: "index",
          kind: "start",
          title: "Greeter",
          sections: [
            {
              form: "text",
              blocks: [[{ text: "A model wrote this.", kind: "claim", author: "model", model: "a/b", citations: [] }]],
            },
          ],
        }
        yield* write(({ onPage }) => Effect.as(onPage(written), reportOf(written.name)))
        yield* write()
        assert.include(yield* page("index"), "A model wrote this.")
        assert.notInclude(yield* page("index"), ProjectPages.NOTICE)
      }),
    ),
  )

  it.effect("keeps on a page of a model what the program knows, and what a person wrote there, once", () =>
    withProject(({ files, page, write }) =>
      Effect.gen(function* () {
        const claim = {
          text: "A model wrote this.",
          kind: "claim",
          author: "model",
          model: "a/b",
          citations: [],
        } as const
        const start: Page = {
          name: "index",
          kind: "start",
          title: "Greeter",
          sections: [{ form: "text", blocks: [[claim]] }],
        }
        const part: Page = { ...start, name: "hello", kind: "part", title: "Hello" }
        yield* write(({ onPage, onPlan }) =>
          Effect.gen(function* () {
            const parts = [{ name: "hello", title: "Hello", line: "", files: ["src/greet.ts", "src/main.ts"] }]
            yield* onPlan({ parts, flows: [], undescribed: [], model: "a/b" })
            yield* onPage(start)
            yield* onPage(part)
            return reportOf("hello")
          }),
        )
        const [index, hello] = [yield* page("index"), yield* page("hello")]
        assert.match(
          index,
          /A model wrote this\.[\s\S]*## Where to begin reading[\s\S]*`greet`[\s\S]*## Where the tests stand/,
        )
        assert.match(
          hello,
          /A model wrote this\.[\s\S]*## Files[\s\S]*`greet\.ts`: Words of greeting in many languages\./,
        )
        // The page of the model tells of this file, so it is only named here.
        assert.match(hello, /## Files[\s\S]*\n- Also `main\.ts`\./)
        assert.notInclude(hello, "## Central symbols")
        yield* files.write("/repo/.vibe/wiki/hello.md", hello.replace("## Files\n\n", "## Files\n\n- Mind the hats.\n"))
        yield* write()
        yield* write()
        assert.strictEqual((yield* page("hello")).split("Mind the hats.").length, 2)
        assert.strictEqual((yield* page("hello")).split("## Files").length, 2)
        assert.strictEqual(yield* page("index"), index)
      }),
    ),
  )

  it.effect("lists the parts from top to bottom on the start page, on that of a model below its list of parts", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          const parts = ["cli", "text", "loader"].map((name) => ({
            name,
            title: name === "text" ? "Texts and limits" : `The ${name}`,
            line: "",
            files: [`src/${name}.ts`],
          }))
          const claim = { text: "Loads.", kind: "claim", author: "model", model: "a/b", citations: [] } as const
          const start: Page = {
            name: "index",
            kind: "start",
            title: "Loads",
            sections: [
              { form: "text", blocks: [[claim]] },
              { title: "Parts", form: "list", blocks: [[claim]] },
              { title: "Terms", form: "list", blocks: [[claim]] },
            ],
          }
          yield* write(({ onPage, onPlan }) =>
            Effect.gen(function* () {
              yield* onPlan({ parts, flows: [], undescribed: [], model: "a/b" })
              yield* onPage(start)
              return reportOf("index")
            }),
          )
          const text = yield* page("index")
          assert.include(
            text,
            "## The parts from top to bottom\n\n1. [The cli](cli.md)\n2. [The loader](loader.md)\n3. [Texts and limits](text.md) (which also uses [The loader](loader.md))\n",
          )
          assert.match(text, /## Parts\n[\s\S]*## The parts from top to bottom\n[\s\S]*## Terms\n/)
          yield* write()
          assert.strictEqual(yield* page("index"), text)
        }),
      {
        "/repo/src/cli.ts":
          'import { load } from "./loader.ts"\nexport function main() {\n  load("a")\n  load("b")\n  load("c")\n}\n',
        "/repo/src/loader.ts":
          'import { trim } from "./text.ts"\nexport function load(name: string) {\n  return trim(name)\n}\nexport function unload(name: string) {\n  return trim(name)\n}\nexport const limit = 3\n',
        "/repo/src/text.ts":
          'import { limit } from "./loader.ts"\nexport function trim(text: string) {\n  return text.slice(0, limit)\n}\n',
      },
    ),
  )

  it.effect("begins a reading with the symbols that most pages of a model cite, once there are three of them", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          const parts = [{ name: "shop", title: "Shop", line: "", files: ["src/shop.ts"] }]
          const citing = (...symbols: ReadonlyArray<string>) => ({
            text: `Tells of ${symbols.join(" and ")}.`,
            kind: "claim" as const,
            author: "model" as const,
            model: "a/b",
            citations: symbols.map((symbol) => ({ path: "src/shop.ts", symbol, hash: "h" })),
          })
          const pageOf = (name: string, kind: Page["kind"], ...symbols: ReadonlyArray<string>): Page => ({
            name,
            kind,
            title: name,
            sections: [{ form: "text", blocks: [[citing(...symbols)]] }],
          })
          const tell = (...more: ReadonlyArray<string>) =>
            write(({ onPage, onPlan }) =>
              Effect.gen(function* () {
                yield* onPlan({ parts, flows: [], undescribed: [], model: "a/b" })
                yield* onPage(pageOf("index", "start", "pay", "gone", ...more))
                yield* onPage(pageOf("shop", "part", "pay", "sell", "gone", ...more))
                yield* onPage(pageOf("sale", "flow", "sell", "pay"))
                return reportOf("index")
              }),
            )
          const begin = () =>
            Effect.map(page("index"), (text) =>
              Array.from(
                (text.split("## Where to begin reading")[1] ?? "").matchAll(/^- `(\w+)`/gm),
                ([, name]) => name,
              ),
            )
          yield* tell()
          assert.include(yield* begin(), "trim")
          yield* tell("stock")
          assert.deepStrictEqual(yield* begin(), ["pay", "stock", "sell"])
        }),
      {
        "/repo/src/shop.ts":
          'import { trim } from "./text.ts"\nexport const pay = () => trim("a")\nexport const sell = () => trim("b")\nexport const stock = () => trim("c")\n',
        "/repo/src/text.ts": "export function trim(text: string) {\n  return text.slice(0, 3)\n}\n",
      },
    ),
  )

  it.effect("tells on the start page of contracts that parts share, and leaves others to the page of their part", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          const parts = ["shapes", "stores"].map((name) => ({
            name,
            title: name,
            line: "",
            files: [`src/${name}.ts`, ...(name === "stores" ? ["web/stores.ts", "web/new/stores.ts"] : [])],
          }))
          yield* write(({ onPlan }) =>
            Effect.gen(function* () {
              yield* onPlan({ parts, flows: [], undescribed: [], model: "a/b" })
              return reportOf("index")
            }),
          )
          const start = yield* page("index")
          assert.include(start, "- `Store` ← `Disk` (in `src/` and `web/`) and `Cloud`.")
          assert.notInclude(start, "`Shape` ←")
          assert.include(start, "- Those within one part stand on its page: [shapes](shapes.md).")
          assert.include(yield* page("shapes"), "- `Shape` ← `Circle`.")
        }),
      {
        "/repo/src/shapes.ts":
          "export interface Shape {\n  area(): number\n}\nexport class Circle implements Shape {\n  area() {\n    return 3\n  }\n}\nexport interface Store {\n  keep(): void\n}\n",
        "/repo/web/stores.ts":
          'import type { Store } from "../src/shapes.ts"\nexport class Disk implements Store {\n  keep() {\n    return\n  }\n}\n',
        "/repo/web/new/stores.ts":
          'import type { Store } from "../../src/shapes.ts"\nexport class Cloud implements Store {\n  keep() {\n    return\n  }\n}\n',
        "/repo/src/stores.ts":
          'import type { Store } from "./shapes.ts"\nexport class Disk implements Store {\n  keep() {\n    return\n  }\n}\n',
      },
    ),
  )

  it.effect("names parts without lists in lists, and ends a comment before the example that it announces", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          const { written } = yield* write()
          const texts = yield* Effect.forEach(written, page)
          const all = texts.join("\n")
          assert.include(all, "`parse`: Reads a list of pairs. [")
          assert.notMatch(all, /^Used by .* and \d more\]/m)
          assert.match(all, /^Used by \[/m)
        }),
      Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [
          `/repo/src/f${at}.ts`,
          at === 0
            ? "/** Reads a list of pairs, e.g.,\n * ```\n * a=b\n * ```\n */\nexport function parse(text: string) {\n  return text\n}\n"
            : `import { parse } from "./f0.ts"\nimport { g${at - 1} } from "./f${at - 1}.ts"\nexport function g${at}() {\n  return parse("x") + g${at - 1}()\n}\n`,
        ]),
      ),
    ),
  )

  it.effect("counts no page that was removed in the run that wrote it", () =>
    withProject(({ wiki, write }) =>
      Effect.gen(function* () {
        const { pages, removed, written } = yield* write(({ onPlan, pages, plan }) =>
          Effect.gen(function* () {
            const parts = [{ name: "hello", title: "Hello", line: "", files: ["src/greet.ts", "src/main.ts"] }]
            yield* onPlan({ ...(plan ?? { undescribed: [] }), parts, flows: [], model: "a/b" })
            assert.isAbove(pages.length, 1)
            return reportOf("hello")
          }),
        )
        const names = (yield* wiki.read).pages.map(({ page }) => page.name)
        assert.deepStrictEqual(names, ["hello", "index"])
        assert.deepStrictEqual(written, names)
        assert.strictEqual(pages, names.length)
        assert.deepStrictEqual(removed, [])
      }),
    ),
  )

  it.effect("gives a project without code a start page that says so", () =>
    withProject(
      ({ page, write }) =>
        Effect.gen(function* () {
          assert.deepStrictEqual((yield* write()).written, ["index"])
          assert.include(yield* page("index"), "there are no parts to describe")
        }),
      { "/repo/notes.txt": "Only words.\n" },
    ),
  )
})

describe("the pages", () => {
  it.effect("are read back as they were made", () =>
    withProject(({ page, wiki, write }) =>
      Effect.gen(function* () {
        yield* write()
        for (const document of (yield* wiki.read).pages) {
          assert.strictEqual(Markdown.print(document), yield* page(document.page.name))
        }
      }),
    ),
  )
})
