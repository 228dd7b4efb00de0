/** A conversation in the page, in a real browser: the built server, and a model that the test scripts. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it, vi } from "vitest"
import { findViolations } from "./browser/checks.ts"
import { executable, launch, type Opened, open } from "./browser/chromium.ts"
import { markdown, type Served, serve } from "./browser/serve.ts"

/** Milliseconds, for a machine that is busy. */
const LONG = 30_000

describe.skipIf(executable === undefined)("a conversation in the page", () => {
  let server: Served
  let browser: Browser
  let context: BrowserContext
  let opened: Opened
  let page: Page

  const message = (in_ = page) => in_.getByRole("textbox", { name: "Message", exact: true })
  const textbox = (in_ = page) => in_.getByRole("textbox", { name: "Document", exact: true })
  const say = async (text: string, in_ = page) => {
    await message(in_).fill(text)
    await message(in_).press("Enter")
  }
  const documentButton = (in_ = page) => in_.getByRole("button", { name: "Document", exact: true })
  const openDocument = async (in_ = page) => {
    await documentButton(in_).click()
    await textbox(in_).waitFor()
  }
  const answers = (in_ = page) => in_.locator(".message.assistant:not([aria-busy=true])")

  beforeAll(async () => {
    server = await serve()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end()
  })
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
    opened = await open(context, server.url)
    page = opened.page
    // The box is there before the conversation is.
    await page.waitForURL(/#\/c\//)
    await message().waitFor()
  })
  afterEach(async () => {
    server.release()
    await context.close()
  })

  it("shows an answer as Markdown, and runs and fetches nothing of what is in it", async () => {
    await say("Write <b>tests</b>")
    await answers().getByText("This is gemini-2.5-flash.").waitFor()
    assert.strictEqual(await answers().locator("strong").first().textContent(), "what")
    assert.strictEqual(await answers().locator("pre code").count(), 1)
    assert.strictEqual(await answers().locator("img, script").count(), 0)
    assert.isTrue(await page.getByText("<script>globalThis.hacked").isVisible())
    assert.isTrue(await page.getByText("Write <b>tests</b>", { exact: true }).first().isVisible())
    assert.isUndefined(await page.evaluate(() => (globalThis as { hacked?: boolean }).hacked))
    assert.strictEqual(await answers().getByText("good").getAttribute("href"), "https://example.com/")
    assert.strictEqual(await answers().locator("a[href^=javascript]").count(), 0)
    const place = answers().locator("a[href^='#']")
    assert.deepStrictEqual(await place.evaluateAll((links) => links.map((link) => link.getAttribute("href"))), [
      "#/index/src/main.ts",
      "#/index/src/main.ts%3A12",
    ])
    assert.deepStrictEqual([...opened.hosts], [new URL(server.url).host])
    assert.strictEqual(new URL(page.url()).search, "")
    assert.deepStrictEqual(opened.errors, [])
  })

  it("colours code, loads a language when it is used, and copies the code as it was written", async () => {
    const isLoaded = () =>
      page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("Highlighter")))
    assert.isFalse(await isLoaded())
    await say("Write tests")
    await answers().locator("code .tok-k", { hasText: "export" }).waitFor()
    assert.isTrue(await isLoaded())
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    await answers().locator("[data-copy]").click()
    await answers().getByText("Copied").waitFor()
    const [code = ""] = /export const add.*column/.exec(markdown) ?? []
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), code)
    await page.evaluate(() => navigator.clipboard.writeText(""))
    await answers().getByText("Copy", { exact: true }).waitFor()
    await answers().locator("pre").focus()
    await page.keyboard.press("c")
    await answers().getByText("Copied").waitFor()
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), code)
  })

  it("shows the document once the model has written one, and not before, unless one asks for it", async () => {
    await say("hello")
    await answers().first().waitFor()
    assert.strictEqual(await textbox().count(), 0)
    await say("a plan")
    await textbox().getByText("- a step of the model").waitFor()
    await documentButton().click()
    await textbox().waitFor({ state: "hidden" })
    await page.reload()
    await answers().nth(1).waitFor()
    assert.isFalse(await textbox().isVisible())
    await page.getByRole("button", { name: "New" }).first().click()
    await page.locator(".welcome").waitFor()
    assert.isFalse(await textbox().isVisible())
    await openDocument()
  })

  it("sends files with a message, shows them folded, and says why another cannot go along", async () => {
    const files = page.getByRole("list", { name: "Attached files" })
    await page.locator("input[type=file]").setInputFiles([
      { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes\n```\na fence\n```\n") },
      { name: "shot.heic", mimeType: "image/heic", buffer: Buffer.from("heic") },
    ])
    await files.getByText("notes.md").waitFor()
    await page.getByRole("alert").getByText("shot.heic is no picture that models take").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await say("read this")
    await answers().first().waitFor()
    assert.strictEqual(await files.count(), 0)
    const sent = page.locator(".message.user")
    assert.strictEqual(await sent.locator(".said").textContent(), "read this")
    await sent.getByText("notes.md").click()
    await sent.locator("pre", { hasText: "a fence" }).waitFor()
    assert.isTrue(server.requests().some((text) => text.includes("File notes.md:\n````md\n# Notes")))
  })

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

  it("sets Markdown as it is meant: aligned columns, boxes without bullets, struck words, text from right to left", async () => {
    await say("سلام")
    await answers().getByText("This is gemini-2.5-flash.").waitFor()
    const style = (found: Locator, name: string) =>
      found.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), name)
    assert.strictEqual(await style(answers().locator("td").last(), "text-align"), "-webkit-right")
    assert.strictEqual(await style(answers().locator("li", { hasText: "a done task" }), "list-style-type"), "none")
    assert.strictEqual(await style(answers().locator("del"), "background-color"), "rgba(0, 0, 0, 0)")
    assert.strictEqual(await style(answers().locator("del"), "text-decoration-line"), "line-through")
    assert.strictEqual(await style(page.locator(".said").last(), "direction"), "rtl")
    assert.strictEqual(await style(answers().locator(".block", { hasText: "سلام" }), "direction"), "rtl")
    assert.strictEqual(await style(answers().locator(".block").first(), "direction"), "ltr")
  })

  it("keeps and sends what was written before the conversation was there", async () => {
    const early = await context.newPage()
    const session = Promise.withResolvers<void>()
    await early.route("**/api/session", async (route) => {
      await session.promise
      await route.continue()
    })
    await early.goto(server.url)
    await say("written early", early)
    await message(early).pressSequentially(", and on")
    assert.strictEqual(await message(early).inputValue(), "written early, and on")
    session.resolve()
    await early.locator(".message.user", { hasText: "written early, and on" }).waitFor()
    await answers(early).getByText("This is gemini-2.5-flash.").waitFor()
    assert.strictEqual(await message(early).inputValue(), "")
  })

  it("shows a running answer after a reload and in a second tab, and all of it at the end", async () => {
    await say("this waits")
    await page.getByText("The first half,").waitFor()
    const { page: other } = await open(context, page.url())
    await other.getByText("The first half,").waitFor()
    await page.reload()
    await page.getByText("The first half,").waitFor()
    server.release()
    for (const tab of [page, other]) await answers(tab).getByText("The first half, and the second.").waitFor()
    assert.strictEqual(await page.getByText("The first half").count(), 1)
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
    await models.getByRole("checkbox", { name: "also models that need a key" }).check()
    const model = models.getByRole("checkbox", { name: /anthropic\/.* ANTHROPIC_API_KEY is not set/ }).first()
    await model.waitFor()
    assert.isTrue(await model.isDisabled())
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

  it("stops an answer on Escape, and keeps what has arrived", async () => {
    await say("this waits")
    await page.getByText("The first half,").waitFor()
    await page.keyboard.press("Escape")
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" })
    await page.reload()
    await page.getByText("The first half,").waitFor()
  })

  it("queues messages while an answer runs: they can be removed, and edited", async () => {
    await say("this waits")
    await page.getByText("The first half,").waitFor()
    await say("one")
    await say("two")
    const waiting = page.getByRole("list", { name: "Messages that wait" }).getByRole("listitem")
    await waiting.nth(1).waitFor()
    await waiting.nth(1).getByRole("button", { name: "Edit" }).click()
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#message")?.value === "two")
    await waiting.nth(0).getByRole("button", { name: "Remove" }).click()
    await waiting.first().waitFor({ state: "detached" })
    await message().fill("three")
    await message().press("Enter")
    await waiting.first().waitFor()
    server.release()
    await page.getByText("This is gemini-2.5-flash.").waitFor()
    assert.strictEqual(await page.locator(".message.user").count(), 2)
  })

  it("puts what waits back into the box where the answer is stopped, and sends none of it", async () => {
    await say("this waits")
    await page.getByText("The first half,").waitFor()
    const waiting = page.getByRole("list", { name: "Messages that wait" }).getByRole("listitem")
    await say("one")
    await waiting.nth(0).waitFor()
    await say("two")
    await waiting.nth(1).waitFor()
    const before = server.requests().length
    await page.getByRole("button", { name: "Stop" }).click()
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#message")?.value === "one\ntwo")
    await waiting.first().waitFor({ state: "detached" })
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" })
    await page.reload()
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#message")?.value === "one\ntwo")
    assert.strictEqual(await page.locator(".message.user").count(), 1)
    assert.strictEqual(server.requests().length, before)
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
      ;({ page } = await open(context, offering.url))
      await welcome().getByText("can read the project that is served here").waitFor()
    } finally {
      await offering.end()
    }
  })

  it("keeps a draft over a reload", async () => {
    await message().fill("not sent yet")
    await page.reload()
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#message")?.value === "not sent yet")
  })

  it("makes a branch of an edited message, and steps between the versions", async () => {
    await say("first words")
    await answers().first().waitFor()
    await message().press("ArrowUp")
    const box = page.getByRole("textbox", { name: "Edit the message" })
    await box.fill("second words")
    await box.press("Enter")
    await page.getByText("2 of 2").first().waitFor()
    await page.locator(".said", { hasText: "second words" }).waitFor()
    await answers().first().waitFor()
    await page.getByRole("button", { name: "Previous version" }).click()
    await page.locator(".said", { hasText: "first words" }).waitFor()
    // The answer below it is there again.
    await answers().first().waitFor()
    assert.strictEqual(await page.locator(".message").count(), 2)
    assert.deepStrictEqual(opened.errors, [])
  })

  it("goes on to show what another tab begins, after the server has refused to show another version", async () => {
    const edit = async (text: string, in_ = page) => {
      await answers(in_).first().waitFor()
      await message(in_).press("ArrowUp")
      const box = in_.getByRole("textbox", { name: "Edit the message" })
      await box.fill(text)
      await box.press("Enter")
    }
    await say("first words")
    await edit("second words")
    await page.getByText("2 of 2").first().waitFor()
    await answers().first().waitFor()
    await page.route("**/leaf", (route) =>
      route.fulfill({ status: 409, contentType: "application/json", body: '{"message":"Another program writes"}' }),
    )
    await page.getByRole("button", { name: "Previous version" }).click()
    await page.getByRole("alert").getByText("Not done: Another program writes").waitFor()
    const { page: other } = await open(context, page.url())
    await edit("third words", other)
    await page.locator(".said", { hasText: "third words" }).waitFor()
    assert.deepStrictEqual(opened.errors, [])
  })

  it("shows a message that an edit has divided as one, which is copied, answered, edited and compared whole", async () => {
    const said = page.locator(".said")
    await say("a poem of roses")
    await answers().first().waitFor()
    const first = await page.locator(".message.user").getAttribute("data-message")
    server.loom("edit", first ?? assert.fail(), "a poem of violets")
    server.loom("edit", first ?? assert.fail(), "a poem of roses, and a song")
    await page.reload()
    await said.getByText("a poem of roses", { exact: true }).waitFor()
    await answers().first().waitFor()
    assert.strictEqual(await page.locator(".message").count(), 2)
    for (const [version, text] of [
      ["2 of 3", "a poem of roses, and a song"],
      ["3 of 3", "a poem of violets"],
    ] as const) {
      await page.getByRole("button", { name: "Next version" }).click()
      await page.locator(".versions", { hasText: version }).waitFor()
      await said.getByText(text, { exact: true }).waitFor()
      assert.strictEqual(await said.count(), 1)
    }
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    await page.getByRole("button", { name: "Copy" }).first().click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), "a poem of violets")
    await page.getByRole("button", { name: "Answer again" }).first().click()
    await answers().first().waitFor()
    await say("go on")
    await answers().nth(1).waitFor()
    assert.deepStrictEqual(await said.allTextContents(), ["a poem of violets", "go on"])
    await page.locator(".message.user").first().getByRole("button", { name: "Edit" }).click()
    const box = page.getByRole("textbox", { name: "Edit the message" })
    assert.strictEqual(await box.inputValue(), "a poem of violets")
    await box.fill("a song")
    await box.press("Enter")
    await page.locator(".versions", { hasText: "4 of 4" }).waitFor()
    await answers().first().waitFor()
    assert.deepStrictEqual(await said.allTextContents(), ["a song"])
    await page.getByRole("button", { name: "Compare" }).click()
    const versions = page.getByRole("dialog", { name: "4 answers" })
    for (const text of ["a poem of roses", "a poem of roses, and a song", "a poem of violets", "a song"]) {
      await versions.getByText(text, { exact: true }).waitFor()
    }
    // The answers of each version are shown, since one compares these.
    assert.isAtLeast(await versions.getByText("This is gemini-2.5-flash.").count(), 2)
    await page.keyboard.press("Escape")
    assert.deepStrictEqual(opened.errors, [])
  })

  it("asks two models at once, shows what differs, and continues with the answer that is chosen", async () => {
    await say("a question")
    await answers().first().waitFor()
    await page.getByTitle("Choose the model, or several").click()
    const models = page.getByRole("dialog", { name: "Models" })
    await models.getByRole("checkbox", { name: "google/gemini-2.5-pro", exact: true }).check()
    assert.deepStrictEqual(await findViolations(page), [])
    await models.getByRole("button", { name: "Answer the last message again" }).click()
    const compare = page.getByRole("dialog", { name: "2 answers" })
    const choices = compare.getByRole("button", { name: "Continue with this" })
    await choices.nth(1).waitFor()
    await compare.getByText("This is gemini-2.5-pro.").waitFor()
    await compare.getByRole("checkbox").check()
    await compare.locator("ins").first().waitFor()
    assert.include(await compare.locator("ins").allTextContents(), "pro")
    assert.deepStrictEqual(await findViolations(page), [])
    await choices.nth(1).click()
    await compare.waitFor({ state: "detached" })
    await answers().getByText("This is gemini-2.5-pro.").waitFor()
    await page.getByText(/of 3/).waitFor()
    // The answers that are stored say what they took, those that were asked for again too.
    await page.getByRole("button", { name: "Compare" }).click()
    const stored = page.getByRole("dialog", { name: "3 answers" })
    await stored.waitFor()
    const facts = await stored.locator("header .meta").allTextContents()
    assert.lengthOf(facts, 3)
    for (const each of facts) assert.match(each, /^\d+\.\d s · \S+$/)
    await page.keyboard.press("Escape")
    assert.deepStrictEqual(opened.errors, [])
  })

  it("compares answers that used tools as a whole, with what they took in all", async () => {
    const offering = await serve("--tools")
    try {
      ;({ page } = await open(context, offering.url))
      await say("look around")
      await answers().getByText("This is gemini-2.5-flash.").waitFor()
      await page.locator(".message.user").hover()
      await page.locator(".message.user").focus()
      await page.keyboard.press("r")
      await page.getByText("2 of 2").waitFor()
      await answers().getByText("This is gemini-2.5-flash.").waitFor()
      await page.getByRole("button", { name: "Compare" }).click()
      const stored = page.getByRole("dialog", { name: "2 answers" })
      await stored.getByText("This is gemini-2.5-flash.").nth(1).waitFor()
      assert.strictEqual(await stored.getByText("First I list the files.").count(), 2)
      for (const each of await stored.locator("header .meta").allTextContents()) assert.match(each, /^\d+\.\d s/)
    } finally {
      await offering.end()
    }
  })

  it("says without a model that answers why, and sends once another one is chosen", async () => {
    const offline = await serve("--model", "offline")
    try {
      opened = await open(context, offline.url)
      ;({ page } = opened)
      const refusal = page.locator(".welcome").getByText("the offline guide answers no questions")
      await refusal.waitFor()
      await page.getByRole("button", { name: "Choose a model that answers already" }).waitFor()
      const keys = await page.locator(".ways a").evaluateAll((all) => all.map((each) => each.getAttribute("rel")))
      assert.deepStrictEqual(keys, ["noreferrer", "noreferrer", "noreferrer"])
      await context.grantPermissions(["clipboard-read", "clipboard-write"])
      await page.getByRole("button", { name: "Copy export GOOGLE_API_KEY=…" }).click()
      assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), "export GOOGLE_API_KEY=…")
      assert.deepStrictEqual(await findViolations(page), [])
      await say("a question")
      assert.isTrue(await page.getByRole("button", { name: "Send" }).isDisabled())
      assert.strictEqual(await message().inputValue(), "a question")
      assert.deepStrictEqual(await findViolations(page), [])
      await page.getByTitle("Choose the model, or several").click()
      const models = page.getByRole("dialog", { name: "Models" })
      await models.getByRole("checkbox", { name: "google/gemini-2.5-pro", exact: true }).check()
      await models.getByRole("button", { name: "Done" }).click()
      await refusal.waitFor({ state: "detached" })
      await message().press("Enter")
      await answers().getByText("This is gemini-2.5-pro.").waitFor()
      await page.getByRole("link", { name: "Forest" }).click()
      await page.getByRole("treeitem", { name: /a question/ }).waitFor()
      assert.deepStrictEqual(opened.errors, [])
    } finally {
      await offline.end()
    }
  })

  it("shows why an answer failed, and tries again", async () => {
    await say("this fails")
    await page.getByRole("alert").getByText("this request is refused").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    const before = server.requests().length
    await page.getByRole("button", { name: "Try again" }).click()
    await vi.waitFor(() => assert.isAbove(server.requests().length, before), LONG)
    // For a moment both failures are there.
    await page.getByRole("alert").getByText("this request is refused").first().waitFor()
  })

  it("marks a message without an answer also when others follow, with the reason while it is known", async () => {
    await say("this fails")
    await page.getByRole("alert").getByText("this request is refused").waitFor()
    // The model gets both, with a notice between them, and refuses them.
    await say("a question")
    const mark = page
      .locator(".message.user", { hasText: "this fails" })
      .getByText(/^Not answered: .*this request is refused/)
    await mark.waitFor()
    await page.getByRole("alert").getByText("this request is refused").waitFor()
    await page.reload()
    await mark.waitFor()
    assert.strictEqual(await page.getByText(/^Not answered/).count(), 1)
    assert.deepStrictEqual(await findViolations(page), [])
    const before = server.requests().length
    await page.getByRole("button", { name: "Try again" }).first().click()
    await vi.waitFor(() => assert.isAbove(server.requests().length, before), LONG)
  })

  it("loses no word of the user, another page and the model in the document", async () => {
    const { page: other } = await open(context, page.url())
    await openDocument(other)
    await openDocument()
    await textbox().click()
    await page.keyboard.type("# Plan\n\nThe middle: \n\nThe end\n")
    await other.getByText("The end").waitFor()
    await other.getByText("The middle:").click()
    await other.keyboard.press("End")
    await page.keyboard.press("Control+Home")
    // Not the focus of the other page: it writes where its cursor is.
    await say("extend the plan")
    await textbox().focus()
    await Promise.all([
      page.locator(".cm-content").pressSequentially("mine still mine\n", { delay: 10 }),
      other.locator(".cm-content").pressSequentially("theirs still theirs ", { delay: 10 }),
    ])
    for (const tab of [page, other]) {
      await tab.locator(".cm-content").getByText("mine still mine").waitFor()
      await tab.locator(".cm-content").getByText("theirs still theirs").waitFor()
      await tab.locator(".cm-content").getByText("- a step of the model").waitFor()
      await tab.locator(".cm-content").getByText("# Plan").waitFor()
    }
    await page.waitForFunction(
      (text) => document.querySelector<HTMLElement>(".cm-content")?.innerText === text,
      await textbox(other).innerText(),
    )
  })

  it("marks what the model was not told yet, and tells it before its next request", async () => {
    await openDocument()
    await textbox().click()
    await page.keyboard.type("A rule of mine")
    await page.getByText("edited: the model is told").waitFor()
    await page.locator(".cm-unsent").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await say("hello")
    await answers().first().waitFor()
    await page.getByText("edited: the model is told").waitFor({ state: "detached" })
    await page.locator(".cm-unsent").waitFor({ state: "detached" })
    assert.isTrue(server.requests().some((text) => text.includes("A rule of mine")))
  })

  it("keeps what is written while the server is gone, and saves it when it is back", async () => {
    await openDocument()
    await textbox().click()
    await page.keyboard.type("kept by the server. ")
    await server.kill()
    await page.keyboard.type("kept by the page.")
    await page.getByText("Not saved yet").waitFor()
    await say("a message that is not lost")
    await page.getByRole("alert").getByText("Not done").waitFor()
    assert.strictEqual(await message().inputValue(), "a message that is not lost")
    await server.start()
    await page.getByText("Not saved yet").waitFor({ state: "detached" })
    await message().press("Enter")
    await answers().first().waitFor()
    await page.reload()
    await page.locator(".cm-content").getByText("kept by the server. kept by the page.").waitFor()
    assert.strictEqual(await page.locator(".message.user").count(), 1)
  })

  const saveStatus = () => page.locator(".pane-document > .failure[role=status]")
  /** Until the page has gone on since. */
  const roundTrip = () => page.evaluate("fetch('/api/session').then((response) => response.text())")

  it("no longer says that words are not saved when they are, though the response to that was lost", async () => {
    await openDocument()
    let saves = 0
    await page.route("**/document", async (route) => {
      if (route.request().method() !== "PUT" || saves++ > 0) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await textbox().click()
    const failed = page.waitForEvent("requestfailed")
    await page.keyboard.insertText("words that arrive")
    await failed
    await page.getByText("edited: the model is told").waitFor()
    await roundTrip()
    await page.waitForFunction(
      () => document.querySelector(".pane-document > .failure[role=status]")?.textContent === "",
    )
    assert.strictEqual(saves, 1)
  })

  it("sends a text that is too long once, says so, and sends it again when it is shorter", async () => {
    await openDocument()
    await page.clock.install()
    let saves = 0
    await page.route("**/document", (route) => {
      if (route.request().method() !== "PUT") return route.continue()
      saves++
      return route.request().postData()?.includes("long") === true
        ? route.fulfill({ status: 413, json: { message: "A request has at most 32 MB." } })
        : route.continue()
    })
    await textbox().click()
    await page.keyboard.insertText("long")
    await page.clock.runFor(1000)
    await saveStatus().getByText("Not saved: A request has at most 32 MB. Your words are kept here.").waitFor()
    await page.clock.runFor(20_000)
    await roundTrip()
    assert.strictEqual(saves, 1)
    await page.keyboard.press("Backspace")
    await page.clock.runFor(1000)
    await page.getByText("edited: the model is told").waitFor()
    assert.strictEqual(await saveStatus().textContent(), "")
  })

  it("asks before it is closed while neither the server nor the browser has the words", async () => {
    await openDocument()
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new Error("full")
      }
    })
    await page.route("**/document", (route) => route.fulfill({ status: 507, json: { message: "The disk is full." } }))
    await textbox().click()
    await page.keyboard.insertText("words")
    await saveStatus().getByText("Not saved yet: The disk is full. Do not close this page.").waitFor()
    const dialog = page.waitForEvent("dialog")
    await page.close({ runBeforeUnload: true })
    const asked = await dialog
    assert.strictEqual(asked.type(), "beforeunload")
    await asked.dismiss()
    await page.unroute("**/document")
    await page.getByText("edited: the model is told").waitFor()
    assert.strictEqual(await saveStatus().textContent(), "")
  })

  /** Requests that send a message arrive, and the responses to the first `count` of them are lost. */
  const loseResponses = async (in_: Page, count: number) => {
    let lost = 0
    await in_.route("**/messages", async (route) => {
      if (lost++ >= count) return route.continue()
      await route.fetch()
      return route.abort()
    })
  }

  it("has a message once whose response is lost, and no longer in the box", async () => {
    await loseResponses(page, 1)
    await say("sent once")
    await answers().first().waitFor()
    assert.strictEqual(await message().inputValue(), "")
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    assert.strictEqual(await page.locator(".message.user").count(), 1)
  })

  it("has a message once whose response is lost with all events, after a reload and when it is sent again", async () => {
    // Another browser: a tab of this one would see the message arrive.
    const own = await browser.newContext()
    const { page: alone } = await open(own, server.url)
    // Chromium would reload the address that the page still writes, not the one it was sent to.
    await alone.waitForURL(/#\/c\//)
    // A worker's requests are not those of the page.
    await alone.addInitScript("delete globalThis.SharedWorker")
    await alone.route("**/api/events", (route) => route.abort())
    await loseResponses(alone, 2)
    await alone.goto(page.url())
    await alone.reload()
    await message(alone).waitFor()
    for (const text of ["sent once", "and another"]) {
      await say(text, alone)
      await alone.getByRole("alert").getByText("Not done: the server cannot be reached.").waitFor()
      assert.strictEqual(await message(alone).inputValue(), text)
      await alone.reload()
      await alone.locator(".said", { hasText: text }).waitFor()
      await alone.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#message")?.value === "")
    }
    await page.locator(".said", { hasText: "and another" }).waitFor()
    assert.deepStrictEqual(await page.locator(".said").allInnerTexts(), ["sent once", "and another"])
    await own.close()
  })

  it("keeps saying that a message was not sent, though the list of conversations arrives then", async () => {
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/conversations(\?|$)/, (route) => isHeld.then(() => route.continue()))
    await page.route("**/messages", (route) => route.abort())
    const list = page.waitForResponse(/\/api\/conversations(\?|$)/)
    await page.getByLabel("Conversations of all folders").check()
    await say("not sent")
    const failure = page.getByRole("alert").getByText("Not done: the server cannot be reached.")
    await failure.waitFor()
    release()
    await (await list).finished()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    assert.strictEqual(await failure.count(), 1)
    assert.strictEqual(await message().inputValue(), "not sent")
  })

  it("sends a message again as what it was, though the path has gone on meanwhile", async () => {
    await say("this waits")
    await page.getByText("The first half,").waitFor()
    await loseResponses(page, 1)
    await say("queued once")
    await page.getByRole("alert").getByText("Not done: the server cannot be reached.").waitFor()
    server.release()
    await page.getByText("This is gemini-2.5-flash.").waitFor()
    assert.strictEqual(await message().inputValue(), "queued once")
    await message().press("Enter")
    await page.getByRole("alert").waitFor({ state: "detached" })
    assert.strictEqual(await message().inputValue(), "")
    assert.deepStrictEqual(await page.locator(".said").allInnerTexts(), ["this waits", "queued once"])
  })

  it("says that an answer was cut off where the server was killed, shows what has arrived, and tries again", async () => {
    await say("this waits")
    await page.getByText("The first half,").waitFor()
    await server.kill()
    await page.getByText("the connection is lost").waitFor()
    await server.start()
    await page.getByRole("alert").getByText("The answer was cut off.").waitFor()
    assert.strictEqual(await page.getByText("The first half,").count(), 1)
    assert.strictEqual(await page.getByText("the connection is lost").count(), 0)
    await page.reload()
    await page.getByText("This message was not answered, or its answer was cut off.").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("The first half,").waitFor()
    assert.strictEqual(await page.getByText("This message was not answered").count(), 0)
    server.release()
    await answers().getByText("The first half, and the second.").waitFor()
  })

  it("has the words that were not saved after the browser was closed, and merges them", async () => {
    await openDocument()
    await textbox().click()
    await page.keyboard.type("saved\n")
    await page.getByText("edited: the model is told").waitFor()
    await server.kill()
    await page.keyboard.type("written without a server\n")
    await page.getByText("Not saved yet").waitFor()
    await page.close()
    await server.start()
    const { page: again } = await open(context, server.url)
    await again.locator(".cm-content").getByText("written without a server").waitFor()
    // From the server, in a browser that has kept nothing.
    await again.waitForFunction(() => Object.keys(localStorage).every((key) => !key.startsWith("vibe:document:")))
    await again.reload()
    await again.locator(".cm-content").getByText("written without a server").waitFor()
    assert.strictEqual(await again.locator(".cm-content").getByText("saved", { exact: true }).count(), 1)
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
