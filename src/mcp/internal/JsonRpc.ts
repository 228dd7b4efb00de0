/**
 * Messages of JSON-RPC as the Model Context Protocol has them, checked without the SDK: its schemas take a tenth of the
 * time of a first answer to load. What is in a message of a method is checked by the one that answers it.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/server"
import { isObject, type JsonObject } from "../../base/Json.ts"

export type Id = string | number

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INTERNAL_ERROR = -32603

/** Returns the value as a message; undefined if the SDK would refuse it. */
export const messageIn = (value: unknown): JSONRPCMessage | undefined =>
  isObject(value) && value.jsonrpc === "2.0" && (isCall(value) || isReply(value))
    ? // The type of the SDK says more of parameters and results than a message has to have.
      (value as unknown as JSONRPCMessage)
    : undefined

/** Returns whether it is a request or a notification. */
const isCall = (value: JsonObject): boolean =>
  hasOnly(value, callKeys) &&
  (!("id" in value) || isId(value.id)) &&
  typeof value.method === "string" &&
  (!("params" in value) || (isObject(value.params) && (!("_meta" in value.params) || isMeta(value.params._meta))))

const isReply = (value: JsonObject): boolean =>
  "result" in value
    ? hasOnly(value, resultKeys) &&
      isId(value.id) &&
      isObject(value.result) &&
      (!("_meta" in value.result) || isObject(value.result._meta))
    : hasOnly(value, errorKeys) &&
      (!("id" in value) || isId(value.id)) &&
      isObject(value.error) &&
      Number.isSafeInteger(value.error.code) &&
      typeof value.error.message === "string"

const callKeys: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"])
const resultKeys: ReadonlySet<string> = new Set(["jsonrpc", "id", "result"])
const errorKeys: ReadonlySet<string> = new Set(["jsonrpc", "id", "error"])

export const hasOnly = (value: JsonObject, keys: ReadonlySet<string>): boolean =>
  Object.keys(value).every((key) => keys.has(key))

const isId = (value: unknown): value is Id => typeof value === "string" || Number.isSafeInteger(value)

const RELATED_TASK = "io.modelcontextprotocol/related-task"

const isMeta = (value: unknown): boolean => {
  if (!isObject(value)) return false
  const task = value[RELATED_TASK]
  return (
    (!("progressToken" in value) || isId(value.progressToken)) &&
    (!(RELATED_TASK in value) || (isObject(task) && typeof task.taskId === "string"))
  )
}
