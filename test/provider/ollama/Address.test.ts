import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { isConfidential, local, parse } from "../../../src/provider/ollama/Address.ts"

const read = (host: string) => Either.getOrElse(parse(host), ({ _tag }) => _tag)

describe("address.parse", () => {
  it.each<readonly [host: string, url: string]>([
    ["", local],
    ["  \n", local],
    ['""', local],
    ["localhost", "http://localhost:11434"],
    ["box:1234", "http://box:1234"],
    [" 'box:1234' ", "http://box:1234"],
    [":1234", "http://127.0.0.1:1234"],
    ["10.0.0.7", "http://10.0.0.7:11434"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:99", "http://127.0.0.1:99"],
    ["http://0.0.0.0:99", "http://127.0.0.1:99"],
    ["::1", "http://[::1]:11434"],
    ["[::1]", "http://[::1]:11434"],
    ["[::]:7", "http://[::1]:7"],
    ["http://box", "http://box"],
    ["https://box", "https://box"],
    ["https://box:8443/ollama/", "https://box:8443/ollama"],
    ["box/ollama", "http://box:11434/ollama"],
    ["ollama.com", "https://ollama.com"],
  ])("parses '%s' as %s", (host, url) => {
    assert.strictEqual(read(host), url)
  })

  it.each(["a b", "ftp://box", "box:99999", "http://name:word@box", "http://box?key=1", "http://["])(
    "rejects '%s'",
    (host) => {
      assert.strictEqual(read(host), "Misconfigured")
    },
  )
})

describe("address.isConfidential", () => {
  it("holds for TLS and for this machine", () => {
    for (const url of ["https://box", local, "http://localhost", "http://[::1]:7/x", "HTTPS://box"]) {
      assert.isTrue(isConfidential(url), url)
    }
    for (const url of ["http://box", "http://127.0.0.1.box", "http://localhost.box:1", "http://10.0.0.7:11434"]) {
      assert.isFalse(isConfidential(url), url)
    }
  })
})
