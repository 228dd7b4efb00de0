import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { lineFor, versionsOf } from "./outlined.ts"

describe("SymbolVersion.ofFile", () => {
  it.effect("has the methods of classes and interfaces, and neither fields nor what stands in a function", () =>
    Effect.gen(function* () {
      const text = [
        "export class Store {\n  limit = 3\n  read() {\n    return this.limit + 1\n  }\n}\n",
        "export interface Shop {\n  sell(): void\n}\n",
        "export function outer() {\n  function inner() {\n    return 1\n  }\n  return inner()\n}\n",
      ].join("")
      const versions = yield* versionsOf("a.ts", text)
      assert.deepStrictEqual(
        versions.map(({ majorWhen, qualifiedName }) => `${qualifiedName} ${majorWhen}`),
        ["Store always", "Store.read used", "Shop always", "Shop.sell used", "outer always"],
      )
    }),
  )

  it.effect("has what stands in a namespace as it has what stands in a file", () =>
    Effect.gen(function* () {
      const versions = yield* versionsOf(
        "a.ts",
        "namespace Limits {\n  function check() {}\n  export function of() {}\n}\n",
      )
      assert.deepStrictEqual(
        versions.map(({ majorWhen, qualifiedName }) => `${qualifiedName} ${majorWhen}`),
        ["Limits never", "Limits.check always", "Limits.of always"],
      )
    }),
  )

  it.effect("does not take the purpose of an overload for a stale one of another", () =>
    Effect.gen(function* () {
      const overload = "def pick(a: str) -> str:\n    return a\n"
      const text = `${overload}def pick(a: int) -> int:\n    return a + 1\n`
      const versions = yield* versionsOf("a.py", text, yield* lineFor("a.py", overload, "pick", "Picks a text."))
      assert.deepStrictEqual(
        versions.map(({ purpose }) => purpose?.text),
        ["Picks a text.", undefined],
      )
    }),
  )
})
