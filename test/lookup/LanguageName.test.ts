import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as LanguageName from "../../src/lookup/LanguageName.ts"

const symbol = (path: string, qualified: string, kind: IndexEntry["kind"] = "method", separator = ".") => {
  const at = qualified.lastIndexOf(separator)
  return new IndexEntry({
    path,
    name: at === -1 ? qualified : qualified.slice(at + 1),
    container: at === -1 ? undefined : qualified.slice(0, at),
    kind,
    startLine: 1,
    endLine: 2,
    signature: qualified,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
  })
}

const all = [
  symbol("src/Cookie/SetCookie.php", "GuzzleHttp\\Cookie.SetCookie", "class"),
  symbol("src/Cookie/SetCookie.php", "GuzzleHttp\\Cookie.SetCookie.toArray"),
  symbol("src/conf.rs", "Conf.sized"),
  symbol("tokio/src/sync/semaphore.rs", "Semaphore", "class"),
  symbol("core/Regions.cs", "Acme.Core.Regions.Extra"),
  symbol("lib/base.rb", "Sinatra.Base.static!"),
  symbol("context.go", "gin", "module"),
  symbol("context.go", "Context", "class"),
  symbol("context.go", "Context.ClientIP"),
  symbol("src/main/java/org/acme/owner/PetValidator.java", "PetValidator", "class"),
  symbol("lib/vec.cpp", "Vec.operator+"),
  symbol("lib/vec.cpp", "Vec.~Vec"),
  symbol("lib/express.js", "createApplication", "function"),
  symbol("lib/other.js", "Other.createApplication"),
]

const index = {
  find: (name: string, path?: string) =>
    Effect.succeed(all.filter((entry) => entry.name === name && (path === undefined || entry.path === path))),
  symbolsIn: (path: string) => Effect.succeed(all.filter((entry) => entry.path === path)),
}

const find = (typed: string, options: { readonly path?: string; readonly project?: string } = {}) =>
  Effect.map(LanguageName.find(index, typed, options), (found) => found.map(({ qualifiedName }) => qualifiedName))

describe("a name as its language writes it", () => {
  const written: ReadonlyArray<readonly [typed: string, qualified: string]> = [
    ["SetCookie::toArray", "GuzzleHttp\\Cookie.SetCookie.toArray"],
    ["SetCookie->toArray()", "GuzzleHttp\\Cookie.SetCookie.toArray"],
    ["SetCookie.toArray", "GuzzleHttp\\Cookie.SetCookie.toArray"],
    ["\\GuzzleHttp\\Cookie\\SetCookie", "GuzzleHttp\\Cookie.SetCookie"],
    ["GuzzleHttp\\Cookie\\SetCookie::toArray", "GuzzleHttp\\Cookie.SetCookie.toArray"],
    ["Conf::sized", "Conf.sized"],
    ["Conf::<u8>::sized", "Conf.sized"],
    ["crate::conf::Conf::sized", "Conf.sized"],
    ["tokio::sync::Semaphore", "Semaphore"],
    ["Regions.Extra", "Acme.Core.Regions.Extra"],
    ["Sinatra::Base#static!", "Sinatra.Base.static!"],
    ["Base#static!", "Sinatra.Base.static!"],
    ["(*Context).ClientIP", "Context.ClientIP"],
    ["gin.Context", "Context"],
    ["gin.Context.ClientIP", "Context.ClientIP"],
    ["org.acme.owner.PetValidator", "PetValidator"],
    ["Vec::operator+", "Vec.operator+"],
    ["Vec::~Vec", "Vec.~Vec"],
    ["express.createApplication", "createApplication"],
  ]
  it.effect.each(written)("%s means %s", ([typed, qualified]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* find(typed), [qualified])
    }),
  )

  it.effect("may begin with the name of the project", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* find("acme.PetValidator", { project: "other" }), ["PetValidator"])
      assert.deepStrictEqual(yield* find("clinic.PetValidator"), [])
      assert.deepStrictEqual(yield* find("clinic.PetValidator", { project: "clinic" }), ["PetValidator"])
    }),
  )

  it.effect("means nothing if its container or package is another, or if it is no name", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* find("Config::sized"), [])
      assert.deepStrictEqual(yield* find("http.Context"), [])
      assert.deepStrictEqual(yield* find("SetCookie::missing"), [])
      assert.deepStrictEqual(yield* find("where is sized decided"), [])
      assert.deepStrictEqual(yield* find("src/conf.rs"), [])
      assert.deepStrictEqual(yield* find(""), [])
      assert.deepStrictEqual(yield* find("Conf::sized", { path: "lib/vec.cpp" }), [])
    }),
  )
})
