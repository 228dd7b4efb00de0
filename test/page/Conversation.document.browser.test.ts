/** The document of a conversation in the page, in a real browser, also without a server. */
import { assert, describe, it } from "vitest"
import { findViolations } from "./browser/checks.ts"
import { executable, open } from "./browser/chromium.ts"
import {
  answers,
  context,
  documentButton,
  message,
  openDocument,
  openPages,
  page,
  say,
  server,
  textbox,
} from "./browser/conversation.ts"

describe.skipIf(executable === undefined)("the document in the page", () => {
  openPages()

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
})
