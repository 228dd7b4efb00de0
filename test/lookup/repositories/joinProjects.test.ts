import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { plain } from "../../../src/base/Style.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as Sqlite from "../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import * as AnswerText from "../../../src/lookup/AnswerText.ts"
import { findPath } from "../../../src/lookup/findPath.ts"
import { findSymbols } from "../../../src/lookup/findSymbols.ts"
import * as Query from "../../../src/lookup/Query.ts"
import { joinProjects } from "../../../src/lookup/repositories/joinProjects.ts"
import * as RepositoryPath from "../../../src/lookup/repositories/RepositoryPath.ts"
import * as Show from "../../../src/lookup/Show.ts"
import * as SharedSymbols from "../../utils/SharedSymbols.ts"

const functions = (names: ReadonlyArray<string>, body: string) =>
  names.map((name) => `export const ${name} = () => {\n  ${body}\n}\n`).join("\n")

/**
 * In the backend every function is about orders, and in the frontend one is; that one
 * says nothing else of the question.
 */
const files = {
  "/w/api/src/orders.ts": functions(["readOrder", "writeOrder", "countOrder", "dropOrder"], "order(ledger)"),
  "/w/api/src/refund.ts": "/** Pays an order back. */\nexport const refundOrder = () => orderOf(refund)\n",
  "/w/api/src/Session.ts": "/** Who is logged in. */\nexport class Session {\n  renew() {\n    return 1\n  }\n}\n",
  "/w/web/src/pages.ts": functions(["homePage", "helpPage", "termsPage", "loginPage"], "show(page)"),
  "/w/web/src/basket.ts": "export const basketPage = () => show(order)\n",
  "/w/web/src/Session.ts": "export class Session {\n  cookie = 1\n}\n",
  "/w/web/src/useApi.ts": 'import { Session } from "./Session.ts"\nexport const useApi = () => new Session()\n',
}

const layer = Layer.provideMerge(Sqlite.layerMemory, Layer.mergeAll(Files.layerMemory(files), SharedSymbols.layer))

const project = (name: string) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open(`/w/${name}`)
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    return { name, project: { workspace, index, displayPath: (path: string) => path } }
  })

const joined = Effect.map(Effect.all([project("api"), project("web")]), joinProjects)

const namesIn = (hits: ReadonlyArray<IndexStore.Hit>) =>
  hits.map(({ entry }) => `${entry.path.split("/")[0]}:${entry.qualifiedName}`)

const run = <A, E>(effect: Effect.Effect<A, E, Effect.Effect.Context<typeof joined> | IndexStore.IndexStore>) =>
  effect.pipe(Effect.scoped, Effect.provide(layer))

describe("several repositories as one project", () => {
  it.effect("weigh a word by how rare it is in all of them", () =>
    run(
      Effect.gen(function* () {
        const { index } = yield* joined
        const web = (yield* project("web")).project.index
        // Alone, the only place that has the word gets a high score for that.
        const [alone] = yield* web.search("refund order", { limit: 1 })
        assert.strictEqual(alone?.entry.qualifiedName, "basketPage")
        const hits = yield* index.search("refund order", { limit: 5 })
        assert.strictEqual(namesIn(hits)[0], "api:refundOrder")
        const basket = hits.find(({ entry }) => entry.qualifiedName === "basketPage")
        assert.isBelow(basket?.score ?? 0, alone?.score ?? 0)
        assert.deepStrictEqual(
          hits.map(({ score }) => score),
          hits.map(({ score }) => score).toSorted((one, other) => other - one),
        )
      }),
    ),
  )

  it.effect("put a symbol that the question names before all others, from whichever it comes", () =>
    run(
      Effect.gen(function* () {
        const { index } = yield* joined
        assert.strictEqual(namesIn(yield* index.search("useApi", { limit: 3 }))[0], "web:useApi")
        assert.strictEqual(namesIn(yield* index.search("Session.renew", { limit: 3 }))[0], "api:Session.renew")
        const both = namesIn(yield* index.search("Session", { limit: 2 })).toSorted()
        assert.deepStrictEqual(both, ["api:Session", "web:Session"])
      }),
    ),
  )

  it.effect("are searched in one of them, or a folder of it, where a path says so", () =>
    run(
      Effect.gen(function* () {
        const project = yield* joined
        for (const typed of ["web", "web/src", "web/", "/w/web/src"]) {
          const within = yield* findPath(project, typed)
          const hits = yield* project.index.search("order", { limit: 9, path: within })
          assert.deepStrictEqual(namesIn(hits), ["web:basketPage"], typed)
        }
        const error = yield* Effect.flip(findPath(project, "src/basket.ts"))
        assert.match(error.message, /^no file or folder src\/basket\.ts in the index; near it: web\/src\/basket\.ts/)
      }),
    ),
  )

  it.effect("name the repository in each answer, as text and as an object", () =>
    run(
      Effect.gen(function* () {
        const project = yield* joined
        const answers = yield* Query.answer(project, "useApi", { limit: 1 })
        const text = AnswerText.format(answers, { style: plain, displayPath: project.displayPath })
        assert.match(text, /^web\/src\/useApi\.ts:2-2 {2}/)
        assert.match(text, /calls: Session web\/src\/Session\.ts:1-3/)
        assert.deepInclude(AnswerText.toJson(answers, project.repositories)[0], {
          repo: "web",
          path: "web/src/useApi.ts",
        })
        assert.notProperty(AnswerText.toJson(answers)[0], "repo")
      }),
    ),
  )

  it.effect("show what a path with a repository's name means, and all symbols of a name", () =>
    run(
      Effect.gen(function* () {
        const project = yield* joined
        assert.match(yield* Show.describe(project, "api/src/Session.ts:3", 500), /^api\/src\/Session\.ts:3-5 {2}method/)
        assert.match(yield* Show.describe(project, "web/src/useApi.ts:1-1", 500), /import \{ Session \}/)
        assert.match(
          yield* Show.describe(project, ".", 500),
          /^\. {2}7 files[\s\S]*web\/ {2}4 files[\s\S]*api\/ {2}3 files/,
        )
        const { named } = yield* findSymbols(project, "Session")
        assert.deepStrictEqual(
          named.map(({ path }) => path),
          ["api/src/Session.ts", "web/src/Session.ts"],
        )
        const { named: one } = yield* findSymbols(project, "web:Session")
        assert.deepStrictEqual(
          one.map(({ path }) => path),
          ["web/src/Session.ts"],
        )
        const [session] = one
        assert.isDefined(session)
        const used = yield* project.index.references(session)
        assert.deepStrictEqual(
          used.map(({ line, path }) => `${path}:${line}`),
          ["web/src/useApi.ts:2"],
        )
        const error = yield* Effect.flip(findSymbols(project, "Sesion"))
        assert.match(error.message, /web\/src\/Session\.ts:Session, api\/src\/Session\.ts:Session/)
      }),
    ),
  )

  it.effect("have one folder for each, whose files are read and listed as they are by themselves", () =>
    run(
      Effect.gen(function* () {
        const { workspace } = yield* joined
        const paths = (folder: Parameters<typeof workspace.list>[0]) =>
          Effect.map(workspace.list(folder), ({ entries }) => entries)
        assert.strictEqual(workspace.root, path.resolve("/w"))
        const [api] = yield* paths(".")
        assert.isTrue(api?.kind === "folder" && api.path === "api")
        const [src] = yield* paths("api")
        assert.isTrue(src?.kind === "folder" && src.path === "api/src")
        if (src?.kind === "folder") assert.include((yield* paths(src))[0]?.path, "api/src/")
        assert.include((yield* workspace.read("web/src/basket.ts")).text, "basketPage")
        for (const outside of ["web/../api/src/orders.ts", "web/../../etc/passwd", "none/a.ts", "/etc/passwd"]) {
          const { message } = yield* Effect.flip(workspace.read(outside))
          assert.match(message, /outside the workspace or not allowed|no such file or folder/, outside)
        }
      }),
    ),
  )

  it.effect("count the uses of the symbols of a file in its repository", () =>
    run(
      Effect.gen(function* () {
        const { index } = yield* joined
        assert.deepStrictEqual(yield* index.symbolUses(["web/src/Session.ts", "gone/src/a.ts"]), [
          {
            from: { path: "web/src/useApi.ts", symbol: undefined },
            to: { path: "web/src/Session.ts", symbol: "Session" },
            count: 1,
          },
        ])
      }),
    ),
  )

  it.effect("sum up what each has", () =>
    run(
      Effect.gen(function* () {
        const { index } = yield* joined
        const each = yield* Effect.all([project("api"), project("web")])
        const [api, web] = yield* Effect.forEach(each, ({ project }) => project.index.status)
        const status = yield* index.status
        assert.strictEqual(status.symbols, (api?.symbols ?? 0) + (web?.symbols ?? 0))
        assert.strictEqual(status.classes.code.files, 7)
        assert.deepStrictEqual(
          (yield* index.files).map(({ path }) => path),
          Object.keys(files)
            .map((file) => file.slice("/w/".length))
            .toSorted(),
        )
        assert.deepInclude(yield* index.refresh, { files: 7, parsed: 0 })
      }),
    ),
  )
})

describe("a path of several repositories", () => {
  const repositories = [
    { name: "api", root: path.resolve("/w/api") },
    { name: "site", root: path.resolve("/w/web") },
  ]

  it("is one that begins with a name, before one in the current folder", () => {
    for (const [typed, expected] of [
      ["api/src/a.ts", ["api/src/a.ts"]],
      ["./api/src/", ["api/src"]],
      [".", ["."]],
      [path.resolve("/w/web/src/a.ts"), "site/src/a.ts"],
      [path.resolve("/w/web"), "site"],
      [path.resolve("/w/website/a.ts"), undefined],
    ] as const) {
      const found = RepositoryPath.candidates(repositories, typed)
      if (typeof expected === "object") assert.deepStrictEqual(found, expected)
      else assert.strictEqual(found[1], expected)
    }
  })

  it("is split behind the name", () => {
    assert.deepStrictEqual(RepositoryPath.split("api/src/a.ts"), ["api", "src/a.ts"])
    assert.deepStrictEqual(RepositoryPath.split("api"), ["api", "."])
    assert.strictEqual(RepositoryPath.repositoryOf(repositories, "web/a.ts"), undefined)
    assert.strictEqual(RepositoryPath.join("api", "."), "api")
  })
})
