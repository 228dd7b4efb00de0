/** Which names files of other places have to be resolved for again, after a file has declared others than before. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Sqlite from "../../../../src/disk/Sqlite.ts"
import * as Declarations from "../../../../src/index/IndexStore/internal/references/Declarations.ts"
import { format } from "../../../../src/index/IndexStore/internal/Schema.ts"

const method = (qualified: string, signature = `void ${qualified}()`) => ({ qualified, kind: "method", signature })
const type = (qualified: string, signature = `class ${qualified}`) => ({ qualified, kind: "class", signature })
const extension = (qualified: string) => method(qualified, `static void ${qualified}(this object one)`)

type Named = ReturnType<typeof method>

const declaredBy = (language: string | undefined, symbols: ReadonlyArray<Named>, surface: string) =>
  Declarations.declaredBy({ language, path: "a" }, symbols, surface)

const csharp = (symbols: ReadonlyArray<Named>, surface = "") => declaredBy("csharp", symbols, surface)

/** The names that are noted, sorted, after a file had `before` and has `after`. */
const noted = (before: Declarations.Declared, after: Declarations.Declared) =>
  Effect.map(Sqlite.open(":memory:", format), (database) => {
    const sql = Sqlite.statements(database)
    Declarations.noteChange(sql, before, after)
    return Declarations.changedNames(sql).toSorted()
  })

const box = type("N.Box")

describe("Declarations.noteChange", () => {
  it.scoped("notes the types that are new or gone, by their last name, and no others", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* noted(csharp([box, type("N.Old")]), csharp([box, type("N.New")])), ["New", "Old"])
      assert.deepStrictEqual(yield* noted(Declarations.nothing, csharp([box])), ["Box"])
      assert.deepStrictEqual(yield* noted(csharp([box]), Declarations.nothing), ["Box"])
      assert.deepStrictEqual(yield* noted(csharp([box]), csharp([type("M.Box")])), ["Box"])
      assert.deepStrictEqual(yield* noted(csharp([type("Box")]), csharp([])), ["Box"])
    }),
  )

  it.scoped("takes a type of another kind, package or number of type parameters for another one", () =>
    Effect.gen(function* () {
      const generic = type("N.Box", "class Box<T>")
      assert.deepStrictEqual(yield* noted(csharp([box]), csharp([generic])), ["Box"])
      assert.deepStrictEqual(yield* noted(csharp([box]), csharp([{ ...box, kind: "interface" }])), ["Box"])
      assert.deepStrictEqual(yield* noted(csharp([box]), csharp([type("N.Box", "sealed class Box")])), [])
      const java = (surface: string) => declaredBy("java", [type("Box")], surface)
      assert.deepStrictEqual(yield* noted(java("e\t@kit\t1"), java("e\t@kat\t1")), ["Box"])
      assert.deepStrictEqual(yield* noted(java("e\t@kit\t1"), java("e\t@kit\t2")), [])
    }),
  )

  it.scoped("notes a member only where the file has an extension method of its name, before or after", () =>
    Effect.gen(function* () {
      const [go, lift] = [method("N.Box.Go"), extension("N.Lifts.Go")]
      assert.deepStrictEqual(yield* noted(csharp([box]), csharp([box, go])), [])
      assert.deepStrictEqual(yield* noted(csharp([box, lift]), csharp([box, lift, go])), ["Go"])
      assert.deepStrictEqual(yield* noted(csharp([box, lift, go]), csharp([box, lift])), ["Go"])
      assert.deepStrictEqual(yield* noted(csharp([lift, go]), csharp([lift, go])), [])
      assert.deepStrictEqual(yield* noted(csharp([lift]), csharp([lift, method("N.Box.Gone")])), [])
      assert.deepStrictEqual(yield* noted(csharp([]), csharp([lift])), ["Go"])
      const other = method("N.Lifts.Go", "static void Go(this string one)")
      assert.deepStrictEqual(yield* noted(csharp([lift]), csharp([other])), ["Go"])
    }),
  )

  it.scoped("notes all names where the imports of a whole project have changed", () =>
    Effect.gen(function* () {
      const importing = (name: string) => csharp([box], `u\tx\ne\tglobal\t"${name}"\n`)
      assert.deepStrictEqual(yield* noted(importing("Kit"), importing("App")), [Declarations.ALL])
      assert.deepStrictEqual(yield* noted(csharp([box], "u\tx\n"), importing("App")), [Declarations.ALL])
      assert.deepStrictEqual(yield* noted(importing("Kit"), importing("Kit")), [])
    }),
  )

  it.scoped("notes nothing of a language whose files share no names, and no namespaces of C#", () =>
    Effect.gen(function* () {
      assert.strictEqual(declaredBy("typescript", [box], ""), Declarations.nothing)
      assert.strictEqual(declaredBy(undefined, [box], ""), Declarations.nothing)
      assert.deepStrictEqual(yield* noted(csharp([]), csharp([{ ...box, kind: "module" }])), [])
      const java = (symbols: ReadonlyArray<Named>) => declaredBy("java", symbols, "")
      assert.deepStrictEqual(yield* noted(java([]), java([method("Box.go"), extension("Box.lift")])), [])
    }),
  )
})
