/** Serves coding agents over HTTP: hands the requests of `/mcp` to the handler that the command has given. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Guard from "./Guard.ts"

/** Answers a request of the Model Context Protocol: a port, since the command chooses which tools there are. */
export type Handler = (request: Request) => Promise<Response>

/**
 * Answers requests with the handler of `open`, which is run with each request and opens the handler the first time.
 * Only the token as a bearer counts: no page is an agent.
 */
export const answer = (open: Effect.Effect<Handler>, { token }: Pick<Guard.Options, "token">) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!Guard.hasBearer(request, token)) return noToken
    const { headers, method } = request
    // Other methods are not part of the protocol, and a `Request` with the method `TRACE` cannot be made.
    if (!METHODS.has(method)) return notAllowed
    const body = method === "POST" ? yield* request.text : undefined
    const handle = yield* open
    const url = `http://${headers.host}/mcp`
    // If the client disconnects, the fiber is interrupted, and the call with it.
    const response = yield* Effect.promise((signal) =>
      handle(new Request(url, { method, headers, signal, ...(body !== undefined && { body }) })),
    )
    return HttpServerResponse.fromWeb(response)
  })

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"])

const notAllowed = HttpServerResponse.unsafeJson(
  { message: "Coding agents send POST requests here." },
  { status: 405, headers: { allow: Array.from(METHODS).join(", ") } },
)

const noToken = HttpServerResponse.unsafeJson(
  { message: "Send the token of vibe serve: Authorization: Bearer TOKEN." },
  { status: 401, headers: { "www-authenticate": "Bearer" } },
)
