import { assert, describe, it } from "@effect/vitest"
import { isLoopback, withoutSecrets } from "../../src/base/Url.ts"

describe("Url.withoutSecrets", () => {
  it.each([
    ["https://host/path", "https://host/path"],
    ["https://me:s3cret@host:8080/path?key=s3cret#s3cret", "https://host:8080/path"],
    ["HTTP://me@host", "http://host/"],
    ["google/gemini-2.5-flash", "google/gemini-2.5-flash"],
    ["https://", "https://"],
    ["ssh://me:s3cret@host:22/group/x.git", "ssh://host:22/group/x.git"],
    ["ftp://s3cret@host/x", "ftp://host/x"],
    ["git+https://me:s3@cret@host/x", "git+https://host/x"],
    ["https://me:s3cret@[not a host/x", "https://[not a host/x"],
    ["ssh://host/path@1", "ssh://host/path@1"],
    ["git@host:group/x.git", "git@host:group/x.git"],
  ])("reduces %s to %s", (text, shown) => {
    assert.strictEqual(withoutSecrets(text), shown)
  })
})

describe("Url.isLoopback", () => {
  it.each([
    ["http://localhost:1234/v1", true],
    ["http://127.0.0.1:11434", true],
    ["https://[::1]", true],
    ["http://127.0.0.1.example.com", false],
    ["http://192.168.0.2:11434", false],
    ["https://localhost.example.com", false],
    ["no url", false],
  ])("says of %s: %s", (url, is) => {
    assert.strictEqual(isLoopback(url), is)
  })
})
