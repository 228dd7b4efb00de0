import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../outlined.ts"

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
        "+ function method 22-22",
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

  it.effect("takes the functions and classes in what a module exports for what it defines", () =>
    Effect.gen(function* () {
      const source = `module.exports = exports = {
  name: "flatten",
  kept,
  plain() { function hidden() {} },
  arrow: async (a) => a,
  "quoted-name": function () {},
  get late() { return 1 },
  Model: class { size() {} },
  nested: { deep() {} },
}
function kept() {}
use({ other() {} })
`
      const outline = yield* outlined("a.js", source)
      assert.deepStrictEqual(rows(outline), [
        "+ function plain 4-4",
        "+ function arrow 5-5",
        "+ function quoted-name 6-6",
        "+ constant late 7-7",
        "+ class Model 8-8",
        "+ method Model.size 8-8",
        "+ function kept 11-11",
      ])
      assert.deepInclude(signatures(outline), { arrow: "arrow: async (a)", plain: "plain()" })
    }),
  )

  it.effect("exports the methods of what stands for a module", () =>
    Effect.gen(function* () {
      const source = `const Topics = module.exports
const { one } = require("./one"), other = module.exports.other
Topics.create = async function (data) {
  Topics.inside = function () {}
}
Topics.tools.lock = (id) => id
other.run = function () {}
`
      assert.deepStrictEqual(rows(yield* outlined("a.js", source)), [
        "+ constant Topics 1-1",
        "- constant other 2-2",
        "+ method Topics.create 3-5",
        "+ method Topics.tools.lock 6-6",
        "- method other.run 7-7",
      ])
    }),
  )

  it.effect("looks into a function that gives members to what it is given, and into no other", () =>
    Effect.gen(function* () {
      const source = `module.exports = function (User, cache) {
  const limit = 10
  /** Says whether there is one. */
  User.exists = async function (id) {
    function hidden() {}
  }
  function helper() {}
}
`
      const outline = yield* outlined("a.js", source)
      assert.deepStrictEqual(rows(outline), [
        "+ function default 1-8",
        "- constant limit 2-2",
        "+ method User.exists 4-6",
        "- function helper 7-7",
      ])
      assert.deepStrictEqual(docs(outline), { "User.exists": "Says whether there is one." })
      const plain = "module.exports = (app) => {\n  const a = 1\n  app.limit = 1\n  other.go = function () {}\n}\n"
      assert.deepStrictEqual(rows(yield* outlined("a.js", plain)), ["+ function default 1-5"])
    }),
  )

  it.effect("looks into a function around a whole module", () =>
    Effect.gen(function* () {
      const amd = `'use strict';
define('forum/votes', ['api', 'hooks'], function (api, hooks) {
  const Votes = {};
  Votes.show = function () { const inner = 1; };
  function hidden() {}
  return Votes;
});
`
      assert.deepStrictEqual(rows(yield* outlined("a.js", amd)), [
        "+ constant Votes 3-3",
        "+ method Votes.show 4-4",
        "- function hidden 5-5",
      ])
      const immediate =
        ";(function ($) {\n  function plug() {}\n  return { plug }\n})(jQuery)\nwatch(function () {\n  function no() {}\n})\n"
      assert.deepStrictEqual(rows(yield* outlined("a.js", immediate)), ["+ function plug 2-2"])
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
