/**
 * Serves the files of the page, which are read once: they are few, and the names of all but `index.html` change with
 * their content.
 */
import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
}

/**
 * Returns the content security policy: the page runs scripts only from this server, sends requests only to it, and
 * turns text into markup only through DOMPurify.
 */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    // CodeMirror writes its styles into a <style>: `EditorView.cspNonce` gives it the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    // Pictures that are attached to a message are shown from the memory of the page.
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify vibe-worker",
  ].join("; ")

/** Answers requests for files of `folder`, which has an `index.html`. */
export const make = (folder: string): ((pathname: string) => HttpServerResponse.HttpServerResponse) => {
  const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(path.join(folder, name))]))
  const html = files.get("/index.html")?.toString() ?? ""
  return (pathname) => {
    if (pathname === "/") {
      const nonce = randomBytes(16).toString("base64")
      return HttpServerResponse.text(html.replaceAll("NONCE", nonce), {
        contentType: types[".html"],
        headers: { "content-security-policy": policy(nonce), "cache-control": "no-store" },
      })
    }
    const file = files.get(pathname)
    if (file === undefined) return HttpServerResponse.text("There is no such page.\n", { status: 404 })
    return HttpServerResponse.uint8Array(file, {
      contentType: types[path.extname(pathname)] ?? "application/octet-stream",
      headers: { "cache-control": "public, max-age=31536000, immutable" },
    })
  }
}
