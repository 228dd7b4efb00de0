import { assert, describe, it } from "@effect/vitest"
import * as UserActions from "../../../src/wiki/flows/UserActions.ts"

const documents = `# Installing plugins

Plugins are installed on start. \`:Lazy update\` updates them; updating also fetches and fetched logs.
Parsing happens once. The parser parses text. It gets and sets values, gets them again.`

const counts = UserActions.countIn(documents)

describe("UserActions", () => {
  it("counts the verbs of users in all of their forms, and none that any code has", () => {
    assert.deepStrictEqual(Object.fromEntries(counts), { install: 2, update: 3, fetch: 2, parse: 2 })
  })

  it("knows a function by the verb with which its name begins, alone or with one more word", () => {
    for (const name of ["update", "install", "parse_args", "parseArgs", "Update"]) {
      assert.isAbove(UserActions.usesOf(counts, name), 0, name)
    }
    for (const name of ["get", "updater", "parse_all_the_args", "needs_update", "start", ""]) {
      assert.strictEqual(UserActions.usesOf(counts, name), 0, name)
    }
  })
})
