/** Pictures that are sent from the page, in a real browser: the built server, and a model that the test scripts. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it, vi } from "vitest"
import { findViolations } from "./browser/checks.ts"
import { executable, launch, type Opened, open } from "./browser/chromium.ts"
import { type Served, serve } from "./browser/serve.ts"

/** A picture of one pixel. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const gif = "R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="

describe.skipIf(executable === undefined)("pictures in the page", () => {
  let server: Served
  let browser: Browser
  let context: BrowserContext
  let opened: Opened
  let page: Page

  const message = () => page.getByRole("textbox", { name: "Message", exact: true })
  const files = () => page.getByRole("list", { name: "Attached files" })
  const answers = () => page.locator(".message.assistant:not([aria-busy=true])")
  const sent = () => page.locator(".message.user")

  /** Dispatches the event by which a browser hands over files: a paste into the box, or a drop on the conversation. */
  const hand = (type: "paste" | "drop", name: string, data: string) =>
    page.evaluate(
      ({ data, name, type }) => {
        const transfer = new DataTransfer()
        const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type: "image/png" }))
        const event =
          type === "paste"
            ? new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
        document.querySelector(type === "paste" ? "#message" : ".pane-chat")?.dispatchEvent(event)
      },
      { type, name, data },
    )
  const choose = (name: string, data: string, mimeType = "image/png") =>
    page.locator("input[type=file]").setInputFiles([{ name, mimeType, buffer: Buffer.from(data, "base64") }])
  const isDrawn = (selector: string) =>
    page.waitForFunction(
      (selector) => [...document.querySelectorAll<HTMLImageElement>(selector)].every((image) => image.naturalWidth > 0),
      selector,
    )

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
    opened = await open(context, server.url, /status of 400/)
    page = opened.page
    await page.waitForURL(/#\/c\//)
    await message().waitFor()
  })
  afterEach(async () => {
    assert.deepStrictEqual(opened.errors, [])
    server.release()
    await context.close()
  })

  it("are attached by paste, drop and button, removed by the keyboard, and kept over a reload until they are sent", async () => {
    await hand("paste", "image.png", png)
    await files().getByText("image.png").waitFor()
    await hand("drop", "image.png", gif)
    await files().getByText("image 2.png").waitFor()
    await choose("shot.png", png)
    await files().getByText("shot.png").waitFor()
    await isDrawn(".files img")
    assert.deepStrictEqual(await findViolations(page), [])

    await files().getByRole("button", { name: "Remove shot.png" }).focus()
    await page.keyboard.press("Enter")
    await files().getByText("shot.png").waitFor({ state: "detached" })
    assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "message")
    await message().fill("Look at these")
    await page.reload()
    await files().getByText("image 2.png").waitFor()
    assert.strictEqual(await files().locator("li").count(), 2)
    await isDrawn(".files img")

    await message().press("Enter")
    await answers().first().waitFor()
    assert.deepStrictEqual(server.pictures().at(-1), [`image/png ${png}`, `image/gif ${gif}`])
    assert.strictEqual(await files().count(), 0)
    assert.strictEqual(await sent().locator("img").count(), 2)
    await isDrawn(".pictures img")
    await page.reload()
    await answers().first().waitFor()
    assert.strictEqual(await files().count(), 0)
  })

  it("are sent without a text, again for another answer, and with another version of the message", async () => {
    await hand("paste", "image.png", png)
    await files().getByText("image.png").waitFor()
    await page.getByRole("button", { name: "Send" }).click()
    await answers().first().waitFor()
    const before = server.pictures().length
    await answers().first().hover()
    await answers().first().getByRole("button", { name: "Answer again" }).click()
    await vi.waitFor(() => assert.strictEqual(server.pictures().length, before + 1), 10_000)
    await page.keyboard.press("Escape")
    await sent().first().focus()
    await page.keyboard.press("e")
    await page.getByRole("textbox", { name: "Edit the message" }).fill("What is this?")
    assert.strictEqual(await sent().locator("img").count(), 1)
    await page.keyboard.press("Enter")
    await sent().getByText("What is this?").waitFor()
    await vi.waitFor(() => assert.include(server.requests().at(-1), "What is this?"), 10_000)
    assert.deepStrictEqual(
      server.pictures().slice(before - 1),
      Array.from({ length: 3 }, () => [`image/png ${png}`]),
    )
  })

  it("wait with a message, and come back into the box with it", async () => {
    await message().fill("this waits")
    await message().press("Enter")
    await page.getByText("The first half,").waitFor()
    await hand("paste", "image.png", png)
    await files().getByText("image.png").waitFor()
    await message().fill("Look")
    await message().press("Enter")
    const waiting = page.getByRole("list", { name: "Messages that wait" })
    await waiting.getByText("1 picture").waitFor()
    assert.strictEqual(await files().count(), 0)
    await waiting.getByRole("button", { name: "Edit" }).click()
    await waiting.waitFor({ state: "detached" })
    // The list is gone with an event, and the text comes with the answer to the request.
    await vi.waitFor(async () => assert.strictEqual(await message().inputValue(), "Look"), 10_000)
    await files().getByText("picture").waitFor()
    await isDrawn(".files img")
  })

  it("stay in the box with their text if the server refuses them, and say why", async () => {
    const name = page.getByRole("alert")
    await choose("broken.png", Buffer.from("no picture").toString("base64"))
    await name.getByText("broken.png is no picture that models take; PNG, JPEG, GIF and WebP are").waitFor()
    await page.route("**/messages", (route) =>
      route.fulfill({ status: 400, json: { message: "test/blind reads no pictures: choose another model" } }),
    )
    await hand("paste", "image.png", png)
    await files().getByText("image.png").waitFor()
    await message().fill("Look")
    await message().press("Enter")
    await name.getByText("test/blind reads no pictures").waitFor()
    assert.strictEqual(await message().inputValue(), "Look")
    await files().getByText("image.png").waitFor()
    await page.unroute("**/messages")
    await message().press("Enter")
    await answers().first().waitFor()
    assert.deepStrictEqual(server.pictures().at(-1), [`image/png ${png}`])
  })
})
