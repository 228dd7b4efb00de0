/** A Chromium that is there: CHROMIUM, or one by its usual names. Nothing is downloaded. */
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

const isProgram = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const folders = (process.env.PATH ?? "").split(delimiter)

/** Undefined if there is no Chromium: then the tests of the page are skipped. */
export const executable: string | undefined = [
  process.env.CHROMIUM ?? "",
  ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((file) => file !== "" && isProgram(file))

/** It asks servers of its maker for nothing, which a machine without a network would only refuse. */
const options = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-quic",
  "--disable-sync",
  "--no-first-run",
]

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executable ?? "",
    // Root has no sandbox in a container, and a page of ours alone is opened.
    args: process.getuid?.() === 0 ? [...options, "--no-sandbox"] : options,
  })

export interface Opened {
  readonly page: Page
  /** Errors of scripts, and whatever the console has as an error: nothing, where all is well. */
  readonly errors: ReadonlyArray<string>
  /** The hosts that were asked for something. */
  readonly hosts: ReadonlySet<string>
}

/** Opens a page in a tab of its own. `expected` are errors on the console that belong to the test. */
export const open = async (context: BrowserContext, url: string, expected = /status of 409/): Promise<Opened> => {
  const page = await context.newPage()
  const errors: Array<string> = []
  const hosts = new Set<string>()
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) errors.push(message.text())
  })
  page.on("pageerror", (error) => void errors.push(error.message))
  page.on("request", (request) => void hosts.add(new URL(request.url()).host))
  await page.goto(url)
  return { page, errors, hosts }
}

/** Opens a page in a context of its own, and one of its views. */
export const openView = async (
  browser: Browser,
  url: string,
  view: "Forest" | "Index",
  options: Parameters<Browser["newContext"]>[0] = { viewport: { width: 1280, height: 800 } },
) => {
  const context = await browser.newContext(options)
  const opened = await open(context, url)
  await opened.page.getByRole("link", { name: view }).click()
  // Until it is there the page is that of a conversation, which has a search of its own.
  await opened.page.getByRole("main", { name: view }).waitFor()
  return { context, opened, page: opened.page }
}
