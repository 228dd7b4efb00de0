import { assert, describe, it } from "@effect/vitest"
import * as Settings from "../../src/config/Settings.ts"

describe("Settings.settings", () => {
  it("names every setting once, and tells no secret to be built in", () => {
    const names = Settings.settings.map(({ name }) => name)
    assert.lengthOf(new Set(names), names.length)
    for (const { builtIn, isSecret, key } of Settings.settings) {
      if (isSecret) assert.deepStrictEqual([builtIn, key], [undefined, undefined])
    }
  })
})
