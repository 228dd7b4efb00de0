import { assert, describe, it } from "@effect/vitest"
import * as Project from "../../src/lookup/Project.ts"

describe("Project.displayPath", () => {
  it("is relative to the current folder, or absolute outside of the root where that is shorter", () => {
    assert.strictEqual(Project.displayPath("/repo", "/repo")("src/a.ts"), "src/a.ts")
    assert.strictEqual(Project.displayPath("/repo", "/repo/src")("src/a.ts"), "a.ts")
    assert.strictEqual(Project.displayPath("/repo", "/repo/src/b")("lib/a.ts"), "../../lib/a.ts")
    assert.strictEqual(Project.displayPath("/repo", "/repo/src")("src"), ".")
    assert.strictEqual(Project.displayPath("/repo", "/repo/src")("lib/"), "../lib/")
    assert.strictEqual(Project.displayPath("/repo", "/elsewhere/b")("src/a.ts"), "/repo/src/a.ts")
    assert.strictEqual(Project.displayPath("/home/me/repo", "/home/me/b")("src/a.ts"), "../repo/src/a.ts")
    assert.strictEqual(Project.displayPath("/repo", "/repository")("src/a.ts"), "/repo/src/a.ts")
  })
})
