import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeReader, toWireName } from "../../../src/provider/shared/toolNames.ts"

describe("toolNames", () => {
  it("leaves a name that every provider takes as it is", () => {
    for (const name of ["read_file", "_", "a-B_9", "x".repeat(63)]) assert.strictEqual(toWireName(name), name)
  })

  it("keeps what it can of another, and tells it from its like", () => {
    assert.match(toWireName("größe.messen"), /^gr__e_messen_[0-9a-f]{8}$/)
    assert.notStrictEqual(toWireName("größe.messen"), toWireName("größe:messen"))
    assert.match(toWireName("7up"), /^_7up_[0-9a-f]{8}$/)
  })

  it.prop(
    "any names pass, and are read back",
    [FastCheck.uniqueArray(FastCheck.string({ minLength: 1, maxLength: 100 }))],
    ([names]) => {
      const read = makeReader(names.map((name) => ({ name })))
      for (const name of names) {
        assert.match(toWireName(name), /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/)
        assert.strictEqual(read(toWireName(name)), name)
      }
    },
  )

  it("reads the name of a tool that there is not as it came", () => {
    assert.strictEqual(makeReader([])("rm"), "rm")
  })
})
