/** The page by keys alone: nothing is out of reach, the focus is always seen, and it never falls off the page. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { executable, launch, type Opened, open } from "./browser/chromium.ts"
import { everyScreen, wiki } from "./browser/everyScreen.ts"
import * as Project from "./browser/project.ts"
import * as Conversation from "./browser/serve.ts"

const NOTHING = "nothing has the focus"

/**
 * Says what is wrong with the focus; undefined if something on the page has it and shows it: by an outline, by the
 * border of the box around it, by the thicker line of a shape, or, for a tree, on the line that is active.
 */
const findFault = (page: Page): Promise<string | undefined> =>
  page.evaluate((nothing) => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) return nothing
    const name = activeElement.outerHTML.slice(0, 120)
    if (!activeElement.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return `hidden: ${name}`
    const isOutlined = (element: Element | null) => {
      if (element === null) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1
    }
    const around = activeElement.closest(".composer-box")
    const probe = document.createElement("i")
    probe.style.color = "var(--focus)"
    around?.append(probe)
    const isBordered =
      activeElement.matches("textarea") &&
      around !== null &&
      getComputedStyle(around).borderTopColor === getComputedStyle(probe).color
    probe.remove()
    const shape = activeElement.querySelector("rect")
    const isSeen =
      isOutlined(activeElement) ||
      isBordered ||
      (shape !== null && Number.parseFloat(getComputedStyle(shape).strokeWidth) >= 2) ||
      isOutlined(activeElement.querySelector(".line.active")) ||
      // The palette has no other place for the focus, and its input has the caret. A view is no control.
      activeElement.matches(".palette input, .cm-content, main")
    return isSeen ? undefined : `not seen: ${name}`
  }, NOTHING)

const label = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document
    return `${activeElement?.tagName} ${activeElement?.getAttribute("aria-label") ?? activeElement?.textContent?.slice(0, 40)}`
  })

/** The most stops of the Tab key that are looked at. */
const MAX_STOPS = 70

describe.skipIf(executable === undefined)("the page by keys alone", () => {
  let servers: { readonly project: Project.Served; readonly conversation: Conversation.Served }
  let browser: Browser
  let context: BrowserContext
  let opened: Opened
  let page: Page

  beforeAll(async () => {
    servers = {
      project: await Project.serve({ isIndexed: true, isCommitted: true, wiki, hasImport: true }),
      conversation: await Conversation.serve(),
    }
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await servers?.project.end()
    await servers?.conversation.end()
  })
  const visit = async ({ url }: { readonly url: string }, width = 1280) => {
    context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce" })
    opened = await open(context, url)
    page = opened.page
  }
  afterEach(async () => {
    servers.conversation.release()
    await context.close()
  })

  /** Presses keys, after each of which something has the focus and shows it. */
  const press = async (...keys: ReadonlyArray<string>) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30))))
      assert.isUndefined(await findFault(page), `after ${key}`)
    }
  }
  const isFocused = (selector: string) => page.waitForFunction((s) => document.activeElement?.matches(s), selector)
  /** Goes to something by the Tab key. */
  const tabTo = async (name: RegExp) => {
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      await page.keyboard.press("Tab")
      // After the last stop the focus is at the browser itself, and then at the first.
      const fault = await findFault(page)
      assert.isTrue(fault === undefined || fault === NOTHING, fault)
      if (name.test(await label(page))) return
    }
    assert.fail(`The Tab key does not lead to ${name}`)
  }
  const answer = () => page.locator(".message.assistant:not([aria-busy=true])")

  for (const name of [
    "index start",
    "index part",
    "index flow",
    "index folder",
    "index symbol with its history",
    "index search",
    "index results beside a symbol",
    "conversation new",
    "conversation answer",
    "conversation versions",
    "conversation running",
    "conversation with a document",
    "conversation answer that failed",
    "conversation models",
    "conversation compare",
    "forest open tree",
    "forest search",
    "forest compare",
  ]) {
    it(`shows the focus at every stop of the Tab key: ${name}`, async () => {
      const screen = everyScreen[name] ?? assert.fail(name)
      const server = screen.server === "project" ? servers.project : servers.conversation
      await visit(server)
      await screen.show(page, new URL(server.url).origin, server.end)
      // From the top of the page, or of the dialog that is open.
      if (!(await page.getByRole("dialog").isVisible())) await page.locator(".bar a").first().focus()
      const faults: Array<string> = []
      const stops = new Set<string>()
      for (let stop = 0; stop < MAX_STOPS; stop++) {
        await page.keyboard.press("Tab")
        const where = await page.evaluate(() => document.activeElement?.outerHTML ?? "")
        // After the last stop the focus is at the browser itself.
        if (where.startsWith("<body") || stops.has(where)) break
        stops.add(where)
        // Elements that appear with the focus fade in.
        await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
        const fault = await findFault(page)
        if (fault !== undefined) faults.push(fault)
      }
      assert.deepStrictEqual(faults, [])
      assert.isAbove(stops.size, 2)
    })
  }

  it("searches a symbol, opens it, goes through its callers, and to a part", async () => {
    await visit(servers.project)
    await page.evaluate(`location.hash = "#/index/"`)
    await page.locator(".symbols").first().waitFor()
    await press("/")
    await page.keyboard.type("the sum of all items")
    await page.locator(".answers li").first().waitFor()
    await press("ArrowDown", "Enter")
    await page.locator("h2", { hasText: "total" }).waitFor()
    await page.locator(".picture a.center").waitFor()
    // The search keeps the focus: the arrows go on through its results.
    await isFocused("input[type=search]")
    await press("Escape")
    await tabTo(/total, function .*in the middle/)
    await press("ArrowRight", "Enter")
    await page.locator("h2", { hasText: "price" }).waitFor()
    await page.locator(".picture a.center", { hasText: "" }).first().waitFor()
    assert.isUndefined(await findFault(page))
    await press("Control+k")
    await page.keyboard.type("go to the index")
    await page.getByRole("option", { name: /Go to the index/ }).waitFor()
    await press("Enter")
    await page.getByRole("heading", { name: "Shop" }).waitFor()
    assert.isUndefined(await findFault(page))
    await tabTo(/^A Cart/)
    await press("Enter")
    await page.getByRole("heading", { name: "Cart" }).waitFor()
    await isFocused(".content")
    assert.deepStrictEqual(opened.errors, [])
  })

  it("keeps the focus in the view as one goes from one view to another", async () => {
    await visit(servers.project)
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor()
    for (const [command, main] of [
      ["forest", "Forest"],
      ["index", "Index"],
      ["conversations", "Conversation"],
      ["forest", "Forest"],
    ] as const) {
      await press("Control+k")
      await page.keyboard.type(`Go to ${command === "conversations" ? "" : "the "}${command}`)
      await page.getByRole("dialog").getByRole("option").first().waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("main", { name: main }).waitFor()
      await page.waitForFunction(() => document.activeElement?.closest("main") !== null)
    }
    await page.getByRole("treeitem").first().waitFor()
    await press("ArrowDown", "ArrowDown", "ArrowRight")
    await press("Enter")
    await page.getByRole("main", { name: "Conversation" }).waitFor()
    await page.waitForFunction(() => document.activeElement?.closest("main") !== null)
    assert.isUndefined(await findFault(page))
  })

  it("asks, stops, edits, steps through versions, and answers again", async () => {
    await visit(servers.conversation)
    await page.waitForURL(/#\/c\//)
    await isFocused("#message")
    await page.keyboard.type("this waits")
    await press("Enter")
    await page.getByText("The first half,").waitFor()
    // The button goes away when the answer ends, and the focus must return to the message.
    await tabTo(/^BUTTON.*Stop/)
    await page.keyboard.press("Enter")
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" })
    await isFocused("#message")
    await page.keyboard.type("first words")
    await tabTo(/^BUTTON.*Send/)
    await page.keyboard.press("Enter")
    await answer().last().getByText("This is gemini-2.5-flash.").waitFor()
    await isFocused("#message")
    await press("ArrowUp")
    await isFocused(".edit textarea")
    await press("Escape")
    await isFocused("#message")
    await press("ArrowUp")
    await page.keyboard.press("Control+a")
    await page.keyboard.type("second words")
    await press("Enter")
    await page.locator(".said", { hasText: "second words" }).waitFor()
    await answer().last().getByText("This is gemini-2.5-flash.").waitFor()
    assert.isUndefined(await findFault(page))
    // From outside of the box, single letters go to messages and through their versions.
    await page.keyboard.press("Shift+Tab")
    await page.getByRole("log").focus()
    await press("k", "k")
    await isFocused(".message.user")
    await press("[")
    await page.locator(".message.user:focus", { hasText: "first words" }).waitFor()
    await press("]")
    await page.locator(".message.user:focus", { hasText: "second words" }).waitFor()
    await tabTo(/Previous version/)
    await press("Enter")
    await page.locator(".said", { hasText: "first words" }).waitFor()
    await page.locator(".message.user:focus-within", { hasText: "first words" }).waitFor()
    await press("e")
    await isFocused(".edit textarea")
    await press("Escape")
    await isFocused(".message.user, .message.user *")
    assert.deepStrictEqual(opened.errors, [])
  })

  it("gives the focus back from every dialog", async () => {
    await visit(servers.conversation)
    await page.waitForURL(/#\/c\//)
    await isFocused("#message")
    await page.keyboard.type("hello")
    await press("Enter")
    await answer().last().getByText("This is gemini-2.5-flash.").waitFor()
    await press("Control+k", "Escape")
    await isFocused("#message")
    await page.getByRole("log").focus()
    for (const key of ["?", "m", "Control+k"]) {
      await press(key)
      await page.getByRole("dialog").waitFor()
      assert.isTrue(await page.evaluate(() => document.activeElement?.closest("dialog") !== null), key)
      await press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await isFocused("[role=log]")
    }
    await press("k")
    await page.keyboard.press("r")
    await page.getByText("2 of 2").waitFor()
    await answer().last().getByText("This is gemini-2.5-flash.").waitFor()
    const dialog = page.getByRole("dialog", { name: "2 answers" })
    if (!(await dialog.isVisible())) {
      await tabTo(/Compare/)
      await press("Enter")
    }
    await dialog.getByRole("button", { name: "Continue with this" }).nth(1).waitFor()
    await tabTo(/Continue with this/)
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await isFocused("#message")
    const title = page.getByTitle("Rename")
    await title.focus()
    await page.keyboard.press("Enter")
    await isFocused(".rename input")
    await page.keyboard.press("Escape")
    await isFocused(".head h2 button")
    assert.isUndefined(await findFault(page))
    assert.deepStrictEqual(opened.errors, [])
  })

  it("stays in a dialog in which a line is removed, and goes back to the tree of the forest from it", async () => {
    await visit(servers.project)
    await page.evaluate(`location.hash = "#/forest"`)
    await page.getByRole("treeitem").first().waitFor()
    await press("ArrowDown", "ArrowDown", "ArrowRight")
    await page.locator("[role=treeitem][aria-level='2']").waitFor()
    await press("ArrowDown", "b")
    await page.getByRole("dialog").waitFor()
    await page.keyboard.type("a mark")
    await press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.locator("[role=treeitem] .mark").waitFor()
    await isFocused("[role=tree]")
    const bookmarks = page.getByRole("button", { name: "Bookmarks" })
    await bookmarks.focus()
    await press("Enter")
    await page.getByRole("dialog").getByText("a mark").waitFor()
    await tabTo(/Remove the bookmark/)
    await page.keyboard.press("Enter")
    await page.getByText("There are none.").waitFor()
    assert.isTrue(await page.evaluate(() => document.activeElement?.closest("dialog") !== null))
    assert.isUndefined(await findFault(page))
    await press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    assert.isTrue(await bookmarks.evaluate((button) => button === document.activeElement))
    assert.deepStrictEqual(opened.errors, [])
  })

  it("goes back from the list and the document of a narrow window", async () => {
    await visit(servers.conversation, 390)
    await page.waitForURL(/#\/c\//)
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor()
    await page.getByRole("button", { name: "List" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("navigation", { name: "Conversations" }).waitFor()
    await page.waitForFunction(() => document.activeElement !== document.body)
    await tabTo(/Back to the conversation/)
    await page.keyboard.press("Enter")
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor()
    await page.waitForFunction(() => document.activeElement !== document.body)
    await tabTo(/^BUTTON Document/)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Chat" }).waitFor()
    await page.waitForFunction(() => document.activeElement !== document.body)
    await tabTo(/^BUTTON.*Chat/)
    await page.keyboard.press("Enter")
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor()
  })
})
