/** Answers in the page, in a real browser: shown, stopped, compared, and failed. */
import type { Locator } from "playwright-core"
import { assert, describe, it, vi } from "vitest"
import { findViolations } from "./browser/checks.ts"
import { executable, open } from "./browser/chromium.ts"
import {
  answers,
  context,
  LONG,
  lookAt,
  message,
  opened,
  openPages,
  page,
  say,
  server,
} from "./browser/conversation.ts"
import { markdown, serve } from "./browser/serve.ts"

describe.skipIf(executable === undefined)("answers in the page", () => {
  openPages()

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

  it("stops an answer on Escape, and keeps what has arrived", async () => {
    await say("this waits")
    await page.getByText("The first half,").waitFor()
    await page.keyboard.press("Escape")
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" })
    await page.reload()
    await page.getByText("The first half,").waitFor()
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

  it("shows what several models write side by side, each with its own stop", async () => {
    await page.getByTitle("Choose the model, or several").click()
    const models = page.getByRole("dialog", { name: "Models" })
    await models.getByRole("checkbox", { name: "google/gemini-2.5-pro", exact: true }).check()
    await models.getByRole("button", { name: "Done" }).click()
    await say("this waits")
    await page.getByText("The first half,").nth(1).waitFor()
    const running = page.locator(".message.assistant[aria-busy=true]")
    const [left, right] = await Promise.all([running.first(), running.nth(1)].map((each) => each.boundingBox()))
    assert.strictEqual(left?.y, right?.y)
    assert.isAtMost((left?.x ?? 0) + (left?.width ?? 0), right?.x ?? 0)
    await running.first().getByRole("button", { name: "Stop this one" }).click()
    await page.waitForFunction(() => document.querySelectorAll("[aria-busy=true]").length === 1)
  })

  it("compares answers that used tools as a whole, with what they took in all", async () => {
    const offering = await serve("--tools")
    try {
      lookAt(await open(context, offering.url))
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
      lookAt(await open(context, offline.url))
      // Without a model there is the index to read.
      await page.locator('a[aria-current="page"]', { hasText: "Index" }).waitFor()
      await page.getByRole("link", { name: "Conversation" }).click()
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
})
