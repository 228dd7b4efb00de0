import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "vitest"
import { toExplorerError } from "../../src/cluster/Database.ts"

const failed = (code: string | undefined, text = "as Postgres says it") =>
  toExplorerError(
    new SqlError({ cause: Object.assign(new Error(text), code === undefined ? {} : { code }), message: "failed" }),
  )

describe("a failure of the cluster's database", () => {
  for (const [code, reason, words] of [
    ["25006", "unusable", /read-only/],
    ["53100", "unusable", /full.*nothing is lost/],
    ["28P01", "unusable", /refuses the user or password/],
    ["3D000", "unusable", /not there: as Postgres says it/],
    ["42501", "unusable", /may not/],
    ["23505", "unusable", /has failed: as Postgres says it \(23505\)/],
    ["57P01", "unreachable", /cannot be reached/],
    ["08006", "unreachable", /cannot be reached/],
    ["53300", "unreachable", /cannot be reached/],
    ["40P01", "unreachable", /has failed: as Postgres says it \(40P01\)/],
    ["EPIPE", "unreachable", /cannot be reached/],
    ["ECONNREFUSED", "unreachable", /VIBE_CLUSTER_URL.*as Postgres says it/],
  ] as const) {
    it(`is said in words, code ${code}`, () => {
      const error = failed(code)
      assert.strictEqual(error.reason, reason)
      assert.match(error.message, words)
    })
  }

  it("has the words of the first address, where several were tried", () => {
    const cause = new AggregateError([new Error("connect ECONNREFUSED ::1:5432"), new Error("other")], "")
    assert.match(toExplorerError(new SqlError({ cause, message: "failed" })).message, /ECONNREFUSED ::1:5432/)
  })
})
