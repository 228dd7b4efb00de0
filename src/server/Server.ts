/**
 * Serves `vibe serve` over HTTP: the API and the page, over the services behind them, and behind the checks that
 * decide which requests are answered.
 */

import * as http from "node:http"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as LoomEngine from "../agent/LoomEngine.ts"
import { cut, line } from "../base/SchemaIssues.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as SessionManager from "../conversation/engines/SessionManager.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import { Api } from "./Api.ts"
import * as Body from "./Body.ts"
import * as ConversationHandlers from "./ConversationHandlers.ts"
import * as EventHub from "./EventHub.ts"
import * as ForestHandlers from "./ForestHandlers.ts"
import * as Guard from "./Guard.ts"
import * as IndexHandlers from "./IndexHandlers.ts"
import * as IndexRuns from "./IndexRuns.ts"
import * as LiveConversations from "./LiveConversations.ts"
import * as Mcp from "./Mcp.ts"
import * as ProjectIndex from "./ProjectIndex.ts"
import * as Served from "./Served.ts"
import type * as Site from "./Site.ts"
import * as WikiHandlers from "./WikiHandlers.ts"

/** The server cannot listen on the address. */
export class NotListening extends Data.TaggedError("NotListening")<{ readonly cause: NodeJS.ErrnoException }> {
  override get message() {
    return this.cause.message
  }
}

export interface Listening {
  readonly server: http.Server
  readonly port: number
}

/** The most connections: more than the pages and scripts of one user need. Each takes a socket. */
const MAX_SOCKETS = 512

/**
 * Listens until the scope closes, which ends all connections at once, since streams of events never end by themselves.
 */
export const listen = (host: string, port: number): Effect.Effect<Listening, NotListening, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Listening, NotListening>((resume) => {
      const server = http.createServer()
      server.maxConnections = MAX_SOCKETS
      server.once("error", (cause) => resume(new NotListening({ cause })))
      server.listen({ host, port, exclusive: true }, () => {
        const address = server.address()
        server.removeAllListeners("error")
        resume(Effect.succeed({ server, port: typeof address === "object" && address !== null ? address.port : port }))
      })
    }),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )

export interface Options extends Guard.Options {
  readonly site: ReturnType<typeof Site.make>
  /** The handler that answers agents at `/mcp`. It is opened once, with the first request. */
  readonly mcp: Effect.Effect<Mcp.Handler>
}

const api = HttpApiBuilder.api(Api).pipe(
  Layer.provide(EventHub.handlers),
  Layer.provide(ConversationHandlers.layer),
  Layer.provide(ForestHandlers.layer),
  Layer.provide(IndexHandlers.layer),
  Layer.provide(WikiHandlers.layer),
)

/**
 * Answers any path that the API does not have with the page. It writes nothing, so that a health check leaves nothing
 * behind.
 */
const pages = ({ mcp, site, token }: Options) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      yield* router.all("/mcp", Mcp.answer(mcp, { token }))
      yield* router.get(
        "/*",
        Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
          const pathname = URL.parse(url, "http://localhost")?.pathname
          return pathname === undefined || pathname.startsWith("/api/") ? notFound : site(pathname)
        }),
      )
    }),
  )

const notFound = HttpServerResponse.unsafeJson({ message: "There is no such request." }, { status: 404 })

/** Answers the requests of a server until the scope closes. */
export const serve = ({ server }: Listening, options: Options) =>
  Effect.gen(function* () {
    const middleware = yield* HttpApiBuilder.Middleware
    yield* middleware.add(withSentences)
    const app = yield* HttpApiBuilder.httpApp
    const handler = yield* NodeHttpServer.makeHandler(
      Guard.guard(options)(limitRequests(Body.check(withoutDefects(app)))).pipe(Effect.orDie),
    )
    yield* Effect.acquireRelease(
      Effect.sync(() => server.on("request", handler)),
      () => Effect.sync(() => server.off("request", handler)),
    )
  }).pipe(
    Effect.provide(
      pages(options).pipe(
        Layer.provideMerge(api),
        Layer.provideMerge(HttpApiBuilder.Router.Live),
        Layer.provideMerge(HttpApiBuilder.Middleware.layer),
        Layer.provideMerge(NodeHttpServer.layerContext),
        Layer.provideMerge(Layer.succeed(Served.Port, options.port)),
      ),
    ),
  )

/** The most requests in progress at a time, apart from streams of events. A page has a few. */
const MAX_REQUESTS = 256

/** Refuses requests above the limit at once, so that a flood takes no memory and no other page has to wait for it. */
const limitRequests = <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> => {
  let inProgress = 0
  return Effect.suspend(() => {
    if (inProgress >= MAX_REQUESTS) return Effect.succeed(tooMany)
    inProgress++
    return Effect.ensuring(
      app,
      Effect.sync(() => {
        inProgress--
      }),
    )
  })
}

const tooMany = HttpServerResponse.unsafeJson(
  { message: `vibe serve works on ${MAX_REQUESTS} requests at a time: send them more slowly.` },
  { status: 429, headers: { "retry-after": "1", connection: "close" } },
)

/** Answers a request that breaks the contract with a sentence that does not show the schema. */
const withSentences = <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
  Effect.catchIf(
    app,
    (error): error is E & HttpApiDecodeError => error instanceof HttpApiDecodeError,
    ({ issues }) => {
      const [issue] = issues
      const message = issue === undefined ? "the request is not as it should be" : cut(line(issue.path, issue.message))
      return Effect.succeed(HttpServerResponse.unsafeJson({ message: `${message}.` }, { status: 400 }))
    },
  )

/** Answers a path that does not exist, or a defect, with a sentence too. */
const withoutDefects = <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<never, R> =>
  Effect.catchAllCause(app, (cause) => {
    if (Cause.isInterrupted(cause)) return Effect.interrupt
    const error: unknown = Cause.squash(cause)
    if (typeof error === "object" && error !== null && "_tag" in error && error._tag === "RouteNotFound") {
      return Effect.succeed(notFound)
    }
    return Effect.as(
      Effect.logError("a request failed", cause),
      HttpServerResponse.unsafeJson({ message: "A mistake in vibe itself: its log says more." }, { status: 500 }),
    )
  })

/**
 * Composes the services of the server. They are built once for each server. `workspace` is the served folder,
 * with the selection of a new index.
 */
export const services = (served: Served.Service, workspace: Workspace) =>
  LiveConversations.layer.pipe(
    Layer.provideMerge(IndexRuns.layer),
    Layer.provideMerge(ProjectIndex.layer(workspace)),
    Layer.provideMerge(
      SessionManager.layer({ systemPrompt: served.systemPrompt, extract: LiveConversations.findDocument }),
    ),
    Layer.provideMerge(Layer.effect(LoomEngine.LoomEngine, LoomEngine.make)),
    Layer.provideMerge(Layer.succeed(LanguageModel.LanguageModel, served.model)),
    Layer.provideMerge(EventHub.layer(served.server)),
    Layer.provideMerge(Layer.succeed(Served.Served, served)),
  )
