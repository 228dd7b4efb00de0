/** `vibe serve` as it is built, with a model that a test scripts: an HTTP server in place of Google's. */
import { execFileSync } from "node:child_process"
import { Effect, Exit, Scope } from "effect"
import * as FakeServer from "../../utils/FakeServer.ts"
import { bin, startServer, temporaryFolder, token } from "./server.ts"

export interface Served {
  /** With the token, on a port that stays the same over a restart. */
  readonly url: string
  /** Lets the answers go on that wait in their middle. */
  readonly release: () => void
  /** The texts of the requests that the model had, oldest first. */
  readonly requests: () => ReadonlyArray<string>
  /** The pictures of the last message of each request, oldest first, as `image/png DATA`. */
  readonly pictures: () => ReadonlyArray<ReadonlyArray<string>>
  /** Runs `vibe loom` on the same forest, as a user does in a terminal. */
  readonly loom: (...args: ReadonlyArray<string>) => void
  /** As a crash does. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly end: () => Promise<void>
}

export const markdown = `Here is **what** I would do:

1. Read \`src/main.ts\`, \`src/main.ts:12\` above all.
2. Write a test.

\`\`\`ts
export const add = (a: number, b: number): number => a + b // long enough that it goes beyond the width of the column
\`\`\`

| Name | What it is for |
| --- | ---: |
| parse | reads a file |

- [x] a done ~~task~~

سلام from \`main.ts\`

<img src=x onerror="globalThis.hacked = true"><script>globalThis.hacked = true</script>
![picture](http://pictures.example/x.png) [bad](javascript:globalThis.hacked=true) [good](https://example.com/)
`

// As test/utils/Gemini.ts, which loads its adapter: that one is not compiled for a browser.
const replying = (parts: ReadonlyArray<object>, finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts }, ...(finishReason !== undefined && { finishReason }) }],
})
const saying = (text: string, finishReason?: string) => replying([{ text }], finishReason)
const refusing = (status: number, message: string): FakeServer.Answer => ({
  status,
  body: JSON.stringify({ error: { code: status, message, status: "SOME_STATUS", details: [] } }),
  headers: { "content-type": "application/json" },
})

interface Content {
  readonly role?: string
  readonly parts?: ReadonlyArray<{
    readonly text?: string
    readonly inlineData?: { readonly mimeType: string; readonly data: string }
  }>
}

const lastParts = (body: unknown) => {
  const { contents = [] } = body as { readonly contents?: ReadonlyArray<Content> }
  return contents.at(-1)?.parts ?? []
}

const lastText = (body: unknown): string =>
  lastParts(body)
    .map(({ text = "" }) => text)
    .join("\n")

/**
 * By words in the last message: `waits` stops in the middle, `fails` is refused, `plan` changes the
 * document, `look` calls a tool.
 */
const answer = ({ body, path: asked }: FakeServer.Received): FakeServer.Answer => {
  const text = lastText(body)
  const model = /models\/([\w.-]+):/.exec(asked)?.[1] ?? ""
  if (!asked.includes("streamGenerateContent")) return refusing(404, "there is nothing else here")
  if (text.includes("fails")) return refusing(400, "this request is refused")
  if (text.includes("waits")) {
    return {
      body: FakeServer.events(saying("The first half, ")),
      ending: "hang",
      rest: FakeServer.events(saying("and the second.", "STOP")),
    }
  }
  if (text.includes("plan")) {
    const [, before = ""] = /\[current prompt: "([\s\S]*)"\]/.exec(text) ?? []
    return {
      body: FakeServer.events(
        saying(`I add a step.\n<document>\n${before.trimEnd()}\n- a step of the model\n</document>\n`, "STOP"),
      ),
    }
  }
  if (text.includes("look")) {
    const functionCall = { name: "list_filesystem", args: { path: "." } }
    return { body: FakeServer.events(replying([{ text: "First I list the files." }, { functionCall }], "STOP")) }
  }
  if (text.includes("many words")) {
    const words = Array.from({ length: 2000 }, (_, index) => saying(`word${index} `))
    return { body: FakeServer.events(...words, saying("end.", "STOP")) }
  }
  return { body: FakeServer.events(saying(`${markdown}\nThis is ${model}.`, "STOP")) }
}

export const serve = async (...options: ReadonlyArray<string>): Promise<Served> => {
  const scope = Effect.runSync(Scope.make())
  const model = await Effect.runPromise(Scope.extend(FakeServer.serve(answer), scope))
  const { folder, remove } = temporaryFolder()
  let server: { readonly url: string; readonly kill: () => Promise<void> } | undefined
  const start = async () => {
    const port = server === undefined ? "0" : new URL(server.url).port
    const args = [
      "serve",
      "--port",
      port,
      "--token",
      token,
      "--forest",
      "forest.db",
      ...(options.includes("--model") ? [] : ["--model", "google/gemini-2.5-flash"]),
    ]
    server = await startServer([...args, ...options], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        OLLAMA_HOST: "127.0.0.1:9",
        GOOGLE_API_KEY: "a-key",
        GOOGLE_GEMINI_BASE_URL: model.url,
      },
    })
  }
  const kill = async () => server?.kill()
  await start()
  return {
    get url() {
      return server?.url ?? ""
    },
    release: () => Effect.runSync(model.endAll),
    requests: () => model.requests.map(({ body }) => lastText(body)),
    pictures: () =>
      model.requests.map(({ body }) =>
        lastParts(body).flatMap(({ inlineData }) =>
          inlineData === undefined ? [] : [`${inlineData.mimeType} ${inlineData.data}`],
        ),
      ),
    loom: (...args) => {
      const env = { PATH: process.env.PATH, HOME: folder }
      execFileSync(process.execPath, [bin, "loom", ...args, "--forest", "forest.db"], { cwd: folder, env })
    },
    kill,
    start,
    end: async () => {
      await kill()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      remove()
    },
  }
}
