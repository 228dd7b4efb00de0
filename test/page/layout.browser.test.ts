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
import { screens, wiki } from "./browser/screens.ts"
import * as Conversation from "./browser/serve.ts"

const file = path.join(import.meta.dirname, "layout.json")

const isWriting = process.env.VIBE_TEST_LAYOUT === "write"

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
