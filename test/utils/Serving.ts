/** The server of `vibe serve` over real HTTP, with a scripted model, and a client of it. */
import * as http from "node:http"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Watcher from "../../src/code/Watcher.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Saves from "../../src/conversation/document/Saves.ts"
import type { TextFile } from "../../src/conversation/document/TextFile.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as ForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as Ids from "../../src/message/Ids.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Git from "../../src/review/Git.ts"
import { GitError, NotInstalled } from "../../src/review/GitError.ts"
import type { Event } from "../../src/server/api/Events.ts"
import * as DraftStore from "../../src/server/DraftStore/Sqlite.ts"
import * as EventHub from "../../src/server/EventHub.ts"
import type * as Guard from "../../src/server/Guard.ts"
import type * as Mcp from "../../src/server/Mcp.ts"
import type * as Served from "../../src/server/Served.ts"
import * as Server from "../../src/server/Server.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as WikiFolder from "../../src/wiki/WikiStore/Folder.ts"
import * as SharedSymbols from "./SharedSymbols.ts"

export const token = "the-token-of-the-tests"

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind, and fail where they are others
  readonly body: any
  readonly headers: http.IncomingHttpHeaders
}

export interface Client {
  readonly port: number
  readonly send: (
    method: string,
    path: string,
    payload?: unknown,
    headers?: http.OutgoingHttpHeaders,
  ) => Promise<Answer>
  readonly get: (path: string) => Promise<Answer["body"]>
  readonly post: (path: string, payload: unknown) => Promise<Answer["body"]>
  readonly put: (path: string, payload: unknown) => Promise<Answer["body"]>
  /** Events from now on. `until` returns the first one that passes, also of those that came already. */
  readonly listen: () => Promise<Listening>
}

export interface Listening {
  readonly events: Array<Event>
  readonly until: (passes: (event: Event) => boolean) => Promise<Event>
  readonly close: () => void
}

export const client = (port: number): Client => {
  const send: Client["send"] = (method, path, payload, headers = {}) =>
    new Promise((resolve, reject) => {
      const raw = typeof payload === "string" || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
      const body = raw === undefined ? undefined : Buffer.from(raw)
      const request = http.request(
        {
          host: "127.0.0.1",
          port,
          path,
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { "content-type": "application/json", "content-length": body.length }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk) => chunks.push(chunk))
          response.on("error", reject)
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString()
            const isJson = response.headers["content-type"]?.startsWith("application/json") === true
            resolve({
              status: response.statusCode ?? 0,
              body: isJson && text !== "" ? JSON.parse(text) : text,
              headers: response.headers,
            })
          })
        },
      )
      request.on("error", reject)
      request.end(body)
    })
  const succeed = async (method: string, path: string, payload?: unknown) => {
    const { body, status } = await send(method, `/api${path}`, payload)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body
  }
  return {
    port,
    send,
    get: (path) => succeed("GET", path),
    post: (path, payload) => succeed("POST", path, payload),
    put: (path, payload) => succeed("PUT", path, payload),
    listen: () =>
      new Promise((resolve, reject) => {
        const events: Array<Event> = []
        const waiting = new Set<() => void>()
        const request = http.get(
          { host: "127.0.0.1", port, path: "/api/events", headers: { authorization: `Bearer ${token}` } },
          (response) => {
            let text = ""
            response.setEncoding("utf8")
            response.on("error", () => {})
            response.on("data", (chunk) => {
              text += chunk
              const lines = text.split("\n\n")
              text = lines.pop() ?? ""
              for (const line of lines) if (line.startsWith("data: ")) events.push(JSON.parse(line.slice(6)))
              for (const wake of waiting) wake()
              if (events.length > 0) resolve(listening)
            })
          },
        )
        request.on("error", reject)
        const listening: Listening = {
          events,
          until: (passes) =>
            new Promise((found) => {
              const look = () => {
                const event = events.find(passes)
                if (event === undefined) return
                waiting.delete(look)
                found(event)
              }
              waiting.add(look)
              look()
            }),
          close: () => void request.destroy(),
        }
      }),
  }
}

export interface Options {
  readonly model: LanguageModel.Service
  readonly others?: ReadonlyArray<LanguageModel.Service>
  /** Why `model` answers nothing. */
  readonly refusal?: string
  readonly systemPrompt?: string
  /** Whether models are offered tools: none of them. */
  readonly hasTools?: boolean
  readonly file?: TextFile
  /** A file for the forest, and beside it for drafts; in memory by default. */
  readonly forest?: string
  /** The files of the folder that is served, by absolute path. */
  readonly files?: Parameters<typeof Files.layerMemory>[0]
  /** Replaces a part of the store of the index. */
  readonly index?: (store: IndexStore.Service) => Partial<IndexStore.Service>
  /** The program git, which is not installed by default. */
  readonly git?: Git.Service
  /** What answers agents. */
  readonly mcp?: Effect.Effect<Mcp.Handler>
  /** What notices that a file is saved; nothing by default. */
  readonly saves?: Saves.Service
  /** Which codes are valid in place of the token. */
  readonly redeem?: Guard.Options["redeem"]
}

/** A server that ends with the scope. */
export const serve = (options: Options) =>
  Effect.gen(function* () {
    const {
      file,
      forest,
      model,
      files = {},
      git = { run: () => new GitError({ reason: new NotInstalled() }) },
      index = () => ({}),
      mcp = Effect.die("there are no tools"),
      others = [],
      redeem = () => Effect.succeed(false),
      refusal,
      saves = () => Stream.never,
      hasTools = false,
      systemPrompt = "Be brief.",
    } = options
    const served: Served.Service = {
      server: "a run",
      folder: "/project",
      systemPrompt,
      file,
      filePrompt: "Edit the file.",
      model,
      refusal,
      openModel: (id) => {
        const found = others.find((other) => String(other.id) === String(id))
        return found === undefined ? Effect.fail(`there is no model ${id}`) : Effect.succeed(found)
      },
      models: Effect.succeed([]),
      price: () => Effect.succeed(model.price),
      tools: hasTools ? Effect.succeed(ToolRegistry.make([])) : undefined,
      describe: ({ message }) => message,
    }
    const store = forest === undefined ? ForestStore.layerMemory : ForestStore.layer(forest)
    const drafts = forest === undefined ? DraftStore.layerMemory : DraftStore.layer(`${forest}.drafts`)
    const code = yield* Layer.build(
      Layer.effect(
        IndexStore.IndexStore,
        Effect.map(IndexStore.IndexStore, (store) => ({ ...store, ...index(store) })),
      ).pipe(
        Layer.provide(Sqlite.layerMemory),
        Layer.provideMerge(SharedSymbols.layer),
        Layer.provideMerge(Watcher.makeMemory("/project").layer),
        Layer.provideMerge(WikiFolder.layer),
        Layer.provideMerge(Files.layerMemory({ "/project/README.md": "A project.", ...files })),
      ),
    )
    const workspace = yield* Effect.provide(Workspace.open("/project"), code)
    const services = yield* Layer.build(
      Server.services(served, workspace).pipe(
        Layer.provideMerge(Layer.succeedContext(code)),
        Layer.provideMerge(Layer.succeed(Git.Git, git)),
        Layer.provideMerge(Forest.layer),
        Layer.provideMerge(drafts),
        Layer.provideMerge(Layer.succeed(Saves.Saves, saves)),
        Layer.provideMerge(Ids.layer),
        Layer.provideMerge(store),
      ),
    )
    const listening = yield* Server.listen("127.0.0.1", 0)
    const { port } = listening
    const site = () => HttpServerResponse.text("the page")
    yield* Effect.provide(Server.serve(listening, { names: ["vibe.lan"], port, token, redeem, site, mcp }), services)
    return {
      ...client(port),
      forest: Context.get(services, Forest.Forest),
      hub: Context.get(services, EventHub.EventHub),
    }
  })

/** The conversation of a new browser. */
export const begin = async ({ get }: Client): Promise<string> => (await get("/session")).conversation

/** A model that answers by a function of what it is asked. */
export const scripted = (script: Scripted.Script, name = "test"): LanguageModel.Service =>
  Effect.runSync(Scripted.make(script, name))
