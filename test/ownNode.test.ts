import { assert, describe, it } from "@effect/vitest"
import { ownNodeFor, signalsFor } from "../src/ownNode.ts"

describe("the Node of a checkout", () => {
  it("is a program, which needs no shell to be started", () => {
    assert.match(ownNodeFor("win32"), /node\.exe$/)
    assert.match(ownNodeFor("linux"), /\.bin\/node$/)
  })

  it("is passed the signals, but in Windows, where a console sends them to it and a signal would end it at once", () => {
    assert.deepStrictEqual(signalsFor("linux"), { names: ["SIGINT", "SIGTERM", "SIGHUP"], isPassedOn: true })
    assert.deepStrictEqual(signalsFor("win32"), { names: ["SIGINT", "SIGBREAK", "SIGHUP"], isPassedOn: false })
  })
})
