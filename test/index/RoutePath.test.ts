import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as RoutePath from "../../src/index/RoutePath.ts"

const best = (typed: string, ...routes: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wanted = RoutePath.parse(typed)
  assert.isDefined(wanted, typed)
  return RoutePath.best(
    wanted,
    routes.map((route) => ({ verb: route.slice(0, route.indexOf(" ")), path: route.slice(route.indexOf(" ") + 1) })),
  ).map(({ path, verb }) => `${verb} ${path}`)
}

describe("RoutePath", () => {
  it("prefers the path itself, then the same with other parameters, then values of parameters", () => {
    const routes = ["GET /owners/{id}", "GET /owners/new", "POST /owners/new", "ANY /:page/new"]
    assert.deepStrictEqual(best("GET /owners/new", ...routes), ["GET /owners/new"])
    assert.deepStrictEqual(best("get /owners/:ownerId", ...routes), ["GET /owners/{id}"])
    assert.deepStrictEqual(best("GET /owners/<int:id>", ...routes), ["GET /owners/{id}"])
    assert.deepStrictEqual(best("GET /owners/7?page=2", ...routes), ["GET /owners/{id}"])
    assert.deepStrictEqual(best("PUT /owners/new", ...routes), ["ANY /:page/new"])
    assert.deepStrictEqual(best("/owners/new", ...routes), ["GET /owners/new", "POST /owners/new"])
    assert.deepStrictEqual(best("DELETE /pets/7", ...routes), [])
  })

  it("finds a route whose prefix is in another file, unless it has parameters alone", () => {
    assert.deepStrictEqual(best("GET /api/v1/items/7", "GET /items/{id}", "GET /{id}"), ["GET /items/{id}"])
  })

  it("does not take the path of a file for values of parameters, unless a method is typed", () => {
    assert.deepStrictEqual(best("/src/main.ts", "GET /:user/:repository"), [])
    assert.deepStrictEqual(best("GET /octocat/hello", "GET /:user/:repository"), ["GET /:user/:repository"])
    assert.deepStrictEqual(best("/:user/:repository", "GET /:user/:repository"), ["GET /:user/:repository"])
    assert.deepStrictEqual(best("/:u/:r", "GET /:user/:repository"), ["GET /:user/:repository"])
  })

  it("takes for a parameter a segment that is one from its beginning, and of some forms to its end", () => {
    for (const segment of [":id", "{id}", "{id:[0-9]+}", "<id>", "<int:id>", "*", "*rest", "(\\d+)"]) {
      assert.deepStrictEqual(best("GET /owners/7", `GET /owners/${segment}`), [`GET /owners/${segment}`], segment)
    }
    for (const segment of ["a:id", ":", "a{id}", "{id}a", "a<id>", "<id>a", "a*", "a(b)", "(b)a", "{id", "<id", "(b"]) {
      assert.deepStrictEqual(best("GET /owners/7", `GET /owners/${segment}`), [], segment)
    }
  })

  it("takes no route from a question, a name or a word that is no method", () => {
    for (const typed of ["where is GET /x handled", "Forest.append", "read /etc/passwd", "GET"]) {
      assert.isUndefined(RoutePath.parse(typed), typed)
    }
  })

  it("finds each path by itself, and by its values", () => {
    const segment = FastCheck.constantFrom("owners", "pets", "new", ":id", "{id}", "<int:id>")
    FastCheck.assert(
      FastCheck.property(FastCheck.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = `/${segments.join("/")}`
        assert.deepStrictEqual(best(`GET ${path}`, `GET ${path}`), [`GET ${path}`])
        const values = path.replace(/:id|\{id\}|<int:id>/g, "7")
        assert.deepStrictEqual(best(`GET ${values}`, `GET ${path}`), [`GET ${path}`])
      }),
    )
  })
})

describe("RoutePath.parse", () => {
  it.each<readonly [typed: string, verb: string | undefined, path: string]>([
    ["/owners/new", undefined, "/owners/new"],
    ["  get   /owners ", "GET", "/owners"],
    ["PURGE /a", "PURGE", "/a"],
    ["GET /owners?page=2&size=3", "GET", "/owners"],
    ["GET /owners?filter[name]=a", "GET", "/owners"],
    ["GET /owners?a=", "GET", "/owners"],
    ["GET /owners/:id?", "GET", "/owners/:id?"],
    ["GET /owners/:id?/pets", "GET", "/owners/:id?/pets"],
  ])("reads of %j the method %s and the path %s", (typed, verb, path) => {
    assert.deepStrictEqual(RoutePath.parse(typed), { verb, path })
  })

  it.each(["GET /a b", "see GET /a", "src/a", "", "1 /a", "/a /b"])("reads no route of %j", (typed) => {
    assert.isUndefined(RoutePath.parse(typed))
  })
})

describe("RoutePath.best", () => {
  it.each<readonly [what: string, typed: string, routes: ReadonlyArray<string>, found: ReadonlyArray<string>]>([
    ["any method for ANY and ALL", "ANY /a", ["GET /a", "POST /a"], ["GET /a", "POST /a"]],
    ["any method for ALL", "ALL /a", ["GET /a"], ["GET /a"]],
    ["no other method", "GET /a", ["POST /a"], []],
    ["routes in their order", "/a", ["POST /a", "GET /a"], ["POST /a", "GET /a"]],
    ["the path itself before the same one", "GET /:a/b", ["GET /:c/b", "GET /:a/b"], ["GET /:a/b"]],
    ["the path with more literal segments", "GET /a/b/c", ["GET /a/:x/:y", "GET /a/b/:y"], ["GET /a/b/:y"]],
    ["more literal segments in an end", "GET /z/a/b/c", ["GET /:x/:y/c", "GET /:x/b/c"], ["GET /:x/b/c"]],
    ["the longer end", "GET /z/a/b", ["GET /b", "GET /a/b"], ["GET /a/b"]],
    ["values before an end", "GET /z/7", ["GET /7", "GET /z/:id"], ["GET /z/:id"]],
    ["no end with parameters alone", "GET /z/7", ["GET /:id"], []],
    ["no end of which one segment fits", "GET /z/a/b", ["GET /c/b"], []],
    ["no path that is longer", "GET /a", ["GET /z/a"], []],
    ["a path with a format", "GET /a/b", ["GET /a/b(.:format)"], ["GET /a/b(.:format)"]],
    ["no format within a path", "GET /a/b", ["GET /a(.:format)/b"], []],
    ["slashes at the end", "GET /a/", ["GET /a"], ["GET /a"]],
  ])("finds %s", (_, typed, routes, found) => {
    assert.deepStrictEqual(best(typed, ...routes), found)
  })
})
