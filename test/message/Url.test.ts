import { assert, describe, it } from "@effect/vitest"
import { withoutSecrets } from "../../src/message/Url.ts"

describe("Url.withoutSecrets", () => {
  it.each([
    ["https://host/path", "https://host/path"],
    ["https://me:s3cret@host:8080/path?key=s3cret#s3cret", "https://host:8080/path"],
    ["HTTP://me@host", "http://host/"],
    ["google/gemini-2.5-flash", "google/gemini-2.5-flash"],
    ["https://", "https://"],
  ])("reduces %s to %s", (text, shown) => {
    assert.strictEqual(withoutSecrets(text), shown)
  })
})
