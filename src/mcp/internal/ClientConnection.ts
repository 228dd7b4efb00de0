/** A connection to one tool server: its tools, and calls of them. */
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JsonSchemaValidator,
  type ListToolsResult,
  type RequestOptions,
  type Result,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { endWith } from "../../base/concurrency.ts"
import * as Json from "../../base/Json.ts"
import { makeMutex } from "../../base/mutex.ts"
import { sanitize } from "../../base/Sanitize.ts"
import * as SchemaIssues from "../../base/SchemaIssues.ts"
import * as ChildProcess from "../../process/ChildProcess.ts"
import type { Environment } from "../../process/Environment.ts"
import * as Fetch from "../../process/Fetch.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ClientTransport from "./ClientTransport.ts"
import * as ServerAnswers from "./ServerAnswers.ts"

export type Server = (
  | {
      readonly _tag: "Program"
      /** A name on PATH, or an absolute path. The program runs in the current folder. */
      readonly command: string
      readonly args: ReadonlyArray<string>
      /** The names of environment variables that the program receives although they look like secrets. */
      readonly env: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Remote"
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
    }
) & {
  readonly name: string
  /** The names of the tools that are offered. Undefined if all are. */
  readonly only: ReadonlyArray<string> | undefined
  /** The longest time without a sign of life in a call. */
  readonly timeout: Duration.Duration | undefined
}

export interface Options {
  /** The environment of this process: programs are looked up on its PATH, and receive it without the secrets. */
  readonly environment: Environment
  /** Removes secrets from the server's texts. */
  readonly redact: (text: string) => string
  /** The time in which a server has to list its tools. */
  readonly startTimeout?: Duration.Duration | undefined
  /** Called with the name of a server when its tools are there or it has failed. */
  readonly onOpened?: ((server: string) => void) | undefined
}

/** The error of a server that cannot be used, or of a call that failed. */
export class ToolServerError extends Data.TaggedError("ToolServerError")<{
  readonly server: string
  readonly detail: string
}> {
  override get message() {
    return `tool server ${this.server} ${this.detail}`
  }
}

/** The tools that a server has listed. */
export interface Listed {
  readonly tools: ListToolsResult["tools"]
  /** The tools that cannot be used. */
  readonly leftOut: ReadonlyArray<ServerAnswers.LeftOut>
}

export interface Connection {
  /** The latest list. */
  readonly listed: () => Listed
  /**
   * Lists the tools again if the server has announced since the latest list that they have changed. If that fails, the
   * latest list stays as it is.
   */
  readonly refresh: Effect.Effect<void>
  /**
   * Calls a tool. The call is cancelled on the server if it is interrupted. If the tools have changed meanwhile, they
   * are listed before it returns.
   */
  readonly call: (
    tool: string,
    args: Readonly<Record<string, unknown>>,
  ) => Effect.Effect<CallToolResult, ToolServerError>
  /** Returns whether no further call can succeed. */
  readonly isClosed: () => boolean
}

/**
 * The default time to start. A program that `npx` or `uvx` has to fetch first takes longer; the error then says that it
 * gave no answer.
 */
const START_TIMEOUT = Duration.seconds(30)

const CALL_TIMEOUT = Duration.seconds(60)

/** The time to wait for a changed list, since requests and results wait for it. */
const RELIST_TIMEOUT = Duration.seconds(4)

/** The time that is left of the limit of a tool, so that its call is cancelled on the server before. */
const CANCEL_TIME = Duration.seconds(1)

/**
 * The time limit of a call that shows signs of life. A changed list that is awaited after it is within the limit, too.
 */
const LONGEST_CALL = Duration.subtract(ToolRegistry.TIMEOUT, Duration.sum(RELIST_TIMEOUT, CANCEL_TIME))

/** The most characters of a program's last words in an error. */
const MAX_WORDS_CHARS = 600

/** Starts or reaches a server, and ends it with the scope. */
export const open = (server: Server, options: Options): Effect.Effect<Connection, ToolServerError, Scope.Scope> =>
  Effect.gen(function* () {
    const startTimeout = options.startTimeout ?? START_TIMEOUT
    const { describe, ending, transport } = yield* channelTo(server, options)
    let isClosed = false
    const client = new Client(
      { name: "vibe", version: "1" },
      {
        // An old server may not answer a method that it does not have. For a program, `auto` would then wait for the
        // whole timeout.
        ...(server._tag === "Remote" && { versionNegotiation: { mode: "auto" as const } }),
        jsonSchemaValidator: acceptAll,
      },
    )
    client.onclose = () => {
      isClosed = true
    }
    yield* Effect.addFinalizer(() => Effect.promise(() => client.close().catch(() => undefined)))

    const request = <A>(timeout: Duration.Duration, send: (signal: AbortSignal) => Promise<A>) =>
      Effect.tryPromise({ try: send, catch: (cause) => cause }).pipe(
        Effect.catchAll((cause) => {
          if (isConnectionLost(cause)) isClosed = true
          return new ToolServerError({ server: server.name, detail: describe(cause, timeout) })
        }),
      )
    let leftOut: ReadonlyArray<ServerAnswers.LeftOut> = []
    let listed: Listed = { tools: [], leftOut }
    let hasChanged = false
    const listTools = async (limits: RequestOptions, hasTools: boolean) => {
      leftOut = []
      // A change that is announced after this point may come too late for this list.
      hasChanged = false
      const { tools } = !hasTools
        ? { tools: [] }
        : client.getServerCapabilities()?.tools === undefined
          ? // The client would not ask a server that has announced no tools, whatever it has announced since.
            await client.request({ method: "tools/list" }, limits)
          : await client.listTools({}, limits)
      listed = { tools, leftOut }
    }
    /** Limits the time of all requests together, since the limits of the SDK hold for each of them. */
    const requestAll = (timeout: Duration.Duration, send: (limits: RequestOptions) => Promise<void>) =>
      request(timeout, (signal) => send({ signal, timeout: Duration.toMillis(timeout) })).pipe(
        endWith(
          Effect.suspend(() => new ToolServerError({ server: server.name, detail: describe(timedOut, timeout) })).pipe(
            Effect.delay(timeout),
          ),
        ),
      )
    yield* requestAll(startTimeout, async (limits) => {
      await client.connect(transport, limits)
      watchMessages(transport, {
        leftOut: (tools) => {
          leftOut = [...leftOut, ...tools]
        },
        changed: () => {
          hasChanged = true
        },
      })
      // Servers of the latest revision announce changes only to clients that ask for them.
      if (client.getProtocolEra() === "modern" && client.getServerCapabilities()?.tools?.listChanged === true) {
        client.listen({ toolsListChanged: true }).catch(() => undefined)
      }
      await listTools(limits, client.getServerCapabilities()?.tools !== undefined)
    })

    const timeout = server.timeout ?? CALL_TIMEOUT
    const relistTimeout = Duration.min(startTimeout, RELIST_TIMEOUT)
    const exclusively = makeMutex()
    const refresh = exclusively(
      Effect.suspend(() =>
        hasChanged && !isClosed && ending() === undefined
          ? Effect.ignore(requestAll(relistTimeout, (limits) => listTools(limits, true)))
          : Effect.void,
      ),
    )
    return {
      listed: () => listed,
      refresh,
      isClosed: () => isClosed || ending() !== undefined,
      call: (name, args) =>
        request(timeout, (signal) =>
          client.callTool(
            { name, arguments: args },
            {
              signal,
              timeout: Duration.toMillis(timeout),
              // This counts only together with a listener.
              resetTimeoutOnProgress: true,
              onprogress: () => undefined,
              maxTotalTimeout: Duration.toMillis(LONGEST_CALL),
            },
          ),
        ).pipe(Effect.zipLeft(refresh)),
    }
  })

interface Watch {
  readonly leftOut: (tools: ReadonlyArray<ServerAnswers.LeftOut>) => void
  /** Called when the server announces that its tools have changed, even if it has not said that it would. */
  readonly changed: () => void
}

/**
 * Mends the answers to `tools/list` and `tools/call` that a connected transport receives, before the client decodes
 * them. Reports changed tools.
 */
const watchMessages = (transport: Transport, { changed, leftOut: onLeftOut }: Watch): void => {
  // The methods by id. The id is a text, since some servers answer the number 1 with "1".
  const methods = new Map<string, string>()
  const { onmessage: receive } = transport
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    for (const one of Array.isArray(message) ? message : [message]) {
      if (isJSONRPCRequest(one) && (one.method === "tools/list" || one.method === "tools/call")) {
        methods.set(String(one.id), one.method)
      }
      // The client cancels a request that took too long, and no answer to it follows.
      if (isJSONRPCNotification(one) && one.method === "notifications/cancelled") {
        methods.delete(String(one.params?.requestId))
      }
    }
    return send(message, options)
  }
  const mend = (method: string | undefined, result: Result): Result => {
    // The result came as JSON. The SDK's type also allows values that JSON does not have.
    const json = result as Json.JsonObject
    if (method === "tools/call") return ServerAnswers.mendToolResult(json)
    if (method !== "tools/list") return result
    const { leftOut, result: mended } = ServerAnswers.mendToolList(json)
    onLeftOut(leftOut)
    return mended
  }
  transport.onmessage = (message, extra) => {
    if (isJSONRPCNotification(message) && message.method === "notifications/tools/list_changed") changed()
    if (isJSONRPCErrorResponse(message)) methods.delete(String(message.id))
    if (!isJSONRPCResultResponse(message)) return receive?.(message, extra)
    const id = String(message.id)
    const method = methods.get(id)
    methods.delete(id)
    return receive?.({ ...message, result: mend(method, message.result) }, extra)
  }
}

/** Accepts everything: results are read as text, so that none of their schemas has to be compiled. */
const acceptAll: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    // The caller chooses the type, and reads the result as a text whatever its type is.
    (data) => ({ valid: true, data: data as T, errorMessage: undefined }),
}

interface Channel {
  readonly transport: Transport
  readonly describe: (cause: unknown, timeout: Duration.Duration) => string
  /** Returns why no more messages come, or `undefined` while they may. */
  readonly ending: () => string | undefined
}

const channelTo = (
  server: Server,
  { environment, redact }: Options,
): Effect.Effect<Channel, ToolServerError, Scope.Scope> =>
  Effect.gen(function* () {
    if (server._tag === "Remote") {
      return {
        transport: new StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: { ...server.headers } },
          fetch: fetchLimited,
        }),
        ending: () => undefined,
        describe: (cause, timeout) => cut(redact(sanitize(reasonOf(cause, timeout)))),
      }
    }
    const { args, command: program, env: needs } = server
    const running = yield* Effect.mapError(
      ChildProcess.startInteractive({ program, args, environment, needs }),
      ({ message }) => new ToolServerError({ server: server.name, detail: `cannot be started: ${message}` }),
    )
    const { ending, lastWords, transport } = yield* ClientTransport.make(running)
    return {
      transport,
      ending,
      describe: (cause, timeout) => {
        const how = ending() ?? cut(redact(sanitize(reasonOf(cause, timeout))))
        const words = ending() === undefined && !isTimeout(cause) ? "" : redact(sanitize(lastWords())).trim()
        return words === "" ? how : `${how}: ${words.slice(-MAX_WORDS_CHARS)}`
      },
    }
  })

/** The most characters of an error that a server has answered with: some answer with a whole page or a stack trace. */
const MAX_REASON_CHARS = 2000

const cut = (reason: string): string => SchemaIssues.cut(reason, MAX_REASON_CHARS)

/** The most bytes of a response, as many as a line of a program may have. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/** Fails if a response is longer than that. */
const fetchLimited = async (url: string | URL, init?: RequestInit): Promise<Response> => {
  const response = await Fetch.live(url, init)
  if (response.body === null) return response
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length
      if (bytes <= MAX_RESPONSE_BYTES) controller.enqueue(chunk)
      else controller.error(new Error(`it sent more than ${MAX_RESPONSE_BYTES / 1024 / 1024} MB`))
    },
  })
  return new Response(response.body.pipeThrough(counter), response)
}

const timedOut = new SdkError(SdkErrorCode.RequestTimeout, "")

const isTimeout = (cause: unknown): boolean => cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout

const reasonOf = (cause: unknown, timeout: Duration.Duration): string => {
  if (isTimeout(cause)) return `gave no answer within ${Duration.toSeconds(timeout)} s`
  const status = cause instanceof SdkHttpError ? cause.status : undefined
  if (cause instanceof UnauthorizedError || status === 401 || status === 403) {
    return "refuses the key, or requires one: keyVariable names the variable that holds it"
  }
  if (cause instanceof SdkError && cause.code === SdkErrorCode.InvalidResult) {
    return `gave an answer that is not as the protocol has it: ${withIssuesAsText(messageOf(cause))}`
  }
  return `failed: ${messageOf(cause)}`
}

/** Turns the issues at the end of a message of the SDK, which it writes as a list in JSON, into text. */
const withIssuesAsText = (message: string): string => {
  const at = message.indexOf("[")
  const issues = at === -1 ? undefined : Json.tryParse(message.slice(at))
  if (!Array.isArray(issues)) return message
  const lines = issues.map((issue) => {
    const path: unknown = Json.at(issue, "path")
    return SchemaIssues.line(Array.isArray(path) ? path.map(String) : [], Json.textAt(issue, "message") ?? "is invalid")
  })
  return `${message.slice(0, at)}${lines.join("; ")}`
}

/** Returns whether the server has lost the connection, as opposed to an answer with an error. */
const isConnectionLost = (cause: unknown): boolean =>
  (cause instanceof SdkError && [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected].includes(cause.code)) ||
  // The session ended with a restart of the server.
  (cause instanceof SdkHttpError && cause.status === 404)

/** Returns the message of the innermost cause, since those of `fetch` are nested. */
const messageOf = (cause: unknown): string =>
  cause instanceof Error
    ? cause.cause instanceof Error
      ? messageOf(cause.cause)
      : cause.message || ("code" in cause ? String(cause.code) : cause.name)
    : String(cause)
