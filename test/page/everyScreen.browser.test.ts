/**
 * Every screen at three widths, light and dark: accessible, as far as axe can tell, no wider than the window, and with
 * no text that is cut without a sign of it. `npm test` shows a third of the screens, each in one of these ways.
 * `VIBE_TEST_SCREENSHOTS`, if set, is a folder for a picture of each.
 */
import { mkdirSync } from "node:fs"
import * as path from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isThorough, some } from "../thoroughness.ts"
import { findViolations, overflow } from "./browser/checks.ts"
import { executable, launch, open } from "./browser/chromium.ts"
import { everyScreen, type Server, wiki } from "./browser/everyScreen.ts"
import * as Project from "./browser/project.ts"
import * as Conversation from "./browser/serve.ts"

const folder = process.env.VIBE_TEST_SCREENSHOTS

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const
const views = sizes.flatMap((size) => (["light", "dark"] as const).map((colorScheme) => ({ size, colorScheme })))

/** Below this width one part of a view is shown at a time. */
const NARROW = 896

/** Waits until the page has drawn itself for a window that has changed. */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50)))),
  )

/**
 * Returns the texts that end at an edge without a sign of it: hidden by their element without an ellipsis, or wider
 * than the box of a picture that they stand in.
 */
const findCutTexts = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const isOwn = (node: Node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() !== ""
    const hidden = [...document.querySelectorAll<HTMLElement>("body *")].filter((element) => {
      const { clientWidth, scrollWidth } = element
      if (clientWidth === 0 || scrollWidth <= clientWidth + 1 || element.closest(".unseen, .bar .jump span"))
        return false
      const { overflowX, textOverflow } = getComputedStyle(element)
      return /hidden|clip/.test(overflowX) && textOverflow !== "ellipsis" && [...element.childNodes].some(isOwn)
    })
    const beyond = [...document.querySelectorAll("svg text")].filter((text) => {
      const { height, left, right, top } = text.getBoundingClientRect()
      const boxes = [...(text.closest("svg")?.querySelectorAll("rect") ?? [])].map((box) => box.getBoundingClientRect())
      const [x, y] = [left + 1, top + height / 2]
      const own = boxes.find((box) => box.left < x && x < box.right && box.top < y && y < box.bottom)
      return own !== undefined && right > own.right
    })
    return [...hidden, ...beyond].map(({ textContent }) => (textContent ?? "").slice(0, 80))
  })

interface Served {
  readonly url: string
  readonly end: () => Promise<void>
  readonly release?: () => void
}

describe.skipIf(executable === undefined)("every screen of the page", () => {
  let servers: Readonly<Record<Server, Served>>
  let browser: Browser

  beforeAll(async () => {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    servers = {
      project: await Project.serve({ isIndexed: true, isCommitted: true, wiki, hasImport: true }),
      bare: await Project.serve({ isIndexed: false, isPlanted: false, hasKey: false }),
      ending: await Project.serve({ isIndexed: true, isPlanted: false }),
      conversation: await Conversation.serve(),
      tools: await Conversation.serve("--tools"),
    }
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    for (const server of Object.values(servers ?? {})) await server.end()
  })

  for (const [number, [name, { isNarrow = false, server, show }]] of some(
    Object.entries(everyScreen),
    0,
    3,
  ).entries()) {
    it(`is accessible, fits, and cuts no text: ${name}`, async () => {
      const { release, url } = servers[server]
      const all = views.filter(({ size }) => !isNarrow || size.width < NARROW)
      const own = isThorough || folder !== undefined ? all : all.filter((_, at) => at === number % all.length)
      const context = await browser.newContext({ viewport: all[0]?.size ?? null, reducedMotion: "reduce" })
      const found: Array<string> = []
      try {
        const { page } = await open(context, url)
        await show(page, new URL(url).origin, servers[server].end)
        for (const { colorScheme, size } of own) {
          await page.setViewportSize(size)
          await page.emulateMedia({ colorScheme })
          await settle(page)
          const at = `${size.width} ${colorScheme}`
          if (folder !== undefined) {
            await page.screenshot({
              path: path.join(folder, `${name.replaceAll(" ", "-")}-${size.width}-${colorScheme}.png`),
            })
          }
          const wider = await overflow(page)
          if (wider > 0) found.push(`${at}: ${wider} px wider than the window`)
          for (const text of await findCutTexts(page)) found.push(`${at}: cut: ${text}`)
          // Colours are all that a scheme changes.
          const violations = await findViolations(page, colorScheme === "light" ? undefined : ["color-contrast"])
          found.push(...violations.map((violation) => `${at}: ${violation}`))
        }
        assert.deepStrictEqual(found, [])
      } finally {
        release?.()
        await context.close()
      }
    })
  }
})
