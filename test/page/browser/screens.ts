/** The screens of the page, how each is reached, and its parts whose places are compared. */
import type { Page } from "playwright-core"

export const wiki = {
  index:
    '# Shop\n\nIt sums carts. [total]\n\n## Parts\n\n- [Cart](cart.md): sums. [total]\n\n[total]: ../../src/cart.ts "total"\n',
  cart: '# Cart\n\nThe cart is summed. [total]\n\n[total]: ../../src/cart.ts "total"\n',
}

interface Screen {
  readonly server: "project" | "conversation"
  readonly show: (page: Page, origin: string) => Promise<unknown>
  readonly parts: Readonly<Record<string, string>>
  /** The parts that must not lie over each other. */
  readonly apart: ReadonlyArray<string>
}

const frame = { bar: "header.bar", jump: ".jump" }

export const screens: Readonly<Record<string, Screen>> = {
  start: {
    server: "project",
    show: async (page, origin) => {
      await page.goto(`${origin}/#/index/`)
      await page.getByRole("heading", { name: "Shop" }).waitFor()
      await page.locator(".symbols").first().waitFor()
    },
    parts: {
      ...frame,
      // Their place in the conversation depends on the name of a folder, which is another one each time.
      views: "header.bar nav",
      tools: ".index .tools",
      search: ".index .tools input",
      explain: ".index .tools button.primary, .index .tools > button:last-child",
      side: ".index .side",
      content: ".index .content",
      title: ".content h2",
      statement: ".wiki-statement",
      symbols: ".symbols",
    },
    apart: ["bar", "tools", "side", "content"],
  },
  symbol: {
    server: "project",
    show: async (page, origin) => {
      await page.goto(`${origin}/#/index/src/cart.ts:4`)
      await page.locator(".picture a.center").waitFor()
      await page.locator(".side a[aria-current]").waitFor({ state: "attached" })
    },
    parts: {
      ...frame,
      tools: ".index .tools",
      side: ".index .side",
      content: ".index .content",
      crumbs: ".crumbs",
      title: "article h2",
      purpose: ".purpose p",
      source: ".source",
      picture: ".index .picture",
      center: ".picture a.center rect",
      pairs: ".pairs",
    },
    apart: ["crumbs", "title", "purpose", "source", "picture", "pairs"],
  },
  conversation: {
    server: "conversation",
    show: async (page) => {
      await page.waitForURL(/#\/c\//)
      await page.getByRole("textbox", { name: "Message", exact: true }).fill("Write tests")
      await page.keyboard.press("Enter")
      await page.locator(".message.assistant:not([aria-busy=true]) .tok-k").first().waitFor()
      // Where the answer began, so that the place does not depend on how far the end has been followed.
      await page.locator(".message.user").first().scrollIntoViewIfNeeded()
      await page.mouse.move(0, 0)
    },
    parts: {
      ...frame,
      head: ".head",
      composer: ".composer-box",
      send: ".composer-box button.primary",
      document: ".document",
    },
    apart: ["bar", "head", "composer"],
  },
  forest: {
    server: "project",
    show: async (page, origin) => {
      await page.goto(`${origin}/#/forest`)
      await page.getByRole("treeitem").first().waitFor()
    },
    parts: {
      ...frame,
      tools: ".forest .tools",
      search: ".forest .tools input",
      tree: "[role=tree]",
      first: "[role=treeitem]",
    },
    apart: ["bar", "tools", "tree"],
  },
}
