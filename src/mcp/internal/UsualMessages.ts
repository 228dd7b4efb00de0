/**
 * Answers the messages that agents usually send, in the revisions before 2026, as the SDK would: the handshake, the
 * list of tools, and calls. The SDK takes a fifth of the time of a first answer to load, so it is loaded with the first
 * request that is any other, and continues the same conversation.
 */
import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  Transport,
} from "@modelcontextprotocol/server"
import { isObject, type JsonObject } from "../../base/Json.ts"
import type { Call, ServedTools } from "../ServedTools.ts"
import { hasOnly, type Id, INTERNAL_ERROR } from "./JsonRpc.ts"

export interface Connection {
  readonly close: () => Promise<void>
}

/** Serves tools over a transport by the SDK. */
export type ConnectSdk = (tools: ServedTools, transport: Transport) => Connection

/** Serves tools over a transport until the connection is closed. `loadSdk` is called at most once if it succeeds. */
export const serve = (tools: ServedTools, wire: Transport, loadSdk: () => Promise<ConnectSdk>): Connection => {
  /** The calls under way that are answered here. */
  const calls = new Map<Id, Call>()
  /** The request of the handshake that was answered here. */
  let handshake: JSONRPCRequest | undefined
  let sdk: Promise<SdkConnection> | undefined

  const answer = (id: Id, result: JSONRPCResultObject) => wire.send({ result, jsonrpc: "2.0", id })
  const fail = (id: Id, message: string) =>
    wire.send({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } } satisfies JSONRPCResponse)

  const begin = (id: Id, name: string, parameters: JsonObject) => {
    const call = tools.call(id, name, parameters)
    calls.set(id, call)
    // A call that was cancelled has been taken from the calls, and gets no answer.
    const end = () => calls.get(id) === call && calls.delete(id)
    void call.result.then(
      (result) => void (end() && answer(id, result)),
      (cause: unknown) => void (end() && fail(id, cause instanceof Error ? cause.message : "Internal error")),
    )
  }

  /** Returns whether it has answered the request. */
  const answerRequest = (request: JSONRPCRequest): boolean => {
    const { id, method } = request
    const params: unknown = request.params ?? {}
    if (!isObject(params) || !isUsualMeta(params._meta)) return false
    if (handshake === undefined) {
      if (sdk !== undefined || method !== "initialize" || !isUsualHandshake(params)) return false
      handshake = request
      const { info: serverInfo, instructions } = tools
      const { protocolVersion } = params
      void answer(id, {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo,
        ...(instructions && { instructions }),
      })
      return true
    }
    if (method === "ping" && hasOnly(params, noKeys)) {
      void answer(id, {})
      return true
    }
    if (method === "tools/list" && hasOnly(params, noKeys)) {
      void answer(id, { tools: tools.definitions })
      return true
    }
    if (method !== "tools/call" || !hasOnly(params, callKeys)) return false
    const { arguments: parameters = {}, name } = params
    if (!isObject(parameters) || Object.hasOwn(parameters, "__proto__")) return false
    const definition = tools.definitions.find((each) => each.name === name)
    if (definition === undefined || calls.has(id)) return false
    begin(id, definition.name, parameters)
    return true
  }

  const cancel = ({ params }: JSONRPCNotification) => {
    const id = params?.requestId
    const call = typeof id === "string" || typeof id === "number" ? calls.get(id) : undefined
    if (call === undefined || (typeof id !== "string" && typeof id !== "number")) return
    calls.delete(id)
    call.interrupt()
  }

  const toSdk = (message: JSONRPCMessage) => {
    sdk ??= loadSdk().then((connect) => connectTo(connect, tools, wire, handshake))
    void sdk.then(
      ({ deliver }) => deliver(message),
      (cause: unknown) => {
        sdk = undefined
        if ("method" in message && "id" in message) void fail(message.id, `Internal error: ${String(cause)}`)
      },
    )
  }

  wire.onmessage = (message) => {
    if ("method" in message && "id" in message) {
      if (!answerRequest(message)) toSdk(message)
      return
    }
    if ("method" in message && message.method === "notifications/cancelled") cancel(message)
    // After a handshake nothing else has an effect. Before, it may be the beginning of another revision.
    if (handshake === undefined || sdk !== undefined) toSdk(message)
  }
  void wire.start()
  return {
    close: async () => {
      for (const call of calls.values()) call.interrupt()
      calls.clear()
      const connection = await sdk?.catch(() => undefined)
      await connection?.close()
      await wire.close()
    },
  }
}

type JSONRPCResultObject = Readonly<Record<string, unknown>>

interface SdkConnection extends Connection {
  readonly deliver: (message: JSONRPCMessage) => void
}

/** Connects the SDK to a part of the wire. It receives the handshake that there was; its answer to it is dropped. */
const connectTo = (
  connect: ConnectSdk,
  tools: ServedTools,
  wire: Transport,
  handshake: JSONRPCRequest | undefined,
): SdkConnection => {
  let dropped = handshake?.id
  const channel: Transport = {
    start: async () => {},
    send: async (message) => {
      if (dropped !== undefined && !("method" in message) && message.id === dropped) dropped = undefined
      else await wire.send(message)
    },
    close: async () => channel.onclose?.(),
  }
  const { close } = connect(tools, channel)
  const deliver = (message: JSONRPCMessage) => channel.onmessage?.(message)
  if (handshake !== undefined) deliver(handshake)
  return { deliver, close }
}

/** The revisions that begin with a handshake. */
const revisions: ReadonlySet<unknown> = new Set(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"])

const noKeys: ReadonlySet<string> = new Set(["_meta"])
const callKeys: ReadonlySet<string> = new Set(["_meta", "name", "arguments"])
const handshakeKeys: ReadonlySet<string> = new Set(["_meta", "protocolVersion", "capabilities", "clientInfo"])
const infoKeys: ReadonlySet<string> = new Set(["name", "version", "title", "websiteUrl", "description"])

/** The names of the protocol's own make a message one of a later revision, or of a task. */
const isUsualMeta = (meta: unknown): boolean =>
  meta === undefined ||
  (isObject(meta) && Object.keys(meta).every((key) => !key.startsWith("io.modelcontextprotocol/")))

const isUsualHandshake = (params: JsonObject): boolean => {
  const { capabilities, clientInfo, protocolVersion } = params
  return (
    hasOnly(params, handshakeKeys) &&
    revisions.has(protocolVersion) &&
    isObject(capabilities) &&
    Object.entries(capabilities).every(([name, value]) => isUsualCapability(name, value)) &&
    isObject(clientInfo) &&
    hasOnly(clientInfo, infoKeys) &&
    typeof clientInfo.name === "string" &&
    typeof clientInfo.version === "string" &&
    Object.values(clientInfo).every((value) => typeof value === "string")
  )
}

/** Takes capabilities such as `{"roots":{"listChanged":true},"elicitation":{"form":{}}}`. */
const isUsualCapability = (capability: string, value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).every(([name, inner]) =>
    capability === "roots" && name === "listChanged"
      ? typeof inner === "boolean"
      : isObject(inner) && Object.keys(inner).length === 0,
  )
