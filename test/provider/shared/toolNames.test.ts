import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeReader, toWireName } from "../../../src/provider/shared/toolNames.ts"

describe("toolNames", () => {
  it("leaves a name unchanged that every provider accepts", () => {
    for (const name of ["read_file", "_", "a-B_9", "x".repeat(63)]) assert.strictEqual(toWireName(name), name)
  })

  it("keeps the valid characters of other names, and makes them unique", () => {
    assert.match(toWireName("größe.messen"), /^gr__e_messen_[0-9a-f]{8}$/)
    assert.notStrictEqual(toWireName("größe.messen"), toWireName("größe:messen"))
    assert.match(toWireName("7up"), /^_7up_[0-9a-f]{8}$/)
  })

  it.prop(
    "makes all names valid, and maps them back",
    [FastCheck.uniqueArray(FastCheck.string({ minLength: 1, maxLength: 100 }))],
    ([names]) => {
      const read = makeReader(names.map((name) => ({ name })))
      for (const name of names) {
        assert.match(toWireName(name), /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/)
        assert.strictEqual(read(toWireName(name)), name)
      }
    },
  )

  it("returns the name of an unknown tool unchanged", () => {
    assert.strictEqual(makeReader([])("rm"), "rm")
  })

  it.each([
    "functions.list_files",
    "default_api.list_files",
    "default_api:list_files",
    "tools/list_files",
    "functions::list_files",
    " list_files\n",
    "`list_files`",
    "list_files()",
    "functions.list_files:3",
    "list_files<|channel|>commentary",
    "<|channel|>commentary to=functions.list_files",
    "assistant<|channel|>commentary to=functions.list_files<|constrain|>json",
    "functions.list_files<|message|>",
    "list_files<｜tool▁sep｜>",
    "<|tool_call|>list_files",
    " functions.list_files<|channel|>analysis ",
  ])("finds the tool that a model means by %j", (name) => {
    assert.strictEqual(makeReader([{ name: "read" }, { name: "list_files" }])(name), "list_files")
  })

  it("prefers the tool that has the very name", () => {
    const read = makeReader([{ name: "functions.list" }, { name: "list" }])
    assert.strictEqual(read("functions.list"), "functions.list")
    assert.strictEqual(read(toWireName("functions.list")), "functions.list")
    assert.strictEqual(read("list"), "list")
  })

  it.each(["functions.rm", "other.list", "list_all", "List", "functions.", "<|channel|>", ""])(
    "returns %j unchanged, which names no tool",
    (name) => {
      assert.strictEqual(makeReader([{ name: "list" }])(name), name)
    },
  )
})
