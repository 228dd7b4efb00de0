import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { outlined, rows, withSymbols } from "../../Symbols/outlined.ts"

withSymbols("Scala", (it) => {
  it.effect("has the methods of extensions, on one line, indented and in braces", () =>
    Effect.gen(function* () {
      const text = `extension [T](xs: List[T]) def first: T = xs.head
extension (s: String)
  def one: Int = 1
  private def two(a: Int) = 2
extension (s: String)(using Order[String]) {
  def three = 3
}
extension (f: (Int, Int) => Int)
  inline def four = 4
object A {
  extension (s: String) def five = 5
}
def after = 6
`
      assert.deepStrictEqual(
        rows(yield* outlined("a.scala", text)).map((row) => row.replace(/ \d+-\d+$/, "")),
        [
          "+ function first",
          "+ function one",
          "- function two",
          "+ method three",
          "+ function four",
          "+ class A",
          "+ method A.five",
          "+ function after",
        ],
      )
    }),
  )
})
