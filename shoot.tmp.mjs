import { chromium } from "playwright-core"
export const open = async ({ url, width = 1280, height = 800, dark = false }) => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" })
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && console.log("console:", m.text().slice(0, 300)))
  page.on("pageerror", (e) => console.log("pageerror:", e.message.slice(0, 500)))
  await page.goto(url)
  return { browser, page }
}
