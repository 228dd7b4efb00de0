import { assert, describe, it } from "@effect/vitest"
import * as Members from "../../../src/cli/query/Members.ts"
import { IndexEntry } from "../../../src/indexing/IndexEntry.ts"

const symbol = (name: string, line: number, more: Partial<IndexEntry> = {}) =>
  new IndexEntry({
    path: "a.py",
    name,
    kind: "method",
    startLine: line,
    endLine: line + 3,
    signature: name,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
    ...more,
  })

const session = symbol("Session", 1, { kind: "class", endLine: 99 })
const member = (name: string, line: number, more: Partial<IndexEntry> = {}) =>
  symbol(name, line, { container: "Session", ...more })

const names = (inFile: ReadonlyArray<IndexEntry>, question = "anything") =>
  Members.of(session, inFile, question).named.map(({ name }) => name)

describe("Members.of", () => {
  it("has the direct members of a class, in order of their lines", () => {
    const inFile = [
      session,
      member("send", 20),
      member("close", 10),
      symbol("other", 90),
      symbol("x", 21, { container: "Session.send" }),
    ]
    assert.deepStrictEqual(names(inFile), ["close", "send"])
  })

  it("names six, those of the question first, then what has a body and is used", () => {
    const fields = Array.from({ length: 5 }, (_, n) => member(`field${n}`, 2 + n, { kind: "field", endLine: 2 + n }))
    const methods = Array.from({ length: 5 }, (_, n) => member(`method${n}`, 10 + 4 * n))
    const inFile = [...fields, ...methods, member("_private", 50), member("used", 60, { usedBy: 4 })]
    assert.deepStrictEqual(names(inFile), ["method0", "method1", "method2", "method3", "method4", "used"])
    assert.include(names(inFile, "what is in field 3"), "field3")
    assert.strictEqual(Members.of(session, inFile, "").others, 6)
  })
})
