import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, type Schema } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as ServedTools from "../../src/mcp/ServedTools.ts"
import * as Tokens from "../../src/message/Tokens.ts"
import { convertArguments } from "../../src/tool/internal/convertArguments.ts"
import * as Parameters from "../../src/tool/Parameters.ts"
import { Failed } from "../../src/tool/ToolError.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as Schemas from "../../src/toolbox/internal/lookupSchemas.ts"
import * as LookupTools from "../../src/toolbox/LookupTools.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"
import { call, context, files } from "./lookupProject.ts"

describe("query and show, as agents are offered them", () => {
  it("take at most 400 tokens of definitions", () => {
    const tools = LookupTools.make(Effect.fail(new Failed({ message: "" })))
    const definitions = JSON.stringify(ServedTools.definitionsOf(ToolRegistry.make(tools)))
    assert.isAtMost(Tokens.ofLines([definitions]), 400)
  })

  it("declare as data what their schemas say", () => {
    const tools = LookupTools.make(Effect.fail(new Failed({ message: "" })))
    const schemas: ReadonlyArray<Schema.Schema.AnyNoContext> = [Schemas.Query, Schemas.Show]
    for (const [at, schema] of schemas.entries()) {
      const { $schema: _, ...expected } = Parameters.fromSchema(schema).jsonSchema
      assert.deepStrictEqual(tools[at]?.parameters, expected)
    }
  })

  it.effect("take arguments of the right type without their schemas, and refuse what the schemas refuse", () =>
    Effect.gen(function* () {
      const valid = { query: "send", keywords: ["mail"], path: "src", limit: 3, files: true, maxTokens: 300 }
      const fromSchema = (schema: Schema.Schema.AnyNoContext) => Parameters.fromSchema(schema)
      const parameters = { query: fromSchema(Schemas.Query), show: fromSchema(Schemas.Show) }
      for (const [name, given] of [
        ["query", valid],
        ["query", { ...valid, keywords: "mail, send", limit: "3", files: "true", maxTokens: null }],
        ["query", { ...valid, limit: 0 }],
        ["query", { ...valid, limit: 51 }],
        ["query", { ...valid, maxTokens: 99 }],
        ["query", { ...valid, maxTokens: 20_001 }],
        ["query", { ...valid, words: 1 }],
        ["query", { keywords: [] }],
        ["show", { target: "send", maxTokens: 100 }],
        ["show", { target: 1, maxTokens: 1.5 }],
        ["show", { target: null }],
      ] as const) {
        const { decode, jsonSchema } = parameters[name]
        const decoded = yield* Effect.either(
          Effect.orElse(decode(given), () => decode(convertArguments(jsonSchema, given))),
        )
        const { isError = false, text } = yield* call(name, given)
        assert.strictEqual(isError, Either.isLeft(decoded), `${name} ${JSON.stringify(given)}: ${text}`)
        if (Either.isLeft(decoded)) assert.include(text, decoded.left.message)
      }
    }),
  )

  it.effect("answer with 1,000 tokens at the most, unless the call allows more", () =>
    Effect.gen(function* () {
      for (const [name, parameters] of [
        ["show", { target: "src/wide.ts" }],
        ["show", { target: "long" }],
        ["show", { target: "src/send.ts:8-209" }],
      ] as const) {
        const { text } = yield* call(name, parameters, "(it may be old)")
        assert.isAtMost(Tokens.ofLines(text.split("\n")), 1000)
        assert.match(text, /maxTokens/)
        const more = yield* call(name, { ...parameters, maxTokens: 3000 })
        assert.isAtMost(Tokens.ofLines(more.text.split("\n")), 3000)
        assert.isAbove(more.text.length, text.length)
      }
    }),
  )

  it.effect("answer with fewer tokens where the call says so", () =>
    Effect.gen(function* () {
      const { text } = yield* call("query", { query: "sends a number", limit: 50, maxTokens: 200 })
      assert.isAtMost(Tokens.ofLines(text.split("\n")), 200)
      assert.match(text, /\(cut at 200 tokens: maxTokens allows more\)$/)
    }),
  )

  it.effect("begin with the notice of an index that is not current", () =>
    Effect.gen(function* () {
      for (const [name, parameters] of [
        ["query", { query: "send" }],
        ["show", { target: "send" }],
      ] as const) {
        const { text } = yield* call(name, parameters, "(it may be old)")
        assert.match(text, /^\(it may be old\)\nsrc\/send\.ts:2-4 {2}function send/)
      }
    }),
  )

  it.effect("begin with the notice where they find nothing, too", () =>
    Effect.gen(function* () {
      for (const [name, parameters, text] of [
        ["query", { query: "zebra" }, "no symbol matches 'zebra'"],
        ["query", { query: "send", path: "src/uses.ts" }, "no file or folder src/uses.ts"],
        ["show", { target: "onlyHereNow" }, "no symbol 'onlyHereNow'"],
      ] as const) {
        const result = yield* call(name, parameters, "(it may be old)")
        assert.include(result.text, `(it may be old)\n${text}`)
      }
    }),
  )

  it.effect("refuse a text that is no question and no name, without repeating it", () =>
    Effect.gen(function* () {
      for (const [name, parameters] of [
        ["query", { query: "cookie ".repeat(100_000) }],
        ["query", { query: "cookie", path: "a/".repeat(100_000) }],
        ["show", { target: "a/".repeat(100_000) }],
      ] as const) {
        const { isError, text } = yield* call(name, parameters)
        assert.isTrue(isError)
        assert.match(text, /is longer than 2000 characters$/)
      }
    }),
  )

  it.effect("quote what was asked without its control characters", () =>
    Effect.gen(function* () {
      for (const [name, parameters, text] of [
        ["show", { target: "\0\u001b[2JnoSuchThing" }, "no symbol 'noSuchThing' in the index"],
        ["query", { query: "send", path: "no\0where" }, "no file or folder nowhere in the index"],
      ] as const) {
        assert.include((yield* call(name, parameters)).text, text)
      }
    }),
  )

  it.effect("fail with the reason where there is no project", () =>
    Effect.gen(function* () {
      const tools = LookupTools.make(Effect.fail(new Failed({ message: "there is no index here yet" })))
      const parameters = { query: "x" }
      const result = yield* ToolRegistry.make(tools).execute(
        { type: "tool-use", id: "c1", name: "query", parameters },
        context,
      )
      assert.isTrue(result.isError)
      assert.include(result.text, "there is no index here yet")
    }),
  )
})

describe("query", () => {
  it.effect("searches in a folder or a file, and refuses one that there is not with the nearest", () =>
    Effect.gen(function* () {
      const { text } = yield* call("query", { query: "send", path: "src/use.ts" })
      assert.match(text, /^src\/use\.ts:/)
      const wrong = yield* call("query", { query: "send", path: "src/uses.ts" })
      assert.isTrue(wrong.isError)
      assert.include(wrong.text, "no file or folder src/uses.ts in the index; near it: src/use.ts")
    }),
  )

  it.effect("takes keywords in one text, and the folder of a pattern, and says so", () =>
    Effect.gen(function* () {
      const { text } = yield* call("query", { query: "transmits", keywords: "send, pack" })
      assert.match(text, /^src\/send\.ts:/)
      const within = yield* call("query", { query: "send", path: "src/**/*.ts" })
      assert.match(within.text, /^\(path is a folder or a file, no pattern: this is about src\)\nsrc\//)
      const all = yield* call("query", { query: "send", path: "*.ts" })
      assert.match(all.text, /^\(path is a folder or a file, no pattern: this is about \.\)\nsrc\//)
    }),
  )

  it.effect("names files instead, best first, as many as the limit says, each with the symbols that say why", () =>
    Effect.gen(function* () {
      const { text } = yield* call("query", { query: "send a text", files: true, keywords: ["send", "pack"] })
      const [first = "", ...others] = text.split("\n")
      assert.match(first, /^src\/send\.ts {2}pack 5-7, send 2-4, /)
      assert.match(others.join("\n"), /^src\/wide\.ts {2}send\d+ .*, and \d+ more$/)
      const one = yield* call("query", { query: "send a text", files: true, keywords: ["send", "pack"], limit: 1 })
      assert.strictEqual(one.text, first)
      const within = yield* call("query", { query: "send a text", files: true, path: "src/use.ts" }, "(it may be old)")
      assert.match(within.text, /^\(it may be old\)\nsrc\/use\.ts {2}greet 2-5/)
      const brief = yield* call("query", { query: "can get a hub", files: true, limit: 50, maxTokens: 100 })
      assert.isAtMost(Tokens.ofLines(brief.text.split("\n")), 100)
    }),
  )

  it.effect("says what to do where no file matches, and refuses a question without a word", () =>
    Effect.gen(function* () {
      const none = yield* call("query", { query: "zebra", files: true })
      assert.include(none.text, "no symbol matches 'zebra': say it in other words, or search for exact text with grep")
      const empty = yield* call("query", { query: "  ", files: true })
      assert.isTrue(empty.isError)
      assert.include(empty.text, "the query is empty")
    }),
  )

  it.effect("names all results that a limit asks for, those without code by their title alone if that is needed", () =>
    Effect.gen(function* () {
      const many = { "/repo/send.ts": Array.from({ length: 40 }, (_, n) => sender(n)).join("\n") }
      const { text } = yield* call("query", { query: "send mail", limit: 20 }, undefined, { files: many, isMade: true })
      assert.lengthOf(text.match(/^send\.ts:\d+-\d+ {2}/gm) ?? [], 20)
      assert.isAtMost(Tokens.ofLines(text.split("\n")), LookupTools.DEFAULT_TOKENS)
    }),
  )

  it.effect("says what to do where nothing matches", () =>
    Effect.gen(function* () {
      const { text } = yield* call("query", { query: "zebra" })
      assert.deepStrictEqual(text.split("\n"), [
        "no symbol matches 'zebra': say it in other words, or search for exact text with grep",
        "no symbol and no text has 'zebra'",
      ])
    }),
  )

  it.effect("asks for no other words where the index is still being made, or has no symbols", () =>
    Effect.gen(function* () {
      const unmade = yield* call("query", { query: "send" }, undefined, { files, isMade: false })
      assert.strictEqual(
        unmade.text,
        "no symbol matches 'send' in what the index has so far: ask again later, or search with grep",
      )
      const without = { "/repo/notes.txt": "one\n" }
      const empty = yield* call("query", { query: "send" }, undefined, { files: without, isMade: true })
      assert.strictEqual(empty.text, "the index has no symbols: search with grep")
    }),
  )
})

describe("show", () => {
  it.effect("shows a file without symbols as it is, since a query may have found it", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "more/index.ts" })
      assert.include(text, "more/index.ts:1-2")
      assert.include(text, 'export { hub } from "./hub.ts"')
    }),
  )

  it.effect("shows a symbol with its callers, what it calls, and its source", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "send" })
      assert.deepStrictEqual(text.split("\n"), [
        "src/send.ts:2-4  function send",
        "  Sends a text to a server, and tries again where that fails. (from its comment)",
        "  used by",
        "    src/use.ts:3, 4  greet",
        "  calls",
        "    src/send.ts:5  pack",
        "2 │ export function send(text: string) {",
        "3 │   return pack(text)",
        "4 │ }",
      ])
    }),
  )

  it.effect("has as many callers as there is room for, and says how to see the others", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "hub", maxTokens: 500 })
      const shown = text.split("\n").filter((line) => line.includes("more/users.ts:"))
      assert.isAtLeast(shown.length, 10)
      assert.include(text, `and ${60 - shown.length} more symbols: set maxTokens`)
      const all = yield* call("show", { target: "hub", maxTokens: 5000 })
      assert.lengthOf(
        all.text.split("\n").filter((line) => line.includes("more/users.ts:")),
        60,
      )
    }),
  )

  it.effect("says where a name may be used though that is not resolved", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "Store.keep", maxTokens: 4000 })
      assert.match(text, /maybe used at .*\n {4}more\/keep\.py:\d+ {2}fill\n/)
    }),
  )

  it.effect("takes a name as it is written at a call, and says what it took", () =>
    Effect.gen(function* () {
      for (const target of ["privileges.posts.canEdit", "this.posts.canEdit(id)"]) {
        const { text } = yield* call("show", { target })
        const [note, title] = text.split("\n")
        assert.strictEqual(note, `(nothing is named ${target}: taken for PrivsPosts.canEdit)`)
        assert.match(title ?? "", /^api\/posts\.ts:2-4 {2}method PrivsPosts\.canEdit$/)
      }
    }),
  )

  it.effect("suggests members of a container that has no such member", () =>
    Effect.gen(function* () {
      const { isError, text } = yield* call("show", { target: "PrivsUsers.canBen" })
      assert.isTrue(isError)
      assert.include(text, "PrivsUsers has no canBen in the index; near it: api/users.ts:PrivsUsers.canBan")
    }),
  )

  it.effect("shows the most used of a few symbols with one name, below the others", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "canEdit" })
      assert.deepStrictEqual(text.split("\n").slice(0, 4), [
        "2 symbols have that name. The most used is shown; the others:",
        "api/posts.ts:2-4  method PrivsPosts.canEdit",
        "",
        "api/users.ts:2-4  method PrivsUsers.canEdit",
      ])
    }),
  )

  it.effect("lists many symbols with one name, those of tests last", () =>
    Effect.gen(function* () {
      const lines = (yield* call("show", { target: "get" })).text.split("\n")
      assert.strictEqual(lines[0], "13 symbols have that name, the most used first. Show one as path:name:")
      assert.match(lines[1] ?? "", /^many\/m0\.ts:2-4 {2}method C0\.get$/)
      assert.match(lines[13] ?? "", /^test\/many\.test\.ts:2-4 {2}method Fake\.get$/)
      assert.lengthOf(lines, 14)
    }),
  )

  it.effect("shows each line at which functions without a name use a symbol, and what is around one", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "hub" })
      assert.match(text, /used by\n {4}api\/routes\.ts:4, 7\n/)
      const around = yield* call("show", { target: "api/routes.ts:4" })
      assert.match(around.text, /^api\/routes\.ts:1-8\n1 │ .*\n(?:.*\n)*3 │ on\("first"/)
    }),
  )

  it.effect("says how many lines a file has where a line is asked for behind its end", () =>
    Effect.gen(function* () {
      for (const target of ["src/use.ts:99999", "src/use.ts:999-1200"]) {
        assert.strictEqual((yield* call("show", { target })).text, "(src/use.ts has 5 lines)")
      }
    }),
  )

  it.effect("shows all parameters of a long function, and names the comment that it leaves out", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "Store.keep" })
      for (const n of [0, 11]) assert.include(text, `option_with_a_long_name_${n}: str`)
      assert.match(text, /\(lines 17-\d+ are not shown: the comment\)\n\s*\d+ │ +step_0/)
      assert.isAtMost(Tokens.ofLines(text.split("\n")), 1000)
    }),
  )

  it.effect("shows the lines around the one that is named, and which are left out", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "src/send.ts:150", maxTokens: 200 })
      assert.match(text, /^150 │/m)
      const [, before, after] = /\(lines 8-(\d+) and (\d+)-209 are not shown/.exec(text) ?? []
      assert.match(text, new RegExp(`^${Number(before) + 1} │`, "m"))
      assert.match(text, new RegExp(`^${Number(after) - 1} │`, "m"))
    }),
  )

  it.effect("shows lines of any text, without control sequences", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "notes.txt:2-3" })
      assert.match(text, /^notes\.txt:2-3\n2 │ two\n3 │ .*three$/)
      assert.notInclude(text, "\u001b")
    }),
  )

  it.effect("outlines a file, and lists a folder", () =>
    Effect.gen(function* () {
      const { text } = yield* call("show", { target: "src/send.ts" })
      assert.deepStrictEqual(text.split("\n"), [
        "src/send.ts  3 symbols",
        "2-4  function send  # Sends a text to a server, and tries again where that fails.",
        "5-7  function pack",
        "8-209  function long",
      ])
      assert.match((yield* call("show", { target: "src" })).text, /^src\/ {2}3 files, 304 symbols/)
    }),
  )

  it.effect("refuses what there is not with the nearest names", () =>
    Effect.gen(function* () {
      const { isError, text } = yield* call("show", { target: "greets" })
      assert.isTrue(isError)
      assert.include(text, "near it: src/use.ts:greet")
    }),
  )

  it.effect("reads nothing outside of the project", () =>
    Effect.gen(function* () {
      const { isError, text } = yield* call("show", { target: "../../etc/passwd:1-5" })
      assert.isTrue(isError)
      assert.notInclude(text, "root:")
    }),
  )
})

describe("files that have changed since the index was refreshed", () => {
  const before = "/** Plants a tree. */\nexport function plantOak(x: number) {\n  return x\n}\n"

  /** What a tool answers after `a.ts` was changed by `change`. */
  const callAfter = (
    change: (file: string) => void,
    name: string,
    parameters: Readonly<Record<string, unknown>>,
    indexed = before,
  ) =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const file = path.join(root, "a.ts")
      fs.writeFileSync(file, indexed)
      const workspace = yield* Workspace.open(root)
      const index = yield* (yield* IndexStore.IndexStore).open(workspace)
      yield* index.refresh
      change(file)
      const project = { workspace, index, displayPath: (path: string) => path }
      const registry = ToolRegistry.make(LookupTools.make(Effect.succeed({ project, notice: undefined })))
      return (yield* registry.execute({ type: "tool-use", id: "c1", name, parameters }, context)).text
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Sqlite.layerMemory.pipe(Layer.provideMerge(SharedSymbols.layer), Layer.provideMerge(NodeFiles.layer)),
      ),
    )

  const edit = (file: string) => fs.writeFileSync(file, `// one\n// two\n${before.replace("x: number", "y: string")}`)
  const edited = ["4 │ export function plantOak(y: string) {", "5 │   return x", "6 │ }"].join("\n")

  it.effect("are shown with their lines of now", () =>
    Effect.gen(function* () {
      for (const target of ["plantOak", "a.ts:5", "a.ts:plantOak"]) {
        const text = yield* callAfter(edit, "show", { target })
        assert.match(text, /^a\.ts:4-6 {2}function plantOak\n/)
        assert.include(text, edited)
      }
      const answer = yield* callAfter(edit, "query", { query: "plants a tree" })
      assert.match(answer, /^a\.ts:4-6 {2}function plantOak\n/)
      assert.include(answer, "plantOak(y: string)")
      assert.match(yield* callAfter(edit, "show", { target: "a.ts" }), /^a\.ts {2}1 symbol\n4-6 {2}function plantOak/)
    }),
  )

  it.effect("are outlined where they no longer have the symbol, which is no answer to a question", () =>
    Effect.gen(function* () {
      const rename = (file: string) => fs.writeFileSync(file, before.replace("plantOak", "plantElm"))
      assert.match(
        yield* callAfter(rename, "show", { target: "plantOak" }),
        /^\(a\.ts has changed and has no plantOak now\. Its symbols:\)\n2-4 {2}function plantElm/,
      )
      assert.match(yield* callAfter(rename, "query", { query: "plants a tree" }), /^no symbol matches/)
    }),
  )

  it.effect("name what a syntax error hides, below the heading of the file", () =>
    Effect.gen(function* () {
      const broken = "export function a() {}\nfunction b() { if (a { return 2 }\nexport function c() {}\n"
      const text = yield* callAfter(() => {}, "show", { target: "a.ts" }, broken)
      const [, ...lines] = text.split("\n")
      assert.strictEqual(lines[0], "(syntax error at line 2: the outline lacks b, c)")
    }),
  )

  it.effect("are said to be gone where they are", () =>
    Effect.gen(function* () {
      const note = "(a.ts is gone: this is what the index has of it)"
      for (const target of ["plantOak", "a.ts", "a.ts:3"]) {
        const [first] = (yield* callAfter(fs.unlinkSync, "show", { target })).split("\n")
        assert.strictEqual(first, note)
      }
      assert.match(yield* callAfter(fs.unlinkSync, "query", { query: "plants a tree" }), /^no symbol matches/)
    }),
  )
})

const sender = (n: number) =>
  `/** Sends the mail number ${n} through one of several servers, and tries again later if all of them are busy. */
export function sendMail${n}(mail: Mail) {
  return server.send(mail, ${n})
}
`
