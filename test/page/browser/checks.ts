/** Checks of any page: that it is accessible, that no hostile text has run, and that it fits the window. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface Axe {
  readonly run: (options: {
    readonly runOnly?: ReadonlyArray<string>
  }) => Promise<{ violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string }> }> }>
}

/**
 * What axe has found by all its rules, or by those that are named. Evaluated by the debugger, which the policy of the
 * page does not bind.
 */
export const findViolations = async (page: Page, rules?: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  if ((await page.evaluate("'axe' in globalThis")) === false) await page.evaluate(axe)
  return page.evaluate(
    async (rules) => {
      // The script above has defined it.
      const { axe } = globalThis as unknown as { axe: Axe }
      return (await axe.run(rules === null ? {} : { runOnly: rules })).violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
      )
    },
    // The debugger passes no undefined.
    rules ?? null,
  )
}

/** Whether anything of a hostile text has run. */
export const isHacked = (page: Page): Promise<boolean> =>
  page.evaluate(() => (globalThis as { readonly hacked?: boolean }).hacked === true)

/** How much wider than the window the page is, in pixels. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - innerWidth")
