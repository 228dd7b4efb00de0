import { assert, describe, it } from "@effect/vitest"
import * as HttpProxy from "../../src/process/HttpProxy.ts"

const find = (url: string, environment: HttpProxy.Variables): string | undefined => {
  const proxy = HttpProxy.proxyOf(new URL(url), environment)
  return proxy && `${proxy.variable} ${proxy.url.href}`
}

describe("the proxy of a URL", () => {
  it("is that of its protocol, in either case, the lower one first", () => {
    const environment = { HTTP_PROXY: "http://a:1", https_proxy: "http://b:2", HTTPS_PROXY: "http://c:3" }
    assert.strictEqual(find("http://x.org/v1", environment), "HTTP_PROXY http://a:1/")
    assert.strictEqual(find("https://x.org/v1", environment), "https_proxy http://b:2/")
    assert.strictEqual(
      find("https://x.org", { https_proxy: " ", HTTPS_PROXY: "http://c:3" }),
      "HTTPS_PROXY http://c:3/",
    )
  })

  it("is that of all protocols if there is no other, and never that of the other protocol", () => {
    assert.strictEqual(find("https://x.org", { http_proxy: "http://a:1" }), undefined)
    assert.strictEqual(
      find("https://x.org", { http_proxy: "http://a:1", ALL_PROXY: "http://b:2" }),
      "ALL_PROXY http://b:2/",
    )
    assert.strictEqual(find("http://x.org", { all_proxy: "socks5h://b:2" }), "all_proxy socks5h://b:2")
    assert.strictEqual(find("file:///x", { all_proxy: "http://b:2" }), undefined)
    assert.strictEqual(find("http://x.org", {}), undefined)
  })

  it("may be written without a protocol", () => {
    assert.strictEqual(find("http://x.org", { HTTP_PROXY: "proxy.local:3128" }), "HTTP_PROXY http://proxy.local:3128/")
    assert.strictEqual(find("http://x.org", { HTTP_PROXY: "me:secret@proxy:80" }), "HTTP_PROXY http://me:secret@proxy/")
  })

  it.each([
    ["ftp://a:1", "HTTP_PROXY has a proxy of the kind ftp; there are http, https, socks5"],
    ["socks4://a:1", "HTTP_PROXY has a proxy of the kind socks4; there are http, https, socks5"],
    ["http://", "HTTP_PROXY holds no address of a proxy"],
    ["a b", "HTTP_PROXY holds no address of a proxy"],
  ])("is refused if it cannot be one: %s", (value, message) => {
    assert.throws(() => find("http://x.org", { HTTP_PROXY: value }), message)
  })

  it("is used for this machine too, as curl does", () => {
    assert.strictEqual(find("http://localhost:11434", { http_proxy: "http://a:1" }), "http_proxy http://a:1/")
  })

  it.each([
    ["*", "http://x.org", true],
    ["x.org", "http://x.org", true],
    ["x.org", "http://api.x.org", true],
    ["x.org", "http://maxx.org", false],
    [".x.org", "http://x.org", true],
    ["*.x.org", "http://api.x.org", true],
    ["X.org., y.org", "http://x.ORG", true],
    ["y.org x.org", "http://x.org", true],
    ["x.org:8080", "http://x.org:8080", true],
    ["x.org:8080", "http://x.org", false],
    ["x.org:443", "https://x.org", true],
    ["localhost,127.0.0.1,::1", "http://localhost:11434", true],
    ["localhost,127.0.0.1,::1", "http://127.0.0.1:11434", true],
    ["localhost,127.0.0.1,::1", "http://[::1]:11434", true],
    ["[::1]:11434", "http://[::1]:11434", true],
    ["0.0.1", "http://127.0.0.1", false],
    ["10.0.0.0/8", "http://10.2.3.4", true],
    ["10.0.0.0/8", "http://11.2.3.4", false],
    ["fd00::/8", "http://[fd12::1]", true],
    ["10.0.0.0/99,10.0.0/8,x/8", "http://10.2.3.4", false],
    ["", "http://x.org", false],
    [",", "http://x.org", false],
  ])("is none for hosts of NO_PROXY: %s, %s", (list, url, isDirect) => {
    const environment = { http_proxy: "http://a:1", https_proxy: "http://a:1", NO_PROXY: list }
    assert.strictEqual(find(url, environment) === undefined, isDirect)
  })
})
