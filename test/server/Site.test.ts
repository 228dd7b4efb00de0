/** The files of the page, and the headers with which a browser keeps and confines them. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Site from "../../src/server/Site.ts"

const files = {
  "index.html": '<meta nonce="NONCE"><style nonce="NONCE"></style>',
  "app.js": "run()",
  "app.css": "a {}",
  "mark.svg": "<svg/>",
  "licences.txt": "MIT",
  "other.html": "<p>",
  "data.bin": "\u0000",
}

/** Returns a function that asks for a file of the page. */
const serve = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "vibe-site-"))),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })),
  )
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text)
  const site = Site.make(folder)
  return (pathname: string) =>
    Effect.promise(async () => {
      const response = HttpServerResponse.toWeb(site(pathname))
      const { headers, status } = response
      return { status, text: await response.text(), header: (name: string) => headers.get(name) }
    })
})

describe("Site", () => {
  it.scoped("sends the page with a new nonce each time, which nothing keeps", () =>
    Effect.gen(function* () {
      const ask = yield* serve
      const nonces = []
      for (let n = 0; n < 2; n++) {
        const { header, status, text } = yield* ask("/")
        assert.deepStrictEqual(
          [status, header("content-type"), header("cache-control")],
          [200, "text/html; charset=utf-8", "no-store"],
        )
        const policy = (header("content-security-policy") ?? "").split("; ")
        const nonce = /'nonce-(.+)'/.exec(policy.find((each) => each.startsWith("style-src")) ?? "")?.[1] ?? ""
        assert.strictEqual(text, `<meta nonce="${nonce}"><style nonce="${nonce}"></style>`)
        assert.strictEqual(Buffer.from(nonce, "base64").length, 16)
        nonces.push(nonce)
        for (const rule of [
          "default-src 'none'",
          "script-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
        ]) {
          assert.include(policy, rule)
        }
      }
      assert.notStrictEqual(nonces[0], nonces[1])
    }),
  )

  it.scoped("sends each other file with its type, which a browser keeps for a year", () =>
    Effect.gen(function* () {
      const ask = yield* serve
      for (const [name, type] of [
        ["app.js", "text/javascript; charset=utf-8"],
        ["app.css", "text/css; charset=utf-8"],
        ["mark.svg", "image/svg+xml"],
        ["licences.txt", "text/plain; charset=utf-8"],
        ["other.html", "text/html; charset=utf-8"],
        ["data.bin", "application/octet-stream"],
      ] as const) {
        const { header, status, text } = yield* ask(`/${name}`)
        assert.deepStrictEqual(
          [status, text, header("content-type"), header("cache-control")],
          [200, files[name], type, "public, max-age=31536000, immutable"],
        )
      }
    }),
  )

  it.scoped("has no other page", () =>
    Effect.gen(function* () {
      const ask = yield* serve
      for (const pathname of ["/none.js", "/../etc/passwd", "", "//", "/app"]) {
        assert.strictEqual((yield* ask(pathname)).status, 404, pathname)
      }
    }),
  )
})
