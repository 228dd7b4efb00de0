/** Checks of any page: that it is accessible, that no hostile text has run, and that it fits the window. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe has found. Evaluated by the debugger, which the policy of the page does not bind. */
export const findViolations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    // The script above has defined it.
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string }> }> }> }
    }
    return (await axe.run()).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
    )
  })
}

/** Whether anything of a hostile text has run. */
export const isHacked = (page: Page): Promise<boolean> =>
  page.evaluate(() => (globalThis as { readonly hacked?: boolean }).hacked === true)

/** How much wider than the window the page is, in pixels. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - innerWidth")
