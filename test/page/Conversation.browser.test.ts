/** A conversation in the page, in a real browser: how it is opened, found, and worked by keyboard. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { findViolations } from "./browser/checks.ts"
import { executable, open } from "./browser/chromium.ts"
import { answers, browser, context, lookAt, message, openPages, page, say, server } from "./browser/conversation.ts"
import { serve } from "./browser/serve.ts"

describe.skipIf(executable === undefined)("a conversation in the page", () => {
  openPages()

  it("finds commands, conversations and goes to them by the keyboard, also while one writes", async () => {
    await say("a question about palettes")
    await answers().first().waitFor()
    const found = await page.evaluate(() => location.hash)
    await page.keyboard.press("Control+k")
    const palette = page.getByRole("dialog", { name: "Palette" })
    await palette.getByRole("option", { name: "New conversation" }).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.keyboard.type("new conv")
    await page.keyboard.press("Enter")
    await page.waitForFunction((hash) => location.hash !== hash, found)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("palettes")
    await palette.getByRole("option", { name: "a question about palettes" }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForFunction((hash) => location.hash === hash, found)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("no such thing at all")
    await palette.getByText("Nothing has that name.").waitFor()
    await page.keyboard.press("Escape")
    await palette.waitFor({ state: "detached" })
  })

  it("takes every key that follows the palette's own, and stays open when it is opened again at once", async () => {
    const hasFocus = await page.evaluate(async () => {
      dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }))
      await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))))
      return document.activeElement?.getAttribute("role")
    })
    assert.strictEqual(hasFocus, "combobox")
    const isOpen = await page.evaluate(async () => {
      for (let n = 0; n < 2; n++) {
        dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }))
        await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))))
      }
      // The browser has said by then that the first dialog was closed.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return document.querySelector("dialog[open]") !== null
    })
    assert.isTrue(isOpen)
  })

  it("begins in the search of models when they are chosen by key", async () => {
    await page.getByRole("log").focus()
    await page.keyboard.press("m")
    await page
      .getByRole("row", { name: /gemini-2\.5-pro/ })
      .first()
      .waitFor()
    await page.keyboard.type("flash-lite")
    assert.strictEqual(await page.getByRole("searchbox", { name: "Search models" }).inputValue(), "flash-lite")
  })

  it("says that there is no such conversation or page, and nothing else in its place", async () => {
    const { origin } = new URL(server.url)
    await page.goto(`${origin}/#/c/nope`)
    await page.getByText("There is no such conversation.").waitFor()
    assert.strictEqual(await message().count(), 0)
    await page.goto(`${origin}/#/zzz`)
    await page.getByText("There is no such page.").waitFor()
    await page.getByRole("link", { name: "Conversation", exact: true }).click()
    await message().waitFor()
  })

  it("shows a browser without the token one sentence, and the page once it has it", async () => {
    const stranger = await browser.newContext()
    try {
      const { page: other } = await open(stranger, new URL(server.url).origin)
      await other.getByText("This page has no access: open the address that vibe serve printed.").waitFor()
      assert.strictEqual(await other.getByRole("navigation").count(), 0)
      await other.goto(server.url)
      await message(other).waitFor()
    } finally {
      await stranger.close()
    }
  })

  it("marks deprecated models in the list of models", async () => {
    await page.getByRole("button", { name: /gemini-2.5-flash/ }).click()
    const row = page.getByRole("row", { name: /google\/gemini-2\.5-flash deprecated/ })
    assert.match((await row.locator(".deprecated").getAttribute("title")) ?? "", /then gemini-flash-latest$/)
  })

  it("lists models that need a key where one asks for them, with the variable that is not set", async () => {
    await page.getByTitle("Choose the model, or several").click()
    const models = page.getByRole("dialog", { name: "Models" })
    await models
      .getByRole("row", { name: /google\/gemini-2\.5-pro/ })
      .first()
      .waitFor()
    await models.getByRole("searchbox").fill("anthropic/")
    await models.getByText("No model has that name.").waitFor()
    await models.getByRole("checkbox", { name: "Also models that need a key" }).check()
    const rows = models.getByRole("row", { name: /anthropic\/.* ANTHROPIC_API_KEY is not set/ })
    const model = rows.first().getByRole("checkbox")
    await model.waitFor()
    assert.isTrue(await model.isDisabled())
    // The chosen model comes first, and models that can answer come before those that cannot.
    await models.getByRole("searchbox").fill("")
    await models
      .getByRole("checkbox", { name: /^google/ })
      .first()
      .waitFor()
    const boxes = models.locator("tbody input")
    assert.isTrue(await boxes.first().isChecked())
    const areUsable = await boxes.evaluateAll((all) => all.map((box) => !box.matches(":disabled")))
    assert.include(areUsable, true)
    assert.deepStrictEqual(
      areUsable,
      areUsable.toSorted((one, other) => Number(other) - Number(one)),
    )
  })

  it("opens the conversation that was opened or written in last, in another tab too", async () => {
    const visited = (in_ = page) =>
      in_.waitForResponse((response) => response.request().method() === "PUT" && response.url().endsWith("/session"))
    const shown = (in_: Page) => in_.evaluate(() => location.hash)
    const first = await shown(page)
    const begun = visited()
    await page.getByRole("button", { name: "New" }).first().click()
    await begun
    const second = await shown(page)
    assert.notStrictEqual(second, first)
    const { page: other } = await open(context, server.url)
    await other.waitForURL(/#\/c\//)
    assert.strictEqual(await shown(other), second)
    const opened = visited(other)
    await other.evaluate((hash) => {
      location.hash = hash
    }, first)
    await opened
    // Each tab stays where it is.
    await page.getByRole("link", { name: "Forest" }).click()
    await page.getByRole("main", { name: "Forest" }).waitFor()
    await page.getByRole("link", { name: "Conversation" }).click()
    await page.waitForURL(/#\/c\//)
    assert.strictEqual(await shown(page), second)
    const written = visited()
    await say("a question")
    await written
    const { page: third } = await open(context, server.url)
    await third.waitForURL(/#\/c\//)
    assert.strictEqual(await shown(third), second)
  })

  it("opens what the search of conversations finds by the keyboard", async () => {
    await say("a question about routing")
    await answers().first().waitFor()
    const found = await page.evaluate(() => location.hash)
    await page.getByRole("button", { name: "New" }).first().click()
    await page.waitForFunction((hash) => location.hash !== hash, found)
    const search = page.getByRole("searchbox", { name: "Search conversations" })
    await search.fill("about routing")
    await search.press("Enter")
    await page.waitForFunction((hash) => location.hash === hash, found)
    await page.waitForFunction(() => document.activeElement?.id === "message")
    await search.press("ArrowDown")
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "")
    assert.include(await focused(), "a question about routing")
    await page.keyboard.press("ArrowUp")
    assert.isTrue(await search.evaluate((box) => box === document.activeElement))
  })

  it("leaves the focus in the search where one is there before a new conversation has come", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/api\/conversations\/[^/?]+$/, async (route) => {
      await held
      await route.continue()
    })
    const before = await page.evaluate(() => location.hash)
    await say("so that the next one is new")
    await answers().first().waitFor()
    await page.getByRole("button", { name: "New" }).first().click()
    await page.waitForFunction((hash) => location.hash !== hash, before)
    const search = page.getByRole("searchbox", { name: "Search conversations" })
    await search.focus()
    release()
    const hash = await page.evaluate(() => location.hash)
    await page.locator(`.list a[aria-current=true][href="${hash}"]`).waitFor()
    // Effects run after the picture.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    assert.isTrue(await search.evaluate((box) => box === document.activeElement))
  })

  it("says of a new conversation what the model can read, by the tools that it is offered", async () => {
    const welcome = () => page.locator(".welcome p")
    await page.getByRole("button", { name: "New" }).first().click()
    await welcome().getByText("It has no tools: vibe serve --tools lets it read the project").waitFor()
    const offering = await serve("--tools")
    try {
      lookAt(await open(context, offering.url))
      await welcome().getByText("can read the project that is served here").waitFor()
    } finally {
      await offering.end()
    }
  })

  it("works by keyboard alone", async () => {
    await say("first")
    await answers().first().waitFor()
    await page.getByRole("log").focus()
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keys" }).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.keyboard.press("k")
    await page.keyboard.press("k")
    await page.keyboard.press("e")
    await page.getByRole("textbox", { name: "Edit the message" }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("textbox", { name: "Edit the message" }).waitFor({ state: "detached" })
    await page.getByRole("log").focus()
    await page.keyboard.press("/")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "message")
  })

  for (const [name, options] of [
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["on a phone", { viewport: { width: 360, height: 740 } }],
  ] as const) {
    it(`is accessible, as far as axe can tell, and no wider than the window: ${name}`, async () => {
      const own = await browser.newContext({ viewport: { width: 1360, height: 850 }, ...options })
      const { errors, page: shown } = await open(own, server.url)
      await message(shown).waitFor()
      assert.deepStrictEqual(await findViolations(shown), [])
      await say("a question", shown)
      await answers(shown).first().waitFor()
      assert.deepStrictEqual(await findViolations(shown), [])
      const [wide, window] = await shown.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      assert.isAtMost(wide ?? 0, window ?? 0)
      assert.deepStrictEqual(errors, [])
      await own.close()
    })
  }
})
