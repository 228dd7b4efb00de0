import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { outlined, rows, withSymbols } from "../../Symbols/outlined.ts"

withSymbols("names in backticks", (it) => {
  it.effect("may hold what begins a comment, a string or a block, in Scala, Kotlin and Swift", () =>
    Effect.gen(function* () {
      const scala =
        "object A {\n  val `x/*` = 1\n  def `y // (z`(a: Int) = { 2 }\n  trait `T-1` { def t = 1 }\n  class B\n}\n"
      assert.deepStrictEqual(rows(yield* outlined("a.scala", scala)), [
        "+ class A 1-6",
        "+ field A.x/* 2-2",
        "+ method A.y // (z 3-3",
        "+ interface A.T-1 4-4",
        "+ method A.T-1.t 4-4",
        "+ class A.B 5-5",
      ])
      const kotlin = "class A {\n  fun `reads a /* comment (here`() { }\n  val `{q` = 1\n  fun after() {}\n}\n"
      assert.deepStrictEqual(rows(yield* outlined("a.kt", kotlin)), [
        "+ class A 1-5",
        "+ method A.reads a /* comment (here 2-2",
        "+ field A.{q 3-3",
        "+ method A.after 4-4",
      ])
      const swift = "enum A { func `default`() {}\n  var `a//b` = 1\n  func after() {} }\n"
      assert.deepStrictEqual(rows(yield* outlined("a.swift", swift)), [
        "+ enum A 1-3",
        "+ method A.default 1-1",
        "+ field A.a//b 2-2",
        "+ method A.after 3-3",
      ])
    }),
  )

  it.effect("are no names in a string or a comment, and end with their line", () =>
    Effect.gen(function* () {
      const text = 'object A {\n  val a = "`" // `\n  val b = 1 ` 2\n  val c = 3\n}\n'
      assert.deepStrictEqual(rows(yield* outlined("a.scala", text)), [
        "+ class A 1-5",
        "+ field A.a 2-2",
        "+ field A.b 3-3",
        "+ field A.c 4-4",
      ])
    }),
  )
})
