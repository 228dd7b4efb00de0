import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

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
  it.effect("finds the exports of CommonJS, and defines no symbols for `require`", () =>
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
        "+ method nested.deep 9-9",
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

  it.effect("looks into a function that a module exports if it holds the definitions of the module", () =>
    Effect.gen(function* () {
      const members = `module.exports = function (User) {
  User.bans = {};
  User.bans.ban = async function (uid) {};
  User.bans.lift = User.bans.unban = (uid) => uid;
};
`
      assert.deepStrictEqual(rows(yield* outlined("a.js", members)), [
        "+ function default 1-5",
        "+ method User.bans.ban 3-3",
        "+ method User.bans.lift 4-4",
        "+ method User.bans.unban 4-4",
      ])
      const local = `module.exports = function (options) {
  const cache = {};
  cache.get = function () {};
  return cache;
};
`
      assert.deepStrictEqual(rows(yield* outlined("a.js", local)), [
        "+ function default 1-5",
        "+ constant cache 2-2",
        "+ method cache.get 3-3",
      ])
      const helpers = `module.exports = function wrap(module) {
  function recurse() { function hidden() {} }
  return function wrapped() {};
};
`
      assert.deepStrictEqual(rows(yield* outlined("a.js", helpers)), [
        "+ function wrap 1-4",
        "- function recurse 2-2",
        "+ function wrapped 3-3",
      ])
    }),
  )

  it.effect("looks into the factory that UMD passes to a loader, and exports what it returns", () =>
    Effect.gen(function* () {
      const umd = (args: string, body: string) => `(function (factory) {
  if (typeof define === 'function' && define.amd) define(['x'], factory);
  else window.slugify = factory(window.X);
}(${args}function (X) {
  ${body}
}));
`
      const named = umd("", "const kept = 1\n  return function slugify(text) { function hidden() {} };")
      assert.deepStrictEqual(rows(yield* outlined("a.js", named)), ["- constant kept 5-5", "+ function slugify 6-6"])
      const object = umd(
        "typeof self !== 'undefined' ? self : this, ",
        "return { a() {}, b: function () {}, c: 1, d: { e() {} } };",
      )
      assert.deepStrictEqual(rows(yield* outlined("a.js", object)), [
        "+ function a 5-5",
        "+ function b 5-5",
        "+ method d.e 5-5",
      ])
    }),
  )

  it.effect("looks into functions that are passed to `require` and `$`, and called for the value of a variable", () =>
    Effect.gen(function* () {
      const source = `require(['a', 'b'], function (a, b) {
  function one() {}
});
$(document).ready(function () {
  function two() {}
});
var View = (function (Base) {
  function View() {}
  View.prototype.render = function () {};
  return View;
})(Base);
$('p').each(function () {
  function hidden() {}
});
`
      assert.deepStrictEqual(rows(yield* outlined("a.js", source)), [
        "- function one 2-2",
        "- function two 5-5",
        "- variable View 7-11",
        "- function View 8-8",
        "- method View.render 9-9",
      ])
    }),
  )

  it.effect("takes the functions of an object that becomes a prototype for methods", () =>
    Effect.gen(function* () {
      const source = `exports.View = View
function View() {}
View.prototype = {
  constructor: View,
  /** Draws it. */
  draw() {},
  size: function () { return { hidden() {} } },
};
Object.assign(View.prototype, { show() {} }, more);
$.extend(View.prototype, {
  hide: () => {},
});
Object.assign({}, { no() {} });
`
      const outline = yield* outlined("a.js", source)
      assert.deepStrictEqual(rows(outline), [
        "+ function View 2-2",
        "+ method View.draw 6-6",
        "+ method View.size 7-7",
        "+ method View.show 9-9",
        "+ method View.hide 11-11",
      ])
      assert.deepStrictEqual(docs(outline), { "View.draw": "Draws it." })
    }),
  )

  it.effect("gives each name of a chain of exports a symbol, and none to what is spread", () =>
    Effect.gen(function* () {
      const source = "exports.a = exports.b = function () {}\nmodule.exports = { ...require('./x') }\n"
      const outline = yield* outlined("a.js", source)
      assert.deepStrictEqual(rows(outline), ["+ function a 1-1", "+ function b 1-1"])
      assert.deepStrictEqual(outline.imports, ["./x"])
    }),
  )

  const functions = "{ limit: 3, get() {}, post: async () => {}, inner: { deep: function () {}, size: 1 } }"
  const members = ["+ method api.get 1-1", "+ method api.post 1-1", "+ method api.inner.deep 1-1"]
  const objects: ReadonlyArray<readonly [title: string, source: string, expected: ReadonlyArray<string>]> = [
    ["of a constant", `export const api = ${functions}`, ["+ constant api 1-1", ...members]],
    ["that is frozen", `export const api = Object.freeze(${functions})`, ["+ constant api 1-1", ...members]],
    ["of a member of `exports`", `exports.api = ${functions}`, ["+ constant api 1-1", ...members]],
    [
      "that is the default export",
      `export default ${functions}`,
      ["+ function get 1-1", "+ function post 1-1", "+ method inner.deep 1-1"],
    ],
    [
      "that is passed to a call which is the default export",
      `export default defineComponent(${functions})`,
      ["+ function get 1-1", "+ function post 1-1", "+ method inner.deep 1-1"],
    ],
    ["that is an argument", `const api = make(${functions})`, ["- constant api 1-1"]],
    ["in an array", `const api = [${functions}]`, ["- constant api 1-1"]],
    ["within a function", `function api() { const inner = ${functions} }`, ["- function api 1-1"]],
    [
      "that is a large table",
      `const api = { ${Array.from({ length: 201 }, (_, at) => `a${at}() {}`).join(", ")} }`,
      ["- constant api 1-1"],
    ],
  ]

  it.effect.each(objects)("finds the functions of an object that has a name: %s", ([, source, expected]) =>
    Effect.gen(function* () {
      for (const path of ["a.js", "a.ts"]) assert.deepStrictEqual(rows(yield* outlined(path, source)), expected, path)
    }),
  )

  it.effect("keeps the signature of an object with functions as it was written, up to its line", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.js", `const one = { go() {} }\nexport const two = {\n  go: (a) => a,\n}\n`)
      assert.deepStrictEqual(signatures(outline), {
        one: "const one = { go() {} }",
        "one.go": "go()",
        two: "export const two",
        "two.go": "go: (a)",
      })
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
