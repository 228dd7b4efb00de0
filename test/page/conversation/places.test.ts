import { assert, describe, it } from "vitest"
import { findPlace } from "../../../src/page/conversation/places.ts"

describe("places in the code that an answer names", () => {
  it("finds a relative path with an extension, and its line without a range or a column", () => {
    assert.deepStrictEqual(["src/main.ts", "./lib/x.rs"].map(findPlace), ["src/main.ts", "lib/x.rs"])
    const found = ["src/main.ts:12", "./src/a-b/été.test.tsx:3", "src/[id]/page.ts:1-20", "lib/x.rs:4:9"].map(findPlace)
    assert.deepStrictEqual(found, ["src/main.ts:12", "src/a-b/été.test.tsx:3", "src/[id]/page.ts:1", "lib/x.rs:4"])
  })

  it("takes nothing else for one", () => {
    const others = [
      "main.ts",
      "src/main",
      "text/plain",
      "https://example.com/a.ts",
      "src/main.ts:0",
      "src/main:12",
      "main.ts:12",
      "localhost:80",
      "example.com:443",
      "https://example.com/a.ts:12",
      "/etc/hosts.d/a.conf:1",
      "../outside/a.ts:1",
      "src/../../a.ts:1",
      "see src/main.ts:12",
      'src/main.ts:12"onclick=',
      "case a/b.ts:1",
    ]
    assert.deepStrictEqual(
      others.map(findPlace),
      others.map(() => undefined),
    )
  })
})
