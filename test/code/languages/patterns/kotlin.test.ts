import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const text = `/** Doc. */
data class Store(val size: Int, private var map: Map<String, (Int) -> Int> = mapOf("a" to { it }), plain: Int) : Base(), Closeable {
    companion object { const val LIMIT = 1; fun of(size: Int) = Store(size) }
    fun put() {}
}
class Point(
    /** Across. */
    @JsonProperty("x") val x: Int,
    override val y: Int, // up
)
class Wide<T : Any>
@Inject
internal constructor(private val a: Int) : Base() {
    fun wide() {}
}
class None(a: Int)
enum class Colour(val code: Int) { RED(1), BLUE(2); fun mix() = 1 }
context(Logger) fun log(a: Int) = 1
context(Logger, Clock)
fun log2(a: Int) = 1
fun after(val2: Int) = 1
actual open class Bytes
internal actual constructor(val data: Int) {
    fun size() = 1
}
`

withSymbols("Kotlin", (it) => {
  it.effect("has the properties of constructors, members of companions, and functions with context receivers", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.kt", text)
      assert.deepStrictEqual(rows(outline), [
        "+ class Store 2-5",
        "+ field Store.size 2-2",
        "- field Store.map 2-2",
        "+ field Store.LIMIT 3-3",
        "+ method Store.of 3-3",
        "+ method Store.put 4-4",
        "+ class Point 6-10",
        "+ field Point.x 8-8",
        "+ field Point.y 9-9",
        "+ class Wide 11-15",
        "- field Wide.a 13-13",
        "+ method Wide.wide 14-14",
        "+ class None 16-16",
        "+ enum Colour 17-17",
        "+ field Colour.code 17-17",
        "+ method Colour.mix 17-17",
        "+ function log 18-18",
        "+ function log2 19-20",
        "+ function after 21-21",
        "+ class Bytes 22-25",
        "+ field Bytes.data 23-23",
        "+ method Bytes.size 24-24",
      ])
      assert.deepInclude(signatures(outline), {
        "Store.map": 'private var map: Map<String, (Int) -> Int> = mapOf("a" to { it })',
        Wide: "class Wide<T : Any> @Inject internal constructor(private val a: Int) : Base()",
        None: "class None(a: Int)",
      })
      assert.deepStrictEqual(docs(outline), { Store: "Doc.", "Point.x": "Across." })
    }),
  )

  it.effect("finds no fields in brackets that never close", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(rows(yield* outlined("a.kt", "class A(val a: Int, (((\nfun b() {}\n")), [
        "+ class A 1-1",
        "+ function b 2-2",
      ])
    }),
  )
})
