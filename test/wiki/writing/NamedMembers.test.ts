import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NamedMembers from "../../../src/wiki/writing/NamedMembers.ts"
import * as Wiki from "./Wiki.fixture.ts"

const till = `export class Till {
  drawer = 1
  open() {
    return this.drawer
  }
  shut() {
    return 0
  }
}

export class Other {
  open() {
    return 2
  }
}

export function open() {
  return 3
}
`

const namesFor = (cited: string, text: string) =>
  Effect.gen(function* () {
    const { project } = yield* Wiki.open({ "src/till.ts": till })
    const items = yield* project.symbolsIn("src/till.ts")
    const item = items.find(({ entry }) => entry?.qualifiedName === cited) ?? assert.fail(`no ${cited}`)
    return NamedMembers.find(items, item, text).map(({ entry }) => entry?.qualifiedName)
  }).pipe(Effect.scoped)

describe("NamedMembers.find", () => {
  it.effect("finds methods by their names in code, with and without their class and parentheses", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* namesFor("Till", "`shut()` comes after `Till.open`, and `Till#shut` again."), [
        "Till.shut",
        "Till.open",
      ])
    }),
  )

  it.effect("takes no method of another class, no field, no word outside of code, and nothing of a function", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* namesFor("Till", "`Other.open` is open, and `drawer` is a number."), [])
      assert.deepStrictEqual(yield* namesFor("open", "`open` opens."), [])
    }),
  )
})
