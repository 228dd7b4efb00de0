/** The forest in a real browser: by keyboard, with 221 conversations of which few are drawn. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { findViolations, isHacked, overflow } from "./browser/checks.ts"
import { executable, launch, type Opened, openView } from "./browser/chromium.ts"
import { PICTURED, type Served, serve } from "./browser/project.ts"

describe.skipIf(executable === undefined)("the forest in the page", () => {
  let server: Served
  let browser: Browser
  let context: BrowserContext
  let opened: Opened
  let page: Page

  const tree = () => page.getByRole("tree")
  const active = () => page.locator("[role=treeitem][aria-selected=true] .words")
  const press = async (...keys: ReadonlyArray<string>) => {
    for (const key of keys) await tree().press(key)
  }
  /** Until the active line is that one. */
  const at = (text: string | RegExp) => active().filter({ hasText: text }).waitFor()

  beforeAll(async () => {
    server = await serve({ isIndexed: false })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end()
  })
  const visit = async (options?: Parameters<Browser["newContext"]>[0]) => {
    ;({ context, opened, page } = await openView(browser, server.url, "Forest", options))
    await page.getByRole("treeitem").first().waitFor()
    await tree().focus()
    await at("How are requests retried?")
  }
  beforeEach(() => visit())
  afterEach(() => context.close())

  /** Goes to the second of the three answers. */
  const branch = async () => {
    await press("ArrowRight")
    await page.locator("[role=treeitem][aria-level='2']").waitFor()
    await press("ArrowDown")
    await at("How are requests retried?")
    await press("ArrowRight")
    await page.locator("[role=treeitem]", { hasText: "With a policy." }).waitFor()
    await press("ArrowDown", "ArrowDown")
    await at("With a policy.")
  }

  it("is a tree that arrows go through, which opens and closes, and of which only the screen is drawn", async () => {
    assert.isAtMost(await page.getByRole("treeitem").count(), 60)
    await branch()
    const line = page.locator("[role=treeitem][aria-selected=true]")
    assert.strictEqual(await line.getAttribute("aria-level"), "3")
    assert.strictEqual(await line.getAttribute("aria-posinset"), "2")
    assert.strictEqual(await line.getAttribute("aria-setsize"), "3")
    await press("ArrowRight")
    const more = page.locator("[role=treeitem]", { hasText: "Twice the wait" })
    await more.waitFor()
    // What follows without a branch is not indented.
    assert.strictEqual(await more.getAttribute("aria-level"), "3")
    await press("ArrowLeft")
    await more.waitFor({ state: "detached" })
    await press("ArrowLeft")
    await at("How are requests retried?")
    await press("End")
    await at("Question 0")
    assert.isAtMost(await page.getByRole("treeitem").count(), 60)
    await press("Home")
    await at("How are requests retried?")
    assert.deepStrictEqual(opened.errors, [])
  })

  it("shows how a conversation begins, and goes to a message of it", async () => {
    const beginning = page.getByRole("list", { name: "How it begins" })
    await beginning.getByText("You", { exact: true }).waitFor()
    await beginning.getByRole("button", { name: "How are requests retried?" }).click()
    await page.locator("[role=treeitem][aria-level='2'][aria-selected=true]").waitFor()
    await beginning.waitFor({ state: "detached" })
  })

  it("is entered by the first arrow after one has come by a link or an address", async () => {
    await page.reload()
    await page.getByRole("treeitem").first().waitFor()
    await page.keyboard.press("ArrowDown")
    await at("How are requests retried?")
    await page.getByRole("link", { name: "Index" }).click()
    await page.getByRole("link", { name: "Forest" }).click()
    await page.getByRole("treeitem").first().waitFor()
    await page.keyboard.press("ArrowDown")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.role), "tree")
  })

  it("returns to the branch that was visited last, also after a reload", async () => {
    await branch()
    await press("ArrowLeft")
    await at("How are requests retried?")
    await press("ArrowRight")
    await at("With a policy.")
    await page.reload()
    await page.getByRole("treeitem").first().waitFor()
    await tree().focus()
    await at("How are requests retried?")
    await press("ArrowRight")
    await page.locator("[role=treeitem][aria-level='2']").waitFor()
    await press("ArrowDown", "ArrowRight")
    await page.locator("[role=treeitem]", { hasText: "With a policy." }).waitFor()
    await press("ArrowRight")
    await at("With a policy.")
  })

  it("compares branches side by side, by keyboard, and shows what is hostile as text", async () => {
    await branch()
    await press("ArrowLeft", "c")
    const dialog = page.getByRole("dialog")
    await dialog.getByText("onerror").waitFor()
    assert.strictEqual(await dialog.locator("[data-column]").count(), 3)
    await dialog.locator("[data-column]").first().focus()
    await page.keyboard.press("ArrowRight")
    await dialog.locator("[data-column]:nth-child(2):focus").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    assert.isFalse(await isHacked(page))
  })

  it("searches as one types, and opens the path to what is chosen", async () => {
    await press("/")
    await page.keyboard.type("twice the wa")
    const hit = page.locator(".hits button", { hasText: "Twice the wait" })
    await hit.waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await at("Twice the wait each time.")
  })

  it("opens on Enter the path to the best result of the words that are typed by then", async () => {
    await press("/")
    await page.keyboard.type("requests")
    await page.locator(".hits button").first().waitFor()
    const search = page.getByRole("searchbox")
    await search.fill("twice the wait")
    await page.keyboard.press("Enter")
    await at("Twice the wait each time.")
    assert.strictEqual(await search.inputValue(), "")
  })

  it("fills the window, however few lines there are", async () => {
    await page.getByLabel("Which conversations").selectOption("This folder")
    await page.locator("[role=treeitem][aria-level='1'][aria-setsize='1']").waitFor()
    const space = "innerHeight - document.querySelector('.panes').getBoundingClientRect().bottom"
    assert.strictEqual(await page.evaluate(space), 0)
  })

  it("bookmarks, removes, undoes and redoes, and says what was done", async () => {
    await branch()
    await press("b")
    await page.getByRole("textbox", { name: "Name" }).fill("the policy")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.locator("[role=treeitem] .mark", { hasText: "the policy" }).waitFor()
    await tree().focus()
    await press("Delete")
    const said = page.getByRole("status")
    await said.filter({ hasText: "Removed 3 messages and 1 bookmark." }).waitFor()
    await page.locator("[role=treeitem]", { hasText: "With a policy." }).waitFor({ state: "detached" })
    await press("Control+z")
    await said.filter({ hasText: "3 messages brought back" }).waitFor()
    await page.locator("[role=treeitem]", { hasText: "With a policy." }).waitFor()
    await press("Control+y")
    await said.filter({ hasText: "3 messages taken away" }).waitFor()
    await page.locator("[role=treeitem]", { hasText: "With a policy." }).waitFor({ state: "detached" })
    await press("Control+z")
    await said.filter({ hasText: "3 messages brought back" }).waitFor()
    await page.locator("[role=treeitem]", { hasText: "With a policy." }).waitFor()
  })

  it("hides a branch in this browser, and shows it again", async () => {
    await branch()
    await press("h")
    await page.locator("[role=treeitem]", { hasText: "With a policy." }).waitFor({ state: "detached" })
    await page.getByLabel(/Show hidden/).check()
    await page.locator(".hidden-branch", { hasText: "With a policy." }).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
  })

  it("exports a conversation as a file, and opens it in the conversation view", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Markdown" }).click(),
    ])
    assert.strictEqual(download.suggestedFilename(), "conversation.md")
    await tree().focus()
    await press("Enter")
    await page.waitForURL(/#\/c\//)
  })

  for (const [name, options] of [
    ["light", { viewport: { width: 1280, height: 800 } }],
    ["dark", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
    ["as wide as a phone", { viewport: { width: 360, height: 740 } }],
  ] as const) {
    it(`is accessible, as far as axe can tell, and asks no other host: ${name}`, async () => {
      await context.close()
      await visit(options)
      await branch()
      assert.deepStrictEqual(await findViolations(page), [])
      assert.isAtMost(await overflow(page), 0)
      assert.deepStrictEqual([...opened.hosts], [new URL(server.url).host])
      assert.deepStrictEqual(opened.errors, [])
    })
  }

  it("leads to a message whose picture is shown, and can be opened by itself", async () => {
    const { origin } = new URL(page.url())
    const found = await page.evaluate(async (text) => {
      const response = await fetch(`/api/conversations?search=${encodeURIComponent(text)}&all=true`)
      const all: ReadonlyArray<{ readonly id: string; readonly title: string }> = await response.json()
      return all.find(({ title }) => title.startsWith(text))?.id
    }, `Question ${PICTURED}`)
    await page.goto(`${origin}/#/c/${found}`)
    const picture = page.getByRole("img", { name: "1 of 1: image/png, 1 kB" })
    await picture.waitFor()
    // The policy of the page evaluates no string, so a text as a condition is refused when it is asked a second time.
    const width = await page.locator(".pictures img").evaluate(async (image) => {
      if (!(image instanceof HTMLImageElement)) return 0
      await image.decode()
      return image.naturalWidth
    })
    assert.strictEqual(width, 1)
    assert.strictEqual(await page.locator(".said").innerText(), `Question ${PICTURED}`)
    assert.deepStrictEqual(await findViolations(page), [])
    const answer = await page.request.get(`${origin}${await page.locator(".pictures a").getAttribute("href")}`)
    assert.strictEqual(answer.headers()["content-type"], "image/png")
    assert.deepStrictEqual(opened.errors, [])
  })
})
