/** `vibe serve` as it is built, over a project with an index and a forest of conversations that branch. */
import * as assert from "node:assert"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Sqlite from "../../../src/forest/ForestStore/Sqlite.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Ids from "../../../src/message/Ids.ts"
import { temporaryFolder } from "./chromium.ts"

const bin = path.resolve(import.meta.dirname, "../../../built/bin.js")
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

export const hostile = `<img src=x onerror="globalThis.hacked = true"><script>globalThis.hacked = true</script>`

const user = (text: string) =>
  ({ message: { role: "user", content: [Block.text(text)] }, source: { type: "user" } }) as const

/** 220 conversations; the newest has a question with three answers, of which one is hostile and one goes on. */
const plant = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  for (let n = 0; n < 220; n++) {
    const { id } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
    yield* forest.append(id, [{ ...user(`Question ${n}`), createdAt: 1_700_000_000_000 + n }])
  }
  const { id } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
  const [question] = yield* forest.append(id, [user("How are requests retried?")])
  const above = question?.id ?? id
  yield* forest.append(above, [user(`A hostile answer ${hostile}`)])
  yield* forest.append(above, [user("With a policy."), user("Which one?"), user("Twice the wait each time.")])
  yield* forest.append(above, [user("Never.")])
})

const files: Readonly<Record<string, string>> = {
  "src/cart.ts": `import { price } from "./price.ts"\n\n/** The sum of all items. */\nexport function total(items: ReadonlyArray<string>): number {\n  // ${hostile}\n  return items.reduce((sum, item) => sum + price(item), 0)\n}\n`,
  "src/price.ts":
    "/** What an item costs. */\nexport function price(item: string): number {\n  return lookup(item)\n}\n\nfunction lookup(item: string): number {\n  return item.length\n}\n",
  "src/main.ts":
    'import { total } from "./cart.ts"\n\nexport function main(): void {\n  console.log(total(["a", "b"]))\n}\n',
}

export interface Served {
  readonly url: string
  readonly end: () => Promise<void>
}

export const serve = async (options: { readonly isIndexed: boolean }): Promise<Served> => {
  const folder = temporaryFolder()
  const forest = path.join(folder, "forest.db")
  const project = path.join(folder, "project")
  mkdirSync(path.join(project, "src"), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text)
  const layer = Forest.layer.pipe(Layer.provideMerge(Ids.layer), Layer.provideMerge(Sqlite.layer(forest)))
  await Effect.runPromise(Effect.provide(plant, layer))
  const env = { PATH: process.env.PATH, HOME: folder, OLLAMA_HOST: "127.0.0.1:9", GOOGLE_API_KEY: "a-key" }
  if (options.isIndexed) {
    execFileSync(process.execPath, [bin, "index", project, "--model", "offline/guide"], { env, stdio: "ignore" })
  }
  const args = ["serve", project, "--port", "0", "--token", "a-token-for-tests-alone", "--forest", forest]
  const server = spawn(process.execPath, [bin, ...args, "--model", "google/gemini-2.5-flash"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(server.stdout ?? assert.fail("no stdout"), "data")
  return {
    url: String(line).trim(),
    end: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return
      const gone = once(server, "exit")
      server.kill("SIGKILL")
      await gone
    },
  }
}

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
