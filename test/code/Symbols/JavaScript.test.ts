import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { outlined, rows, signatures, withSymbols } from "./outlined.ts"

const common = `const fs = require("node:fs")
const { join } = require('node:path'), version = "1"
var app = exports = module.exports = {}
app.use = function use(handler) {
  var hidden = 1
}
/** Made of a name. */
function View(name) {}
View.prototype.render = function () {}
exports.parse = (text) => text
exports.limit = 10
exports.late = late
function late() {}
function kept() {}
class Model {
  count = 0
  #id = 1
  static create() {}
}
this.nothing = function () {}
object.yaml.require("not an import")
module.exports = { Model, alias: View, method() {} }
if (dev) { require("./dev") }
`

withSymbols("the outline of JavaScript", (it) => {
  it.effect("knows the exports of CommonJS, and that what is required is defined elsewhere", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("lib/a.cjs", common)
      assert.deepStrictEqual(rows(outline), [
        "- constant version 2-2",
        "+ variable app 3-3",
        "+ method app.use 4-6",
        "+ function View 8-8",
        "+ method View.render 9-9",
        "+ function parse 10-10",
        "+ constant limit 11-11",
        "+ function late 13-13",
        "- function kept 14-14",
        "+ class Model 15-19",
        "+ field Model.count 16-16",
        "- field Model.#id 17-17",
        "+ method Model.create 18-18",
      ])
      assert.deepStrictEqual(outline.imports, ["node:fs", "node:path", "./dev"])
    }),
  )

  it.effect("names what a module is", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.js", "module.exports = class Foo {\n  bar() {}\n}\n")
      assert.deepStrictEqual(rows(outline), ["+ class Foo 1-3", "+ method Foo.bar 2-2"])
      assert.deepStrictEqual(rows(yield* outlined("a.js", "module.exports = function () {}")), [
        "+ function default 1-1",
      ])
    }),
  )

  it.effect("reads JSX", () =>
    Effect.gen(function* () {
      const source = "export const App = ({ name }) => <p onClick={() => go(name)}>{name}</p>\nexport default App\n"
      for (const path of ["App.jsx", "App.tsx"]) {
        const outline = yield* outlined(path, source)
        assert.deepStrictEqual(rows(outline), ["+ function App 1-1"])
        assert.deepStrictEqual(signatures(outline), { App: "export const App = ({ name })" })
        assert.strictEqual(outline.identifiers.get("name"), 3)
      }
    }),
  )
})
