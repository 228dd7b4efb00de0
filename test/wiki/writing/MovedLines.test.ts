import { assert, describe, it } from "@effect/vitest"
import * as MovedLines from "../../../src/wiki/writing/MovedLines.ts"

const check = ["  if (mail.isEmpty) return undefined", "  log(`checks ${mail}`)", "  return parse(mail.address)"]
const before = ["function send(mail) {", ...check, "  transport.deliver(mail)", "}"].join("\n")
const now = ["function send(mail) {", "  const address = check(mail)", "  transport.deliver(mail)", "}"].join("\n")

const candidate = (value: string, startLine: number, source: string): MovedLines.Candidate<string> => ({
  value,
  startLine,
  endLine: startLine + source.split("\n").length - 1,
  source,
})

const helper = candidate("check", 10, ["function check(mail) {", ...check, "}"].join("\n"))
const other = candidate(
  "receive",
  20,
  ["function receive(mail) {", check[0], "  inbox.add(mail.address)", "}"].join("\n"),
)
const around = candidate(
  "Mailer",
  1,
  [now, "", "", "", "", "", helper.source, "", "", "", "", "", other.source].join("\n"),
)

describe("MovedLines.find", () => {
  it("finds the function that has got lines of another, and not the class around it or one with a line by chance", () => {
    assert.deepStrictEqual(MovedLines.find(before, now, [around, other, helper]), ["check"])
  })

  it("finds a renamed function", () => {
    const renamed = candidate("deliver", 1, before.replace("function send", "function deliver"))
    assert.deepStrictEqual(MovedLines.find(before, undefined, [other, renamed]), ["deliver"])
  })

  it("finds nothing if lines were only removed, or if those that stayed are elsewhere too", () => {
    assert.deepStrictEqual(MovedLines.find(before, now, [other]), [])
    assert.deepStrictEqual(MovedLines.find(before, before, [helper]), [])
    assert.deepStrictEqual(MovedLines.find(before, undefined, [other]), [])
  })
})

describe("MovedLines.isAbout", () => {
  it("tells whether a statement speaks of the lines that have moved or of those that stayed", () => {
    assert.isTrue(MovedLines.isAbout("An empty mail is checked and logged.", now, helper.source))
    assert.isFalse(MovedLines.isAbout("The transport delivers it.", now, helper.source))
  })
})
