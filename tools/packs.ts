/** What is published. */
import * as assert from "node:assert/strict"
import { npm } from "./process.ts"

/**
 * Bytes of the tarball: the program with its own Effect, both ends of MCP (250 kB), the page and its server (300 kB),
 * the languages in which the page colours code (120 kB, each loaded when it is used), Google's SDK (130 kB), the
 * agent of proxies (160 kB), man pages (25 kB), the readers of routes (35 kB), the layout of pictures (15 kB), calls
 * through given functions and contracts (40 kB), the readers of references of C, C++, Elixir, Kotlin, Ruby, Scala and
 * Swift (75 kB), what the pages of a wiki tell of data, documents and tests and which symbols need no purpose (55 kB), what
 * they tell of versions and releases with the reader of YAML (45 kB), and the library with the documentation of its
 * modules.
 */
const most = 3_550_000

export const packs = async (): Promise<void> => {
  const [{ files, size }] = JSON.parse(await npm(["pack", "--dry-run", "--json", "--ignore-scripts"]))
  const paths: ReadonlyArray<string> = files.map(({ path }: { readonly path: string }) => path)
  for (const path of [
    "dist/bin.js",
    "dist/lib/index.js",
    "dist/lib/index.d.ts",
    "dist/lib/forest/index.js",
    "dist/lib/provider/index.js",
    "dist/google-genai.js",
    "dist/proxy-agent.js",
    "dist/licenses.txt",
    "dist/page/licenses.txt",
    "dist/man/vibe.1",
    "dist/man/vibe-index.1",
    "dist/completions/vibe.bash",
    "dist/completions/_vibe",
    "dist/completions/vibe.fish",
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "docs/commands.md",
  ]) {
    assert.ok(paths.includes(path), `${path} is not in the package`)
  }
  const strangers = paths.filter(
    (path) => !/^(dist\/(?!\.)|docs\/[\w-]+\.md$|package\.json$|[A-Z]+(\.md)?$)/.test(path),
  )
  assert.deepEqual(strangers, [], "these do not belong into the package")
  assert.ok(size < most, `the package has ${size} bytes, more than ${most}`)
}
