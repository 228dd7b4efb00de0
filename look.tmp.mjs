import { open } from "./shoot.tmp.mjs"
const U = "http://127.0.0.1:4471/"
const { browser, page } = await open({ url: U + "?token=0123456789abcdef0123" })
const shot = (n) => page.screenshot({ path: `/tmp/serve-views-work/${n}.png` })
await page.goto(U + "#/index/"); await page.waitForSelector(".index .entries", { timeout: 15000 }).catch((e) => console.log(e.message)); await page.waitForTimeout(300); await shot("i1")
await page.goto(U + "#/index/src/requests/sessions.py"); await page.waitForTimeout(1200); await shot("i2")
const href = await page.locator(".symbols a", { hasText: "Session.send" }).first().getAttribute("href").catch(() => null)
await page.goto(U + href); await page.waitForSelector(".picture a", { timeout: 15000 }).catch((e) => console.log(e.message)); await page.waitForTimeout(500); await shot("i3")
await page.fill(".index input[type=search]", "where are redirects followed"); await page.waitForTimeout(1500); await shot("i4")
await browser.close()
