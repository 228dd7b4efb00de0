/** `vibe serve` as it is built, over a project with an index and a forest of conversations that branch. */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { Effect, Layer } from "effect"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Sqlite from "../../../src/forest/ForestStore/Sqlite.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Ids from "../../../src/message/Ids.ts"
import * as GitRepository from "../../utils/GitRepository.ts"
import { bin, startServer, temporaryFolder, token } from "./server.ts"

export const hostile = `<img src=x onerror="globalThis.hacked = true"><script>globalThis.hacked = true</script>`

const user = (text: string) =>
  ({ message: { role: "user", content: [Block.text(text)] }, source: { type: "user" } }) as const

/** The number of the question that has a picture, of one pixel. */
export const PICTURED = 219
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** 220 conversations; the newest has a question with three answers, of which one is hostile and one goes on. */
const plant = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  for (let n = 0; n < 220; n++) {
    const { id } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
    const content = [Block.text(`Question ${n}`), ...(n === PICTURED ? [Block.image("image/png", pixel)] : [])] as const
    yield* forest.append(id, [{ ...user(""), message: { role: "user", content }, createdAt: 1_700_000_000_000 + n }])
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

/** An earlier purpose of a symbol, as it was committed. */
const earlier = {
  path: "src/price.ts",
  symbol: "lookup",
  kind: "function",
  hash: "an earlier source",
  purpose: `Finds the price ${hostile}.`,
  model: "test/model",
  node: "n-1",
}

/** Commits the files of a project with a purpose, as a model wrote it for an earlier source. */
const commit = (project: string): void => {
  mkdirSync(path.join(project, ".vibe"), { recursive: true })
  writeFileSync(path.join(project, ".vibe/purposes.jsonl"), `${JSON.stringify(earlier)}\n`)
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", args, { cwd: project, env: GitRepository.environment(project), stdio: "ignore" })
  git("init", "--quiet")
  git("add", "--all")
  git("commit", "--quiet", "--message=Explain the price")
}

/** A conversation as `vibe loom import` takes it from another program. */
const plantImport = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id } = yield* forest.startConversation({ owner: "claude-code:0a1b", systemPrompt: "" })
  const text = "Why does the total of a cart with a voucher differ from what the receipt says?"
  yield* forest.append(id, [
    user(text),
    {
      message: { role: "assistant", content: [Block.text("The voucher is taken off **before** the sum is rounded.")] },
      source: { type: "user" },
    },
  ])
})

/**
 * `wiki` has the texts of pages by their names. With `isCommitted` the project is in a repository of Git, with
 * `hasImport` the newest conversation comes from another program. Without `hasKey` no model can answer, and without
 * `isPlanted` there are no conversations.
 */
export const serve = async (options: {
  readonly isIndexed: boolean
  readonly isCommitted?: boolean
  readonly wiki?: Readonly<Record<string, string>>
  readonly hasImport?: boolean
  readonly hasKey?: boolean
  readonly isPlanted?: boolean
}): Promise<Served> => {
  const { hasImport = false, hasKey = true, isPlanted = true } = options
  const { folder, remove } = temporaryFolder()
  const forest = path.join(folder, "forest.db")
  const project = path.join(folder, "project")
  mkdirSync(path.join(project, "src"), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text)
  const layer = Forest.layer.pipe(Layer.provideMerge(Ids.layer), Layer.provideMerge(Sqlite.layer(forest)))
  if (isPlanted) await Effect.runPromise(Effect.provide(plant, layer))
  if (hasImport) await Effect.runPromise(Effect.provide(plantImport, layer))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    OLLAMA_HOST: "127.0.0.1:9",
    ...(hasKey && { GOOGLE_API_KEY: "a-key" }),
  }
  if (options.isCommitted === true) commit(project)
  if (options.isIndexed) {
    execFileSync(process.execPath, [bin, "index", project, "--model", "offline/guide"], { env, stdio: "ignore" })
  }
  for (const [name, text] of Object.entries(options.wiki ?? {})) {
    mkdirSync(path.join(project, ".vibe/wiki"), { recursive: true })
    writeFileSync(path.join(project, ".vibe/wiki", `${name}.md`), text)
  }
  const args = [
    "serve",
    project,
    "--port",
    "0",
    "--token",
    token,
    "--forest",
    forest,
    ...(hasKey ? ["--model", "google/gemini-2.5-flash"] : []),
  ]
  const { kill, url } = await startServer(args, { env })
  return { url, end: () => kill().then(remove) }
}
