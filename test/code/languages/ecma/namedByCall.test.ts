import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TreeSitter from "../../../../src/code/Symbols/TreeSitter.ts"
import { Symbols } from "../../../../src/code/Symbols.ts"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const text = `'use strict'
var req = exports = module.exports = {}
/**
 * The address.
 */
defineGetter(req, 'ip', function ip() {
  return this.a
});
utils.define(req.inner,
  "ips", function ips(a) { return 1 }, true);
app.param('user', function user(id) {})
on('x', function y() {})
on('z', function () {})
call(function w() {})
function defineGetter(obj, name, getter) {
  lazy(obj, 'inner', function inner() {})
}
`

const expected = [
  "+ variable req 2-2",
  "+ method req.ip 6-8",
  "+ method req.inner.ips 9-10",
  "+ function user 11-11",
  "- function defineGetter 15-17",
]

withSymbols("a function expression that a call names", (it) => {
  it.effect("is a member of the object in the call, or a function, with the comment above the call", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.js", text)
      assert.deepStrictEqual(rows(outline), expected)
      assert.strictEqual(signatures(outline)["req.ip"], "defineGetter(req, 'ip', function ip()")
      assert.deepStrictEqual(docs(outline), { "req.ip": "The address." })
    }),
  )
})

it.effect("the parser finds the functions that calls name, too", () =>
  Effect.gen(function* () {
    const symbols = yield* Symbols
    assert.deepStrictEqual(rows(yield* symbols.outline("a.js", text)), expected)
  }).pipe(Effect.provide(TreeSitter.layer)),
)
