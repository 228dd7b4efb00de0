/** The wiki in a real browser: its start page, a link to a part, a citation that opens the symbol, and a search. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { findViolations, isHacked } from "./browser/checks.ts"
import { executable, launch, openView } from "./browser/chromium.ts"
import { hostile, type Served, serve } from "./browser/project.ts"

const wiki = {
  index: `# Shop\n\nIt sums carts, see [Cart](cart.md). [total]\nIt mails receipts ${hostile}. [send]\n\n[send]: ../../src/cart.ts "send"\n[total]: ../../src/cart.ts "total"\n`,
  cart: '# Cart\n\nThe cart is summed. [total]\n\n[total]: ../../src/cart.ts "total"\n',
}

describe.skipIf(executable === undefined)("the wiki in the page", () => {
  let served: Served
  let browser: Browser

  beforeAll(async () => {
    served = await serve({ isIndexed: true, wiki })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await served?.end()
  })

  it("opens with the start page, and leads to parts, symbols and what a search finds", async () => {
    const { context, page } = await openView(browser, served.url, "Index")
    await page.getByRole("heading", { name: "Shop" }).waitFor()
    await page.getByText("send does not exist any more").waitFor()
    assert.isFalse(await isHacked(page))
    assert.deepStrictEqual(await page.locator(".content h2").allInnerTexts(), ["Shop"])
    assert.deepStrictEqual(await findViolations(page), [])
    await page.locator(".wiki-statement").getByRole("link", { name: "Cart" }).click()
    await page.getByRole("heading", { name: "Cart" }).waitFor()
    const contents = page.getByRole("navigation", { name: "Pages of the wiki" })
    await contents.getByText(/^\d+ pages of the wiki$/).click()
    assert.strictEqual(await contents.getByRole("link", { name: "Cart" }).getAttribute("aria-current"), "page")
    await contents.getByRole("link", { name: "Overview" }).click()
    await page.getByRole("heading", { name: "Shop" }).waitFor()
    await contents.getByText(/^\d+ pages of the wiki$/).click()
    await contents.getByRole("link", { name: "Cart" }).click()
    await page.locator(".wiki-citations").getByRole("link", { name: "total" }).click()
    await page.locator(".picture a").first().waitFor()
    await page.getByRole("searchbox").or(page.getByPlaceholder("Ask, or name a symbol")).first().fill("cart summed")
    await page.locator(".wiki-answers").getByRole("link", { name: "Cart" }).click()
    await page.getByText("The cart is summed.").waitFor()
    await context.close()
  })

  it("shows a page with its contents at once, whichever comes first, so that nothing one reads is pushed down", async () => {
    const { context, page } = await openView(browser, served.url, "Index")
    await page.getByRole("heading", { name: "Shop" }).waitFor()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route("**/api/wiki", async (route) => {
      await held
      await route.continue()
    })
    const answered = page.waitForResponse((response) => response.url().includes("/api/wiki/page?name=cart"))
    await page.goto(`${new URL(served.url).origin}/#/index/wiki~cart`)
    await answered
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    assert.strictEqual(await page.locator(".wiki").count(), 0)
    release()
    await page.locator(".wiki .wiki-contents").waitFor()
    await context.close()
  })

  it("names a box of a picture by its whole title, also for axe, if its text is cut, and follows a click on the text", async () => {
    const { context, page } = await openView(browser, served.url, "Index")
    await page.route("**/api/wiki/page?name=index", async (route) => {
      const response = await route.fetch()
      const place = { x: 12, y: 12, width: 200, height: 30, isMain: false, isHub: false }
      const box = { ...place, page: "cart", label: "src/cart and src/receipts", text: "cart and rece…" }
      const drawing = { width: 224, height: 54, boxes: [box], lines: [], texts: [] }
      await route.fulfill({ response, json: { ...(await response.json()), drawing } })
    })
    await page.reload()
    await page.getByRole("link", { name: "src/cart and src/receipts" }).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    const text = await page.locator(".wiki-picture text").boundingBox()
    assert.isNotNull(text)
    await page.mouse.click(text.x + 4, text.y + 4)
    await page.getByRole("heading", { name: "Cart" }).waitFor()
    await context.close()
  })

  it("shows the folders once the start page is above them, or cannot be read, so that nothing is pushed down", async () => {
    const { context, page } = await openView(browser, served.url, "Index")
    const folder = page.locator(".content").getByRole("link", { name: "src/", exact: true })
    const held = Promise.withResolvers<void>()
    await page.route("**/api/wiki", async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload()
    await page.getByText("Reading the wiki…").waitFor()
    assert.strictEqual(await folder.count(), 0)
    held.resolve()
    await page.getByRole("heading", { name: "Shop" }).waitFor()
    await folder.waitFor()
    await page.unroute("**/api/wiki")
    await page.route("**/api/wiki", (route) => route.fulfill({ status: 507, json: { message: "It cannot be read" } }))
    await page.reload()
    await folder.waitFor()
    await context.close()
  })
})
