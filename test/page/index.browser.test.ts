/** The index in a real browser: made, explored by keyboard, searched, and a run watched. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import * as GitRepository from "../utils/GitRepository.ts"
import { findViolations, isHacked, overflow } from "./browser/checks.ts"
import { executable, launch, type Opened, openView } from "./browser/chromium.ts"
import { type Served, serve } from "./browser/project.ts"

/** Evaluated in the page. */
const isCenterSeen = `(() => {
  const [box, center] = [".picture", ".picture a.center rect"].map((each) => document.querySelector(each).getBoundingClientRect())
  return center.left >= box.left && center.right <= box.right
})()`

describe.skipIf(executable === undefined)("the index in the page", () => {
  let indexed: Served
  let browser: Browser
  let context: BrowserContext
  let opened: Opened
  let page: Page

  const visit = async (server: Served, options?: Parameters<Browser["newContext"]>[0]) => {
    ;({ context, opened, page } = await openView(browser, server.url, "Index", options))
  }
  const openTotal = async () => {
    await page.getByRole("link", { name: "src/", exact: true }).click()
    await page.locator(".content").getByRole("link", { name: "cart.ts" }).click()
    await page.locator(".symbols").getByRole("link", { name: "total" }).click()
    await page.locator(".picture a").first().waitFor()
  }

  beforeAll(async () => {
    indexed = await serve({ isIndexed: true, isCommitted: GitRepository.isAvailable })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await indexed?.end()
  })
  afterEach(() => context?.close())

  it("is gone to though the first conversation arrives just then", async () => {
    context = await browser.newContext()
    page = await context.newPage()
    // Conversations arrive once `arrive` is called, in the same turn of the page.
    await page.addInitScript(`{
      const ask = fetch
      const waiting = []
      globalThis.arrive = () => waiting.map((go) => go()).length
      globalThis.fetch = async (...request) => {
        const response = await ask(...request)
        if (!/\\/api\\/conversations\\/[^/?]+(\\?|$)/.test(request[0])) return response
        const body = await response.json()
        await new Promise((go) => console.info("a conversation waits", waiting.push(go)))
        return { ok: true, status: 200, json: async () => body }
      }
    }`)
    const waits = page.waitForEvent("console", (line) => line.text().startsWith("a conversation waits"))
    await page.goto(indexed.url)
    await waits
    await page.evaluate(`{ location.hash = "#/index/"; arrive() }`)
    await page.getByRole("main", { name: "Index" }).waitFor()
  })

  it("shows the declaration of a symbol that has no purpose in the place of one", async () => {
    await visit(indexed)
    const origin = new URL(indexed.url).origin
    await page.goto(`${origin}/#/index/src/main.ts`)
    await page.locator(".symbols li").getByText("export function main(): void").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.goto(`${origin}/#/index/src/cart.ts`)
    await page.locator(".symbols li").getByText("The sum of all items.").waitFor()
    assert.strictEqual(await page.locator(".symbols .what code").count(), 0)
  })

  it("makes the structure where there is no index", async () => {
    const server = await serve({ isIndexed: false })
    try {
      await visit(server)
      await page.getByRole("button", { name: "Make the structure" }).click()
      await page.getByRole("link", { name: "src/", exact: true }).waitFor()
      assert.deepStrictEqual(opened.errors, [])
    } finally {
      await server.end()
    }
  })

  it("shows no counts while files are read for the first time, and the project by itself after that", async () => {
    context = await browser.newContext()
    page = await context.newPage()
    let isReading = true
    const documentation = { name: "documentation", files: 3, major: 0, covered: 0 }
    const empty = {
      files: 0,
      symbols: 0,
      major: 0,
      covered: 0,
      byModel: 0,
      byComment: 0,
      classes: [],
      isRefreshing: true,
    }
    await page.route(/\/api\/index$/, async (route) => {
      const response = await route.fetch()
      const status = await response.json()
      const classes = [...status.classes, documentation]
      await route.fulfill({ response, json: { ...status, classes, ...(isReading && empty) } })
    })
    await page.goto(indexed.url)
    await page.evaluate('location.hash = "#/index/"')
    const content = page.getByRole("main", { name: "Index" })
    await content.getByText("Reading the files…").waitFor()
    assert.notMatch(await content.innerText(), /0 of 0|0 files|Explain/)
    isReading = false
    await content.getByRole("link", { name: "src/", exact: true }).waitFor()
    await content.locator(".coverage summary").waitFor()
    assert.match(await content.innerText(), /3 files · 4 symbols, \d of them with a purpose/)
    const coverage = content.locator(".coverage")
    assert.match(await coverage.locator("summary").innerText(), /\d of \d major symbols explained/)
    await coverage.locator("summary").click()
    assert.match(await coverage.innerText(), /Of all symbols, a model explains \d, and a comment \d\./)
    assert.notInclude(await coverage.innerText(), "0 of 0")
  })

  it("shows a symbol with its callers as a picture that the arrows go through, and puts another one in the middle", async () => {
    await visit(indexed)
    await openTotal()
    const center = page.locator(".picture a.center")
    assert.match((await center.getAttribute("aria-label")) ?? "", /^total, function/)
    await center.focus()
    await page.keyboard.press("ArrowRight")
    await page.locator(".picture a:focus", { hasText: "price" }).waitFor()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await page.locator(".picture a:focus", { hasText: "main" }).waitFor()
    await page.keyboard.press("Enter")
    await page.locator(".picture a.center", { hasText: "main" }).waitFor()
    assert.match(page.url(), /src\/main\.ts%3A3$/)
  })

  it("names a box of the picture by its whole name, also for axe, if its text is cut, and follows a click on it", async () => {
    await visit(indexed)
    const name = "wrap_application_that_is_handling_exceptions"
    await page.route(/\/index\/graph\?/, async (route) => {
      const response = await route.fetch()
      const { nodes, ...graph } = await response.json()
      const named = nodes.map((node: { readonly layer: number }) => (node.layer === 1 ? { ...node, name } : node))
      await route.fulfill({ response, json: { ...graph, nodes: named } })
    })
    await openTotal()
    await page.locator(`.picture a[aria-label^="${name}, function"]`).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    const box = await page.locator(".picture .name.small").boundingBox()
    await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 5)
    await page.waitForURL(/src\/price\.ts%3A2$/)
  })

  it("shows source as text, with its line numbers, and says why a purpose is as it is", async () => {
    await visit(indexed)
    await openTotal()
    await page.locator(".source [data-line='5']", { hasText: "onerror" }).waitFor()
    await page.getByRole("button", { name: "Why?" }).click()
    await page.getByText("No model wrote this").waitFor()
    assert.isFalse(await isHacked(page))
  })

  it.skipIf(!GitRepository.isAvailable)("reads the purposes that a symbol has had once one opens them", async () => {
    await visit(indexed)
    const asked: Array<string> = []
    page.on("request", (request) => void asked.push(request.url()))
    await page.goto(`${new URL(indexed.url).origin}/#/index/src/price.ts:6`)
    const history = page.locator(".history")
    await history.waitFor()
    assert.isFalse(asked.some((url) => url.includes("/index/history")))
    await history.getByText("History of its purpose").click()
    await history.getByText("by Ada · test/model").waitFor()
    assert.include(await history.locator("li").innerText(), "Finds the price <img")
    assert.strictEqual(await history.locator("code").getAttribute("title"), "Explain the price")
    assert.isFalse(await isHacked(page))
    assert.deepStrictEqual(await findViolations(page), [])
    // The next symbol has no history, and the section stays open.
    await page.goto(`${new URL(indexed.url).origin}/#/index/src/cart.ts:4`)
    await history.getByText("No commit has a purpose that a model wrote for it.").waitFor()
    assert.deepStrictEqual(opened.errors, [])
  })

  it("shows a line within a symbol at once, marked, and the picture below it", async () => {
    await visit(indexed)
    await page.goto(`${new URL(indexed.url).origin}/#/index/src/cart.ts:6`)
    const line = page.locator(".source .marked")
    await line.waitFor()
    assert.strictEqual(await line.getAttribute("data-line"), "6")
    await page.locator(".picture a").first().waitFor()
    const [source, picture] = await Promise.all([line, page.locator(".picture")].map((each) => each.boundingBox()))
    assert.isBelow(source?.y ?? Number.NaN, picture?.y ?? Number.NaN)
    assert.deepStrictEqual(await findViolations(page), [])
  })

  it("shows the first forty lines of a long source, and all of them on request or for a later one", async () => {
    await visit(indexed)
    await page.route(/\/index\/symbol\?/, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace("line=60", "line=4") })
      const source = Array.from({ length: 90 }, (_, n) => `line(${n})`)
      await route.fulfill({ response, json: { ...(await response.json()), source } })
    })
    const lines = page.locator(".source .line")
    await page.goto(`${new URL(indexed.url).origin}/#/index/src/cart.ts:4`)
    const unfold = page.getByRole("button", { name: "Show 50 more lines" })
    await unfold.waitFor()
    assert.strictEqual(await lines.count(), 40)
    assert.deepStrictEqual(await findViolations(page), [])
    await unfold.click()
    await unfold.waitFor({ state: "detached" })
    assert.strictEqual(await lines.count(), 90)
    await page.goto(`${new URL(indexed.url).origin}/#/index/src/main.ts:3`)
    await unfold.waitFor()
    await page.goto(`${new URL(indexed.url).origin}/#/index/src/cart.ts:60`)
    await page.locator(".source .marked").waitFor()
    assert.strictEqual(await lines.count(), 90)
  })

  it("offers no history of purposes in a project that no model has explained", async () => {
    await visit(indexed)
    await page.route(/\/api\/index$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), byModel: 0 } })
    })
    await page.goto(`${new URL(indexed.url).origin}/#/index/src/cart.ts:4`)
    await page.reload()
    await page.locator(".picture a").first().waitFor()
    assert.strictEqual(await page.locator(".history").count(), 0)
  })

  it("names the folder that is served beside its own name", async () => {
    await visit(indexed)
    await page.locator(".bar").getByText("project", { exact: true }).waitFor()
  })

  it("says in the place of the page that there is nothing at a path, and no longer once one is elsewhere", async () => {
    await visit(indexed)
    await page.getByRole("link", { name: "src/", exact: true }).waitFor()
    await page.goto(`${new URL(indexed.url).origin}/#/index/nope`)
    await page.locator(".content", { hasText: "The index has nothing at nope." }).waitFor()
    assert.strictEqual(await page.locator(".said").count(), 0)
    await page.goto(`${new URL(indexed.url).origin}/#/index/src`)
    await page.locator(".content").getByRole("link", { name: "cart.ts" }).waitFor()
    assert.strictEqual(await page.getByText("The index has nothing").count(), 0)
  })

  it("watches the run of another process, which is stopped there and not here", async () => {
    await visit(indexed)
    const run = {
      state: "running",
      model: "google/gemini-2.5-flash",
      startedAt: Date.now() - 65_000,
      activity: "asks for 20 symbols of src",
      requests: 7,
      expected: 12,
      planned: 200,
      written: 90,
      tokens: { input: 120_000, output: 8000 },
      cost: 0.21,
      found: [],
    }
    await page.route("**/api/index", async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), isElsewhere: true, elsewhere: run } })
    })
    await page.reload()
    await page.getByText("Another process explores this folder").waitFor()
    const watched = page.getByRole("region", { name: "Exploration" })
    await watched
      .getByText(/^90 purposes of 200 symbols · 7 requests · 120k tokens in, 8k out · \$0\.21 · 1 min/)
      .waitFor()
    await watched.getByText("asks for 20 symbols of src").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /Stop|Explain/ }).count(), 0)
    assert.deepStrictEqual(await findViolations(page), [])
  })

  it("searches as one types", async () => {
    await visit(indexed)
    await page.getByRole("searchbox").fill("what does an item cost")
    await page.locator(".answers").getByRole("link", { name: "price" }).waitFor()
    await page.getByRole("searchbox").press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.locator("h2", { hasText: "price" }).waitFor()
  })

  it("goes to its search on /, marks on Enter what answers the words that are typed by then, and opens it on the next", async () => {
    await visit(indexed)
    const search = page.getByRole("searchbox")
    await search.waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("what does an item cost")
    await page.locator(".answers").getByRole("link", { name: "price" }).waitFor()
    await search.fill("the sum of all items")
    await page.keyboard.press("Enter")
    await page.locator(".answers [aria-current]", { hasText: "total" }).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.keyboard.press("Enter")
    await page.locator("h2", { hasText: "total" }).waitFor()
  })

  it("keeps the results beside the one that was opened, and the arrows go on through them, until Escape", async () => {
    await visit(indexed)
    const search = page.getByRole("searchbox")
    await search.fill("the sum of all items, and what an item costs")
    await page.locator(".answers li").nth(1).waitFor()
    await search.press("ArrowDown")
    await search.press("Enter")
    const results = page.getByRole("navigation", { name: "Results" })
    await results.getByRole("link").nth(1).waitFor()
    const first = await page.locator("h2").textContent()
    assert.deepStrictEqual(await findViolations(page), [])
    await search.press("ArrowDown")
    await search.press("Enter")
    await page.waitForFunction((text) => document.querySelector("h2")?.textContent !== text, first)
    await results.getByRole("button", { name: /^All \d+ results$/ }).click()
    await page.locator(".answers li").nth(1).waitFor()
    await search.press("Escape")
    await page.getByRole("navigation", { name: "Folders" }).waitFor()
    assert.strictEqual(await search.inputValue(), "")
  })

  it("shows the folders as a tree, in which what is open can be seen", async () => {
    await visit(indexed)
    await page.goto(`${new URL(indexed.url).origin}/#/index/src/cart.ts`)
    const folders = page.getByRole("navigation", { name: "Folders" })
    await folders.locator("a[aria-current=page]", { hasText: "cart.ts" }).waitFor()
    await folders.getByRole("button", { name: "Folder src" }).click()
    await folders.getByRole("link", { name: "cart.ts" }).waitFor({ state: "detached" })
  })

  it("colours the source, and changes no letter of it", async () => {
    await visit(indexed)
    await openTotal()
    const line = page.locator(".source [data-line='6']")
    await line.locator(".tok-k", { hasText: "return" }).waitFor()
    assert.strictEqual(await line.textContent(), "  return items.reduce((sum, item) => sum + price(item), 0)\n")
  })

  it("begins a run with a model, after an estimate, and shows how it ended", async () => {
    await visit(indexed)
    await page.getByRole("button", { name: "Explain…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Model").fill("offline/guide")
    await dialog.getByText(/^About \d+ symbol|^Nothing is left/).waitFor()
    await dialog.getByRole("button", { name: "Start" }).click()
    await page.locator(".run", { hasText: "Done with offline" }).waitFor()
    assert.deepStrictEqual(opened.errors, [])
  })

  for (const [name, options] of [
    ["light", { viewport: { width: 1280, height: 800 } }],
    ["dark", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
    ["as wide as a phone", { viewport: { width: 360, height: 740 } }],
  ] as const) {
    it(`is accessible, as far as axe can tell, and asks no other host: ${name}`, async () => {
      await visit(indexed, options)
      await page.getByRole("link", { name: "src/", exact: true }).waitFor()
      assert.deepStrictEqual(await findViolations(page), [])
      assert.isAtMost(await overflow(page), 0)
      await openTotal()
      assert.isTrue(
        await page.evaluate(isCenterSeen),
        "the symbol of the page is outside of what one sees of its picture",
      )
      assert.deepStrictEqual(await findViolations(page), [])
      assert.isAtMost(await overflow(page), 0)
      assert.deepStrictEqual([...opened.hosts], [new URL(indexed.url).host])
    })
  }
})
