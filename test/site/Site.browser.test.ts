/** The documentation site, built from this checkout and read in a real browser. */
import * as fs from "node:fs"
import * as http from "node:http"
import * as path from "node:path"
import type { Browser, BrowserContext } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { run } from "../../tools/process.ts"
import { findViolations, overflow } from "../page/browser/checks.ts"
import { executable, launch, open } from "../page/browser/chromium.ts"
import { temporaryFolder } from "../page/browser/server.ts"

/** Milliseconds, for a machine that is busy. */
const LONG = 300_000

const root = path.resolve(import.meta.dirname, "../..")

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
}

/** As any server of files would, GitHub Pages among them. */
const serve = async (folder: string): Promise<http.Server> => {
  const server = http.createServer(({ url = "/" }, response) => {
    const file = path.join(
      folder,
      decodeURIComponent(new URL(url, "http://localhost").pathname).replace(/\/$/, "/index.html"),
    )
    if (!fs.existsSync(file)) return response.writeHead(404).end()
    return response.writeHead(200, { "content-type": types[path.extname(file)] }).end(fs.readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}

/** In pages of modules: headings that fold what is below them hold links, and one of rank 4 follows one of rank 1. */
const ofTheTheme = ["nested-interactive: <summary", "heading-order: <h4>Hierarchy</h4>"]

const isOurs = (violation: string): boolean => !ofTheTheme.some((known) => violation.startsWith(known))

const origin = "http://site"

/** Links of pages, styles and scripts to files that are not there, or to ids that the page does not have. */
const findDeadLinks = (folder: string): ReadonlyArray<string> => {
  const names = fs.globSync("**/*.html", { cwd: folder }).map((name) => name.replaceAll(path.sep, "/"))
  const texts = new Map(names.map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")] as const))
  const valuesIn = (text: string, attributes: string) =>
    Array.from(text.matchAll(new RegExp(` (?:${attributes})="([^"]*)"`, "g")), ([, value = ""]) =>
      value.replaceAll("&amp;", "&"),
    )
  const ids = new Map(Array.from(texts, ([name, text]) => [name, new Set(valuesIn(text, "id"))] as const))
  const isDead = (link: string, from: string): boolean => {
    const url = new URL(link, `${origin}/${from}`)
    if (url.origin !== origin) return false
    const name = decodeURIComponent(url.pathname).slice(1) || "index.html"
    if (!fs.existsSync(path.join(folder, name))) return true
    // TypeDoc's page of hierarchies lacks some of the classes that link to it.
    if (url.hash === "" || name === "hierarchy.html") return false
    return ids.get(name)?.has(decodeURIComponent(url.hash.slice(1))) === false
  }
  return Array.from(texts).flatMap(([name, text]) =>
    valuesIn(text, "href|src")
      .filter((link) => isDead(link, name))
      .map((link) => `${name}: ${link}`),
  )
}

/** What a visitor sees first of each kind of page. */
const pages = {
  "the start page": "/",
  "a guide": "/guides/commands.html",
  "the benchmarks": "/guides/benchmarks.html",
  "a module": "/modules/vibe-index_forest.html",
  "a class": "/classes/vibe-index.ToolRegistry.ToolRegistry.html",
}

describe.skipIf(executable === undefined)("the documentation site", () => {
  let folder: string
  let remove = () => {}
  let browser: Browser
  let server: http.Server
  let context: BrowserContext
  let base: string

  beforeAll(async () => {
    ;({ folder, remove } = temporaryFolder())
    // Warnings are errors there: most links that lead nowhere, a block of code that cannot be highlighted.
    await run(process.execPath, [path.join(root, "tools/site/node_modules/typedoc/bin/typedoc"), "--out", folder])
    server = await serve(folder)
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("the server has no port")
    base = `http://127.0.0.1:${address.port}`
    browser = await launch()
  }, LONG)
  afterAll(async () => {
    await browser?.close()
    server?.close()
    remove()
  })
  afterEach(() => context?.close())

  it("has every document of the repository in its navigation", async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const { page } = await open(context, `${base}/`)
    const links = page.locator("#tsd-nav-container a")
    await links.first().waitFor()
    const guides = (await links.evaluateAll((all) => all.map((link) => String(link)))).filter((url) =>
      url.includes("/guides/"),
    )
    const documents = fs.readdirSync(path.join(root, "docs")).filter((name) => name.endsWith(".md"))
    for (const name of [...documents, "architecture.md", "contributing.md", "security.md", "changelog.md", "bench.md"])
      assert.include(guides, `${base}/guides/${name.replace(/md$/, "html")}`)
    assert.isTrue(await links.filter({ hasText: "Commands" }).isVisible())
  })

  it("has no link that leads nowhere", () => {
    assert.deepStrictEqual(findDeadLinks(folder), [])
  })

  it("finds sections of guides and members of modules", async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const { page } = await open(context, `${base}/`)
    await page.getByRole("button", { name: "Search" }).click()
    const search = async (words: string) => {
      await page.locator("#tsd-search-input").fill(words)
      await page.locator("#tsd-search-results").getByRole("option").first().waitFor()
      return page.locator("#tsd-search-results a").first()
    }
    const found = await search("merge-driver")
    await found.getByText("vibe merge-driver").waitFor()
    await found.click()
    await page.waitForURL("**/guides/commands.html#vibe-merge-driver**")
    await page.getByRole("heading", { name: "vibe merge-driver" }).waitFor()
  })

  it("finds an option as it is typed on the command line", async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const { page } = await open(context, `${base}/`)
    await page.getByRole("button", { name: "Search" }).click()
    await page.locator("#tsd-search-input").fill("--estimate")
    await page.locator("#tsd-search-results").getByText("vibe index --estimate").click()
    await page.waitForURL("**/guides/commands.html#vibe-index-path**")
  })

  it.each(Object.entries(pages))(
    "%s is accessible, as far as axe can tell, and asks no other host",
    async (_, url) => {
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 390],
      ] as const) {
        context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
        const { errors, hosts, page } = await open(context, `${base}${url}`)
        await page.locator("#tsd-nav-container a").first().waitFor({ state: "attached" })
        assert.deepStrictEqual((await findViolations(page)).filter(isOurs), [], `${colorScheme}, ${width}`)
        assert.isAtMost(await overflow(page), 0, `${colorScheme}, ${width}`)
        assert.deepStrictEqual([...hosts], [new URL(base).host])
        assert.deepStrictEqual(errors, [])
        await context.close()
      }
    },
    LONG,
  )
})
