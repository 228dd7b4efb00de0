/**
 * A conversation in the page, in a real browser: a server and a browser for a file of tests, and a new page for each of
 * them. The model is one that answers by a script.
 */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest"
import { launch, type Opened, open } from "./chromium.ts"
import { type Served, serve } from "./serve.ts"

/** Milliseconds, for a machine that is busy. */
export const LONG = 30_000

export let server: Served
export let browser: Browser
export let context: BrowserContext
export let opened: Opened
export let page: Page

/** The helpers below look at this page from now on. */
export const lookAt = (other: Opened): void => {
  opened = other
  page = other.page
}

export const message = (in_ = page) => in_.getByRole("textbox", { name: "Message", exact: true })
export const textbox = (in_ = page) => in_.getByRole("textbox", { name: "Document", exact: true })
export const say = async (text: string, in_ = page) => {
  await message(in_).fill(text)
  await message(in_).press("Enter")
}
export const documentButton = (in_ = page) => in_.getByRole("button", { name: "Document", exact: true })
export const openDocument = async (in_ = page) => {
  await documentButton(in_).click()
  await textbox(in_).waitFor()
}
export const answers = (in_ = page) => in_.locator(".message.assistant:not([aria-busy=true])")

/** Opens a page before each test of the file, with its message box, and closes all at the end. */
export const openPages = (): void => {
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
    lookAt(await open(context, server.url))
    // The box is there before the conversation is.
    await page.waitForURL(/#\/c\//)
    await message().waitFor()
  })
  afterEach(async () => {
    server.release()
    await context.close()
  })
}
