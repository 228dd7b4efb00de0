import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { onWire, reader } from "../../../src/provider/shared/toolNames.ts"

describe("toolNames", () => {
  it("leaves a name that every provider takes as it is", () => {
    for (const name of ["read_file", "_", "a-B_9", "x".repeat(63)]) assert.strictEqual(onWire(name), name)
  })

  it("keeps what it can of another, and tells it from its like", () => {
    assert.match(onWire("größe.messen"), /^gr__e_messen_[0-9a-f]{8}$/)
    assert.notStrictEqual(onWire("größe.messen"), onWire("größe:messen"))
    assert.match(onWire("7up"), /^_7up_[0-9a-f]{8}$/)
  })

  it.prop(
    "any names pass, and are read back",
    [FastCheck.uniqueArray(FastCheck.string({ minLength: 1, maxLength: 100 }))],
    ([names]) => {
      const read = reader(names.map((name) => ({ name })))
      for (const name of names) {
        assert.match(onWire(name), /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/)
        assert.strictEqual(read(onWire(name)), name)
      }
    },
  )

  it("reads the name of a tool that there is not as it came", () => {
    assert.strictEqual(reader([])("rm"), "rm")
  })
})
