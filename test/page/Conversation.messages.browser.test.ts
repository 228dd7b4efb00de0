/** Messages that are written in the page, in a real browser: kept, queued, sent, and sent once. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { findViolations } from "./browser/checks.ts"
import { executable, open } from "./browser/chromium.ts"
import { answers, browser, context, message, openPages, page, say, server } from "./browser/conversation.ts"

describe.skipIf(executable === undefined)("messages in the page", () => {
  openPages()

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

  it("keeps a draft over a reload", async () => {
    await message().fill("not sent yet")
    await page.reload()
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#message")?.value === "not sent yet")
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
})
