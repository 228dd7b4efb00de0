/**
 * The layout of four screens, wide and light, narrow and dark, compared with `layout.json`. After a change that is
 * meant, `VIBE_TEST_LAYOUT=write` in the environment of this test writes the file anew.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { findViolations, overflow } from "./browser/checks.ts"
import { executable, launch, open } from "./browser/chromium.ts"
import { differences, type Layout, overlaps } from "./browser/layout.ts"
import * as Project from "./browser/project.ts"
import * as Conversation from "./browser/serve.ts"

const file = path.join(import.meta.dirname, "layout.json")

const isWriting = process.env.VIBE_TEST_LAYOUT === "write"

const wiki = {
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

const screens: Readonly<Record<string, Screen>> = {
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
      title: ".wiki h2",
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
      history: ".history",
      source: ".source",
      picture: ".index .picture",
      center: ".picture a.center rect",
      pairs: ".pairs",
    },
    apart: ["crumbs", "title", "purpose", "history", "source", "picture", "pairs"],
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

const windows = {
  "1440 light": { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  "390 dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
} as const

/** Reads the first element of each selector. The background is that of the element itself. */
const read = (page: Page, selectors: Readonly<Record<string, string>>): Promise<Layout> =>
  page.evaluate((selectors) => {
    const partOf = (selector: string) => {
      const element = document.querySelector(selector)
      const box = element?.getBoundingClientRect()
      if (!element || !box || box.width === 0 || box.height === 0) return null
      const { backgroundColor, color } = getComputedStyle(element)
      const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round)
      return { x, y, width, height, color, background: backgroundColor }
    }
    return Object.fromEntries(Object.entries(selectors).map(([name, selector]) => [name, partOf(selector)]))
  }, selectors) as Promise<Layout>

/** Returns the buttons and links that are shown and too small to be met with a finger (WCAG 2.2, 2.5.8). */
const smallTargets = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, select, a.tab, input:not([type=checkbox], [type=file])")].flatMap(
      (element) => {
        const { height, width } = element.getBoundingClientRect()
        const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        return isShown && width > 0 && (width < 23.5 || height < 23.5)
          ? [`${element.outerHTML.slice(0, 100)}: ${Math.round(width)} x ${Math.round(height)}`]
          : []
      },
    ),
  )

describe.skipIf(executable === undefined)("the layout of the page", () => {
  const stored: Record<string, Layout> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
  const found: Record<string, Layout> = {}
  let project: Project.Served
  let conversation: Conversation.Served
  let browser: Browser

  beforeAll(async () => {
    project = await Project.serve({ isIndexed: true, wiki })
    conversation = await Conversation.serve()
    browser = await launch()
  })
  afterAll(async () => {
    if (isWriting) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    await browser?.close()
    await project?.end()
    await conversation?.end()
  })

  for (const [name, { apart, parts, server, show }] of Object.entries(screens)) {
    for (const [size, options] of Object.entries(windows)) {
      it(`is as it was, of the screen ${name} at ${size}`, async () => {
        const { url } = server === "project" ? project : conversation
        const context = await browser.newContext({ ...options, reducedMotion: "reduce" })
        try {
          const { errors, page } = await open(context, url)
          await show(page, new URL(url).origin)
          const layout = await read(page, parts)
          found[`${name} ${size}`] = layout
          assert.deepStrictEqual(overlaps(layout, apart), [], "parts that lie over each other")
          assert.isAtMost(await overflow(page), 0)
          assert.deepStrictEqual(await smallTargets(page), [], "targets that are too small")
          assert.deepStrictEqual(await findViolations(page), [])
          assert.deepStrictEqual(errors, [])
          if (!isWriting) assert.deepStrictEqual(differences(stored[`${name} ${size}`] ?? {}, layout), [])
        } finally {
          await context.close()
        }
      })
    }
  }
})
